const en = {
  frequency: "Frequency in Hz",
  band: "Frequency band",
  bands: { label: "Bands", third: "Thirds", octave: "Octaves" },
  table: "As a table",
  to: "to",
  read: "Left and right move from band to band",
};
const de: typeof en = {
  frequency: "Frequenz in Hz",
  band: "Frequenzband",
  bands: { label: "Bänder", third: "Terzen", octave: "Oktaven" },
  table: "Als Tabelle",
  to: "bis",
  read: "Links und rechts gehen von Band zu Band",
};

export const texts = { de, en };
