// The current room, stored while the tab is open, so that users can leave the room page to find a product and return.

import { link } from "./address.svelte";
import { keep, recall } from "./memory";

const memory = "sabine.room";

class Draft {
  #query = $state(recall("sessionStorage", memory) ?? "");

  /** Stores the query of the room page. */
  keep(params: URLSearchParams) {
    const query = new URLSearchParams(params);
    query.delete("locale");
    this.#query = query.toString();
    keep("sessionStorage", memory, this.#query);
  }

  /** The address of the room with more surfaces: slugs or ids of products, followed by `@` and the index of a set-up. */
  with(products: string[] = []): string {
    const query = new URLSearchParams(this.#query);
    for (const product of products) query.append("surface", `${product}:`); // the user enters the area
    return link("/room", query);
  }
}

export const draft = new Draft();
