// A request to the API that is repeated when its inputs change. The last answer remains until the next one arrives.

import { untrack } from "svelte";
import { Failed, type Failure } from "./api.svelte";

/** Time in ms after which the page shows that it waits for an answer. */
const slowMS = 400;

export class Loader<T> {
  /** The last answer; null before the first answer, and if there is no request. */
  answer: T | null = $state.raw(null);
  /** Why the last request failed; null if it did not fail. */
  failure: Failure | null = $state.raw(null);
  /** Whether the last request takes longer than slowMS. */
  slow = $state(false);
  /** Seconds until the request is repeated automatically, counted down; 0 if it is not repeated. */
  left = $state(0);
  #again = $state(0);

  /**
   * Sends the request that `question` returns, or none if that is null. It repeats this when state that `question` reads changes. `pause` is the
   * time in ms to wait for further changes. Call it during the initialisation of a component.
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
