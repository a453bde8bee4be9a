// What a set-up is called.

import type { Setup } from "./setup";
import { speech } from "./text.svelte";

/** A mounting: a letter of ISO 354 as its type, a word as the catalogue names it. */
export function mountingOf(mounting: string | null): string {
  if (!mounting) return "–";
  return /^[A-Z](-?\d+)?$/.test(mounting) ? speech.text.setup.type(mounting) : speech.name("installations", mounting);
}

/** Where values come from, in words. */
export const kindOf = (sourceKind: string): string => speech.text.setup.kinds[sourceKind] ?? sourceKind;

/** What sets one set-up apart, in short: "Absorption 2 · Type E · 200 mm air". */
export function nameOf(setup: Setup): string {
  const parts = [setup.label];
  if (setup.mounting) parts.push(mountingOf(setup.mounting));
  if (setup.thickness_mm !== null) parts.push(`${speech.number(setup.thickness_mm)} mm`);
  if (setup.air_gap_mm) parts.push(speech.text.setup.air(speech.number(setup.air_gap_mm)));
  return parts.join(" · ");
}
