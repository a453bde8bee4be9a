// The words of the query found again in a text, under the folding that the search has: Säule, Saule, SAEULE and saeule are one.

export type Piece = { text: string; marked: boolean };

type Folded = { key: string; at: number[] }; // at[i]: where in the text the i-th letter of the key begins; one more for the end

const special: Record<string, string> = { ß: "ss", ø: "o", ł: "l", æ: "ae", œ: "oe" };

/** A text as letters and digits alone, with the place of each; what lies between words is a blank. */
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

/** The text in pieces: those that words of the query stand in are marked. A word counts at the beginning of a word, from three letters on anywhere. */
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
