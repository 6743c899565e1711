// The curves of a score table as points, one per row of the table. No drawing here.

/** @typedef {import("./tables.js").Table} Table */
/** @typedef {import("./tables.js").Counts} Counts */

/**
 * @typedef {object} Curve
 * @property {(counts: Counts) => [number, number]} point where a decision lies
 * @property {Float64Array} x
 * @property {Float64Array} y
 */

const rocPoint = ({ tp, fp, fn, tn }) => [fp / (fp + tn), tp / (tp + fn)];
const precisionPoint = ({ tp, fp, fn }) => [tp / (tp + fn), tp / (tp + fp)];

/** @type {(table: Table) => Curve} */
export const rocCurve = (table) => curve(table, rocPoint);

/** @type {(table: Table) => Curve} */
export const precisionRecallCurve = (table) => curve(table, precisionPoint);

function curve({ tp, fp, positives, negatives }, point) {
  const x = new Float64Array(tp.length);
  const y = new Float64Array(tp.length);
  for (let row = 0; row < tp.length; row += 1) {
    const counts = { tp: tp[row], fp: fp[row], fn: positives - tp[row], tn: negatives - fp[row] };
    [x[row], y[row]] = point(counts);
  }
  return { point, x, y };
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
