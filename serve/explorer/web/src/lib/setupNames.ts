// What a set-up is called.

import type { FoundProduct } from "./api.svelte";
import { byAbsorption, type Ratings } from "./ratings";
import { ratingsOf, type Setup } from "./setup";
import { speech } from "./text.svelte";

/** A mounting: a letter of ISO 354 as its type, a word as the catalogue names it. */
export function mountingOf(mounting: string | null): string {
  if (!mounting) return "–";
  return /^[A-Z](-?\d+)?$/.test(mounting) ? speech.text.setup.type(mounting) : speech.name("installations", mounting);
}

/** Where values come from, in words. */
export const kindOf = (sourceKind: string): string => speech.text.setup.kinds[sourceKind] ?? sourceKind;

/** What the laboratory says of a test, in the language of the page where many records say the same. */
export const optionOf = (option: string | null): string => (option && speech.text.setup.options[option]) ?? option ?? "";

/** What tells set-ups apart; "" for what is not stated. */
export function partsOf(setup: Pick<Setup, "mounting" | "thickness_mm" | "air_gap_mm">): string[] {
  return [
    setup.mounting ? mountingOf(setup.mounting) : "",
    setup.thickness_mm === null ? "" : `${speech.number(setup.thickness_mm)} mm`,
    setup.air_gap_mm === null ? "" : speech.text.setup.air(speech.number(setup.air_gap_mm)),
  ];
}

/**
 * Names for the set-ups of a product by what differs among them, such as "Type E · air gap 200 mm"; their alpha_w and the label where that
 * is not enough.
 */
export function namesOf(setups: Setup[]): string[] {
  const rated = setups.map((s) => {
    const rating = ratingsOf(s);
    return rating.alphaW === null ? "" : `αw ${alphaOf(rating.alphaW, [rating])}`;
  });
  const all = setups.map((s) => [/^Absorption \d+$/.test(s.label) ? "" : s.label, ...partsOf(s), optionOf(s.measuring_option), kindOf(s.source_kind)]);
  const last = setups.length === 1 ? 4 : Infinity; // one alone is told by mounting, thickness and air gap
  const names = all.map((parts) =>
    parts.filter((part, i) => part && i < last && (setups.length === 1 || all.some((other) => other[i] !== part))).join(" · "),
  );
  const isOne = (name: string, all: string[]) => name !== "" && all.indexOf(name) === all.lastIndexOf(name);
  const withRating = names.map((name, i) => [name, rated[i]].filter(Boolean).join(" · "));
  return names.map((name, i) => {
    if (isOne(name, names)) return name;
    return isOne(withRating[i]!, withRating) ? withRating[i]! : [setups[i]!.label, withRating[i]].filter(Boolean).join(" · ");
  });
}

/** alpha_w with its shape indicators, as ISO 11654 writes it: "0.70(MH)". */
const shaped = (alphaW: number, shape: string | null | undefined) => speech.number(alphaW, 2) + (shape ? `(${shape})` : "");

/** alpha_w in hundredths with the shape indicators of the rating that has it; of several the most absorptive. */
export const alphaOf = (hundredths: number, ratings: Ratings[]): string =>
  shaped(hundredths / 100, byAbsorption(ratings).map((i) => ratings[i]!).find((r) => r.alphaW === hundredths)?.shape);

/** The alpha_w of a product that was found: that of the set-up in `match`, else what is declared of a product without one; "" for none. */
export function alphaFound({ match, alphaW, variant_count }: FoundProduct): string {
  if (match?.alpha_w != null) return shaped(match.alpha_w, match.alpha_w_shape);
  return alphaW > 0 && !variant_count ? shaped(alphaW, "") : "";
}
