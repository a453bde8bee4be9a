// The products for a comparison, stored while the tab is open.

import { address, link } from "./address.svelte";
import { keep, recall } from "./memory";
import { needOf } from "./need";

const memory = "sabine.compare";
export const maxCompared = 4;

/** `id`: slug or id, as in addresses; `entry`: index of the set-up, "" for the most absorptive. */
export type Chosen = { id: string; label: string; entry: string };

/** The stored products, or none if they are not in the format of this version. */
function kept(): Chosen[] {
  try {
    const list: Chosen[] = JSON.parse(recall("sessionStorage", memory) ?? "[]");
    return list.slice(0, maxCompared).map(({ id, label, entry }) => ({ id: String(id), label: String(label), entry: String(entry ?? "") }));
  } catch {
    return [];
  }
}

class Tray {
  chosen: Chosen[] = $state.raw(kept());

  /** The address of the comparison, with the needs of this page. */
  get comparison(): string {
    const query = new URLSearchParams(this.chosen.map((c) => ["id", c.id]));
    if (this.chosen.some((c) => c.entry)) query.set("entry", this.chosen.map((c) => c.entry).join());
    for (const [name, value] of Object.entries(needOf(address.params))) query.set(name, value);
    return link("/compare", query);
  }

  /** The products as surfaces of a room: with `@` and the index of a set-up. */
  get inRoom(): string[] {
    return this.chosen.map((c) => c.id + (c.entry && `@${c.entry}`));
  }

  has(id: string): boolean {
    return this.chosen.some((c) => c.id === id);
  }

  /** Adds a product, or removes it if it is in the tray. Does not add a fifth product. */
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
