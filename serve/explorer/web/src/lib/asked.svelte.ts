// A question to the API that follows what it is asked of: the newest answer stays to be seen until the next has come.

import { untrack } from "svelte";
import { Failed, type Failure } from "./api.svelte";

/** How long an answer may take before the page says that it waits, in ms. */
const slowMS = 400;

export class Asked<T> {
  /** The newest answer; null before the first, and when there is nothing to ask. */
  answer: T | null = $state.raw(null);
  /** Why the newest question has none yet; null when it has. */
  failure: Failure | null = $state.raw(null);
  /** Whether the answer to the newest question is long in coming. */
  slow = $state(false);
  /** Seconds until the question is asked again by itself, counted down; 0 when it will not be. */
  left = $state(0);
  #again = $state(0);

  /**
   * Asks whenever what `question` reads changes: `question` returns the request, or null when there is nothing to ask. `pause` is how
   * long to wait for another change first, in ms. To be called while a component is set up.
   */
  constructor(question: () => ((signal: AbortSignal) => Promise<T>) | null, pause: () => number = () => 0) {
    $effect(() => {
      void this.#again;
      const request = question();
      if (!request) {
        this.answer = this.failure = null;
        this.slow = false;
        this.left = 0;
        return;
      }
      const gone = new AbortController();
      const later = setTimeout(() => this.#ask(request, gone.signal), untrack(pause));
      return () => {
        clearTimeout(later);
        gone.abort();
      };
    });
    $effect(() => {
      if (this.left <= 0) return;
      const second = setTimeout(() => {
        if (--this.left === 0) this.retry();
      }, 1000);
      return () => clearTimeout(second);
    });
  }

  retry() {
    this.left = 0;
    this.#again++;
  }

  async #ask(request: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) {
    const patience = setTimeout(() => (this.slow = !signal.aborted), slowMS);
    try {
      const answer = await request(signal);
      if (signal.aborted) return;
      this.answer = answer;
      this.failure = null;
      this.left = 0;
    } catch (e) {
      if (signal.aborted) return;
      if (!(e instanceof Failed)) throw e;
      this.failure = e.failure;
      this.left = "seconds" in e.failure ? e.failure.seconds : 0;
    } finally {
      clearTimeout(patience);
      if (!signal.aborted) this.slow = false;
    }
  }
}
