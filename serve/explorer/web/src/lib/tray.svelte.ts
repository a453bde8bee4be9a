// The products chosen for comparison, kept while the tab is open.

import { link } from "./address.svelte";
import { keep, recall } from "./memory";

const memory = "sabine.compare";
export const maxCompared = 4;

export type Chosen = { id: string; label: string }; // id: slug or id, as in addresses

/** What was kept; nothing when it is not what this version of the page keeps. */
function kept(): Chosen[] {
  try {
    const list: Chosen[] = JSON.parse(recall("sessionStorage", memory) ?? "[]");
    return list.slice(0, maxCompared).map(({ id, label }) => ({ id: String(id), label: String(label) }));
  } catch {
    return [];
  }
}

class Tray {
  chosen: Chosen[] = $state.raw(kept());

  /** The address of their comparison. */
  get comparison(): string {
    return link("/compare", new URLSearchParams(this.chosen.map((c) => ["id", c.id])));
  }

  has(id: string): boolean {
    return this.chosen.some((c) => c.id === id);
  }

  /** Takes a product in, or out when it is in. A fifth is not taken. */
  toggle(product: Chosen) {
    if (this.has(product.id)) this.#choose(this.chosen.filter((c) => c.id !== product.id));
    else if (this.chosen.length < maxCompared) this.#choose([...this.chosen, product]);
  }

  clear() {
    this.#choose([]);
  }

  #choose(products: Chosen[]) {
    this.chosen = products;
    keep("sessionStorage", memory, JSON.stringify(products));
  }
}

export const tray = new Tray();
