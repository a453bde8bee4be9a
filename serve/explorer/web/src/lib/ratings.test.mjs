import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runnerImport } from "vite";

const { module } = await runnerImport(new URL("ratings.ts", import.meta.url).pathname, { configFile: false });
const { rate, classOf, octaveValues, byAbsorption } = module;
const rows = JSON.parse(readFileSync(new URL("../../../../../dataset/acoustics/testdata/rated.json", import.meta.url), "utf8"));

test("ratings are the same as in dataset/acoustics", () => {
  assert.ok(rows.length > 100);
  for (const row of rows) {
    const got = rate(row.octave, row.third);
    const want = { alphaP: row.alpha_p, alphaW: row.alpha_w, shape: row.shape, nrc: row.nrc, saa: row.saa };
    assert.deepEqual(got, want, JSON.stringify(row));
    assert.equal(got.alphaW === null ? "" : classOf(got.alphaW), row.class);
  }
});

test("octaves from third octaves are the same as in dataset/acoustics", () => {
  const octavesHz = [63, 125, 250, 500, 1000, 2000, 4000, 8000];
  for (const row of rows) {
    const want = octavesHz.map((hz) => row.averages[hz] ?? null);
    assert.deepEqual(octaveValues(octavesHz, null, row.third), want, JSON.stringify(row.third));
  }
});

test("a stated octave is used instead of the mean of its third octaves", () => {
  assert.deepEqual(octaveValues([125, 250], { 125: 0.9 }, { 100: 0.1, 125: 0.1, 160: 0.1 }), [0.9, null]);
});

test("variants are sorted by alpha_w, then NRC, unknown ones last", () => {
  const rated = (alphaW, nrc) => ({ alphaW, nrc });
  const list = [rated(null, 90), rated(50, 40), rated(80, null), rated(50, 45), rated(80, 10), rated(50, 40), rated(null, null)];
  assert.deepEqual(byAbsorption(list), [4, 2, 3, 1, 5, 0, 6]);
});
