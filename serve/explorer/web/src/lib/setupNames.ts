// Names of set-ups.

import type { FoundProduct } from "./api.svelte";
import { byAbsorption, type Ratings } from "./ratings";
import { ratingsOf, type Setup } from "./setup";
import { i18n } from "./text.svelte";

/** A mounting in words: "Type A" for a letter of ISO 354, the display name for a word. */
export function mountingOf(mounting: string | null): string {
  if (!mounting) return "–";
  return /^[A-Z](-?\d+)?$/.test(mounting) ? i18n.text.setup.type(mounting) : i18n.name("installations", mounting);
}

/** The source of values in words. */
export const kindOf = (sourceKind: string): string => i18n.text.setup.kinds[sourceKind] ?? sourceKind;

/** The laboratory's option of a test; frequent options are translated. */
export const optionOf = (option: string | null): string => (option && i18n.text.setup.options[option]) ?? option ?? "";

/** Properties that distinguish set-ups; "" if a property is not stated. */
export function partsOf(setup: Pick<Setup, "mounting" | "thickness_mm" | "air_gap_mm">): string[] {
  return [
    setup.mounting ? mountingOf(setup.mounting) : "",
    setup.thickness_mm === null ? "" : `${i18n.number(setup.thickness_mm)} mm`,
    setup.air_gap_mm === null ? "" : i18n.text.setup.air(i18n.number(setup.air_gap_mm)),
  ];
}

/**
* Names for the set-ups of a product from the properties that differ, such as "Type E · air gap 200 mm". They include alpha_w and the label if
* these properties do not distinguish them.
 */
export function namesOf(setups: Setup[]): string[] {
  const rated = setups.map((s) => {
    const rating = ratingsOf(s);
    return rating.alphaW === null ? "" : `αw ${alphaOf(rating.alphaW, [rating])}`;
  });
  const all = setups.map((s) => [/^Absorption \d+$/.test(s.label) ? "" : s.label, ...partsOf(s), optionOf(s.measuring_option), kindOf(s.source_kind)]);
  const last = setups.length === 1 ? 4 : Infinity; // a single set-up is named by mounting, thickness and air gap
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

/** alpha_w with its shape indicators, in the form of ISO 11654: "0.70(MH)". */
const shaped = (alphaW: number, shape: string | null | undefined) => i18n.number(alphaW, 2) + (shape ? `(${shape})` : "");

/** alpha_w in hundredths with the shape indicators of its rating; of several ratings, the most absorptive. */
export const alphaOf = (hundredths: number, ratings: Ratings[]): string =>
  shaped(hundredths / 100, byAbsorption(ratings).map((i) => ratings[i]!).find((r) => r.alphaW === hundredths)?.shape);

/** The alpha_w of a hit: that of the set-up in `match`, or the declared one if the product has no set-up; "" if there is none. */
export function alphaFound({ match, alphaW, variant_count }: FoundProduct): string {
  if (match?.alpha_w != null) return shaped(match.alpha_w, match.alpha_w_shape);
  return alphaW > 0 && !variant_count ? shaped(alphaW, "") : "";
}
