// Metrics of one decision, from its four counts. No drawing here.
//
// The formulas are those of evalcore; tests/explorer holds the two against each other at every row
// of many tables.

/** @typedef {import("./tables.js").Counts} Counts */

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
  return { value, low: fromShare(share.low), high: fromShare(share.high) };
}

const fromShare = (share) => (2 * share) / (1 + share);

/** Wilson (1927), JASA 22: the interval for k of n rows. */
function wilson(k, n, z) {
  const centre = (k + (z * z) / 2) / (n + z * z);
  const half = (z / (n + z * z)) * Math.sqrt((k * (n - k)) / n + (z * z) / 4);
  return {
    low: k === 0 ? 0 : Math.max(0, centre - half),
    high: k === n ? 1 : Math.min(1, centre + half),
  };
}
