// The address contains the state of the page: which page it is, and what it shows. So a link shows every user the same page, back and forward
// work, and the API accepts every query.

import { root } from "./site";

export type Page =
  | { name: "search" }
  | { name: "product"; id: string }
  | { name: "compare" }
  | { name: "room" }
  | { name: "unknown" };

function pageOf(path: string): Page {
  const inside = path.slice(new URL(root).pathname.replace(/\/$/, "").length);
  if (inside === "" || inside === "/") return { name: "search" };
  if (inside === "/compare") return { name: "compare" };
  if (inside === "/room") return { name: "room" };
  const product = /^\/products\/([^/]+)$/.exec(inside);
  if (!product) return { name: "unknown" };
  try {
    return { name: "product", id: decodeURIComponent(product[1]!) };
  } catch {
    return { name: "unknown" }; // an invalid percent-encoding
  }
}

/** Minimum time in ms between two history updates while a user types or drags. Safari allows 100 updates in 30 s. */
const rest = 350;
/** After a break in ms longer than this, typing or dragging creates a new history entry, which Back can undo. */
const breakMS = 1000;

/** Restores the scroll position when the content is long enough again, unless the user acts first. */
function scrollBack(y: unknown) {
  if (typeof y !== "number") return;
  let until = Date.now() + 10_000;
  for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(act, () => (until = 0), { once: true });
  const step = () => {
    if (Date.now() > until) return;
    scrollTo(0, y);
    if (scrollY < y - 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

class Address {
  #path = $state(location.pathname);
  #query = $state(location.search);
  readonly page: Page = $derived(pageOf(this.#path));
  readonly params: URLSearchParams = $derived(new URLSearchParams(this.#query));
  #later: ReturnType<typeof setTimeout> | undefined;
  /** The query of the last search page, or null. */
  results: URLSearchParams | null = $state.raw(null);
  #typedAt = 0; // time of the last change by typing or dragging; 0 if the last change was another one

  constructor() {
    history.scrollRestoration = "manual"; // browsers would scroll before the results are loaded
    scrollBack(history.state?.y);
    addEventListener("popstate", (event) => {
      this.#stop();
      this.#typedAt = 0;
      this.#path = location.pathname;
      this.#query = location.search;
      scrollBack(event.state?.y);
    });
    addEventListener("pagehide", () => this.#leave());
  }

  #stop() {
    clearTimeout(this.#later);
    this.#later = undefined;
  }

  /** Whether the last change was by typing or dragging, so that more changes may follow. */
  get typed(): boolean {
    return this.#typedAt > 0;
  }

  /** Writes the last typed change to the history, if it is not there yet. */
  #write() {
    if (this.#later === undefined) return;
    this.#stop();
    this.#record("replaceState");
  }

  /** Writes the address and the scroll position to the history, so that Back restores them. */
  #leave() {
    this.#stop();
    this.#record("replaceState", { y: scrollY });
  }

  /** Writes the address to the history. Safari throws an error after too many updates. It is ignored, because the next update is complete. */
  #record(how: "pushState" | "replaceState", state: { y: number } | null = null) {
    try {
      history[how](state, "", this.#path + this.#query);
    } catch (e) {
      console.warn(e);
    }
  }

  /** Goes to a page with a new history entry. `to` is an address from `link`. */
  go(to: string) {
    this.#leave();
    const { pathname, search } = new URL(to);
    if (this.page.name === "search") this.results = this.params;
    this.#path = pathname;
    this.#query = search;
    this.#typedAt = 0;
    this.#record("pushState");
    scrollTo(0, 0);
  }

  /** Changes the query of this page. A selection (push) creates a new history entry; typing or dragging without a break creates only one. */
  set(params: URLSearchParams, push = false) {
    const query = questioned(params);
    if (query === this.#query) return;
    const now = Date.now();
    const begins = push || now - this.#typedAt > breakMS;
    if (begins) this.#write();
    this.#query = query;
    this.#typedAt = push ? 0 : now;
    if (begins) this.#record("pushState");
    else this.#later ??= setTimeout(() => this.#write(), rest);
  }

  /** Changes the query of this page in the same history entry, for another view of the same content. */
  replace(params: URLSearchParams) {
    this.#write();
    this.#query = questioned(params);
    this.#record("replaceState");
  }
}

export const address = new Address();

/** A readable query string with its question mark, or "". Commas and colons are not encoded. */
function questioned(params: URLSearchParams): string {
  const text = params.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%40", "@");
  return text && `?${text}`;
}

/** The address of a page with a query. It retains the language of the current address. */
export function link(path: string, params: URLSearchParams | Record<string, string> = {}): string {
  const query = new URLSearchParams(params);
  const locale = address.params.get("locale");
  if (locale && !query.has("locale")) query.set("locale", locale);
  return root + path + questioned(query);
}

/** The address of a product's page. `entry` is the id of the set-up, `need` has the parameters of its need. */
export const productLink = (id: string, entry?: string | null, need: Record<string, string> = {}) =>
  link(`/products/${encodeURIComponent(id)}`, { ...(entry ? { entry } : {}), ...need });

/** Makes clicks on internal links change the page without loading it. For `onclick` of the outermost element. */
export function followLinks(event: MouseEvent) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const a = (event.target as Element).closest?.("a");
  if (!a || a.target || a.hasAttribute("download") || !a.href.startsWith(`${root}/`)) return;
  const to = new URL(a.href);
  if (pageOf(to.pathname).name === "unknown") return;
  event.preventDefault();
  if (to.hash) return document.getElementById(to.hash.slice(1))?.focus(); // for a position in this page, there is no history entry
  address.go(a.href);
  a.closest<HTMLElement>("#content")?.focus({ preventScroll: true }); // the link with the focus is removed with its page
}
