// What the browser keeps for the page. A browser may forbid that, or have no room left: then the page forgets, and works all the same.

type Store = "localStorage" | "sessionStorage"; // for good, or while the tab is open

/** What was kept under a name; null when nothing was. */
export function recall(store: Store, name: string): string | null {
  try {
    return window[store].getItem(name);
  } catch {
    return null;
  }
}

export function keep(store: Store, name: string, value: string) {
  try {
    window[store].setItem(name, value);
  } catch {
    // forgotten
  }
}
