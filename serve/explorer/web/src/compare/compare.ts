// The comparison in the address: `id` as for `GET /public/compare-products`, and only for the page: `entry`, the index of the set-up
// of each product, `bands` as on product pages, and `facts=different`.

import type { ComparedProduct } from "../lib/api.svelte";
import { mostAbsorptive, ratingsOf, type Setup } from "../lib/setup";

export type Comparison = {
  /** Slugs or ids; there can be more than the page compares. */
  ids: string[];
  /** The set-up of each product: an index, or "" for the most absorptive. */
  entries: string[];
  /** Show only facts in which the products differ. */
  onlyDifferences: boolean;
};

export function readComparison(params: URLSearchParams): Comparison {
  const given = [...params.getAll("id"), ...params.getAll("id[]")].flatMap((list) => list.split(",")).map((id) => id.trim());
  const ids = [...new Set(given.filter(Boolean))];
  const entries = (params.get("entry") ?? "").split(",");
  return {
    ids,
    entries: ids.map((_, i) => entries[i]?.trim() ?? ""),
    onlyDifferences: params.get("facts") === "different",
  };
}

/** The query of a comparison; it retains the other parameters of `params`. */
export function writeComparison(comparison: Comparison, params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const id of comparison.ids) query.append("id", id);
  const entries = comparison.entries.join().replace(/,+$/, "");
  if (entries) query.set("entry", entries);
  if (comparison.onlyDifferences) query.set("facts", "different");
  for (const [name, value] of params) {
    if (!["id", "id[]", "entry", "facts"].includes(name)) query.append(name, value);
  }
  return query;
}

/** A column of the comparison. Without `product`, the product is unknown or withdrawn. `alphaW` is the alpha_w of the set-up in hundredths. */
export type Place = { id: string; product: ComparedProduct | undefined; entry: number; setup: Setup | undefined; alphaW: number | null };

export function placeOf(id: string, product: ComparedProduct | undefined, entry: string): Place {
  const setups = product?.absorption_iso354 ?? [];
  const chosen = /^\d+$/.test(entry) && Number(entry) < setups.length ? Number(entry) : mostAbsorptive(setups);
  const setup = setups[chosen];
  return { id, product, entry: chosen, setup, alphaW: setup ? ratingsOf(setup).alphaW : null };
}
