import assert from "node:assert/strict";
import { test } from "node:test";
import { runnerImport } from "vite";

const { module: query } = await runnerImport(new URL("query.ts", import.meta.url).pathname, { configFile: false });
const params = (text) => new URLSearchParams(text);
const read = (p) => decodeURIComponent(p.toString());

test("the request has the parameters of the address that the API has", () => {
  const cases = [
    ["utm_source=x&q=holz&view=grid", "q=holz&match=true&need_facets=true&locale=de"],
    ["q=+holz++&page=2", "q=holz&page=2&match=true&need_facets=true&locale=de"],
    ["categories=a&categories=b,c&type[]=wall", "categories=a&categories=b,c&type[]=wall&match=true&need_facets=true&locale=de"],
    ["q=&epd=", "match=true&need_facets=true&locale=de"],
    ["curve=500:0.5&sort=distance_asc", "match=true&need_facets=true&locale=de"], // an unfinished curve
    ["curve=500:0.5,1000:0.6&sort=distance_asc", "curve=500:0.5,1000:0.6&sort=distance_asc&match=true&need_facets=true&locale=de"],
    ["curve=nonsense", "curve=nonsense&match=true&need_facets=true&locale=de"], // the server reports the error
    ["sort=margin_desc", "match=true&need_facets=true&locale=de"],
    ["absorption_min=125:0.4", "absorption_min=125:0.4&near=true&sort=margin_desc&match=true&need_facets=true&locale=de"], // best fit first
    ["q=holz&absorption_min=125:0.4", "q=holz&absorption_min=125:0.4&near=true&match=true&need_facets=true&locale=de"],
    ["depth_max=200&depth_unknown=true", "depth_max=200&depth_unknown=true&match=true&need_facets=true&locale=de"],
    ["page=x&sort=y", "sort=y&page=x&match=true&need_facets=true&locale=de"],
  ];
  for (const [address, want] of cases) assert.equal(read(query.asQuery(params(address), "de")), want, address);
});

test("a change shows the first page, and removes an order that needs a removed filter", () => {
  assert.equal(read(query.withValue(params("page=3&q=a"), "q", "b")), "q=b");
  assert.equal(read(query.withValue(params("page=3"), "view", "grid")), "page=3&view=grid");
  assert.equal(read(query.without(params("absorption_min=500:0.5&sort=margin_desc"), "absorption_min")), "");
  assert.equal(read(query.withValue(params("like=x"), "curve", "125:0.1,250:0.2")), "curve=125:0.1,250:0.2");
});

test("values of a list are added and removed in any notation", () => {
  assert.equal(read(query.withToggled(params("categories=a,b"), "categories", "c")), "categories=a,b,c");
  assert.equal(read(query.withToggled(params("categories=a&categories=b"), "categories", "a")), "categories=b");
  assert.equal(read(query.withToggled(params("type[]=wall"), "type", "wall")), "");
});

test("minimum and maximum do not cross", () => {
  assert.equal(read(query.withRange(params("max=0.5"), "min", 0.7)), "max=0.7&min=0.7");
  assert.equal(read(query.withRange(params("min=0.5"), "min", 0)), "");
  const both = params("absorption_max=500:0.4,1000:0.9");
  assert.equal(
    read(query.withBand(both, "absorption_min", 500, 0.6)),
    "absorption_max=500:0.6,1000:0.9&absorption_min=500:0.6",
  );
});

test("invalid bands are skipped, and bands are written in order in thousandths", () => {
  assert.deepEqual([...query.bandsOf(params("curve=1000:0.5,x,250:,125:0.1"), "curve")], [[125, 0.1], [1000, 0.5]]);
  assert.equal(read(query.withBand(params("curve=1000:0.5"), "curve", 250, 0.1 + 0.2)), "curve=250:0.3,1000:0.5");
  assert.equal(read(query.withBand(params("curve=1000:0.5"), "curve", 1000, null)), "");
});
