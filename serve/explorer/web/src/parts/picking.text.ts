const en = {
  hint: "Name, manufacturer or property",
  found: (n: number) => (n === 1 ? "1 product found" : `${n} products found`),
  more: (n: string) => `${n} more: type more letters`,
  none: "No product found.",
  setup: "Set-up",
  automatic: "highest αw",
};

const de: typeof en = {
  hint: "Name, Hersteller oder Eigenschaft",
  found: (n) => (n === 1 ? "1 Produkt gefunden" : `${n} Produkte gefunden`),
  more: (n) => `${n} weitere: Eingabe verfeinern`,
  none: "Kein Produkt gefunden.",
  setup: "Aufbau",
  automatic: "höchster αw",
};

export const texts = { de, en };
