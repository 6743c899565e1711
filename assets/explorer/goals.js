// Thresholds that keep a promise, for one model. No drawing here.
//
// In a thinned table the promise is kept all the same, by the best of the scores that are there.

import { shortAt } from "./tables.js";

/** @typedef {import("./tables.js").Table} Table */

/**
 * @typedef {object} Goal
 * @property {string} before what stands before the number
 * @property {string} unit what stands behind it
 * @property {number} value the number to begin with; those of pages/explorer/payload.py
 * @property {string} why what it promises
 * @property {(table: Table, value: number) => number} row the row that keeps it; -1 where none does
 */

const share = (table, row) =>
  (table.tp[row] + table.fp[row]) / (table.positives + table.negatives);

/** The first row for which something holds, or the last. */
const first = ({ threshold }, holds) => threshold.findIndex((_, row) => holds(row));
const last = ({ threshold }, holds) => threshold.findLastIndex((_, row) => holds(row));

/** @type {Goal[]} */
export const GOALS = [
  {
    before: "recall ≥",
    unit: "%",
    value: 90,
    why: "Highest threshold that finds at least this share",
    row: (table, value) => first(table, (row) => table.tp[row] / table.positives >= value / 100),
  },
  {
    before: "precision ≥",
    unit: "%",
    value: 90,
    why: "Lowest threshold at which at least this share of the flagged rows is right",
    row: (table, value) =>
      last(table, (row) => table.tp[row] / (table.tp[row] + table.fp[row]) >= value / 100),
  },
  {
    before: "flag",
    unit: "%",
    value: 5,
    why: "Lowest threshold that flags at most this share of the rows",
    row: (table, value) => last(table, (row) => share(table, row) <= value / 100),
  },
  {
    before: "flag",
    unit: " rows",
    value: 100,
    why: "Lowest threshold that flags at most so many rows",
    row: (table, value) => last(table, (row) => table.tp[row] + table.fp[row] <= value),
  },
];

/** The threshold that keeps a goal, or null where there is none. */
export function thresholdFor({ row }, table, value) {
  const found = row(table, value);
  return found < 0 ? null : shortAt(table, found);
}
