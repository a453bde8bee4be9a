// A product as its page shows it, with what the server lets everybody see of it.

import { compare, Failed, publicMaterial, type PublicMaterial, type Schemas } from "../lib/api.svelte";
import { publicDetail } from "../lib/site";
import { octavesHz, thirdsHz, valuesAt } from "../chart/curve";
import { octaveValues, rate, type FrequencyMap, type Ratings } from "./ratings";

export type Absorption = Schemas["MaterialAbsorptionMeasurement"];
export type Geometry = Schemas["Geometry"];
export type BandKind = "third" | "octave";

export type Product = PublicMaterial & {
  /** Whether scattering, diffusion and geometry are left out, since the server gives them with a key alone. */
  partial: boolean;
};

/** A tested set-up and its ratings. */
export type Setup = { entry: Absorption; ratings: Ratings };

/** Asks for a product by its slug or id. Throws `Failed`. */
export async function load(id: string, locale: string, signal: AbortSignal): Promise<Product> {
  if (publicDetail) return { ...(await publicMaterial(id, locale, signal)), partial: false };
  const found = (await compare([id], signal)).find((p) => p.slug === id || p.id === id.toLowerCase());
  if (!found) throw new Failed({ kind: "missing" });
  const { absorption_iso354, ...rest } = found;
  return {
    ...rest,
    imageUrl: null,
    variant_count: absorption_iso354.length || null,
    measurements: { absorption_iso_354: absorption_iso354, scatter_iso_17497_1: [], diffusion_iso_17497_2: [] },
    geometry: null,
    partial: true,
  };
}

export const setupsOf = (product: Product): Setup[] =>
  product.measurements.absorption_iso_354.map((entry) => ({ entry, ratings: rate(entry.alpha_s_octave, entry.alpha_s_third_octave) }));

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

/** The words of a slug that a search may find something by: without numbers, such as those of articles. */
export const wordsOf = (slug: string): string =>
  slug
    .slice(0, 200)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /^\p{L}{2,}$/u.test(word))
    .join(" ");

/** A name for a file, from a slug that anybody wrote. */
export const fileName = (slug: string) => slug.replace(/[^\w-]+/g, "-").slice(0, 80) || "product";

/** Gives a person a file that the page has made. */
export function save(name: string, type: string, content: string) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([content], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}
