// What is worked out from a set-up, an ISO 354 entry of a product.

import { byAbsorption, rate } from "../product/ratings";
import type { Schemas } from "./api.svelte";

export type Setup = Schemas["MaterialAbsorptionMeasurement"];

const ratings = (setup: Setup) => rate(setup.alpha_s_octave, setup.alpha_s_third_octave);

/** Weighted absorption coefficient alpha_w in hundredths; null where the bands give none. */
export const alphaW = (setup: Setup): number | null => ratings(setup).alphaW;

/** Index of the set-up that speaks for a product; 0 when there is none. */
export const mostAbsorptive = (setups: Setup[]): number => byAbsorption(setups.map(ratings))[0] ?? 0;

/** Thickness and air gap together in mm; null when neither is stated. */
export function depthMM(setup: Setup): number | null {
  if (setup.thickness_mm === null && setup.air_gap_mm === null) return null;
  return Number(((setup.thickness_mm ?? 0) + (setup.air_gap_mm ?? 0)).toFixed(3));
}
