// What is worked out from a set-up, an ISO 354 entry of a product.

import type { Schemas } from "./api.svelte";
import { byAbsorption, rate } from "./ratings";

export type Setup = Schemas["MaterialAbsorptionMeasurement"];

export const ratingsOf = (setup: Setup) => rate(setup.alpha_s_octave, setup.alpha_s_third_octave);

/** Index of the set-up that speaks for a product; 0 when there is none. */
export const mostAbsorptive = (setups: Setup[]): number => byAbsorption(setups.map(ratingsOf))[0] ?? 0;

/** Thickness and air gap together in mm; null when neither is stated. */
export function depthMM(setup: Setup): number | null {
  if (setup.thickness_mm === null && setup.air_gap_mm === null) return null;
  return Number(((setup.thickness_mm ?? 0) + (setup.air_gap_mm ?? 0)).toFixed(3));
}
