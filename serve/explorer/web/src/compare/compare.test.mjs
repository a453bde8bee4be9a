import assert from "node:assert/strict";
import { test } from "node:test";
import { runnerImport } from "vite";

const { module } = await runnerImport(new URL("compare.ts", import.meta.url).pathname, { configFile: false });
const { placeOf, readComparison, writeComparison } = module;

test("reading and writing a comparison gives the same query", () => {
  const rows = [
    ["", ""],
    ["id=a,b&id=c&id[]=d", "id=a&id=b&id=c&id=d"],
    ["id=a,,a, b", "id=a&id=b"],
    ["id=a,b,c&entry=,1", "id=a&id=b&id=c&entry=,1"],
    ["id=a&entry=0,7", "id=a&entry=0"],
    ["id=a&bands=third&facts=different&locale=en", "id=a&facts=different&bands=third&locale=en"],
  ];
  for (const [query, want] of rows) {
    const params = new URLSearchParams(query);
    assert.equal(decodeURIComponent(writeComparison(readComparison(params), params).toString()), want, query);
  }
});

test("the set-up in the address is shown, else the most absorptive one", () => {
  const setup = (alpha) => ({ alpha_s_octave: Object.fromEntries([125, 250, 500, 1000, 2000, 4000].map((hz) => [hz, alpha])), alpha_s_third_octave: null });
  const product = { absorption_iso354: [setup(0.2), setup(0.8), setup(0.5)] };
  const rows = [["0", 0], ["2", 2], ["", 1], ["3", 1], ["-1", 1], ["x", 1]];
  for (const [entry, want] of rows) assert.equal(placeOf("a", product, entry).entry, want, entry);
  assert.deepEqual(placeOf("a", undefined, "0"), { id: "a", product: undefined, entry: 0, setup: undefined, alphaW: null });
});
