// Sends mixed requests to the server through Prism's validating proxy. Prism returns 500 for a response that violates the document,
// and 422 for a request that the document does not allow. The requests with 422 are not counted.
//
//	node proxy.js PROXY KEY REFUSED_KEY
const [, , proxy, key, refused] = process.argv;
const requests = 1000;

// A linear congruential generator, so that every run makes the same choices.
let state = 2026;
const pick = (list) => list[(state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % 65521 % list.length];

const queries = ["", "akustikpaneel", "Säule", "akustikpanel", "gibt es nicht", "600 x 600", "™", "wall", "x".repeat(200), "a & b"];
const slugs = ["akustikpaneel-fichte-40", "0B6F1C8E-4D2A-5E7B-9C3F-1A2B3C4D5E6F", "gibt-es-nicht", "a/b", "ü ", "x".repeat(2000)];
const keys = [...Array(14).fill(key), "sab_unknown", refused];
const lists = ["holz", "holz,textil", "unbekannt", " holz , "];
const numbers = ["0", "0.5", "1", "5e-1", "1e-2", "2", "0,8"];
const sorts = ["relevance", "alphaW_desc", "alphaW_asc", "date_desc", "name_asc", "size"];
const flags = ["true", "false", "1", "yes"];
const pages = ["0", "1", "5", "999", "-1", "x"];
const operations = [
  ["/v1/materials/search", { q: queries, page: pages, limit: ["1", "20", "50", "51"], category: lists, character: ["breitband", "x"], installation: ["wall", "ceiling,wall"], manufacturer: ["beispiel-akustik", "x"], alpha_w_min: numbers, alpha_w_max: numbers, fire_class: ["A1", "B", "F", "G"], has_epd: flags, purchasable_only: flags, sort: sorts, include: ["acoustics", "geometry", "acoustics,geometry", "x"], facets: flags, categry: ["holz"] }],
  ["/v1/materials/", { include: ["acoustics", "geometry"], utm_source: ["x"] }],
  ["/v1/materials", { ids: [slugs[0], "gibt-es-nicht," + slugs[0], slugs[1]], include: ["geometry"] }],
  ["/public/search", { q: queries, kaufbar: flags, type: ["wall", "ceiling,wall", "x"], categories: lists, characters: ["breitband"], manufacturers: ["beispiel-akustik", "x"], min: numbers, max: numbers, epd: flags, sort: sorts, page: pages, locale: ["en", "de", "en-GB", "x"], utm_source: ["x"] }],
  ["/public/compare-products", { id: [slugs[0], slugs[1] + ",x,y,z,a", "x"], utm_source: ["x"] }],
  ["/v1/openapi.json", {}],
];

const tags = ["*", '"0"'];
const seen = {};
const broken = [];
for (let n = 0, answered = 0; answered < requests; n++) {
  const [path, parameters] = pick(operations);
  const chosen = Object.entries(parameters).filter(([name]) => name === "ids" || name === "id" || pick([0, 0, 0, 1]));
  const query = new URLSearchParams(chosen.map(([name, values]) => [name, pick(values)]));
  const target = path + (path.endsWith("/") ? encodeURIComponent(pick(slugs)) : "") + (query.size ? "?" + query : "");
  const headers = { Authorization: `Bearer ${pick(keys)}`, "Accept-Encoding": pick(["*", "gzip", "identity", "gzip, deflate, br"]) };
  if (pick([0, 0, 0, 1])) headers["If-None-Match"] = pick(tags);
  if (pick([0, 0, 0, 0, 0, 0, 0, 1])) headers["If-Match"] = pick(tags);
  const response = await fetch(proxy + target, { headers });
  const body = await response.text();
  seen[response.status] = (seen[response.status] ?? 0) + 1;
  if (response.status !== 422) answered++;
  if (response.headers.get("etag") && response.status === 200) tags[2 + (n % 20)] = response.headers.get("etag");
  if (response.status >= 500) broken.push(`${target} ${JSON.stringify(headers)}: ${response.status} ${body.slice(0, 600)}`);
}
console.log(`${requests} responses through Prism:`, seen);
for (const status of [200, 304, 400, 401, 403, 404, 412]) {
  if (!seen[status]) broken.push(`no response has the status ${status}`);
}
if (broken.length > 0) {
  console.error(`${broken.length} faults, the first ones:\n${broken.slice(0, 3).join("\n").replaceAll(key, "KEY").replaceAll(refused, "REFUSED_KEY")}`);
  process.exit(1);
}
