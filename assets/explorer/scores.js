// Score tables: counts, metrics, goals and places on the slider. No drawing here.

/**
 * One model's score table: row i says how many positives (tp) and negatives (fp) score at or above
 * threshold[i]. Thresholds are real scores and fall.
 * @typedef {object} Table
 * @property {Float64Array} threshold
 * @property {Float64Array} tp
 * @property {Float64Array} fp
 * @property {Float64Array} decimals how few of each threshold, rounded down, flag the same rows
 * @property {number} positives
 * @property {number} negatives
 */

/** @typedef {{tp: number, fp: number, fn: number, tn: number}} Counts */

const COLUMN_TYPES = { f8: Float64Array, u4: Uint32Array, u1: Uint8Array };

/** A table from the payload, where each column is {type: base64 of little-endian numbers}. */
export function decodeTable(encoded) {
  const { threshold, tp, fp, decimals, positives, negatives } = encoded;
  return {
    threshold: decodeColumn(threshold),
    tp: decodeColumn(tp),
    fp: decodeColumn(fp),
    decimals: decodeColumn(decimals),
    positives,
    negatives,
  };
}

function decodeColumn(column) {
  const [[type, base64]] = Object.entries(column);
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return Float64Array.from(new COLUMN_TYPES[type](bytes.buffer));
}

// Counts

/** How many rows of the table have a score at or above the threshold. */
export const rowsAtOrAbove = ({ threshold: scores }, threshold) =>
  firstRow(scores.length, (row) => scores[row] < threshold);

