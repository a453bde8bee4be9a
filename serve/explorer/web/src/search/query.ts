// The query of the search page, which is read from the parameters of the address. Functions that change it return new parameters.

import type { FoundProduct } from "../lib/api.svelte";
import { bandsOf, listOf, type Bands, type Meaning } from "../lib/need";

export { bandsOf, listOf, type Bands, type Meaning };

/** The parameters of `GET /public/search` that the page knows; others remain in the address and are not sent. */
const apiNames = [
  "q", "categories", "characters", "type", "manufacturers", "epd", "kaufbar", "min", "max", "absorption_class", "absorption_min",
  "absorption_max", "curve", "like", "mounting", "source_kind", "thickness_max", "depth_max", "depth_unknown", "scattering_min",
  "diffusion_min",
  "sort", "page",
] as const;
export type ApiName = (typeof apiNames)[number];

export type ListName = "categories" | "characters" | "type" | "manufacturers" | "absorption_class" | "mounting" | "source_kind";
export type FlagName = "epd" | "kaufbar" | "depth_unknown";
export type NumberName = "min" | "max" | "thickness_max" | "depth_max";
export type BandsName = Meaning | "scattering_min" | "diffusion_min";

export const pageSize = 24; // fixed by the public search
const notFilters: ApiName[] = ["q", "sort", "page", "depth_unknown"];

/** Whether a name, such as the first word of an error message, is a parameter of this page. */
export const isApiName = (name: string): name is ApiName => (apiNames as readonly string[]).includes(name);

/** The parameters that filter the result, in the order of the page, without q, sort and page. */
const filterNames = apiNames.filter((name) => !notFilters.includes(name));

export const flagOf = (params: URLSearchParams, name: FlagName) => /^(true|1)$/i.test(params.get(name) ?? "");

export function numberOf(params: URLSearchParams, name: NumberName): number | null {
  const text = params.get(name)?.trim();
  return text && Number.isFinite(Number(text)) ? Number(text) : null;
}

/** Whether a filter has an effect. Empty filters and disabled filters have none. */
export function isChosen(params: URLSearchParams, name: ApiName): boolean {
  if (name === "epd" || name === "kaufbar") return flagOf(params, name);
  return listOf(params, name).length > 0;
}

const setupNames: ApiName[] = [
  "absorption_class", "absorption_min", "absorption_max", "curve", "like", "mounting", "source_kind", "thickness_max", "depth_max",
];

/** Whether there are conditions on the set-up, so that a hit is a specific set-up and not only a product. */
export const asksForSetup = (params: URLSearchParams) => setupNames.some((name) => isChosen(params, name));

/** Index of a hit's set-up, as text; "" means the most absorptive one. */
export const entryOf = ({ match }: FoundProduct, params: URLSearchParams) => (asksForSetup(params) && match?.entry != null ? String(match.entry) : "");

export const chosenFilters = (params: URLSearchParams) => filterNames.filter((name) => isChosen(params, name));

/** The query for the API: the parameters of the address that the API has, without an unfinished curve. */
export function asQuery(params: URLSearchParams, locale: string): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of apiNames) {
    for (const key of [name, `${name}[]`]) for (const value of params.getAll(key)) if (value.trim()) query.append(key, value.trim());
  }
  if (isUnfinishedCurve(query)) query.delete("curve");
  withSortThatFits(query);
  if (isChosen(query, "absorption_min")) {
    query.set("near", "true");
    if (!query.has("sort") && !query.has("q") && !isChosen(query, "like") && !isChosen(query, "curve")) query.set("sort", "margin_desc");
  }
  query.set("match", "true");
  query.set("need_facets", "true");
  query.set("locale", locale);
  return query;
}

/** Whether the curve has only one band so far. The server requires at least two. */
export const isUnfinishedCurve = (params: URLSearchParams) => listOf(params, "curve").length === 1 && bandsOf(params, "curve").size === 1;

function withSortThatFits(params: URLSearchParams) {
  const sort = params.get("sort");
  const lacks =
    (sort === "margin_desc" && !isChosen(params, "absorption_min")) ||
    (sort === "distance_asc" && !isChosen(params, "curve") && !isChosen(params, "like"));
  if (lacks) params.delete("sort");
}

/** The parameters after changing one, or removing it with null. Any change returns to the first page. */
export function withValue(params: URLSearchParams, name: ApiName | "view", value: string | null): URLSearchParams {
  const changed = new URLSearchParams(params);
  changed.delete(`${name}[]`);
  if (value) changed.set(name, value);
  else changed.delete(name);
  if (name !== "page" && name !== "view") changed.delete("page");
  if (value && name === "curve") changed.delete("like"); // the API allows only one target
  if (value && name === "like") changed.delete("curve");
  withSortThatFits(changed);
  return changed;
}

/** The parameters after adding a value to a list, or removing it if the list contains it. */
export function withToggled(params: URLSearchParams, name: ListName, value: string): URLSearchParams {
  const chosen = listOf(params, name);
  const left = chosen.includes(value) ? chosen.filter((v) => v !== value) : [...chosen, value];
  return withValue(params, name, left.join());
}

const written = (n: number) => String(Number(n.toFixed(3))); // the API allows three decimals

export const withNumber = (params: URLSearchParams, name: NumberName, value: number | null) =>
  withValue(params, name, value === null ? null : written(value));

/** The parameters after changing one end of the range of alpha_w; the other end moves if necessary. */
export function withRange(params: URLSearchParams, name: "min" | "max", value: number): URLSearchParams {
  const low = name === "min" ? value : Math.min(numberOf(params, "min") ?? 0, value);
  const high = name === "max" ? value : Math.max(numberOf(params, "max") ?? 1, value);
  return withNumber(withNumber(params, "min", low > 0 ? low : null), "max", high < 1 ? high : null);
}

export function withBands(params: URLSearchParams, name: BandsName, bands: Bands): URLSearchParams {
  const sorted = [...bands].sort(([a], [b]) => a - b);
  return withValue(params, name, sorted.map(([band, value]) => `${band}:${written(value)}`).join());
}

/** The parameters after setting a band of a need, or removing it with null. If minimum and maximum would cross, the other one moves. */
export function withBand(params: URLSearchParams, name: BandsName, band: number, value: number | null): URLSearchParams {
  const bands = bandsOf(params, name);
  if (value === null) bands.delete(band);
  else bands.set(band, value);
  const changed = withBands(params, name, bands);
  const other = name === "absorption_min" ? "absorption_max" : name === "absorption_max" ? "absorption_min" : null;
  if (!other || value === null) return changed;
  const bound = bandsOf(changed, other);
  const facing = bound.get(band);
  if (facing === undefined || (name === "absorption_min" ? facing >= value : facing <= value)) return changed;
  return withBands(changed, other, bound.set(band, value));
}

/** The parameters without a filter. */
export const without = (params: URLSearchParams, name: ApiName) => withValue(params, name, null);

/** The parameters without filters. They retain the text, the order and the view. */
export const withoutFilters = (params: URLSearchParams) => filterNames.reduce(without, params);
