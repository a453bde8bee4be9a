const en = {
  frequency: "Frequency in Hz",
  band: "Frequency band",
  bands: { label: "Frequency bands", third: "Third octaves", octave: "Octaves" },
  table: "Values as a table",
  to: "to",
  read: "Arrow keys move from band to band",
};
const de: typeof en = {
  frequency: "Frequenz in Hz",
  band: "Frequenzband",
  bands: { label: "Frequenzbänder", third: "Terzen", octave: "Oktaven" },
  table: "Werte als Tabelle",
  to: "bis",
  read: "Die Pfeiltasten wechseln das Band",
};

export const texts = { de, en };
