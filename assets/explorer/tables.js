// Score tables: from the payload to counts at a threshold. No drawing here.

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

/** Read a table from the payload, where each column is {type: base64 of little-endian numbers}. */
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

/** How many rows of the table have a score at or above the threshold. */
export function rowsAtOrAbove(table, threshold) {
  let low = 0;
  let high = table.threshold.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table.threshold[middle] >= threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The counts when a row is flagged if its score >= threshold.
 * @returns {Counts}
 */
export function countsAt(table, threshold) {
  const rows = rowsAtOrAbove(table, threshold);
  return countsFrom(table, rows ? table.tp[rows - 1] : 0, rows ? table.fp[rows - 1] : 0);
}

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
export function roundedDown(score, decimals) {
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
