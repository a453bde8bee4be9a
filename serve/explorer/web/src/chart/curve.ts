// The content of a chart of curves over frequency.

export type Curve = {
  label: string;
  /** Value at each of the chart's bands, or null. */
  values: (number | null)[];
  /** Number of its colour and dash, from 0. The first 4 styles differ in both, the first 8 in colour, the first 16 in at least one. */
  style: number;
  /** Whether it is a target, which is drawn in the text colour, behind other curves. */
  target?: boolean;
};

/** A band between two curves, such as a tolerance. */
export type Range = { label: string; low: (number | null)[]; high: (number | null)[] };

export type Chart = {
  /** Description for screen readers. */
  title: string;
  /** Symbol of the values on their axis, such as "αₛ" or "T". */
  quantity?: string;
  /** Nominal centre frequencies in Hz, ascending. */
  bandsHz: number[];
  curves: Curve[];
  range?: Range;
  /** Unit of the values, such as "s"; "" for a coefficient. */
  unit: "" | "s";
};

export const octavesHz = [63, 125, 250, 500, 1000, 2000, 4000, 8000];
export const thirdsHz = [
  50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10000,
];

/** A curve of the API as values at bands. */
export function valuesAt(bandsHz: number[], map: { [band: string]: number } | null | undefined): (number | null)[] {
  return bandsHz.map((hz) => map?.[hz] ?? null);
}

/** Position of a band on a logarithmic axis in thirds of an octave; an integer for nominal centre frequencies. */
export const place = (hz: number) => Math.round(10 * Math.log10(hz));

/** Range of the value axis: 0 to 1, more if values exceed it, or seconds. */
export function spanned(chart: Chart): { min: number; max: number; step: number } {
  const lists = [...chart.curves.map((c) => c.values), chart.range?.low ?? [], chart.range?.high ?? []];
  const values = lists.flat().filter((v) => v !== null);
  const least = Math.min(0, ...values);
  const most = Math.max(chart.unit === "" ? 1 : 0.5, ...values);
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100].find((s) => (most - least) / s <= 7) ?? most - least;
  return { min: Math.floor(least / step + 1e-9) * step, max: Math.ceil(most / step - 1e-9) * step, step };
}

/** Lengths of dashes and gaps in pixels. */
const dashes: number[][] = [[], [9, 5], [2, 4], [10, 4, 2, 4]];
export const targetDash = [4, 4];

/** Number of the colour of a style, from --curve-1 to --curve-8. */
export const colourOf = (style: number) => (style % 8) + 1;
export const dashOf = (style: number) => dashes[(style + Math.floor(style / 8)) % 4]!;
