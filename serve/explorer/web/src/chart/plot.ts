// Draws charts with uPlot. The page provides the colours, the legend and the cursor.

import uPlot from "uplot";
import { colourOf, dashOf, place, spanned, targetDash, type Chart } from "./curve";

/** Colours and font of the current style sheet. */
export type Palette = { ink: string; soft: string; line: string; surface: string; curves: string[]; font: string };

export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: colour("--ink"),
    soft: colour("--ink-soft"),
    line: colour("--line"),
    surface: colour("--surface"),
    curves: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => colour(`--curve-${n}`)),
    font: `12px ${style.fontFamily}`,
  };
}

/** The component handles pointer and key events, so uPlot receives no events. */
const none = () => null;
const bind = { mousedown: none, mouseup: none, click: none, dblclick: none, mousemove: none, mouseleave: none, mouseenter: none };

type Words = { frequency: string; quantity: string; number: (n: number) => string };

/** Draws a chart into an element. It calls `palette` each time it draws. */
export function plot(into: HTMLElement, chart: Chart, width: number, height: number, palette: () => Palette, words: Words): uPlot {
  const places = chart.bandsHz.map(place);
  const octaves = chart.bandsHz.filter((hz) => octavesFrom1000(hz, 1)).length;
  const every = width > 48 * octaves ? 1 : 2; // labels with four digits need more space
  const named = chart.bandsHz.map((hz) => (octavesFrom1000(hz, every) ? String(hz) : ""));
  const y = spanned(chart);
  const rows: number[] = [];
  for (let n = 0; y.min + n * y.step <= y.max + y.step / 2; n++) rows.push(y.min + n * y.step);
  const soft = () => palette().soft;
  const line = () => palette().line;
  const axis = { stroke: soft, font: palette().font, labelFont: palette().font, labelSize: 20, border: { show: true, stroke: line, width: 1 } };
  // Targets are drawn first, so that they are behind the curves. The legend retains the order of the chart.
  const curves = chart.curves.toSorted((a, b) => Number(b.target ?? false) - Number(a.target ?? false));

  const options: uPlot.Options = {
    width,
    height,
    legend: { show: false },
    padding: [10, 12, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, bind, points: { size: 11 } },
    scales: {
      x: { time: false, range: [places[0]! - 1, places.at(-1)! + 1] },
      y: { range: [y.min, y.max] },
    },
    axes: [
      {
        ...axis,
        label: words.frequency,
        size: 32,
        splits: () => places,
        values: () => named,
        grid: { stroke: line, width: 1, filter: (_, splits) => splits.map((at, i) => (named[i] ? at : null)) },
        ticks: { stroke: line, width: 1, size: 5 },
      },
      {
        ...axis,
        label: words.quantity,
        size: 40,
        splits: () => rows,
        values: (_, splits) => splits.map(words.number),
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
      },
    ],
    series: [
      {},
      ...curves.map((curve) => {
        const colour = () => (curve.target ? palette().ink : palette().curves[colourOf(curve.style) - 1]!);
        return {
          stroke: colour,
          width: curve.target ? 1.5 : 2.25,
          dash: curve.target ? targetDash : dashOf(curve.style),
          points: { show: true, size: curve.target || width < 480 ? 4 : 6, stroke: colour, fill: colour, dash: [] },
        };
      }),
    ],
    hooks: { drawAxes: [(u) => fillRange(u, chart, palette().ink)] },
  };
  return new uPlot(options, [places, ...curves.map((curve) => curve.values)], into);
}

const octavesFrom1000 = (hz: number, every: number) => (place(hz) - place(1000)) % (3 * every) === 0;

/** Fills the area between the two curves of a range, for each run of bands that both have. */
function fillRange(u: uPlot, chart: Chart, colour: string) {
  if (!chart.range) return;
  const { low, high } = chart.range;
  const at = (i: number, value: number): [number, number] => [u.valToPos(place(chart.bandsHz[i]!), "x", true), u.valToPos(value, "y", true)];
  const area = new Path2D();
  let run: number[] = [];
  for (let i = 0; i <= chart.bandsHz.length; i++) {
    if (i < chart.bandsHz.length && low[i] != null && high[i] != null) {
      run.push(i);
      continue;
    }
    const edge = [...run.map((j) => at(j, high[j]!)), ...run.toReversed().map((j) => at(j, low[j]!))];
    edge.forEach(([x, y], j) => (j === 0 ? area.moveTo(x, y) : area.lineTo(x, y)));
    if (run.length) area.closePath();
    run = [];
  }
  u.ctx.save();
  u.ctx.globalAlpha = 0.13;
  u.ctx.fillStyle = colour;
  u.ctx.fill(area);
  u.ctx.restore();
}
