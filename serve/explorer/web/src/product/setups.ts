// Which set-ups of a product are drawn.

import { byAbsorption } from "../lib/ratings";
import type { Rated } from "./product";

/** How many curves are drawn over each other at most. */
export const maxShown = 8;

/**
 * Indexes of the set-ups that are drawn: those whose ids the parameter `entry` names, else all, of many the most absorptive; always in
 * the order of the product.
 */
export function shownOf(setups: Rated[], params: URLSearchParams): number[] {
  const named = new Set(params.getAll("entry"));
  let indexes = setups.flatMap((s, i) => (named.has(s.entry.id) ? [i] : []));
  if (indexes.length === 0) indexes = byAbsorption(setups.map((s) => s.ratings));
  return indexes.slice(0, maxShown).sort((a, b) => a - b);
}
