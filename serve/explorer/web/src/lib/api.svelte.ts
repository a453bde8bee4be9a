// The client of the API, with types from the OpenAPI document, a cache of answers, and the state of the rate limit.

import createClient from "openapi-fetch";
import type { components, paths } from "../generated/api";
import { api } from "./site";

export type Schemas = components["schemas"];
export type SearchResult = Schemas["PublicSearchResult"];
export type FoundProduct = Schemas["PublicSearchProduct"];
export type ComparedProduct = Schemas["CompareProduct"];
export type PublicMaterial = Schemas["PublicMaterial"];
export type Reverberation = Schemas["Reverberation"];
export type BuildingSurfaces = Schemas["BuildingSurfaces"];

/** Why a request failed. `seconds` is the time until a new attempt is useful. */
export type Failure =
  | { kind: "offline"; seconds: number }
  | { kind: "limited"; seconds: number }
  | { kind: "waiting"; seconds: number }
  | { kind: "missing" }
  | { kind: "refused"; message: string }
  | { kind: "broken"; id: string };

export class Failed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.kind);
  }
}

class Budget {
  /** Requests that remain in the window of the rate limit after the last response; null before the first. */
  remaining: number | null = $state(null);

  /** Time in ms to wait for another key before requesting a typed text. It is longer if few requests are left. */
  get pause(): number {
    return (this.remaining ?? Infinity) > 20 ? 250 : 500;
  }
}

export const budget = new Budget();

class Catalogue {
  #version: string | null = null;
  /** Whether the data was replaced since the page was opened. */
  replaced = $state(false);

  /** Records the version of an answer, and removes the answers of other versions from the cache. */
  note(version: string | null) {
    if (!version || version === this.#version) return;
    if (this.#version) {
      this.replaced = true;
      answers.clear();
    }
    this.#version = version;
  }
}

export const catalogue = new Catalogue();

type Values = Record<string, string | string[]>;

const client = createClient<paths>({
  baseUrl: api,
  querySerializer: (query) => {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query as Values)) {
      for (const one of [value].flat()) params.append(name, one);
    }
    return params.toString();
  },
});

/** Parameters for openapi-fetch. Their values come from an address and are not checked here, because the server checks them. */
function valuesOf(params: URLSearchParams): never {
  const values: Values = {};
  for (const name of new Set(params.keys())) values[name] = params.getAll(name);
  return values as never;
}

/** Public search: the parameters are those of `GET /public/search`. */
export const search = (params: URLSearchParams, signal?: AbortSignal): Promise<SearchResult> =>
  ask(`search?${params}`, signal, (init) => client.GET("/public/search", { params: { query: valuesOf(params) }, ...init }));

/** The public data of up to four products, in the order of the request, without unknown products. */
export const compare = (ids: string[], signal?: AbortSignal): Promise<ComparedProduct[]> =>
  ask(`compare?${ids.join()}`, signal, (init) => client.GET("/public/compare-products", { params: { query: { id: ids } }, ...init })).then(
    (body) => body.products,
  );

/** The public details of a product, if the server returns details without a key. */
export const publicMaterial = (id: string, locale: string, signal?: AbortSignal): Promise<PublicMaterial> =>
  ask(`material?${id}&${locale}`, signal, (init) =>
    client.GET("/public/materials/{id}", { params: { path: { id }, query: { locale } }, ...init }),
  );

/** Reverberation: the parameters are those of `GET /public/reverberation`. */
export const reverberation = (params: URLSearchParams, signal?: AbortSignal): Promise<Reverberation> =>
  ask(`room?${params}`, signal, (init) => client.GET("/public/reverberation", { params: { query: valuesOf(params) }, ...init }));

/** Common building surfaces, people and furniture, with their absorption. */
export const buildingSurfaces = (signal?: AbortSignal): Promise<BuildingSurfaces> =>
  ask("building-surfaces", signal, (init) => client.GET("/public/building-surfaces", init));

const maxKept = 60;
const freshMS = 60_000; // as in Cache-Control of the API
const answers = new Map<string, { at: number; body: unknown }>();

type Call<T> = (init: { signal?: AbortSignal }) => Promise<{ data?: T; error?: unknown; response: Response }>;

/** Sends a request unless its answer is in the cache. Throws `Failed`, or the error of an aborted fetch. */
async function ask<T>(key: string, signal: AbortSignal | undefined, call: Call<T>): Promise<T> {
  const before = answers.get(key);
  if (before && Date.now() - before.at < freshMS) return before.body as T;
  let answer: Awaited<ReturnType<Call<T>>>;
  try {
    answer = await call({ signal });
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new Failed({ kind: "offline", seconds: 3 });
  }
  const left = answer.response.headers.get("RateLimit-Remaining");
  if (left !== null) budget.remaining = Number(left);
  catalogue.note(answer.response.headers.get("X-Snapshot"));
  if (answer.data === undefined) throw new Failed(failureOf(answer.response, answer.error));
  answers.delete(key);
  answers.set(key, { at: Date.now(), body: answer.data });
  if (answers.size > maxKept) answers.delete(answers.keys().next().value!);
  return answer.data;
}

function failureOf(response: Response, body: unknown): Failure {
  const seconds = Number(response.headers.get("Retry-After")) || 1;
  switch (response.status) {
    case 429:
      return { kind: "limited", seconds };
    case 503:
      return { kind: "waiting", seconds };
    case 404:
      return { kind: "missing" };
    case 400:
      return { kind: "refused", message: (body as Partial<Schemas["Error"]>)?.message ?? "" };
  }
  return { kind: "broken", id: response.headers.get("X-Request-Id") ?? "" };
}
