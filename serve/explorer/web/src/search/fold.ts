// Finds the words of the query in a text, folded as in the search: Säule, Saule, SAEULE and saeule are equal.

export type Piece = { text: string; marked: boolean };

type Folded = { key: string; at: number[] }; // at[i]: position of the key's i-th letter in the text; the last element is the text's end

const special: Record<string, string> = { ß: "ss", ø: "o", ł: "l", æ: "ae", œ: "oe" };

/** The letters and digits of a text with their positions; words are separated by a space. */
function fold(text: string): Folded {
  let key = "";
  const at: number[] = [];
  let place = 0;
  for (const character of text) {
    const lower = character.toLowerCase();
    const plain = (special[lower] ?? lower).normalize("NFKD").replace(/\p{M}/gu, "");
    for (const letter of /[\p{L}\p{N}]/u.test(plain) ? plain : " ") {
      const last = key.at(-1) ?? " ";
      const joined = letter === "e" && "aou".includes(last) && !(last === "u" && /[aeiouq]/.test(key.at(-2) ?? " "));
      if (joined || (letter === " " && /^\p{M}$/u.test(character))) continue; // ae is a; a combining mark belongs to its letter
      key += letter;
      for (let i = 0; i < letter.length; i++) at.push(place);
    }
    place += character.length;
  }
  at.push(place);
  return { key, at };
}

/** Splits the text into parts, and marks parts with words of the query. Words match the start of a word, or any part if they have at least three letters. */
export function marked(text: string, query: string): Piece[] {
  const words = [...new Set(fold(query).key.split(" ").filter(Boolean))];
  const { key, at } = fold(text);
  const hits: [number, number][] = [];
  for (const word of words) {
    for (let i = key.indexOf(word); i >= 0; i = key.indexOf(word, i + word.length)) {
      const begins = i === 0 || key[i - 1] === " ";
      if (begins || word.length >= 3) hits.push([at[i]!, at[i + word.length]!]);
    }
  }
  hits.sort(([a], [b]) => a - b);
  const pieces: Piece[] = [];
  let done = 0;
  for (const [from, to] of hits) {
    if (to <= done) continue;
    const start = Math.max(from, done);
    const last = pieces.at(-1);
    if (start > done) pieces.push({ text: text.slice(done, start), marked: false });
    if (start === done && last) last.text += text.slice(start, to);
    else pieces.push({ text: text.slice(start, to), marked: true });
    done = to;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), marked: false });
  return pieces;
}
