import assert from "node:assert/strict";
import { test } from "node:test";
import { runnerImport } from "vite";

const { module } = await runnerImport(new URL("fold.ts", import.meta.url).pathname, { configFile: false });
const show = (text, query) =>
  module
    .marked(text, query)
    .map((p) => (p.marked ? `[${p.text}]` : p.text))
    .join("");

test("words are found with the folding of the search, and marked in their original spelling", () => {
  const cases = [
    ["Säule grau", "saule", "[Säule] grau"],
    ["Säule grau", "saeule", "[Säule] grau"],
    ["SAEULE grau", "säule", "[SAEULE] grau"],
    ["Sa\u0308ule", "saule", "[Sa\u0308ule]"], // an a with a combining mark
    ["Große Fläche", "grosse", "[Große] Fläche"],
    ["Neue Platte", "neu", "[Neu]e Platte"], // ue after a vowel is not ü
    ["Akustikplatte", "platte", "Akustik[platte]"],
    ["Abhängung", "ab", "[Ab]hängung"],
    ["Grab ab", "ab", "Grab [ab]"], // two letters match only the beginning of a word
    ["Panel 45/600", "45 600", "Panel [45]/[600]"],
    ["Holz und Holzwolle", "holz holzwolle", "[Holz] und [Holzwolle]"],
    ["Holz", "", "Holz"],
    ["", "holz", ""],
    ["<script>", "script", "<[script]>"],
    ["Wand", "  ", "Wand"],
  ];
  for (const [text, query, want] of cases) assert.equal(show(text, query), want, `${query} in ${text}`);
});

test("the parts together are the original text", () => {
  for (const text of ["Säule", "İstanbul ﬁlz ½ Ǆ", "a\u0308\u0308", "ue".repeat(50), "🙂 Holz 🙂", "\u0308"]) {
    for (const query of ["a", "saule", "i", "filz 1", "ue", "🙂"]) {
      assert.equal(module.marked(text, query).map((p) => p.text).join(""), text, `${query} in ${text}`);
    }
  }
});
