// Functions of a set-up, which is an ISO 354 entry of a product.

import type { Schemas } from "./api.svelte";
import { byAbsorption, rate } from "./ratings";

export type Setup = Schemas["MaterialAbsorptionMeasurement"];

export const ratingsOf = (setup: Setup) => rate(setup.alpha_s_octave, setup.alpha_s_third_octave);

/** Index of the most absorptive set-up of a product; 0 if there is none. */
export const mostAbsorptive = (setups: Setup[]): number => byAbsorption(setups.map(ratingsOf))[0] ?? 0;

/** Matches a mounting of ISO 354 or ASTM E795 in any spelling, with its distance in mm, like `mountingText` of dataset/acoustics. */
const mountingText = /^((?:(?:typ|type|mounting|montage|montageart) )*)([a-m])(?: ?[-‐‑–−]? ?([1-9]\d{1,3}))?$/i;

/**
* The depth of a set-up in mm, computed like `Depth` of dataset/acoustics; null if it is unknown. A stated air gap is added to
* the thickness. Without a stated gap, it is 0 for A, B and I; for E-nnn the face is nnn mm from the surface.
 */
export function depthMM({ mounting, thickness_mm, air_gap_mm }: Pick<Setup, "mounting" | "thickness_mm" | "air_gap_mm">): number | null {
  if (thickness_mm === null) return null;
  if (air_gap_mm !== null) {
    const sum = Number((thickness_mm + air_gap_mm).toFixed(9)); // 12.7 + 0.1 must be 12.8
    return Number.isFinite(sum) ? sum : null;
  }
  const [, words, letter = "", distance] = mountingText.exec((mounting ?? "").trim().split(/\s+/).join(" ")) ?? [];
  if (distance !== undefined) return /e/i.test(letter) && thickness_mm <= Number(distance) ? Number(distance) : null;
  return /[ABI]/.test(words ? letter.toUpperCase() : letter) ? thickness_mm : null; // a single lower-case letter may be a footnote
}
