// How a set-up is named, and which are drawn.

import { speech } from "../lib/text.svelte";
import type { Absorption, Setup } from "./product";
import { byAbsorption } from "./ratings";
import { texts } from "./text";

/** How many curves are drawn over each other at most. */
export const maxShown = 8;

/**
 * Indexes of the set-ups that are drawn: those whose ids the parameter `entry` names, else all, of many the most absorptive; always in
 * the order of the product.
 */
export function shownOf(setups: Setup[], params: URLSearchParams): number[] {
  const named = new Set(params.getAll("entry"));
  let indexes = setups.flatMap((s, i) => (named.has(s.entry.id) ? [i] : []));
  if (indexes.length === 0) indexes = byAbsorption(setups.map((s) => s.ratings));
  return indexes.slice(0, maxShown).sort((a, b) => a - b);
}

/** A mounting: a letter of ISO 354 as its type, a word as the catalogue names it. */
export function mountingOf(mounting: string | null): string {
  if (!mounting) return "–";
  return /^[A-Z](-?\d+)?$/.test(mounting) ? texts[speech.language].absorption.type(mounting) : speech.name("installations", mounting);
}

/** What sets one set-up apart, in short: "Absorption 2 · Type E · 200 mm air". */
export function nameOf(entry: Absorption): string {
  const { air } = texts[speech.language].absorption;
  const parts = [entry.label];
  if (entry.mounting) parts.push(mountingOf(entry.mounting));
  if (entry.thickness_mm !== null) parts.push(`${speech.number(entry.thickness_mm)} mm`);
  if (entry.air_gap_mm) parts.push(air(speech.number(entry.air_gap_mm)));
  return parts.join(" · ");
}
