// Measurements as curves in third octaves or in octaves.

import { octaveValues, type FrequencyMap } from "../lib/ratings";
import { octavesHz, thirdsHz, valuesAt } from "./curve";

export type BandKind = "third" | "octave";

/** A curve in octaves and in third octaves. */
export type Maps = { octave: FrequencyMap; third: FrequencyMap };

/** The kinds of bands in which curves can be drawn. Octaves can be averaged from third octaves, but not vice versa. */
export function kindsOf(curves: Maps[]): BandKind[] {
  const kinds: BandKind[] = [];
  if (curves.some((c) => has(thirdsHz, valuesAt(thirdsHz, c.third)))) kinds.push("third");
  if (curves.some((c) => has(octavesHz, octaveValues(octavesHz, c.octave, c.third)))) kinds.push("octave");
  return kinds;
}

const has = (bandsHz: number[], values: (number | null)[]) => bandsHz.some((_, i) => values[i] !== null);

/** Curves at all bands from the first to the last band of any curve. */
export function curvesAt(kind: BandKind, curves: Maps[]): { bandsHz: number[]; values: (number | null)[][] } {
  const all = kind === "third" ? thirdsHz : octavesHz;
  const values = curves.map((c) => (kind === "third" ? valuesAt(all, c.third) : octaveValues(all, c.octave, c.third)));
  const known = all.map((_, i) => values.some((v) => v[i] !== null));
  const from = known.indexOf(true);
  if (from < 0) return { bandsHz: [], values: curves.map(() => []) };
  const to = known.lastIndexOf(true) + 1;
  return { bandsHz: all.slice(from, to), values: values.map((v) => v.slice(from, to)) };
}
