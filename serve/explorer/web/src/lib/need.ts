// Needs that are curves. They are read from the parameters of an address, passed from page to page, and drawn in all charts.

import { octavesHz, thirdsHz, type Curve } from "../chart/curve";

/** The meanings of a drawn curve: minimum, maximum, target. */
export const meanings = ["absorption_min", "absorption_max", "curve"] as const;
export type Meaning = (typeof meanings)[number];

/** Coefficients by band in Hz. */
export type Bands = Map<number, number>;

/** The values of a list, without duplicates. Values can be separated by commas or be repeated parameters. */
export function listOf(params: URLSearchParams, name: string): string[] {
  const values = [...params.getAll(name), ...params.getAll(`${name}[]`)].flatMap((v) => v.split(","));
  return [...new Set(values.map((v) => v.trim()).filter(Boolean))];
}

/** The bands of a need; values other than `band:value` are skipped here and reported by the server. */
export function bandsOf(params: URLSearchParams, name: string): Bands {
  const bands: Bands = new Map();
  for (const one of listOf(params, name)) {
    const [band, value] = one.split(":").map((part) => (part.trim() ? Number(part) : NaN));
    if (Number.isFinite(band) && Number.isFinite(value)) bands.set(band!, value!);
  }
  return new Map([...bands].sort(([a], [b]) => a - b));
}

/** The parameters of a need, for links to other pages. */
export function needOf(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(meanings.flatMap((name) => (params.get(name) ? [[name, params.get(name)!]] : [])));
}

/** The needs as curves at the bands of a chart; a third octave has the value of its octave. */
export function needCurves(params: URLSearchParams, bandsHz: number[], labels: Record<Meaning, string>): Curve[] {
  const octaveOf = (hz: number) => octavesHz.find((o) => Math.abs(thirdsHz.indexOf(o) - thirdsHz.indexOf(hz)) <= 1);
  return meanings.flatMap((name) => {
    const bands = bandsOf(params, name);
    const values = bandsHz.map((hz) => bands.get(octaveOf(hz) ?? hz) ?? null);
    return values.some((v) => v !== null) ? [{ label: labels[name], values, style: 0, target: true }] : [];
  });
}
