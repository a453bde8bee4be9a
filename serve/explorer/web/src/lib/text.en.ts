export const en = {
  site: "Acoustic materials",
  skip: "Skip to the content",
  nav: { search: "Search", compare: "Compare", room: "Room", reference: "API", label: "Pages" },
  language: { label: "Language", de: "Deutsch", en: "English" },
  notFound: {
    title: "Not found",
    product: "There is no product at this address. It may have been withdrawn, or the link has a typing error.",
    page: "There is no page at this address.",
    back: "To the search",
  },
  failure: {
    offline: (shown: boolean) => `Can't reach the server. ${shown ? "Showing the last results; t" : "T"}he page keeps trying.`,
    limited: (seconds: number) => `Too many requests from your address. The page goes on in ${seconds} s.`,
    waiting: "The server has no catalogue yet. The page keeps trying.",
    broken: (id: string) => `An error occurred on the server. Please give this number if you report it: ${id}`,
    part: "This page did not load. The server can't be reached, or it has been updated.",
    retry: "Try again",
  },
  setup: {
    type: (letter: string) => `Type ${letter}`,
    air: (mm: string) => (mm === "0" ? "no air gap" : `air gap ${mm} mm`),
    kinds: { measured: "measured", literature: "literature", simulated: "simulated" } as Record<string, string>,
    options: { "unendliche Fläche": "infinite area" } as Record<string, string>, // of the German source, those that many records have
  },
  need: { absorption_min: "Required at least", absorption_max: "Required at most", curve: "Target curve" },
  copy: { copy: "Copy link", copied: "Copied", link: "Link to this page" },
  updated: "The catalogue has been updated since this page was opened.",
  reload: "Reload",
  loading: (shown: boolean) => `Loading …${shown ? " Showing the last results until then." : ""}`,
};
