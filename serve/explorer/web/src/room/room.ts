// The room in the address, the part of the room that can be computed, and the errors of the server. The parameters are the same as for
// `GET /public/reverberation`; `size` (length, width and height in m) and `part` (the part of the room that each surface is) are only for
// the page; the API ignores them.

import type { Reverberation } from "../lib/api.svelte";
import { canonical, numberOf } from "../lib/number";
import { uses, usesB, type Use } from "./din18041";
import type { RoomText } from "./text";

export const bandsHz = [125, 250, 500, 1000, 2000, 4000];
export const maxSurfaces = 32;
export const maxObjects = 16;
const maxExtent = 1e9;
const minVolume = 0.001;

const parts = ["floor", "ceiling", "walls"] as const;
/** The part of the room that a surface belongs to; "" if it is not stated. */
export type Part = (typeof parts)[number] | "";

/**
* A surface, as typed. `product`: a slug or id, where `entry` is the set-up, "" for the most absorptive; or `std:` and the name of a
* common building surface; or null for own coefficients.
 */
export type Surface = { product: string | null; entry: string; own: string[]; area: string; part: Part };

/** People, chairs or other objects: `name` is a name in the server's table, and the count is as typed. */
export type RoomObject = { name: string; count: string };

export type Room = {
  volume: string;
  size: string[] | null;
  surfaces: Surface[];
  objects: RoomObject[];
  target: string;
  /** In m, for the targets of group B; ignored if `size` has a height. */
  height: string;
  /** Index of the surface that a product covers, "" if it is added to all surfaces. */
  covers: string;
  /** Temperature in °C and humidity in %; null: air that absorbs nothing. */
  air: [string, string] | null;
};

export const room18041 = "din18041:";
export const standard = "std:";
const roomAir: [string, string] = ["20", "50"];

export const newSurface = (product: string | null, entry = "", part: Part = ""): Surface => ({ product, entry, own: bandsHz.map(() => ""), area: "", part });

export function readRoom(params: URLSearchParams): Room {
  const air = params.get("air")?.trim() ?? "";
  const [temperature = "", humidity = ""] = air ? air.split(",") : roomAir;
  const target = params.get("target")?.trim() ?? "";
  const size = params.get("size")?.split(",").map(canonical);
  const part = params.get("part")?.split(",") ?? [];
  return {
    volume: canonical(params.get("volume") ?? ""),
    size: size?.length === 3 ? size : null,
    surfaces: [...params.getAll("surface"), ...params.getAll("surface[]")].filter(Boolean).map((text, i) => ({
      ...readSurface(text),
      part: parts.find((p) => p === part[i]) ?? "",
    })),
    objects: [...params.getAll("object"), ...params.getAll("object[]")].filter(Boolean).map((text) => {
      const [name = "", count = ""] = text.split(":");
      return { name: name.trim(), count: count.trim() };
    }),
    target: target.startsWith(room18041) ? target : canonical(target),
    height: canonical(params.get("height") ?? ""),
    covers: params.get("covers")?.trim() ?? "",
    air: air === "none" ? null : [canonical(temperature), canonical(humidity)],
  };
}

function readSurface(text: string): Surface {
  const colon = text.lastIndexOf(":");
  const what = (colon < 0 ? text : text.slice(0, colon)).trim();
  const area = colon < 0 ? "" : canonical(text.slice(colon + 1));
  const at = what.indexOf("@");
  const name = at < 0 ? what : what.slice(0, at);
  if (!name.includes(":") || name.startsWith(standard)) return { ...newSurface(name, at < 0 ? "" : what.slice(at + 1)), area };
  const stated = new Map(what.split(",").map((item) => item.split(":").map((s) => s.trim()) as [string, string]));
  return { ...newSurface(null), own: bandsHz.map((hz) => canonical(stated.get(String(hz)) ?? "")), area };
}

/** The value of the parameter for a surface. */
export function surfaceText(s: Surface): string {
  if (s.product !== null) return `${s.product}${s.entry && `@${s.entry}`}:${s.area}`;
  const stated = bandsHz.flatMap((hz, i) => (s.own[i] ? [`${hz}:${s.own[i]}`] : []));
  return `${stated.join() || `${bandsHz[0]}:`}:${s.area}`;
}

const parameters = ["volume", "size", "surface", "surface[]", "part", "object", "object[]", "target", "height", "covers", "air"];

/** The query of a room; it retains the other parameters of `params`. */
export function writeRoom(room: Room, params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  if (room.volume) query.set("volume", room.volume);
  if (room.size) query.set("size", room.size.join());
  for (const s of room.surfaces) query.append("surface", surfaceText(s));
  const part = room.surfaces.map((s) => s.part).join().replace(/,+$/, "");
  if (part) query.set("part", part);
  for (const o of room.objects) query.append("object", `${o.name}:${o.count}`);
  if (room.target) query.set("target", room.target);
  if (room.height) query.set("height", room.height);
  if (room.covers) query.set("covers", room.covers);
  const air = room.air?.join() ?? "none";
  if (air !== roomAir.join()) query.set("air", air);
  for (const [name, value] of params) {
    if (!parameters.includes(name)) query.append(name, value);
  }
  return query;
}

