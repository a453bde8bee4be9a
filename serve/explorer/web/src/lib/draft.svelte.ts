// The room that is being worked on, kept while the tab is open: whoever leaves it to look for a product comes back to it.

import { link } from "./address.svelte";
import { keep, recall } from "./memory";

const memory = "sabine.room";

class Draft {
  #query = $state(recall("sessionStorage", memory) ?? "");

  /** Keeps the query of the room page. */
  keep(params: URLSearchParams) {
    const query = new URLSearchParams(params);
    query.delete("locale");
    this.#query = query.toString();
    keep("sessionStorage", memory, this.#query);
  }

  /** The address of the room with further surfaces, each a product's slug or id, with `@` and the index of a set-up behind it. */
  with(products: string[] = []): string {
    const query = new URLSearchParams(this.#query);
    for (const product of products) query.append("surface", `${product}:`); // the area is still to be said
    return link("/room", query);
  }
}

export const draft = new Draft();
