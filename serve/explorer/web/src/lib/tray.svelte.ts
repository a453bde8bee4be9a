// The products chosen for comparison, kept while the tab is open.

const memory = "sabine.compare";
export const maxCompared = 4;

export type Chosen = { id: string; label: string }; // id: slug or id, as in addresses

class Tray {
  chosen: Chosen[] = $state(JSON.parse(sessionStorage.getItem(memory) ?? "[]"));

  has(id: string): boolean {
    return this.chosen.some((c) => c.id === id);
  }

  /** Takes a product in, or out when it is in. A fifth is not taken. */
  toggle(product: Chosen) {
    if (this.has(product.id)) this.chosen = this.chosen.filter((c) => c.id !== product.id);
    else if (this.chosen.length < maxCompared) this.chosen = [...this.chosen, product];
    sessionStorage.setItem(memory, JSON.stringify(this.chosen));
  }

  clear() {
    this.chosen = [];
    sessionStorage.removeItem(memory);
  }
}

export const tray = new Tray();
