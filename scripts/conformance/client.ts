// Sends requests to a server with the sample catalogue, with types from the OpenAPI document, to verify the types.
//
//	node generated/client.js BASE KEY
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/api.js";

declare const process: { argv: string[] };

const [, , baseUrl = "", key = ""] = process.argv;
const slug = "akustikpaneel-fichte-40";
const sort: components["schemas"]["Sort"] = "alphaW_desc";
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const withoutKey = createClient<paths>({ baseUrl });

/** Throws an error with the expectation unless the condition is true. */
function expect(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new Error(`expected ${expectation}`);
}

const detail = await client.GET("/v1/materials/{id}", { params: { path: { id: slug }, query: { include: ["geometry"] } } });
expect(detail.data !== undefined, "a product");
const alphaW: number | null = detail.data.alpha_w;
const atOneKilohertz: number | undefined = detail.data.absorption_octave?.["1000"];
const kind: components["schemas"]["SourceKind"] | undefined = detail.data.measurements.absorption_iso_354[0]?.source_kind;
expect(alphaW === 0.9 && atOneKilohertz === 1 && kind === "measured", "the values of the product");
expect(detail.data.geometry?.bounding_box_mm.depth === 40, "its geometry");
const tag = detail.response.headers.get("ETag");
expect(tag !== null, "an ETag");
const again = await client.GET("/v1/materials/{id}", {
  params: { path: { id: slug }, query: { include: ["geometry"] }, header: { "If-None-Match": tag } },
});
expect(again.response.status === 304, "304 for the same product");

const found = await client.GET("/v1/materials/search", {
  params: { query: { q: "akustikpaneel", category: ["holz", "textil"], alpha_w_min: 0.5, sort, include: ["acoustics"], facets: true } },
});
expect(found.data !== undefined && found.data.items.length > 0, "products of two categories");
expect(found.data.items.every((p) => p.alpha_w !== null && p.alpha_w >= 0.5), "none below 0.5");
expect(found.data.facets !== undefined && found.data.facets.has_epd.true >= 0, "facets");

const batch = await client.GET("/v1/materials", { params: { query: { ids: [slug, "gibt-es-nicht"] } } });
expect(batch.data?.items.length === 1 && batch.data.missing[0] === "gibt-es-nicht", "one of two products");

const page = await withoutKey.GET("/public/search", { params: { query: { type: ["wall", "ceiling"], kaufbar: true, locale: "en" } } });
expect(page.data?.products.length === 24, "a page of 24");
const source: components["schemas"]["DataSource"] | null | undefined = page.data.products[0]?.data_source;
expect(source === "manufacturer", "a product of a manufacturer");

const compared = await withoutKey.GET("/public/compare-products", { params: { query: { id: [slug] } } });
expect(compared.data?.products[0]?.absorption_iso354.length === 1, "a comparison");

const document = await withoutKey.GET("/v1/openapi.json");
expect(document.data !== undefined && document.data.openapi.startsWith("3.1"), "the description");

// Each error must have a message and a code that the operation allows for the status.
const unknown = await client.GET("/v1/materials/{id}", { params: { path: { id: "a/b ü" } } });
expect(unknown.error?.error === "not_found" && unknown.error.message !== "", "404 not_found");
const refused = await withoutKey.GET("/v1/materials/search");
expect(refused.error?.error === "invalid_token" && refused.error.message !== "", "401 invalid_token");
const wrong = await withoutKey.GET("/public/search", { params: { query: { min: 2 } } });
expect(wrong.response.status === 400 && wrong.error?.error === "invalid_request", "400 invalid_request");