/** Returns a text in the language of the page. */
export type Say = (text: RoomText) => string;

export type Faults = {
  volume?: Say;
  target?: Say;
  air?: Say;
  /** Fault that concerns all surfaces together. */
  surfaces?: Say;
  /** Fault of people and furniture. */
  object?: Say;
  /** Faults by index of the surface. */
  surface: Map<number, Say>;
};

const inside = (text: string, low: number, high: number) => {
  const n = numberOf(text);
  return n !== null && n >= low && n <= high;
};

const extent = (text: string) => inside(text, Number.MIN_VALUE, maxExtent);

/** Whether a field of a surface is still empty. */
export const unfinished = (s: Surface) => s.area === "" || (s.product === null && s.own.includes(""));

/** Whether a target is one of group B: an absorption area for each m³, which depends on the room's height. */
export const isGroupB = (target: string) => target.startsWith(`${room18041}B`);

/** Height of the room in m, "" if unknown. */
export const heightOf = (room: Room) => room.size?.[2] || room.height;

export const useOf = (target: string): Use | undefined =>
  target.startsWith(room18041) ? uses.find((u) => u.name === target.slice(room18041.length)) : undefined;

/** The faults that the page finds. Empty fields are not faults. */
export function check(room: Room): Faults {
  const faults: Faults = { surface: new Map() };
  if (room.volume && !inside(room.volume, minVolume, maxExtent)) faults.volume = (t) => t.fault.volume;
  if (room.air && !(inside(room.air[0], -20, 50) && inside(room.air[1], 10, 100))) faults.air = (t) => t.fault.air;
  room.surfaces.forEach((s, i) => {
    if (s.area && !extent(s.area)) faults.surface.set(i, (t) => t.fault.area);
    else if (s.own.some((v) => v && !inside(v, -0.1, 2))) faults.surface.set(i, (t) => t.fault.coefficient);
    else if (s.product === "") faults.surface.set(i, (t) => t.fault.nothing);
  });
  if (room.objects.some((o) => o.count && !(/^\d+$/.test(o.count) && inside(o.count, 1, 10_000)))) faults.object = (t) => t.fault.count;
  const use = useOf(room.target);
  if (isGroupB(room.target)) {
    if (!usesB.some((b) => room.target === room18041 + b)) faults.target = (t) => t.fault.target;
    else if (heightOf(room) && !extent(heightOf(room))) faults.target = (t) => t.fault.height;
  } else if (use && room.volume && !faults.volume && !(use.from <= Number(room.volume) && Number(room.volume) < use.below)) {
    faults.target = (t) => t.fault.use(use);
  } else if (room.target && !use && !inside(room.target, 0.001, 1000)) {
    faults.target = (t) => t.fault.target;
  }
  return faults;
}

/**
* The request to the server; null if there is no volume, or neither surfaces nor a target. Incomplete rows and an invalid target
* are left out.
 */
export function question(room: Room, faults: Faults): URLSearchParams | null {
  const surfaces = room.surfaces.slice(0, maxSurfaces).filter((s) => !unfinished(s)).map((s) => ({ ...s, part: "" as const }));
  const height = isGroupB(room.target) ? heightOf(room) : "";
  const target = faults.target || (isGroupB(room.target) && !height) ? "" : room.target;
  if (!room.volume || !(surfaces.length || target) || faults.volume || faults.air || faults.object || faults.surface.size) return null;
  const objects = room.objects.filter((o) => o.name && o.count);
  return writeRoom({ ...room, size: null, covers: "", surfaces, objects, target, height: target && height }, new URLSearchParams());
}

/** The text as it appears in the server's messages: in quotes, and cut after 60 characters. */
function quoted(text: string): string {
  const characters = [...text];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : text);
}

/** The faults in a message of the server, by the field that it names. */
export function refused(all: string, room: Room): Faults {
  const faults: Faults = { surface: new Map() };
  const parts = all.split(/(?:^|; )(volume|surface|target|air|object|height): /);
  for (let i = 1; i < parts.length; i += 2) {
    const message = parts[i + 1]!;
    const name = parts[i] as "volume" | "surface" | "target" | "air" | "object" | "height";
    if (name !== "surface") {
      faults[name === "height" ? "target" : name] ??= (t) => t.fault[name];
      continue;
    }
    const rows = room.surfaces.flatMap((s, row) => (!unfinished(s) && message.startsWith(quoted(surfaceText(s))) ? [row] : []));
    for (const row of rows) faults.surface.set(row, explain(message));
    if (!rows.length) faults.surfaces ??= explain(message);
  }
  if (parts.length < 2) faults.surfaces = (t) => t.fault.other;
  return faults;
}

