// Score tables: from the payload to counts at a threshold. No drawing here.

/**
 * One model's score table: row i says how many positives (tp) and negatives (fp) score at or above
 * threshold[i]. Thresholds are real scores and fall.
 * @typedef {object} Table
 * @property {Float64Array} threshold
 * @property {Float64Array} tp
 * @property {Float64Array} fp
 * @property {number} positives
 * @property {number} negatives
 */

/** @typedef {{tp: number, fp: number, fn: number, tn: number}} Counts */

const COLUMN_TYPES = { f8: Float64Array, u4: Uint32Array };

/** Read a table from the payload, where each column is {type: base64 of little-endian numbers}. */
export function decodeTable(encoded) {
  const { threshold, tp, fp, positives, negatives } = encoded;
  return {
    threshold: decodeColumn(threshold),
    tp: decodeColumn(tp),
    fp: decodeColumn(fp),
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

/** Whether the threshold is a score of the table. */
export function isRow(table, threshold) {
  const rows = rowsAtOrAbove(table, threshold);
  return rows > 0 && table.threshold[rows - 1] === threshold;
}

/**
 * Whether a table that lacks some scores still knows the counts at this threshold: those at its own
 * scores, and beyond the highest and the lowest, which are never left out.
 */
export function isKnown(table, threshold) {
  const rows = rowsAtOrAbove(table, threshold);
  return rows === 0 || rows === table.threshold.length || table.threshold[rows - 1] === threshold;
}
