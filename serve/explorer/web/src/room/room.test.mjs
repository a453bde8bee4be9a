import assert from "node:assert/strict";
import { test } from "node:test";
import { runnerImport } from "vite";

const load = async (name) => (await runnerImport(new URL(name, import.meta.url).pathname, { configFile: false })).module;
const { areasOf, check, needsOf, question, readRoom, refused, resized, surfaceText, unfinished, verdicts, withVolume, writeRoom } = await load("room.ts");
const { tolerance } = await load("din18041.ts");
const { presets } = await load("presets.ts");
// Replaces the texts of faults by their names and arguments.
const withValue = ["band", "tooAbsorptive", "use"];
const texts = { fault: new Proxy({}, { get: (_, name) => (withValue.includes(name) ? (of) => `${name} ${of.name ?? of}` : name) }) };
const own = "125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05";
const read = (query) => readRoom(new URLSearchParams(query));

test("reading and writing a room gives the same query", () => {
  const rows = [
    ["", ""],
    ["volume=180&surface=a:30&target=din18041:A3", "volume=180&surface=a:30&target=din18041:A3"],
    ["volume=180,5&surface=a@1:30,25&surface=a@id-2:7", "volume=180.5&surface=a@1:30.25&surface=a@id-2:7"],
    [`surface=${own}:60`, `surface=${own}:60`],
    [`surface=63:0.1,${own},8000:0.1:60`, `surface=${own}:60`],
    ["surface[]=a:1&surface=b", "surface=b:&surface=a:1"],
    ["surface=125::30", "surface=125::30"],
    ["air=20,50", ""],
    ["air=none&locale=en", "air=none&locale=en"],
    ["air=-5,80", "air=-5,80"],
    ["size=10,6,3,5&volume=1", "volume=1"],
    ["size=10,6,&volume=1", "volume=1&size=10,6,"],
    ["surface=a:1&surface=b:2&surface=c:3&part=,walls,roof", "surface=a:1&surface=b:2&surface=c:3&part=,walls"],
    ["volume=1&surface=std:door-wood:2,5&object=person-seated:30&target=din18041:B3&height=2,8&covers=0", "volume=1&surface=std:door-wood:2.5&object=person-seated:30&target=din18041:B3&height=2.8&covers=0"],
  ];
  for (const [query, want] of rows) {
    assert.equal(decodeURIComponent(writeRoom(read(query), new URLSearchParams(query)).toString()), want, query);
  }
});

test("the request contains only finished parts", () => {
  const rows = [
    ["volume=180", null],
    ["surface=a:30", null],
    ["volume=180&surface=a:", null],
    ["volume=180&surface=a:30&surface=b:", "volume=180&surface=a:30"],
    ["volume=180&surface=125:0.1:30&surface=a:1", "volume=180&surface=a:1"],
    ["volume=0&surface=a:30", null],
    ["volume=180&target=din18041:A3", "volume=180&target=din18041:A3"],
    ["volume=180&surface=a:30&target=din18041:B3", "volume=180&surface=a:30"],
    ["volume=180&target=din18041:B3&height=3", "volume=180&target=din18041:B3&height=3"],
    ["volume=180&target=din18041:B3&size=10,6,3&height=9", "volume=180&target=din18041:B3&height=3"],
    ["volume=180&target=1&height=3&covers=0", "volume=180&target=1"],
    ["volume=180&surface=std:door:2&object=child:3&object=child:", "volume=180&surface=std:door:2&object=child:3"],
    ["volume=180&surface=std:door:2&object=child:1.5", null],
    ["volume=180&surface=a:-1", null],
    ["volume=180&surface=a:30&air=90,50", null],
    ["volume=180&surface=a:30&target=din18041:A5", "volume=180&surface=a:30"],
    ["volume=180&surface=a:30&target=0,8", "volume=180&surface=a:30&target=0.8"],
    ["volume=180&surface=a:30&target=0.8&size=10,6,3&part=floor", "volume=180&surface=a:30&target=0.8"],
    [`volume=9&${Array(40).fill("surface=a:1").join("&")}`, `volume=9&${Array(32).fill("surface=a:1").join("&")}`],
  ];
  for (const [query, want] of rows) {
    const room = read(query);
    const got = question(room, check(room));
    assert.equal(got && decodeURIComponent(got.toString()), want, query);
  }
});

test("faults are reported at their fields", () => {
  const rows = [
    ["volume=abc", { volume: "volume" }],
    ["volume=1e10", { volume: "volume" }],
    ["air=20", { air: "air" }],
    ["volume=800&target=din18041:A4", { target: "use A4" }],
    ["target=din18041:A9", { target: "target" }],
    ["target=0", { target: "target" }],
    ["target=din18041:B1", { target: "target" }],
    ["target=din18041:B3&height=-3", { target: "height" }],
    ["object=child:0", { object: "count" }],
    ["surface=a:1&surface=b:x", { 1: "area" }],
    ["surface=125:3:1", { 0: "coefficient" }],
    ["surface=:1", { 0: "nothing" }],
    ["volume=180&target=din18041:A3&surface=a:1", {}],
  ];
  for (const [query, want] of rows) assert.deepEqual(said(check(read(query))), want, query);
});

function said({ surface, ...fields }) {
  const all = [...Object.entries(fields), ...surface].filter(([, say]) => say);
  return Object.fromEntries(all.map(([field, say]) => [field, say(texts)]));
}