/** A message of the server about a surface, in the words of the page. */
function explain(message: string): Say {
  const hz = Number(/ at (\d+) Hz/.exec(message)?.[1]);
  if (message.includes("names no published product")) return (t) => t.fault.withdrawn;
  if (message.includes("has no ISO 354 entry")) return (t) => t.fault.setup;
  if (message.includes("has no absorption")) return (t) => t.fault.noAbsorption;
  if (hz && message.includes("mean coefficient")) return (t) => t.fault.tooAbsorptive(hz);
  if (hz) return (t) => t.fault.band(hz);
  return (t) => t.fault.other;
}

type Band = Reverberation["bands"][number];

/**
* The verdict of an octave. `low` and `high` are the limits of the tolerance, null if the octave is not judged. `long` also means
* too little absorption in group B, which has no times. `missingM2` is negative if there is too much absorption.
 */
export type Verdict = { hz: number; band: Band; low: number | null; high: number | null; state: "within" | "long" | "short" | "none"; missingM2: number | null };

export function verdicts(answer: Reverberation, tolerance: readonly { hz: number; low: number; high: number }[]): Verdict[] {
  const relative = answer.target?.startsWith(room18041);
  return answer.bands.map((band) => {
    const verdict: Verdict = { hz: band.band, band, low: null, high: null, state: "none", missingM2: band.missing_m2 ?? null };
    if (band.required_per_m != null) {
      const missingM2 = (band.required_per_m - (band.reached_per_m ?? 0)) * answer.volume_m3;
      return { ...verdict, missingM2, state: missingM2 > 0 ? "long" : "within" };
    }
    const limits = tolerance.find((l) => l.hz === band.band);
    if (band.target_s == null || !limits || !(relative || (band.band >= 250 && band.band <= 2000))) return verdict;
    const low = band.target_s * limits.low;
    const high = band.target_s * limits.high;
    const time = band.sabine_s ?? Infinity; // null for a room without surfaces
    return { ...verdict, low, high, state: time > high ? "long" : time < low ? "short" : "within" };
  });
}

/** The minimum absorption coefficient of a product in an octave. */
export type Need = { hz: number; alpha: number };

const usefulAlpha = 0.9; // the maximum coefficient that a product must have

/** The coefficients that a product on an area in m² needs so that no octave lacks absorption; empty if no octave does. */
export function needsOf(all: Verdict[], areaM2: number): Need[] {
  return all
    .filter((v) => v.state === "long")
    .map((v) => {
      const alpha = Math.ceil(((v.missingM2 ?? 0) / areaM2) * 20) / 20;
      return { hz: v.hz, alpha: Math.min(Math.max(alpha, 0.1), usefulAlpha) };
    });
}

/** An area as text. Small areas have a decimal. */
export const areaText = (m2: number | null, i18n: { number(n: number, decimals: number): string }): string =>
  m2 === null ? "–" : i18n.number(m2, Math.abs(m2) < 10 ? 1 : 0);

/** Floor, ceiling and walls of a box in m²; null unless length, width and height are known. */
export function areasOf(size: string[] | null): { floor: number; walls: number; volume: number } | null {
  const [length, width, height] = (size ?? []).map(numberOf);
  if (!length || !width || !height || Math.min(length, width, height) <= 0) return null;
  const exact = (n: number) => Number(n.toFixed(2));
  return { floor: exact(length * width), walls: exact(2 * (length + width) * height), volume: exact(length * width * height) };
}

/** A room with other lengths. The areas of its floor, ceiling and walls are adjusted. */
export function resized(room: Room, size: string[] | null): Room {
  const [was, is] = [areasOf(room.size), areasOf(size)];
  if (!was || !is) return { ...room, size };
  const factor = { floor: is.floor / was.floor, ceiling: is.floor / was.floor, walls: is.walls / was.walls };
  const surfaces = room.surfaces.map((s) => {
    const area = numberOf(s.area);
    return s.part && area ? { ...s, area: String(Number((area * factor[s.part]).toFixed(2))) } : s;
  });
  return { ...room, size, surfaces };
}

/** A room with another volume, but the same height and the same ratio of length to width. */
export function withVolume(room: Room, volume: string): Room {
  const box = areasOf(room.size);
  if (!box || !extent(volume) || Number(volume) === box.volume) return { ...room, volume };
  const factor = Math.sqrt(Number(volume) / box.volume);
  const size = room.size!.map((n, i) => (i < 2 ? String(Number((Number(n) * factor).toFixed(2))) : n));
  return { ...resized(room, size), volume };
}
