import type { Text } from "./text.svelte";

export const de: Text = {
  site: "Akustikmaterialien",
  skip: "Zum Inhalt",
  nav: { search: "Suche", compare: "Vergleich", room: "Raum", reference: "API", label: "Seiten" },
  language: { label: "Sprache", de: "Deutsch", en: "English" },
  notFound: {
    title: "Nicht gefunden",
    product: "Unter dieser Adresse gibt es kein Produkt. Vielleicht wurde es zurückgezogen, oder der Link enthält einen Tippfehler.",
    page: "Unter dieser Adresse gibt es keine Seite.",
    back: "Zur Suche",
  },
  failure: {
    offline: (shown) => `Der Server ist nicht erreichbar. ${shown ? "Angezeigt werden die letzten Ergebnisse; d" : "D"}ie Seite versucht es weiter.`,
    limited: (seconds) => `Zu viele Anfragen von Ihrer Internetadresse. Weiter geht es in ${seconds} s.`,
    waiting: "Der Server hat noch keinen Katalog. Die Seite versucht es weiter.",
    broken: (id) => `Auf dem Server ist ein Fehler aufgetreten. Nennen Sie bitte diese Nummer, wenn Sie ihn melden: ${id}`,
    refused: (message) => `Die Angabe „${message.split(":")[0]}“ in der Adresse dieser Seite ist ungültig.`,
    part: "Diese Seite ließ sich nicht laden. Der Server ist nicht erreichbar oder wurde aktualisiert.",
    retry: "Erneut versuchen",
  },
  setup: {
    type: (letter) => `Typ ${letter}`,
    air: (mm) => (mm === "0" ? "ohne Luftspalt" : `Luftspalt ${mm} mm`),
    kinds: { measured: "gemessen", literature: "Literatur", simulated: "berechnet" },
    options: {},
  },
  need: { absorption_min: "Mindestens gefordert", absorption_max: "Höchstens gefordert", curve: "Zielkurve" },
  copy: { copy: "Link kopieren", copied: "Kopiert", link: "Link zu dieser Seite" },
  available: "lieferbar",
  notAvailable: "nicht lieferbar",
  results: "Zurück zu den Ergebnissen",
  updated: "Der Katalog wurde aktualisiert, seit diese Seite geöffnet ist.",
  reload: "Neu laden",
  loading: (shown) => `Lädt …${shown ? " Bis dahin sind die letzten Ergebnisse zu sehen." : ""}`,
};
