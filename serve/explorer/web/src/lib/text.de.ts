import type { Text } from "./text.svelte";

export const de: Text = {
  site: "Akustikmaterialien",
  skip: "Zum Inhalt",
  nav: { search: "Suche", compare: "Vergleich", room: "Raum", reference: "API", label: "Seiten" },
  language: { label: "Sprache", de: "Deutsch", en: "English" },
  notFound: {
    title: "Nicht gefunden",
    product: "Kein veröffentlichtes Produkt heißt so. Vielleicht wurde es zurückgezogen, oder der Link hat einen Tippfehler.",
    page: "Unter dieser Adresse gibt es keine Seite.",
    back: "Zur Suche",
  },
  failure: {
    offline: "Der Server antwortet nicht. Zu sehen ist der letzte Stand; die Seite versucht es von selbst wieder.",
    limited: (seconds) => `Zu viele Anfragen von Ihrer Adresse. Weiter geht es in ${seconds} s.`,
    waiting: "Der Server hat noch keinen Katalog. Die Seite versucht es von selbst wieder.",
    broken: (id) => `Der Server konnte nicht antworten. Kennung für eine Fehlermeldung: ${id}`,
    part: "Diese Seite ließ sich nicht laden.",
    retry: "Noch einmal versuchen",
  },
  setup: {
    type: (letter) => `Typ ${letter}`,
    air: (mm) => `${mm} mm Luft`,
    kinds: { measured: "gemessen", literature: "Literatur", simulated: "berechnet" },
  },
  loading: "Lädt …",
};