/** The first row for which something holds that holds for all rows after it; `rows` if none. */
function firstRow(rows, holds) {
  let [low, high] = [0, rows];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The counts when a row is flagged if its score >= threshold.
 * @returns {Counts}
 */
export function countsAt(table, threshold) {
  const rows = rowsAtOrAbove(table, threshold);
  return rows ? countsAtRow(table, rows - 1) : countsFrom(table, 0, 0);
}

/** The counts at a row of a table. */
export const countsAtRow = (table, row) => countsFrom(table, table.tp[row], table.fp[row]);

/**
 * All four counts, from the two that are flagged.
 * @returns {Counts}
 */
export function countsFrom(table, tp, fp) {
  return { tp, fp, fn: table.positives - tp, tn: table.negatives - fp };
}

/** Instead of a number of decimals: no shorter number flags the same rows. */
const AS_IT_IS = 255;

/** The shortest number that flags the same rows as the score of a row; see evalcore. */
export const shortAt = ({ threshold, decimals }, row) => roundedDown(threshold[row], decimals[row]);

/** A score cut to some decimals, towards lower numbers. */
function roundedDown(score, decimals) {
  if (decimals === AS_IT_IS) return score;
  const rounded = Number(score.toFixed(decimals));
  return rounded > score ? Number((rounded - 10 ** -decimals).toFixed(decimals)) : rounded;
}

/**
 * Whether a table that lacks some scores still knows the counts at this threshold: those at its own
 * scores, however short, and beyond the highest and the lowest, which are never left out.
 */
export function isKnown(table, threshold) {
  const rows = rowsAtOrAbove(table, threshold);
  return rows === 0 || rows === table.threshold.length || shortAt(table, rows - 1) <= threshold;
}

// The slider
//
// Scores stand by their size. Where they lie too far apart for that (some near 1, one at 1e300),
// they stand by rank: by the share of rows that score below.

/**
 * The slider's scale: `places` holds where each row of the table stands, from 1 (right) falling
 * to 0 (left).
 * @typedef {{kind: "size" | "rank", low: number, high: number, places: Float64Array}} Axis
 */

/**
 * @param {Table} table
 * @param {{kind: "size" | "rank", low: number, high: number}} scale
 * @returns {Axis}
 */
export function makeAxis(table, scale) {
  const place = {
    size: (score) => placeBySize(scale, score),
    rank: (_, row) => 1 - shareFlagged(table, row),
  };
  return { ...scale, places: table.threshold.map(place[scale.kind]) };
}

const placeBySize = ({ low, high }, score) => (high > low ? (score - low) / (high - low) : 0.5);

/** Where a threshold stands, whether or not it is a score of the table. */
export function placeOf({ table, axis }, threshold) {
  if (axis.kind === "size") return Math.min(1, Math.max(0, placeBySize(axis, threshold)));
  const rows = rowsAtOrAbove(table, threshold);
  return rows ? axis.places[rows - 1] : 1;
}

/** The row of the table that stands nearest to a place. */
export function nearestRow({ places }, place) {
  const row = firstRow(places.length - 1, (each) => places[each] <= place);
  const closerAbove = row > 0 && places[row - 1] - place < place - places[row];
  return closerAbove ? row - 1 : row;
}

// Goals
//
// In a thinned table a goal is kept all the same, by the best of the scores that are there.

const flagged = ({ tp, fp }, row) => tp[row] + fp[row];
const shareFlagged = (table, row) => flagged(table, row) / (table.positives + table.negatives);

const highest = ({ threshold }, holds) => threshold.findIndex((_, row) => holds(row));
const lowest = ({ threshold }, holds) => threshold.findLastIndex((_, row) => holds(row));

/**
 * @typedef {object} Goal
 * @property {string} before what stands before the number
 * @property {string} unit what stands behind it
 * @property {number} value the number to begin with; those of evalview/explorer/models.py
 * @property {string} why what it promises
 * @property {(table: Table, value: number) => number} row the row that keeps it; -1 where none does
 */

/** @type {Goal[]} */
export const GOALS = [
  {
    before: "recall ≥",
    unit: "%",
    value: 90,
    why: "Highest threshold that finds at least this share",
    row: (table, value) => highest(table, (row) => table.tp[row] / table.positives >= value / 100),
  },
  {
    before: "precision ≥",
    unit: "%",
    value: 90,
    why: "Lowest threshold at which at least this share of the flagged rows is right",
    row: (table, value) =>
      lowest(table, (row) => table.tp[row] / flagged(table, row) >= value / 100),
  },
  {
    before: "flag",
    unit: "%",
    value: 5,
    why: "Lowest threshold that flags at most this share of the rows",
    row: (table, value) => lowest(table, (row) => shareFlagged(table, row) <= value / 100),
  },
  {
    before: "flag",
    unit: " rows",
    value: 100,
    why: "Lowest threshold that flags at most this many rows",
    row: (table, value) => lowest(table, (row) => flagged(table, row) <= value),
  },
];

/** The threshold that keeps a goal, or null where there is none. */
export function thresholdFor({ row }, table, value) {
  const kept = row(table, value);
  return kept < 0 ? null : shortAt(table, kept);
}

/** How many more positives must be found for each further negative flagged, in rates, or null. */
export function slopeOf(costs, { positives, negatives }) {
  if (!costs || costs.fn === null) return null;
  const share = costs.share ?? positives / (positives + negatives);
  const [saved, wasted] = [share * (costs.fn - costs.tp), (1 - share) * (costs.fp - costs.tn)];
  return saved > 0 && wasted >= 0 ? wasted / saved : null;
}

/** The threshold at which a row costs least on average, the highest of equals; null for none. */
export function cheapestAt(table, costs) {
  if (costs.fn === null) return null;
  const { positives, negatives } = table;
  const share = costs.share ?? positives / (positives + negatives);
  const mean = ({ tp, fp, fn, tn }) =>
    (positives && (share * (fn * costs.fn + tp * costs.tp)) / positives) +
    (negatives && ((1 - share) * (fp * costs.fp + tn * costs.tn)) / negatives);
  let [best, least] = [null, mean(countsFrom(table, 0, 0))];
  table.threshold.forEach((_, row) => {
    const cost = mean(countsAtRow(table, row));
    if (cost < least) [best, least] = [shortAt(table, row), cost];
  });
  return best;
}

// Metrics
//
// The formulas are those of evalcore; a test holds the two against each other at every row of many
// tables.

/**
 * A metric at one threshold: `value` is NaN where it is undefined, without `low` and `high`.
 * @typedef {{value: number, low?: number, high?: number}} Estimate
 */

/** The metrics that are k of n rows. */
const PROPORTIONS = {
  precision: ({ tp, fp }) => [tp, tp + fp],
  recall: ({ tp, fn }) => [tp, tp + fn],
  specificity: ({ tn, fp }) => [tn, tn + fp],
  npv: ({ tn, fn }) => [tn, tn + fn],
  fpr: ({ tn, fp }) => [fp, tn + fp],
  accuracy: ({ tp, fp, fn, tn }) => [tp + tn, tp + fn + (fp + tn)],
  jaccard: ({ tp, fp, fn }) => [tp, tp + fp + fn],
  detection_prevalence: ({ tp, fp, fn, tn }) => [tp + fp, tp + fn + (fp + tn)],
};

/** The metrics that are not, and have no interval here unless the server sends one. */
const OTHERS = {
  balanced_accuracy: ({ tp, fp, fn, tn }) => (tp / (tp + fn) + tn / (fp + tn)) / 2,
  youden_j: ({ tp, fp, fn, tn }) => tp / (tp + fn) + tn / (fp + tn) - 1,
  mcc: ({ tp, fp, fn, tn }) =>
    (tp * tn - fp * fn) / Math.sqrt((tp + fn) * (fp + tn) * ((tp + fp) * (fn + tn))),
};

/**
 * One metric with its interval, where a formula gives one; z is the normal quantile of the
 * confidence level.
 * @param {string} key
 * @param {Counts} counts
 * @param {number} z
 * @returns {Estimate}
 */
export function estimate(key, counts, z) {
  if (key === "f1") return f1(counts, z);
  if (key in OTHERS) return { value: OTHERS[key](counts) };
  return proportion(...PROPORTIONS[key](counts), z);
}

function proportion(k, n, z) {
  return n > 0 ? { value: k / n, ...wilson(k, n, z) } : { value: NaN };
}

/**
 * F1 = 2J / (1 + J), where J = tp / (tp + fp + fn) is a share of rows: Wilson's interval of J,
 * carried through the same rising function, is one of F1 and never leaves [0, 1].
 */
function f1({ tp, fp, fn }, z) {
  const share = proportion(tp, tp + fp + fn, z);
  if (Number.isNaN(share.value)) return share;
  const value = (2 * tp) / (2 * tp + fp + fn);
  return { value, low: f1Of(share.low), high: f1Of(share.high) };
}

const f1Of = (jaccard) => (2 * jaccard) / (1 + jaccard);

/** Wilson (1927), JASA 22: the interval for k of n rows. */
function wilson(k, n, z) {
  const centre = (k + (z * z) / 2) / (n + z * z);
  const half = (z / (n + z * z)) * Math.sqrt((k * (n - k)) / n + (z * z) / 4);
  return {
    low: k === 0 ? 0 : Math.max(0, centre - half),
    high: k === n ? 1 : Math.min(1, centre + half),
  };
}
