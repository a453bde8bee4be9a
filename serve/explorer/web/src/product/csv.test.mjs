import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runnerImport } from "vite";

const { module } = await runnerImport(new URL("csv.ts", import.meta.url).pathname, { configFile: false });
const { csv, dialects } = module;

const entry = { id: "a1", label: "Absorption 1", source_kind: "measured", mounting: "E", thickness_mm: 40.5, air_gap_mm: null };
const product = (more = {}, absorption = [{ ...entry, alpha_s_octave: { 125: 0.25, 250: 1e-7, 4000: -0.05 }, alpha_s_third_octave: null }]) => ({
  id: "x", slug: "s", label: "Paneel", manufacturerName: "M", installation_types: ["wall", "ceiling"], alphaW: 0.9, alphaWMin: 0, has_epd: false,
  measurements: { absorption_iso_354: absorption, scatter_iso_17497_1: [], diffusion_iso_17497_2: [] },
  ...more,
});
/** The cells of a product's only row by column. No cell has a separator. */
function row(text) {
  const [names, values, rest] = text.split("\r\n").map((line) => line.split(","));
  assert.deepEqual(rest, [""]);
  assert.equal(values.length, names.length);
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}

test("columns have the same names as in sabine export", () => {
  const files = ["dataset/product/fields", "dataset/product/members", "dataset/product/measurements", "dataset/product/columns", "serve/export/csv"];
  const go = files.map((file) => readFileSync(new URL(`../../../../../${file}.go`, import.meta.url), "utf8")).join("");
  const known = new Set([...go.matchAll(/"([a-z_0-9]+)"/g)].map((m) => m[1]));
  for (const name of Object.keys(row(csv(product({ installation_types: [] }), dialects.en)))) {
    const field = name.replace(/ \d+ Hz$/, "");
    assert.ok(known.has(field) || known.has(field.replace(/^entry_/, "")), name);
  }
});

test("values are in their columns, null is an empty cell, and numbers have no exponent", () => {
  const got = row(csv(product({ installation_types: ["wall"] }), dialects.en));
  assert.equal(got.norm, "ISO 354");
  assert.equal(got.entry_number, "1");
  assert.equal(got.entry_id, "a1");
  assert.equal(got.alpha_w, "0.9");
  assert.equal(got.alpha_w_min, "0");
  assert.equal(got.air_gap_mm, "");
  assert.equal(got["alpha_s_octave 125 Hz"], "0.25");
  assert.equal(got["alpha_s_octave 250 Hz"], "0.0000001");
  assert.equal(got["alpha_s_octave 500 Hz"], "");
  assert.equal(got["alpha_s_octave 4000 Hz"], "-0.05");
  assert.ok(!("alpha_s_third_octave 100 Hz" in got));
});

test("the column empty names empty texts and curves, but not empty lists", () => {
  const got = row(csv(product({ installation_types: [], commercial_name: "" }, [{ ...entry, mounting: "", alpha_s_octave: {} }]), dialects.en));
  assert.equal(got.empty, "commercial_name mounting alpha_s_octave");
});

test("alpha_w 0 is empty unless a measurement has the rating 0", () => {
  const rated = (octave) => row(csv(product({ installation_types: [], alphaW: 0 }, [{ ...entry, alpha_s_octave: octave }]), dialects.en));
  const got = rated({ 250: 0.5 });
  assert.equal(got.alpha_w + got.alpha_w_min + got.nrc + got.saa, "");
  const zero = rated({ 250: 0.1, 500: 0, 1000: 0, 2000: 0, 4000: 0 });
  assert.deepEqual([zero.alpha_w, zero.alpha_w_min, zero.nrc], ["0", "0", "0.05"]);
});

test("a product without measurements has one row", () => {
  const got = row(csv(product({ installation_types: [] }, []), dialects.en));
  assert.equal(got.slug, "s");
  assert.equal(got.norm, "");
});

for (const [what, label, want] of [
  ["a plain text", "Paneel 40", "Paneel 40"],
  ["a separator", "a,b", '"a,b"'],
  ["quotes", 'a "b"', '"a ""b"""'],
  ["lines", "a\nb", '"a\nb"'],
  ["a formula", "=1+1", "'=1+1"],
  ["a formula with a separator", "=A(1,2)", `"'=A(1,2)"`],
  ["plus", "+1", "'+1"],
  ["minus", "-1", "'-1"],
  ["at", "@x", "'@x"],
  ["a full-width equals sign", "＝1+1", "'＝1+1"],
  ["a full-width plus", "＋1", "'＋1"],
  ["a full-width minus", "－1", "'－1"],
  ["a full-width at", "＠x", "'＠x"],
  ["a tab", "\tx", "'\tx"],
  ["a return", "\rx", `"'\rx"`],
  ["an apostrophe", "'x", "''x"],
]) {
  test(`a cell of ${what}`, () => assert.ok(csv(product({ label }), dialects.en).includes(`\r\nx,s,${want},`)));
}

test("lists are separated by commas, or are JSON if a value has a comma", () => {
  assert.ok(csv(product(), dialects.en).includes('"wall, ceiling"'));
  assert.ok(csv(product({ installation_types: ["a,b"] }), dialects.en).includes('"[""a,b""]"'));
});

test("German spreadsheets have semicolons, decimal commas and a byte order mark", () => {
  const text = csv(product(), dialects.de);
  assert.ok(text.startsWith("\uFEFFid;slug;label;"));
  assert.ok(text.includes(";40,5;"));
});

test("the table is the same as in the test of sabine import table", () => {
  const text = csv(
    product(
      { id: "5b1c2a53-7f0e-4c3e-9a51-0d6b7a4f0c11", slug: "paneel-40", label: "Paneel; 40", has_epd: null, structured_meta: { Farbe: "weiß" } },
      [
        { ...entry, id: "b", source_norm: "ISO 354", alpha_s_octave: { 125: 0.25, 250: 0.55, 500: 0.85, 1000: 0.95, 2000: 0.95, 4000: 0.9 } },
        { ...entry, id: "a", source_norm: "ISO 354", air_gap_mm: 200, mounting: "", alpha_s_third_octave: { 100: 0.1, 125: 1e-7, 5000: -0.05 } },
      ],
    ),
    dialects.de,
  );
  assert.equal(text, readFileSync(new URL("../../../../../dataset/importers/table/testdata/explorer.csv", import.meta.url), "utf8"));
});