test("errors of the server are reported at the fields that they name", () => {
  const long = "x".repeat(70);
  const room = read(`volume=180&surface=a:1&surface=b@7:2&surface=a:1&surface=${long}:3&surface=c:`);
  const rows = [
    ['surface: "a:1" names no published product: "a" is neither an id nor a slug', { 0: "withdrawn", 2: "withdrawn" }],
    ['surface: "b@7:2" has no ISO 354 entry "7"; allowed: "0", "x"', { 1: "setup" }],
    ['surface: "a:1" has no absorption; surface: "b@7:2" has an entry without absorption at 125 Hz; each', { 0: "noAbsorption", 1: "band 125", 2: "noAbsorption" }],
    [`surface: "${"x".repeat(60)}…" names no published product`, { 3: "withdrawn" }],
    ["surface: the mean coefficient of all surfaces at 500 Hz is 1.050; Eyring's formula requires less than 1", { surfaces: "tooAbsorptive 500" }],
    ["volume: 1; target: 2; air: 3", { volume: "volume", target: "target", air: "air" }],
    ['height: 1; object: "x:1" names no object', { target: "height", object: "object" }],
    ["surface: 5", { surfaces: "other" }],
    ["the query string has 20000 bytes", { surfaces: "other" }],
  ];
  for (const [message, want] of rows) assert.deepEqual(said(refused(message, room)), want, message);
});

const bands = (sabine, missing) => [125, 250, 500, 1000, 2000, 4000].map((band, i) => ({ band, sabine_s: sabine[i], target_s: 1, missing_m2: missing?.[i] ?? 0 }));

test("a time is compared with the tolerance of its target", () => {
  const state = (target, sabine) => verdicts({ target, bands: bands(sabine) }, tolerance).map((v) => v.state);
  assert.deepEqual(state("din18041:A3", [1.45, 1.21, 0.8, 0.79, 1, 1.3]), ["within", "long", "within", "short", "within", "long"]);
  assert.deepEqual(state("1", [9, 1.2, 0.8, 0.1, 1.21, 0.1]), ["none", "within", "within", "short", "long", "none"]);
  assert.deepEqual(state("1", Array(6).fill(null)), ["none", "long", "long", "long", "long", "none"], "a room without surfaces");
  const perM = { target: "din18041:B3", volume_m3: 100, bands: [{ band: 250, required_per_m: 0.2, reached_per_m: 0.15 }, { band: 500, required_per_m: 0.2, reached_per_m: 0.2 }, { band: 1000, required_per_m: 0.2, reached_per_m: null }] };
  assert.deepEqual(verdicts(perM, tolerance).map((v) => [v.state, Math.round(v.missingM2)]), [["long", 5], ["within", 0], ["long", 20]]);
});

test("products need to absorb in all octaves that lack absorption", () => {
  const of = (missing, area) => needsOf(verdicts({ target: "din18041:A3", bands: bands([2, 2, 2, 2, 1, 1], missing) }, tolerance), area);
  assert.deepEqual(of([30, 24, 1, 12.1], 60), [{ hz: 125, alpha: 0.5 }, { hz: 250, alpha: 0.4 }, { hz: 500, alpha: 0.1 }, { hz: 1000, alpha: 0.25 }]);
  assert.deepEqual(of([90, 24, 1, 12], 60)[0], { hz: 125, alpha: 0.9 });
  assert.deepEqual(needsOf(verdicts({ target: "1", bands: bands([1, 1, 1, 1, 1, 1]) }, tolerance), 60), []);
});

test("the surfaces of an example room have the same area as its box", () => {
  for (const { name, room } of presets) {
    const box = areasOf(room.size);
    const sum = room.surfaces.reduce((total, s) => total + Number(s.area), 0);
    assert.equal(sum.toFixed(2), (2 * box.floor + box.walls).toFixed(2), name);
    assert.deepEqual(check(read(writeRoom({ ...read(""), ...room }, new URLSearchParams()).toString())), { surface: new Map() }, name);
  }
});

test("floor, ceiling and walls follow the volume and the lengths", () => {
  const room = read("volume=100&size=5,5,4&surface=a:25&surface=b:20&surface=c:80&surface=d:7&part=floor,ceiling,walls");
  const seen = ({ volume, size, surfaces }) => [volume, size?.join(), surfaces.map((s) => s.area).join()];
  assert.deepEqual(seen(withVolume(room, "400")), ["400", "10,10,4", "100,80,160,7"]);
  assert.deepEqual(seen(withVolume(room, "100")), ["100", "5,5,4", "25,20,80,7"]);
  for (const volume of ["", "x", "0"]) assert.deepEqual(seen(withVolume(room, volume)), [volume, "5,5,4", "25,20,80,7"]);
  assert.deepEqual(seen(withVolume(read("volume=1&surface=a:9&part=floor"), "2")), ["2", undefined, "9"]);
  assert.deepEqual(seen(resized(room, ["10", "5", "4"])), ["100", "10,5,4", "50,40,120,7"]);
  assert.deepEqual(seen(resized(room, ["", "5", "4"])), ["100", ",5,4", "25,20,80,7"]);
});

test("a box has areas only with three lengths", () => {
  assert.deepEqual(areasOf(["10", "6", "3.2"]), { floor: 60, walls: 102.4, volume: 192 });
  for (const size of [null, ["10", "6", ""], ["10", "6", "x"], ["10", "-6", "3"], ["0", "6", "3"]]) assert.equal(areasOf(size), null);
});

test("an unfinished surface is not counted", () => {
  const [a, b, c] = read(`surface=a:&surface=${own}:3&surface=125:0.1:3`).surfaces;
  assert.deepEqual([a, b, c].map(unfinished), [true, false, true]);
  assert.equal(surfaceText(b), `${own}:3`);
});
