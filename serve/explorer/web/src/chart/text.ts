const en = {
  frequency: "Frequency in Hz",
  band: "Frequency band",
  table: "As a table",
  to: "to",
  read: "Left and right move from band to band",
};
const de: typeof en = {
  frequency: "Frequenz in Hz",
  band: "Frequenzband",
  table: "Als Tabelle",
  to: "bis",
  read: "Links und rechts gehen von Band zu Band",
};

export const texts = { de, en };
