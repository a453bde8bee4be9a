// A product with the public data for its page.

import { compare, Failed, publicMaterial, type PublicMaterial, type Schemas } from "../lib/api.svelte";
import { named } from "../lib/products";
import type { Ratings } from "../lib/ratings";
import { ratingsOf, type Setup } from "../lib/setup";
import { publicDetail } from "../lib/site";

export type Geometry = Schemas["Geometry"];

export type Product = PublicMaterial & {
  /** Whether description, scattering, diffusion and geometry are missing, because the server returns them only with a key. */
  partial: boolean;
  /** The unchanged response of the server. */
  answer: unknown;
};

/** A tested set-up and its ratings. */
export type Rated = { entry: Setup; ratings: Ratings };

/** Requests a product by its slug or id. Throws `Failed`. */
export async function load(id: string, locale: string, signal: AbortSignal): Promise<Product> {
  if (publicDetail) {
    const answer = await publicMaterial(id, locale, signal);
    return { ...answer, partial: false, answer };
  }
  const found = named(await compare([id], signal), id);
  if (!found) throw new Failed({ kind: "missing" });
  const { absorption_iso354, ...rest } = found;
  return {
    ...rest,
    imageUrl: null,
    description: null,
    variant_count: absorption_iso354.length || null,
    measurements: { absorption_iso_354: absorption_iso354, scatter_iso_17497_1: [], diffusion_iso_17497_2: [] },
    geometry: null,
    partial: true,
    answer: found,
  };
}

export const setupsOf = (product: Product): Rated[] =>
  product.measurements.absorption_iso_354.map((entry) => ({ entry, ratings: ratingsOf(entry) }));
