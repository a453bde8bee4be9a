const en = {
  hint: "Name, manufacturer or property",
  found: (n: number) => (n === 1 ? "1 product found" : `${n} products found`),
  more: (n: number) => `${n} more: type on to narrow them down`,
  none: "No product is found.",
  setup: "Set-up",
  automatic: "the most absorptive",
};

const de: typeof en = {
  hint: "Name, Hersteller oder Eigenschaft",
  found: (n) => (n === 1 ? "1 Produkt gefunden" : `${n} Produkte gefunden`),
  more: (n) => `${n} weitere: Weitertippen grenzt ein`,
  none: "Kein Produkt gefunden.",
  setup: "Aufbau",
  automatic: "der am stärksten absorbierende",
};

export const texts = { de, en };
