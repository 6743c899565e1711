// The curves of a score table as places on a plot, one per row of the table. No drawing here.
//
// A line is what a figure draws for one model: `point` says in the units of the axes where a
// decision lies, `place` where that stands on the plot, from [0, 0] at the bottom left to [1, 1].

import { countsFrom } from "./tables.js";

/** @typedef {import("./tables.js").Counts} Counts */

/**
 * @typedef {object} Line
 * @property {object} model whose table it is drawn from
 * @property {string} name
 * @property {string} color
 * @property {string} dash
 * @property {(counts: Counts, threshold: number) => [number, number]} point
 * @property {(point: [number, number]) => [number, number]} [place] itself where it is left out
 */

export const itself = (point) => point;

/** The counts at a row of a table. */
export const countsAtRow = (table, row) => countsFrom(table, table.tp[row], table.fp[row]);

/** Where each row of the table stands on the plot. */
export function traced({ model: { table }, point, place = itself }) {
  const rows = table.threshold.length;
  const [x, y] = [new Float64Array(rows), new Float64Array(rows)];
  for (let row = 0; row < rows; row += 1) {
    [x[row], y[row]] = place(point(countsAtRow(table, row), table.threshold[row]));
  }
  return { x, y };
}

/** The row of a curve that lies nearest to a point, and how far; x and y count alike. */
export function nearestPoint({ x, y }, [px, py]) {
  let best = { row: -1, distance: Infinity };
  for (let row = 0; row < x.length; row += 1) {
    const distance = Math.hypot(x[row] - px, y[row] - py);
    if (distance < best.distance) best = { row, distance };
  }
  return best;
}

/** The row that stands nearest to a place from left to right, and how far. */
export function nearestAcross({ x, y }, [px, py]) {
  const { row } = nearestPoint({ x, y: x.map(() => 0) }, [px, 0]);
  return { row, distance: row < 0 || Number.isNaN(y[row]) ? Infinity : Math.abs(y[row] - py) };
}

/** Points [x, y] of the rows where the curve is defined. */
export const points = ({ x, y }) =>
  Array.from(x, (each, row) => [each, y[row]]).filter(([px, py]) => !Number.isNaN(px + py));

/** Corners of steps: each y holds from the x before it. */
export const steps = (all) =>
  all.flatMap(([x, y], at) => [
    [at ? all[at - 1][0] : 0, y],
    [x, y],
  ]);

/** Corners of what falls from score to score: each y holds down to the next lower score. */
export const held = (all) =>
  all.flatMap(([x, y], at) => [...(at ? [[x, all[at - 1][1]]] : []), [x, y]]);

/** The corners of the upper hull of points whose x rises; Andrew (1979). */
export function hull(all) {
  const corners = [];
  for (const [x, y] of all) {
    while (corners.length > 1) {
      const [[x1, y1], [x2, y2]] = corners.slice(-2);
      if ((y2 - y1) * (x - x2) > (y - y2) * (x2 - x1)) break;
      corners.pop();
    }
    corners.push([x, y]);
  }
  return corners;
}

/** The ends, inside the unit square, of the line of a slope through a point. */
export function across([x, y], slope) {
  if (slope === Infinity) return [[x, 0], [x, 1]];
  const at = (height) => x + (height - y) / slope;
  const left = slope > 0 ? Math.max(0, at(0)) : 0;
  const right = slope > 0 ? Math.min(1, at(1)) : 1;
  return [left, right].map((each) => [each, y + slope * (each - x)]);
}
