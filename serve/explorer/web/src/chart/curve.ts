// What a chart of curves over frequency shows.

export type Curve = {
  label: string;
  /** Value at each of the chart's bands; null where there is none. */
  values: (number | null)[];
  /** Which of the four colours and dashes it has, from 0. */
  style: number;
  /** Drawn in the ink of the page, behind the others: a target. */
  target?: boolean;
};

/** A band between two curves, such as a tolerance. */
export type Range = { label: string; low: (number | null)[]; high: (number | null)[] };

export type Chart = {
  /** What a screen reader says of it. */
  title: string;
  /** Nominal centres in Hz, ascending. */
  bandsHz: number[];
  curves: Curve[];
  range?: Range;
  /** Unit of the values: "" for a coefficient, "s". */
  unit: "" | "s";
};

export const octavesHz = [63, 125, 250, 500, 1000, 2000, 4000, 8000];
export const thirdsHz = [
  50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10000,
];
