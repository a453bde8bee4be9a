// Single-number ratings of an absorption measurement, as dataset/acoustics computes them: ISO 11654:1997 (alpha_p, alpha_w, shape
// indicators, classes of annex B) and ASTM C423 (NRC, SAA). The same test vectors verify both.
//
// Sums are integers, because sums of binary fractions are not exact: 0.12, 0.35, 0.45 and 0.38 have the mean 0.325, half-way between
// two steps of NRC, but in floating point the mean is lower.

import { octavesHz, thirdsHz } from "../chart/curve";

/** A curve of the API: coefficients by nominal centre frequency in Hz. */
export type FrequencyMap = { [band: string]: number } | null | undefined;

/** Ratings in hundredths (85 is 0.85); null if the bands are not sufficient. */
export type Ratings = {
  /** Practical coefficients of practicalHz. */
  alphaP: (number | null)[];
  alphaW: number | null;
  /** Shape indicators of alpha_w in the order L, M, H. */
  shape: string;
  nrc: number | null;
  saa: number | null;
};

/** The octaves that have a practical coefficient. */
export const practicalHz = octavesHz.slice(1, 7);
const nrcHz = [250, 500, 1000, 2000];
const saaHz = [200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500];

export function rate(octave: FrequencyMap, third: FrequencyMap): Ratings {
  const steps = practicalHz.map((hz) => practical(hz, octave, third));
  const [, ...from250] = steps;
  const weighted = from250.every((a) => a !== null) ? weigh(from250) : { alphaW: null, shape: "" };
  const nrc = sumOf(third, nrcHz) ?? sumOf(octave, nrcHz);
  const saa = sumOf(third, saaHz);
  return {
    alphaP: steps.map((a) => (a === null ? null : 5 * a)),
    ...weighted,
    nrc: nrc === null ? null : 5 * rounded(nrc, nrcHz.length, 5n * hundredth),
    saa: saa === null ? null : rounded(saa, saaHz.length, hundredth),
  };
}

/** Sound absorption class of a weighted coefficient in hundredths (ISO 11654, annex B); "" if it is not classified. */
export function classOf(alphaW: number): string {
  const limits: [number, string][] = [[90, "A"], [80, "B"], [60, "C"], [30, "D"], [15, "E"]];
  return limits.find(([least]) => alphaW >= least)?.[1] ?? "";
}

/** Indexes of variants sorted by alpha_w, then by NRC, highest first, unknown last. The first represents the product. */
export function byAbsorption(variants: Ratings[]): number[] {
  const known = (n: number | null) => n ?? -Infinity;
  const compare = (a: number | null, b: number | null) => (known(a) === known(b) ? 0 : known(b) - known(a));
  return variants
    .map((_, i) => i)
    .sort((i, j) => compare(variants[i]!.alphaW, variants[j]!.alphaW) || compare(variants[i]!.nrc, variants[j]!.nrc));
}

/** The coefficients of octaves: the stated value, otherwise the mean of three third octaves in hundredths, otherwise null. */
export function octaveValues(bandsHz: number[], octave: FrequencyMap, third: FrequencyMap): (number | null)[] {
  return bandsHz.map((hz) => {
    const stated = octave?.[hz];
    if (stated !== undefined) return stated;
    const sum = sumOf(third, thirdsOf(hz));
    return sum === null ? null : rounded(sum, 3, hundredth) / 100;
  });
}

function thirdsOf(octaveHz: number): number[] {
  const i = thirdsHz.indexOf(octaveHz);
  return thirdsHz.slice(i - 1, i + 2);
}

/** alpha_p of an octave in twentieths (17 is 0.85), from its third octaves, otherwise from its value. First rounded to hundredths; limited to 0 to 1. */
function practical(hz: number, octave: FrequencyMap, third: FrequencyMap): number | null {
  const thirds = sumOf(third, thirdsOf(hz));
  const sum = thirds ?? sumOf(octave, [hz]);
  if (sum === null) return null;
  const hundredths = rounded(sum, thirds === null ? 1 : 3, hundredth);
  return Math.min(Math.max(Math.floor((hundredths + 2) / 5), 0), 20);
}

const referenceCurve = [16, 20, 20, 20, 18]; // twentieths, at 250 Hz to 4000 Hz
const unfavourableLimit = 2; // a sum of exactly 0.10 is allowed
const indicatorLimit = 5; // an excess of exactly 0.25 is indicated

function weigh(alphaP: number[]): { alphaW: number; shape: string } {
  let shift = 0;
  const unfavourable = () => referenceCurve.reduce((sum, r, i) => sum + Math.max(r - shift - alphaP[i]!, 0), 0);
  while (unfavourable() > unfavourableLimit) shift++;
  const excess = alphaP.map((a, i) => a - (referenceCurve[i]! - shift) >= indicatorLimit);
  const shape = (excess[0] ? "L" : "") + (excess[1] || excess[2] ? "M" : "") + (excess[3] || excess[4] ? "H" : "");
  return { alphaW: 5 * (referenceCurve[1]! - shift), shape };
}

// Decimals are integers in units of 1e-17, from the shortest decimal form of a number.
const decimalPlaces = 17;
const hundredth = 10n ** 15n;
const maxCoefficient = 7; // larger values are not coefficients

function decimal(v: number | undefined): bigint | null {
  if (v === undefined || !(Math.abs(v) <= maxCoefficient)) return null;
  const [, whole, fraction = "", exponent] = /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(Math.abs(v).toExponential())!;
  const digits = BigInt(whole! + fraction) * (v < 0 ? -1n : 1n);
  const shift = decimalPlaces + Number(exponent) - fraction.length;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : floorDiv(digits, 10n ** BigInt(-shift));
}

function sumOf(map: FrequencyMap, bandsHz: number[]): bigint | null {
  let sum = 0n;
  for (const hz of bandsHz) {
    const d = decimal(map?.[hz]);
    if (d === null) return null;
    sum += d;
  }
  return sum;
}

/** The mean of n decimals in steps, rounded to the nearest step, halves up. */
function rounded(sum: bigint, n: number, step: bigint): number {
  const whole = BigInt(n) * step;
  return Number(floorDiv(sum + whole / 2n, whole));
}

function floorDiv(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a % b < 0n ? q - 1n : q;
}
