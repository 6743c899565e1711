// Where a score stands on the slider, from 0 (left) to 1 (right), and back. No drawing here.
//
// Scores stand by their size. Where they lie too far apart for that (some near 1, one at 1e300),
// they stand by rank: by the share of rows that score below.

import { rowsAtOrAbove } from "./tables.js";

/** @typedef {import("./tables.js").Table} Table */

/**
 * The slider's scale: `places` holds where each row of the table stands, falling.
 * @typedef {{kind: "size" | "rank", low: number, high: number, places: Float64Array}} Axis
 */

/**
 * @param {Table} table
 * @param {{kind: "size" | "rank", low: number, high: number}} scale
 * @returns {Axis}
 */
export function makeAxis(table, scale) {
  const total = table.positives + table.negatives;
  const place = {
    size: (score) => placeBySize(scale, score),
    rank: (_, row) => 1 - (table.tp[row] + table.fp[row]) / total,
  };
  return { ...scale, places: table.threshold.map(place[scale.kind]) };
}

const placeBySize = ({ low, high }, score) => (high > low ? (score - low) / (high - low) : 0.5);

/** Where a threshold stands, whether or not it is a score of the table. */
export function placeOf(table, axis, threshold) {
  if (axis.kind === "size") return Math.min(1, Math.max(0, placeBySize(axis, threshold)));
  const rows = rowsAtOrAbove(table, threshold);
  return rows ? axis.places[rows - 1] : 1;
}

/** The row of the table that stands nearest to a place. */
export function nearestRow(axis, place) {
  const { places } = axis;
  let left = 0;
  let right = places.length - 1;
  while (left < right) {
    const middle = (left + right) >> 1;
    if (places[middle] > place) left = middle + 1;
    else right = middle;
  }
  const closerAbove = left > 0 && places[left - 1] - place < place - places[left];
  return closerAbove ? left - 1 : left;
}
