// The comparison as the address has it: `id` as `GET /public/compare-products` takes it, and of the page alone `entry`, the set-up
// shown of each by its index, `bands` as of a product's page, and `facts=different`.

import type { ComparedProduct } from "../lib/api.svelte";
import { mostAbsorptive, ratingsOf, type Setup } from "../lib/setup";

export type Comparison = {
  /** Slugs or ids; more than are compared when the address names more. */
  ids: string[];
  /** What the address says of each one's set-up: an index, "" for the most absorptive. */
  entries: string[];
  /** Of the facts only those in which the products differ. */
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

/** The query of a comparison; what else `params` has stays. */
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

/** A place of the comparison. Without a product it is one that was withdrawn, or never was. `alphaW` is the set-up's, in hundredths. */
export type Place = { id: string; product: ComparedProduct | undefined; entry: number; setup: Setup | undefined; alphaW: number | null };

export function placeOf(id: string, product: ComparedProduct | undefined, entry: string): Place {
  const setups = product?.absorption_iso354 ?? [];
  const chosen = /^\d+$/.test(entry) && Number(entry) < setups.length ? Number(entry) : mostAbsorptive(setups);
  const setup = setups[chosen];
  return { id, product, entry: chosen, setup, alphaW: setup ? ratingsOf(setup).alphaW : null };
}
