// The products chosen for comparison, kept while the tab is open.

import { address, link } from "./address.svelte";
import { keep, recall } from "./memory";
import { needOf } from "./need";

const memory = "sabine.compare";
export const maxCompared = 4;

/** `id`: slug or id, as in addresses; `entry`: index of the set-up that is meant, "" for the most absorptive. */
export type Chosen = { id: string; label: string; entry: string };

/** What was kept; nothing when it is not what this version of the page keeps. */
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

  /** The address of their comparison, with what this page asks of them. */
  get comparison(): string {
    const query = new URLSearchParams(this.chosen.map((c) => ["id", c.id]));
    if (this.chosen.some((c) => c.entry)) query.set("entry", this.chosen.map((c) => c.entry).join());
    for (const [name, value] of Object.entries(needOf(address.params))) query.set(name, value);
    return link("/compare", query);
  }

  /** The chosen products as the room takes them: with `@` and the index of a set-up. */
  get inRoom(): string[] {
    return this.chosen.map((c) => c.id + (c.entry && `@${c.entry}`));
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
