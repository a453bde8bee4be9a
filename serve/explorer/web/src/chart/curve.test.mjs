import assert from "node:assert/strict";
import { test } from "node:test";
import { runnerImport } from "vite";

const { module } = await runnerImport(new URL("curve.ts", import.meta.url).pathname, { configFile: false });
const { colourOf, dashOf, octavesHz, place, spanned, thirdsHz, valuesAt } = module;

const spannedBy = (unit, values, range) => {
  const { min, max } = spanned({ title: "", unit, bandsHz: [], curves: [{ label: "", style: 0, values }], range });
  return [min, max].map((n) => Math.round(n * 1000) / 1000);
};

test("third octaves have equal distances, octaves three times as much", () => {
  assert.deepEqual(thirdsHz.map(place), thirdsHz.map((_, i) => 17 + i));
  assert.deepEqual(octavesHz.map(place), octavesHz.map((_, i) => 18 + 3 * i));
});

test("a curve without values has a gap at every band", () => {
  assert.deepEqual(valuesAt([125, 250], null), [null, null]);
  assert.deepEqual(valuesAt([125, 250], { 250: 0 }), [null, 0]);
});

for (const [rule, unit, values, want, range] of [
  ["coefficients span 0 to 1", "", [0.2, 0.5], [0, 1]],
  ["and nothing too", "", [null], [0, 1]],
  ["exactly 1 adds nothing", "", [1], [0, 1]],
  ["what is over 1 is shown", "", [1.08], [0, 1.2]],
  ["what is below 0 too", "", [-0.05, 1.3], [-0.2, 1.4]],
  ["seconds begin at 0", "s", [0.8, 1.9], [0, 2]],
  ["a range counts", "s", [0.8], [0, 3], { label: "", low: [0.5], high: [2.9] }],
  ["long ones too", "s", [41], [0, 50]],
]) {
  test(`value axis: ${rule}`, () => assert.deepEqual(spannedBy(unit, values, range), want));
}

test("sixteen styles differ in colour or dash, eight in colour, the first four in both", () => {
  const styles = Array.from({ length: 16 }, (_, i) => `${colourOf(i)} ${dashOf(i)}`);
  assert.equal(new Set(styles).size, 16);
  assert.equal(new Set(styles.slice(0, 8).map((s) => s[0])).size, 8);
  assert.equal(new Set([0, 1, 2, 3].map((i) => String(dashOf(i)))).size, 4);
});
