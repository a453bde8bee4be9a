import assert from "node:assert/strict";
import { test } from "node:test";
import { runnerImport } from "vite";

const { module } = await runnerImport(new URL("number.ts", import.meta.url).pathname, { configFile: false });
const { canonical, numberOf } = module;

test("typed numbers are read", () => {
  const rows = [
    ["180", "180", 180],
    [" 180,5 ", "180.5", 180.5],
    ["180.5", "180.5", 180.5],
    ["1.234,5", "1234.5", 1234.5],
    ["1,234.5", "1234.5", 1234.5],
    ["1 234,5", "1234.5", 1234.5],
    [",5", "0.5", 0.5],
    ["5,", "5", 5],
    ["007", "7", 7],
    ["+3", "3", 3],
    ["−0,1", "-0.1", -0.1],
    ["1e3", "1e3", 1000],
    ["", "", null],
    ["-", "-", null],
    ["1,2,3", "1,2,3", null],
    ["abc", "abc", null],
    ["0x10", "0x10", null],
  ];
  for (const [typed, text, number] of rows) {
    assert.equal(canonical(typed), text, typed);
    assert.equal(numberOf(text), number, typed);
  }
});
