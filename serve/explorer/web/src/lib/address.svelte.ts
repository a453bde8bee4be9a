// The address of the page is its state: which page, and what it shows. A link shows the same to whoever opens it, back and forward
// work, and every query is one that the API takes too.

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
    return { name: "unknown" }; // a percent sign that encodes nothing
  }
}

/** The least time between two records of what is typed or dragged, in ms: Safari takes 100 in 30 s. */
const rest = 350;
/** What is typed or dragged after a longer break than this, in ms, is an entry of its own: Back undoes it. */
const breakMS = 1000;

/** Scrolls to where the page was left, once what it shows is long enough again, unless the person does something first. */
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
  /** The query of the search that was left last; null before one was. */
  results: URLSearchParams | null = $state.raw(null);
  #typedAt = 0; // 0: the last change was none of typing or dragging

  constructor() {
    history.scrollRestoration = "manual"; // a browser scrolls before the results are there
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

  /** Whether the last change was typed or dragged, so that more of it may follow. */
  get typed(): boolean {
    return this.#typedAt > 0;
  }

  /** Writes down what was typed last, when it has not been yet. */
  #write() {
    if (this.#later === undefined) return;
    this.#stop();
    this.#record("replaceState");
  }

  /** Writes down where the page is and how far it is scrolled, for whoever comes back to it. */
  #leave() {
    this.#stop();
    this.#record("replaceState", { y: scrollY });
  }

  /** Writes down where the page is. Safari throws when it has had too many: the page goes on, and the next entry says it all. */
  #record(how: "pushState" | "replaceState", state: { y: number } | null = null) {
    try {
      history[how](state, "", this.#path + this.#query);
    } catch (e) {
      console.warn(e);
    }
  }

  /** Goes to a page: a new entry of the history. `to` is an address as `link` makes it. */
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

  /** Changes the query of this page: a choice (push) is an entry of the history, and so is what is typed or dragged without a break. */
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

  /** Changes the query of this page in the same entry of the history: the page shows the same in another way. */
  replace(params: URLSearchParams) {
    this.#write();
    this.#query = questioned(params);
    this.#record("replaceState");
  }
}

export const address = new Address();

/** The query string of parameters as people can read it, with its question mark; "" for none. Commas and colons stay as they are. */
function questioned(params: URLSearchParams): string {
  const text = params.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%40", "@");
  return text && `?${text}`;
}

/** The address of a page with a query, which keeps the language that the address of this page names. */
export function link(path: string, params: URLSearchParams | Record<string, string> = {}): string {
  const query = new URLSearchParams(params);
  const locale = address.params.get("locale");
  if (locale && !query.has("locale")) query.set("locale", locale);
  return root + path + questioned(query);
}

/** The address of a product's page. `entry` is the id of the set-up that is meant, `need` what was asked of it. */
export const productLink = (id: string, entry?: string | null, need: Record<string, string> = {}) =>
  link(`/products/${encodeURIComponent(id)}`, { ...(entry ? { entry } : {}), ...need });

/** Lets a plain click on a link of ours change the page without loading it. For `onclick` of the outermost element. */
export function followLinks(event: MouseEvent) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const a = (event.target as Element).closest?.("a");
  if (!a || a.target || a.hasAttribute("download") || !a.href.startsWith(`${root}/`)) return;
  const to = new URL(a.href);
  if (pageOf(to.pathname).name === "unknown") return;
  event.preventDefault();
  if (to.hash) return document.getElementById(to.hash.slice(1))?.focus(); // a place of this page: no entry of the history
  address.go(a.href);
  a.closest<HTMLElement>("#content")?.focus({ preventScroll: true }); // the link goes with the page that it was on
}
