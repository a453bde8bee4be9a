// A product as a table with a row for each measurement, and the columns of `sabine export --format csv` (dataset/product).

import { octavesHz, thirdsHz } from "../chart/curve";
import { byAbsorption } from "../lib/ratings";
import { ratingsOf } from "../lib/setup";
import type { Product } from "./product";

type Row = Record<string, unknown>;

const productColumns = [
  "id", "slug", "label", "commercial_name", "manufacturer", "data_source", "material_category", "absorption_character",
  "installation_types", "alpha_w", "alpha_w_min", "nrc", "saa", "has_epd", "url", "epd_url", "structured_meta", "geometry",
];
const entryColumns = [
  "entry_number", "norm", "entry_id", "entry_label", "source_kind", "source_norm", "measuring_option", "mounting", "thickness_mm",
  "air_gap_mm", "calculated_absorption", "limit_frequency_hz", "empty",
];
const curves = [
  "alpha_s", "scatter", "diffusion", "normalized_diffusion", "directional_diffusion", "normalized_directional_diffusion",
].flatMap((name) => [
  { field: `${name}_octave`, bandsHz: octavesHz },
  { field: `${name}_third_octave`, bandsHz: thirdsHz },
]);

/** Formats for spreadsheets by language. German spreadsheets use semicolons and decimal commas. */
export type Dialect = { separator: string; point: string; mark: string };
export const dialects: Record<"de" | "en", Dialect> = {
  de: { separator: ";", point: ",", mark: "\uFEFF" },
  en: { separator: ",", point: ".", mark: "" },
};

/** Writes a product according to RFC 4180, with CR LF at the end of rows. A product without entries has one row. */
export function csv(product: Product, dialect: Dialect): string {
  const { measurements: m } = product;
  const entries: Row[] = [
    ...m.absorption_iso_354.map((e, i) => ({ norm: "ISO 354", entry_number: i + 1, ...e })),
    ...m.scatter_iso_17497_1.map((e, i) => ({ norm: "ISO 17497-1", entry_number: i + 1, ...e })),
    ...m.diffusion_iso_17497_2.map((e, i) => ({ norm: "ISO 17497-2", entry_number: i + 1, ...e })),
  ].map(({ id, label, ...rest }) => ({ ...rest, entry_id: id, entry_label: label }));
  const shown = curves.filter(({ field }) => entries.some((e) => e[field]));
  const bands = shown.flatMap(({ field, bandsHz }) => bandsHz.map((hz) => ({ field, hz })));
  const ratings = m.absorption_iso_354.map(ratingsOf);
  const best = ratings[byAbsorption(ratings)[0] ?? -1];
  const rated = product.alphaW !== 0 || best?.alphaW === 0; // 0 can also mean that there is no rating
  const head: Row = {
    ...product,
    manufacturer: product.manufacturerName,
    installation_types: listOf(product.installation_types ?? []),
    alpha_w: rated ? product.alphaW : null,
    alpha_w_min: rated ? product.alphaWMin : null,
    nrc: best?.nrc != null ? best.nrc / 100 : null,
    saa: best?.saa != null ? best.saa / 100 : null,
  };
  const rows = (entries.length ? entries : [{} as Row]).map((entry) => [
    ...productColumns.map((name) => head[name]),
    ...entryColumns.map((name) => (name === "empty" ? emptyOf({ ...head, ...entry }) : entry[name])),
    ...bands.map(({ field, hz }) => (entry[field] as Row | null | undefined)?.[hz]),
  ]);
  const names = [...productColumns, ...entryColumns, ...bands.map(({ field, hz }) => `${field} ${hz} Hz`)];
  const lines = [names, ...rows].map((cells) => cells.map((c) => cell(c, dialect)).join(dialect.separator));
  return dialect.mark + lines.map((line) => `${line}\r\n`).join("");
}

/** The fields that have an empty text or a curve without bands, because an empty cell means null. */
function emptyOf(row: Row): string {
  const texts = [...productColumns, ...entryColumns].filter((name) => row[name] === "" && name !== "installation_types");
  return [...texts, ...curves.map(({ field }) => field).filter((field) => JSON.stringify(row[field]) === "{}")].join(" ");
}

/** A list as one text. It is JSON if a value contains a character that separates values in tables. */
function listOf(values: string[]): string {
  return values.some((v) => /[,;|/[]/.test(v) || v.trim() !== v) ? JSON.stringify(values) : values.join(", ");
}

function cell(value: unknown, { separator, point }: Dialect): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return plain(value).replace(".", point);
  if (typeof value !== "string") return quoted(typeof value === "boolean" ? String(value) : JSON.stringify(value), separator);
  return quoted(/^[=+\-@＝＋－＠\t\r']/.test(value) ? `'${value}` : value, separator); // a spreadsheet would run it as a formula
}

const quoted = (text: string, separator: string) =>
  text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A number without an exponent. */
function plain(n: number): string {
  return /e/.test(String(n)) ? n.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 }) : String(n);
}
