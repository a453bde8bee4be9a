// What is asked of a curve: read from the parameters of an address, carried from page to page, and drawn in every chart on the way.

import { octavesHz, thirdsHz, type Curve } from "../chart/curve";

/** What a drawn curve can mean: at least, at most, like this one. */
export const meanings = ["absorption_min", "absorption_max", "curve"] as const;
export type Meaning = (typeof meanings)[number];

/** Band in Hz to coefficient. */
export type Bands = Map<number, number>;

/** The values of a list: comma lists and repetitions, each once. */
export function listOf(params: URLSearchParams, name: string): string[] {
  const values = [...params.getAll(name), ...params.getAll(`${name}[]`)].flatMap((v) => v.split(","));
  return [...new Set(values.map((v) => v.trim()).filter(Boolean))];
}

/** The bands of a need; what is no `band:value` is left out here and told by the server. */
export function bandsOf(params: URLSearchParams, name: string): Bands {
  const bands: Bands = new Map();
  for (const one of listOf(params, name)) {
    const [band, value] = one.split(":").map((part) => (part.trim() ? Number(part) : NaN));
    if (Number.isFinite(band) && Number.isFinite(value)) bands.set(band!, value!);
  }
  return new Map([...bands].sort(([a], [b]) => a - b));
}

/** The parameters of a need, for the links to other pages. */
export function needOf(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(meanings.flatMap((name) => (params.get(name) ? [[name, params.get(name)!]] : [])));
}

/** What is asked of curves at the bands of a chart; a third has the value of its octave. */
export function needCurves(params: URLSearchParams, bandsHz: number[], labels: Record<Meaning, string>): Curve[] {
  const octaveOf = (hz: number) => octavesHz.find((o) => Math.abs(thirdsHz.indexOf(o) - thirdsHz.indexOf(hz)) <= 1);
  return meanings.flatMap((name) => {
    const bands = bandsOf(params, name);
    const values = bandsHz.map((hz) => bands.get(octaveOf(hz) ?? hz) ?? null);
    return values.some((v) => v !== null) ? [{ label: labels[name], values, style: 0, target: true }] : [];
  });
}
