import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runnerImport } from "vite";

const { module } = await runnerImport(new URL("setup.ts", import.meta.url).pathname, { configFile: false });
const rows = JSON.parse(readFileSync(new URL("../../../../../dataset/acoustics/testdata/depths.json", import.meta.url), "utf8"));

test("depths are the same as in dataset/acoustics", () => {
  assert.ok(rows.length > 25);
  for (const row of rows) assert.equal(module.depthMM(row), row.depth_mm, row.rule);
  assert.equal(module.depthMM({ mounting: null, thickness_mm: 40, air_gap_mm: null }), null);
});
