// Settings that the server writes into the page: addresses relative to the page, and permissions.

const said = document.documentElement.dataset;

function folder(relative: string | undefined): string {
  return new URL(`${relative ?? "."}/`, document.baseURI).href.replace(/\/$/, "");
}

/** Address of the explorer's first page, absolute, without a trailing slash. */
export const root = folder(said.root);
/** Base address of the API, absolute, without a trailing slash. */
export const api = folder(said.api);
/** Address of the API reference. */
export const reference = `${api}/reference`;
/** Whether the server returns description, scattering, diffusion and geometry without a key. */
export const publicDetail = said.detail === "true";

const imageOrigins = (said.images ?? "").split(" ").filter(Boolean);

/** The address of a picture if the operator allows its origin, otherwise null. */
export function allowedImage(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  return imageOrigins.includes(new URL(url).origin) ? url : null;
}

/** A link that is safe to show (http or https), otherwise null. Texts of a catalogue are not trusted. */
export function outward(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}

/** Whether a product is fictitious: its host names end with `.example`, which is reserved (RFC 2606). */
export const invented = (product: { url: string | null; epd_url: string | null; imageUrl: string | null }) =>
  [product.url, product.epd_url, product.imageUrl].some((address) => /^https?:\/\/[^/:]+\.example(?=[/:]|$)/i.test(address ?? ""));

export type Family = "categories" | "characters" | "installations";
type Names = Partial<Record<Family, Record<string, { de?: string; en?: string }>>>;

/** The display names of filter values, by family and value. */
export const names: Names = JSON.parse(document.getElementById("names")?.textContent || "null") ?? {};
