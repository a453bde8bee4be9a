// Selects the set-ups of a product for the chart.

import { byAbsorption } from "../lib/ratings";
import type { Rated } from "./product";

/** Maximum number of curves in a chart. */
export const maxShown = 8;

/**
* Indexes of the set-ups to draw: the set-ups in the parameter `entry`, otherwise all, or the most absorptive ones if they are too many, in
* the order of the product.
 */
export function shownOf(setups: Rated[], params: URLSearchParams): number[] {
  const named = new Set(params.getAll("entry"));
  let indexes = setups.flatMap((s, i) => (named.has(s.entry.id) ? [i] : []));
  if (indexes.length === 0) indexes = byAbsorption(setups.map((s) => s.ratings));
  return indexes.slice(0, maxShown).sort((a, b) => a - b);
}
