// The public absorption data of any number of products, by slug or id.

import { compare, publicMaterial, search, type ComparedProduct } from "./api.svelte";
import { publicDetail } from "./site";
import type { Language } from "./text.svelte";

const perRequest = 4; // maximum number of products in a comparison
const maxTranslated = 8; // each product needs a request

/**
* Requests products. The answer omits unknown products. The comparison returns German labels: in English, a few are translated if the
* server returns details without a key.
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
        return product; // with the German label
      }
    }),
  );
}

/** The product with a slug or id, or undefined. */
export const named = (all: ComparedProduct[], id: string): ComparedProduct | undefined =>
  all.find((p) => p.slug === id || p.id === id.toLowerCase());

/** Whether a product is available; null if unknown. Only searches return this, so the function searches for the id. */
export async function isAvailable(id: string, locale: string, signal: AbortSignal): Promise<boolean | null> {
  const { total, products, facets } = await search(new URLSearchParams({ q: id, locale }), signal);
  return total === 1 && products[0]?.id === id ? facets.purchasableOnly.true === 1 : null;
}
