// Measurements as curves: in thirds or in octaves.

import { octaveValues, type FrequencyMap } from "../lib/ratings";
import { octavesHz, thirdsHz, valuesAt } from "./curve";

export type BandKind = "third" | "octave";

/** The two maps of a curve. */
export type Maps = { octave: FrequencyMap; third: FrequencyMap };

/** The kinds of bands that curves can be drawn in. Octaves stand for thirds that are not there, never the other way. */
export function kindsOf(curves: Maps[]): BandKind[] {
  const kinds: BandKind[] = [];
  if (curves.some((c) => has(thirdsHz, valuesAt(thirdsHz, c.third)))) kinds.push("third");
  if (curves.some((c) => has(octavesHz, octaveValues(octavesHz, c.octave, c.third)))) kinds.push("octave");
  return kinds;
}

const has = (bandsHz: number[], values: (number | null)[]) => bandsHz.some((_, i) => values[i] !== null);

/** Curves at the bands from the first to the last that any of them has. */
export function curvesAt(kind: BandKind, curves: Maps[]): { bandsHz: number[]; values: (number | null)[][] } {
  const all = kind === "third" ? thirdsHz : octavesHz;
  const values = curves.map((c) => (kind === "third" ? valuesAt(all, c.third) : octaveValues(all, c.octave, c.third)));
  const known = all.map((_, i) => values.some((v) => v[i] !== null));
  const from = known.indexOf(true);
  if (from < 0) return { bandsHz: [], values: curves.map(() => []) };
  const to = known.lastIndexOf(true) + 1;
  return { bandsHz: all.slice(from, to), values: values.map((v) => v.slice(from, to)) };
}
