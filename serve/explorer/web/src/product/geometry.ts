// The layout of a product's outlines in a drawing to scale.

import type { Geometry } from "./product";

/** An outline in pixels; y increases downwards. */
export type Outline = { kind: "rect" | "circle"; x: number; y: number; width: number; height: number };

export type Drawing = {
  width: number;
  height: number;
  front: Outline;
  /** The side view, or the top view of a cylinder. */
  second: Outline;
  /** Other sizes, drawn over the front view from its lower left corner. */
  others: Outline[];
  /** A length for the scale bar, in mm and in pixels. */
  bar: { mm: number; px: number };
};

type Size = { width: number; height: number; depth: number };

// The right margin has space for half of the name of a view, because the view may be narrow.
const margin = { left: 56, right: 40, top: 8, bottom: 70 };
const gap = 72; // space between the views, which contains a dimension
const thinnest = 1.5; // thinner outlines would be invisible

const drawable = (s: Size) => [s.width, s.height, s.depth].every((mm) => mm > 0 && mm < 1e6);

/** Lays out a front and a second view in at most `width` pixels; null if a size cannot be drawn. */
export function layOut(geometry: Geometry, width: number): Drawing | null {
  const box = geometry.bounding_box_mm;
  const others = geometry.size_variants.filter(drawable);
  const round = geometry.shape === "cylinder" || geometry.shape === "sphere";
  const inside = width - margin.left - margin.right - gap;
  if (!drawable(box) || inside <= 0) return null;
  const across = Math.max(box.width, ...others.map((o) => o.width));
  const up = Math.max(box.height, ...others.map((o) => o.height));
  const secondWidth = round ? box.width : box.depth;
  const secondHeight = geometry.shape === "cylinder" ? box.width : box.height;
  const most = Math.min(320, width * 0.8);
  const scale = Math.min(inside / (across + secondWidth), most / Math.max(up, secondHeight));
  const ground = margin.top + Math.max(up, secondHeight) * scale;
  const place = (kind: Outline["kind"], x: number, w: number, h: number): Outline => {
    const [wide, high] = [Math.max(thinnest, w * scale), Math.max(thinnest, h * scale)];
    return { kind, x, y: ground - high, width: wide, height: high };
  };
  const mm = 10 ** Math.floor(Math.log10((across * scale > 120 ? 100 : 50) / scale));
  const step = [5, 2, 1].find((n) => n * mm * scale <= 110) ?? 1;
  return {
    width,
    height: ground + margin.bottom,
    front: place(geometry.shape === "sphere" ? "circle" : "rect", margin.left, box.width, box.height),
    second: place(round ? "circle" : "rect", margin.left + across * scale + gap, secondWidth, secondHeight),
    others: others.map((o) => place("rect", margin.left, o.width, o.height)),
    bar: { mm: step * mm, px: step * mm * scale },
  };
}
