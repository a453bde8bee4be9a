export const en = {
  site: "Acoustic materials",
  skip: "Skip to the content",
  nav: { search: "Search", compare: "Compare", room: "Room", reference: "API", label: "Pages" },
  language: { label: "Language", de: "Deutsch", en: "English" },
  notFound: {
    title: "There is nothing here",
    product: "No published product has this name. It may have been withdrawn, or the link has a typing error.",
    page: "There is no page at this address.",
    back: "To the search",
  },
  failure: {
    offline: "The server does not answer. What you see is its last answer; the page keeps trying.",
    limited: (seconds: number) => `Too many requests from your address. The page goes on in ${seconds} s.`,
    waiting: "The server has no catalogue yet. The page keeps trying.",
    broken: (id: string) => `The server failed to answer. Identifier for a report: ${id}`,
    part: "This page did not load.",
    retry: "Try again",
  },
  setup: {
    type: (letter: string) => `Type ${letter}`,
    air: (mm: string) => `${mm} mm air`,
    kinds: { measured: "measured", literature: "literature", simulated: "simulated" } as Record<string, string>,
  },
  loading: "Loading …",
};
