import assert from "node:assert/strict";
import { test } from "node:test";
import { runnerImport } from "vite";

const { module } = await runnerImport(new URL("geometry.ts", import.meta.url).pathname, { configFile: false });
const { layOut } = module;

const solid = (shape, width, height, depth, others = []) => ({
  shape, bounding_box_mm: { width, height, depth }, exposed_area_m2: {},
  size_variants: others.map(([width, height, depth]) => ({ label: null, width, height, depth })),
});
const near = (got, want) => assert.ok(Math.abs(got - want) < 1e-6, `${got}, want ${want}`);

test("all views and the scale bar have the same scale", () => {
  const d = layOut(solid("panel", 600, 2400, 400, [[1200, 2400, 400]]), 500);
  const scale = d.front.width / 600;
  near(d.front.height, 2400 * scale);
  near(d.second.width, 400 * scale);
  near(d.others[0].width, 1200 * scale);
  near(d.bar.px, d.bar.mm * scale);
});

test("everything is within the width", () => {
  for (const width of [240, 320, 560]) {
    for (const size of [[600, 2400, 40], [4000, 50, 10], [10, 3000, 2], [1, 1, 1]]) {
      const d = layOut(solid("box", ...size, [[100, 100, 100]]), width);
      assert.ok(d.second.x + d.second.width <= width, String(size));
      assert.ok(d.front.y >= 0 && d.others[0].y >= 0);
      assert.ok(d.bar.px > 0 && d.bar.px <= 200);
    }
  }
});

test("a cylinder is a circle from above, a sphere from everywhere", () => {
  const cylinder = layOut(solid("cylinder", 300, 1200, 300), 500);
  assert.equal(cylinder.front.kind, "rect");
  assert.equal(cylinder.second.kind, "circle");
  near(cylinder.second.height, cylinder.second.width);
  assert.equal(layOut(solid("sphere", 300, 300, 300), 500).front.kind, "circle");
});

test("outlines thinner than a line are visible", () => assert.ok(layOut(solid("sheet", 2000, 2000, 0.5), 500).second.width > 1));

test("invalid sizes are not drawn", () => {
  for (const size of [[0, 1, 1], [1, -1, 1], [1, 1, NaN], [1, 1e9, 1]]) assert.equal(layOut(solid("box", ...size), 500), null);
  assert.equal(layOut(solid("box", 1, 1, 1, [[0, 0, 0]]), 500).others.length, 0);
  assert.equal(layOut(solid("box", 1, 1, 1), 100), null); // there is not enough space
});
