// The texts of the pages in German and English.

import { address } from "./address.svelte";
import { keep, recall } from "./memory";
import { names, type Family } from "./site";
import { de } from "./text.de";
import { en } from "./text.en";

export type Language = "de" | "en";
export type Text = typeof en;

const memory = "sabine.language";

function preferred(): Language {
  const language = recall("localStorage", memory) ?? navigator.language;
  return language.toLowerCase().startsWith("de") ? "de" : "en";
}

class I18n {
  #preferred = $state(preferred());
  /** The current language: the language in the address, otherwise the last selected language, otherwise the browser's language. */
  readonly language: Language = $derived.by(() => {
    const named = address.params.get("locale")?.toLowerCase();
    return named ? (named.startsWith("en") ? "en" : "de") : this.#preferred;
  });
  readonly text: Text = $derived(this.language === "de" ? de : en);
  /** Number formats by the number of decimals. Creating one takes longer than formatting a hundred numbers. */
  readonly #formats = $derived({ language: this.language, byDecimals: new Map<number | undefined, Intl.NumberFormat>() });

  choose(language: Language) {
    keep("localStorage", memory, language);
    this.#preferred = language;
    const params = new URLSearchParams(address.params);
    params.set("locale", language);
    address.replace(params);
  }

  /** A number in the format of the language, with `decimals` decimals, or at most two by default. Frequencies are not formatted. */
  number(n: number, decimals?: number): string {
    const { language, byDecimals } = this.#formats;
    let format = byDecimals.get(decimals);
    if (!format) {
      format = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals ?? 2, signDisplay: "negative", useGrouping: language === "en" ? "always" : "min2" });
      byDecimals.set(decimals, format);
    }
    return format.format(n).replace("-", "−");
  }

  /** The display name of a filter value or, if there is none, the value with a capital letter. */
  name(family: Family, value: string): string {
    const known = Object.hasOwn(names[family] ?? {}, value) ? names[family]![value] : undefined;
    return known?.[this.language] ?? known?.de ?? known?.en ?? value.charAt(0).toUpperCase() + value.slice(1);
  }
}

export const i18n = new I18n();
