// What a set-up, an ISO 354 entry of a product, says: its curves and what is worked out from them.

import { octavesHz, thirdsHz } from "../chart/curve";
import type { ComparedProduct, Schemas } from "./api.svelte";

export type Setup = Schemas["MaterialAbsorptionMeasurement"];

type Values = Record<string, number | null | undefined> | null | undefined;

const at = (values: Values, hz: number): number | null => values?.[hz] ?? null;

/** The three third octaves of an octave band. */
const thirdsOf = (hz: number) => thirdsHz.slice(thirdsHz.indexOf(hz) - 1, thirdsHz.indexOf(hz) + 2);

const sum = (values: (number | null)[]): number | null =>
  values.every((v) => v !== null) ? values.reduce((a, b) => a + b, 0) : null;

/** Absorption in octavesHz: as stated, else the mean of the three third octaves; null where there is neither. */
export function octaves(setup: Setup): (number | null)[] {
  return octavesHz.map((hz) => {
    const stated = at(setup.alpha_s_octave, hz);
    if (stated !== null) return stated;
    const thirds = sum(thirdsOf(hz).map((third) => at(setup.alpha_s_third_octave, third)));
    return thirds === null ? null : thirds / 3;
  });
}

/** Absorption in thirdsHz; null where none is stated. */
export const thirds = (setup: Setup): (number | null)[] => thirdsHz.map((hz) => at(setup.alpha_s_third_octave, hz));

/** Thickness and air gap together in mm; null when neither is stated. */
export function depthMM(setup: Setup): number | null {
  if (setup.thickness_mm === null && setup.air_gap_mm === null) return null;
  return Number(((setup.thickness_mm ?? 0) + (setup.air_gap_mm ?? 0)).toFixed(3));
}

/** Practical coefficient of an octave after ISO 11654 in twentieths, 0 to 20: of its thirds, else of its own value; null without either. */
function practical(setup: Setup, hz: number): number | null {
  const thirds = sum(thirdsOf(hz).map((third) => at(setup.alpha_s_third_octave, third)));
  const mean = thirds === null ? at(setup.alpha_s_octave, hz) : thirds / 3;
  if (mean === null) return null;
  const hundredths = Math.round(Number((mean * 100).toFixed(6))); // 0.925 * 100 is not quite 92.5
  return Math.min(Math.max(Math.floor((hundredths + 2) / 5), 0), 20);
}

/** The reference curve of ISO 11654 in twentieths. */
const reference = [250, 500, 1000, 2000, 4000].map((hz, i) => ({ hz, twentieths: [16, 20, 20, 20, 18][i]! }));

/** Weighted absorption coefficient alpha_w after ISO 11654; null when the curve does not reach from 250 to 4000 Hz. */
export function alphaW(setup: Setup): number | null {
  const values = reference.map(({ hz }) => practical(setup, hz));
  if (values.includes(null)) return null;
  for (let shift = 0; ; shift++) {
    const short = reference.reduce((total, { twentieths }, i) => total + Math.max(twentieths - shift - values[i]!, 0), 0);
    if (short <= 2) return (20 - shift) / 20;
  }
}

/** Sound absorption class A to E of alpha_w (ISO 11654, Annex B); null when it is not classified. */
export function absorptionClass(alphaW: number | null): string | null {
  const steps: [number, string][] = [[0.9, "A"], [0.8, "B"], [0.6, "C"], [0.3, "D"], [0.15, "E"]];
  return steps.find(([least]) => (alphaW ?? 0) >= least)?.[1] ?? null;
}

/** Index of the set-up with the highest alpha_w, the first of equals; 0 when none has one. */
export function mostAbsorptive(setups: Setup[]): number {
  const rated = setups.map((s) => alphaW(s) ?? -1);
  return Math.max(rated.indexOf(Math.max(...rated)), 0);
}

/** The product that was asked for by slug or id, which an answer may lack. */
export const named = (products: ComparedProduct[], id: string): ComparedProduct | undefined =>
  products.find((p) => p.slug === id || p.id === id.toLowerCase());
