// Products by slug or id with what everybody may see of their absorption, as many as are asked for.

import { compare, publicMaterial, search, type ComparedProduct } from "./api.svelte";
import { publicDetail } from "./site";
import type { Language } from "./text.svelte";

const perRequest = 4; // what compare gives
const maxTranslated = 8; // each is a request of its own

/**
 * Asks for products; those that are unknown are not in the answer. Compare gives German labels: in English a few are translated where the
 * server lets everybody ask for details.
 */
export async function products(ids: string[], language: Language, signal: AbortSignal): Promise<ComparedProduct[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / perRequest) }, (_, i) => ids.slice(i * perRequest, (i + 1) * perRequest));
  const found = (await Promise.all(parts.map((part) => compare(part, signal)))).flat();
  if (language !== "en" || !publicDetail || found.length > maxTranslated) return found;
  return Promise.all(
    found.map(async (product) => {
      try {
        return { ...product, label: (await publicMaterial(product.slug, language, signal)).label };
      } catch {
        return product; // its German label will do
      }
    }),
  );
}

/** The product that was asked for by slug or id, which an answer may lack. */
export const named = (all: ComparedProduct[], id: string): ComparedProduct | undefined =>
  all.find((p) => p.slug === id || p.id === id.toLowerCase());

/** Whether a product is available; null when that cannot be told. Only a search says it: one for the id finds the product alone. */
export async function isAvailable(id: string, locale: string, signal: AbortSignal): Promise<boolean | null> {
  const { total, products, facets } = await search(new URLSearchParams({ q: id, locale }), signal);
  return total === 1 && products[0]?.id === id ? facets.purchasableOnly.true === 1 : null;
}
