// Values that the browser stores for the page. If storage is forbidden or full, the page works without stored values.

type Store = "localStorage" | "sessionStorage"; // stores permanently, or while the tab is open

/** The stored value of a name, or null. */
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
    // not stored
  }
}
