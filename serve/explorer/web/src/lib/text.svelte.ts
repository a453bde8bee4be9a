// What the page says, in German and in English.

import { address } from "./address.svelte";
import { keep, recall } from "./memory";
import { names, type Family } from "./site";
import { de } from "./text.de";
import { en } from "./text.en";

export type Language = "de" | "en";
export type Text = typeof en;

const memory = "sabine.language";

function preferred(): Language {
  const wished = recall("localStorage", memory) ?? navigator.language;
  return wished.toLowerCase().startsWith("de") ? "de" : "en";
}

class Speech {
  #preferred = $state(preferred());
  /** The language in force: the one that the address names, else the one chosen last, else the browser's. */
  readonly language: Language = $derived.by(() => {
    const named = address.params.get("locale")?.toLowerCase();
    return named ? (named.startsWith("en") ? "en" : "de") : this.#preferred;
  });
  readonly text: Text = $derived(this.language === "de" ? de : en);
  /** The way to write numbers, by the number of decimals; making one takes longer than writing a hundred. */
  readonly #formats = $derived({ language: this.language, byDecimals: new Map<number | undefined, Intl.NumberFormat>() });

  choose(language: Language) {
    keep("localStorage", memory, language);
    this.#preferred = language;
    const params = new URLSearchParams(address.params);
    params.set("locale", language);
    address.replace(params);
  }

  /** A number as the language writes it, with at most two decimals, or exactly as many as asked. Frequencies are written as they are. */
  number(n: number, decimals?: number): string {
    const { language, byDecimals } = this.#formats;
    let format = byDecimals.get(decimals);
    if (!format) {
      format = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals ?? 2, signDisplay: "negative", useGrouping: language === "en" ? "always" : "min2" });
      byDecimals.set(decimals, format);
    }
    return format.format(n).replace("-", "−");
  }

  /** The display name of a filter value; the value itself, with a capital, when the catalogue gives it none. */
  name(family: Family, value: string): string {
    const known = Object.hasOwn(names[family] ?? {}, value) ? names[family]![value] : undefined;
    return known?.[this.language] ?? known?.de ?? known?.en ?? value.charAt(0).toUpperCase() + value.slice(1);
  }
}

export const speech = new Speech();
