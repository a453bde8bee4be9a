// The selected filters in words, each with the parameters that remain without it.

import type { SearchResult } from "../lib/api.svelte";
import { kindOf } from "../lib/setupNames";
import { i18n, type Language } from "../lib/text.svelte";
import { bandsOf, chosenFilters, listOf, numberOf, withToggled, without, type BandsName, type ListName } from "./query";
import { texts } from "./text";

export type Chip = { key: string; label: string; left: URLSearchParams };

type Words = (typeof texts)[Language];
export type Facets = SearchResult["facets"];
export type NeedFacets = NonNullable<SearchResult["need_facets"]>;

const families: Partial<Record<ListName, "categories" | "characters" | "installations">> = {
  categories: "categories",
  characters: "characters",
  type: "installations",
};

/** The display name of a value of a list. */
export function nameOf(list: ListName, value: string, text: Words, facets: Facets | undefined): string {
  const family = families[list];
  if (family) return i18n.name(family, value);
  if (list === "manufacturers") return facets?.manufacturers.find((m) => m.slug === value || m.id === value.toLowerCase())?.name ?? value;
  if (list === "absorption_class") return text.chips.absorption_class(value);
  if (list === "mounting") return text.chips.mounting(text.setup.mountings[value] && value.length > 1 ? text.setup.mountings[value] : value);
  return kindOf(value);
}

const bandsInWords = (params: URLSearchParams, name: BandsName) =>
  [...bandsOf(params, name)].map(([band, value]) => `${band} Hz: ${i18n.number(value)}`).join(" · ");

/** A chip for each selected value; a curve is one chip. `like` is the name of the product in the parameter `like`. */
export function chipsOf(params: URLSearchParams, text: Words, facets: Facets | undefined, like: string | undefined): Chip[] {
  return chosenFilters(params).flatMap((name): Chip[] => {
    const one = (label: string) => [{ key: name, label, left: without(params, name) }];
    switch (name) {
      case "epd":
      case "kaufbar":
        return one(text.facets[name]);
      case "min":
      case "max":
      case "thickness_max":
      case "depth_max": {
        const n = numberOf(params, name);
        return one(text.chips[name](n === null ? (params.get(name) ?? "") : i18n.number(n)));
      }
      case "like":
        return one(text.chips.like(like ?? params.get("like")!));
      case "absorption_min":
      case "absorption_max":
      case "curve":
      case "scattering_min":
      case "diffusion_min":
        return one(`${text.chips[name]} ${bandsInWords(params, name) || listOf(params, name).join()}`);
    }
    const list = name as ListName;
    return listOf(params, list).map((value) => ({
      key: `${list}:${value}`,
      label: nameOf(list, value, text, facets),
      left: withToggled(params, list, value),
    }));
  });
}
