// Models trained in the browser: nearest neighbours and decision trees, each at every number of
// neighbours or every depth at once. No drawing here. Hundreds are trained for one picture, so that
// inner loops make no lists.

import { below } from "./sums.js";

/**
 * Rows to train and test on.
 * @typedef {object} Rows
 * @property {number[][]} features a list of numbers for each row
 * @property {number[]} truth places in `classes`, or numbers where there are none
 * @property {string[]} classes
 * @property {?number[]} group what rows belong together: the same code for all visits of a patient
 */

/** The most neighbours, and the greatest depth. */
export const MOST = 20;

/** Some of the rows, in this order. @param {Rows} rows @returns {Rows} */
export const taken = (rows, places) => ({
  ...rows,
  features: places.map((at) => rows.features[at]),
  truth: places.map((at) => rows.truth[at]),
  group: rows.group && places.map((at) => rows.group[at]),
});

/** 1 for each wrong class and 0 for each right one, or how far a number is off. */
export const lossOf = ({ classes }, truth, said) =>
  classes.length ? Number(truth !== said) : Math.abs(truth - said);

const TRAINED = { "nearest neighbours": neighbours, "decision tree": tree };

/**
 * Train on the rows, each as often as `times` says; return what the model says of features at 1 to
 * `most` neighbours, or at depth 1 to `most`.
 * @param {string} kind
 * @param {Rows} rows
 * @param {ArrayLike<number>} [times]
 * @returns {(features: number[]) => Float64Array} the same list each time, filled anew
 */
export const trained = (kind, rows, times = rows.truth.map(() => 1), most = MOST) =>
  TRAINED[kind](rows, times, most);

// Nearest neighbours, of features standardised by the training rows

function neighbours({ features, truth, classes }, times, most) {
  const used = below(truth.length).filter((at) => times[at]);
  const inUnits = scaled(features, used, times);
  const known = used.map((at) => inUnits(features[at]));
  const [near, values] = [new Float64Array(most), new Float64Array(most)];
  const found = new Float64Array(most);
  return (asked) => {
    const here = inUnits(asked);
    near.fill(Infinity);
    for (let place = 0; place < known.length; place += 1) {
      const away = apart(known[place], here, near[most - 1]);
      const row = used[place];
      for (let copy = 0; copy < times[row] && away < near[most - 1]; copy += 1) {
        insert(near, values, away, truth[row]);
      }
    }
    return voted(found, near, values, classes.length);
  };
}

/** The squared distance of two points; something larger once it is known to exceed a limit. */
function apart(one, other, limit) {
  let away = 0;
  for (let at = 0; at < one.length && away < limit; at += 1) away += (one[at] - other[at]) ** 2;
  return away;
}

/** Put a distance and its value where they belong in lists that rise. */
function insert(near, values, away, value) {
  let at = near.length - 1;
  for (; at > 0 && near[at - 1] > away; at -= 1) {
    near[at] = near[at - 1];
    values[at] = values[at - 1];
  }
  near[at] = away;
  values[at] = value;
}

/** What the first 1, 2, … neighbours say: their most frequent class, the first of equal ones. */
function voted(found, near, values, classes) {
  const votes = new Float64Array(classes);
  let [total, first] = [0, 0];
  for (let at = 0; at < near.length; at += 1) {
    const value = values[at];
    // With fewer rows than neighbours, all rows are used.
    if (near[at] === Infinity) found[at] = found[at - 1];
    else if (classes) {
      votes[value] += 1;
      if (!at || votes[value] > votes[first]) first = value;
      else if (votes[value] === votes[first]) first = Math.min(value, first);
      found[at] = first;
    } else {
      total += value;
      found[at] = total / (at + 1);
    }
  }
  return found;
}

/** A function that standardises features: mean 0 and deviation 1 of the rows trained on. */
function scaled(features, used, times) {
  const wide = features[0].length;
  const [middle, spread] = [new Float64Array(wide), new Float64Array(wide)];
  let all = 0;
  for (const at of used) {
    all += times[at];
    for (let column = 0; column < wide; column += 1) {
      middle[column] += times[at] * features[at][column];
    }
  }
  for (let column = 0; column < wide; column += 1) {
    middle[column] /= all;
    let square = 0;
    for (const at of used) square += times[at] * (features[at][column] - middle[column]) ** 2;
    spread[column] = Math.sqrt(square / all) || 1;
  }
  return (row) => {
    const found = new Float64Array(wide);
    for (let at = 0; at < wide; at += 1) found[at] = (row[at] - middle[at]) / spread[at];
    return found;
  };
}

// Decision trees: each split leaves classes as pure, or numbers as near their mean, as possible

function tree(rows, times, most) {
  const { columns, orders } = inColumns(rows);
  // `parted` keeps the rows that train: those counted at least once.
  const mine = orders.map((order) => parted(order, Array.from(times, (one) => -one), -1)[0]);
  const kinds = rows.classes.length;
  const root = grown({ columns, times, kinds, most, truth: rows.truth }, mine, 0);
  const found = new Float64Array(most);
  return (asked) => {
    let node = root;
    for (let at = 0; at < most; at += 1) {
      if (node.left) node = asked[node.column] <= node.border ? node.left : node.right;
      found[at] = node.value;
    }
    return found;
  };
}

const shaped = new WeakMap();

/** The features column by column, and the rows in the order of each; kept, for many trees. */
function inColumns(rows) {
  if (!shaped.has(rows)) {
    const columns = rows.features[0].map(
      (_, at) => Float64Array.from(rows.features, (row) => row[at]),
    );
    const orders = columns.map((values) =>
      Int32Array.from(below(values.length)).sort((one, other) => values[one] - values[other]),
    );
    shaped.set(rows, { columns, orders });
  }
  return shaped.get(rows);
}

/** A node of a tree; `orders` has its rows, rising by each feature. */
function grown(made, orders, depth) {
  const totals = tallied(made, orders[0]);
  const node = { value: valueOf(made, totals) };
  if (depth === made.most || isPure(made, orders[0])) return node;
  const { column, border } = bestSplit(made, orders, totals);
  if (column === undefined) return node;
  const values = made.columns[column];
  const sides = orders.map((order) => parted(order, values, border));
  const [left, right] = [0, 1].map((side) =>
    grown(made, sides.map((one) => one[side]), depth + 1),
  );
  return { ...node, column, border, left, right };
}

/** The rows up to a border and those beyond it, in the same order. */
function parted(order, values, border) {
  let many = 0;
  for (let at = 0; at < order.length; at += 1) if (values[order[at]] <= border) many += 1;
  const [first, rest] = [new Int32Array(many), new Int32Array(order.length - many)];
  let [own, other] = [0, 0];
  for (let at = 0; at < order.length; at += 1) {
    const row = order[at];
    if (values[row] <= border) first[own++] = row;
    else rest[other++] = row;
  }
  return [first, rest];
}

/** How many rows there are of each class, or the sum of their numbers; and how many in all. */
function tallied({ truth, kinds, times }, order) {
  const sums = new Float64Array(kinds || 1);
  let many = 0;
  for (const at of order) {
    sums[kinds ? truth[at] : 0] += kinds ? times[at] : times[at] * truth[at];
    many += times[at];
  }
  return { sums, many };
}

const valueOf = ({ kinds }, { sums, many }) =>
  kinds ? sums.indexOf(Math.max(...sums)) : sums[0] / many;

function isPure({ truth }, order) {
  for (let at = 1; at < order.length; at += 1) {
    if (truth[order[at]] !== truth[order[0]]) return false;
  }
  return true;
}

/**
 * The column and the border of the best split. Both Gini's impurity and the squared error are least
 * where Σ sum² / rows, over both sides, is largest.
 */
function bestSplit({ columns, times, truth, kinds }, orders, { sums, many }) {
  const left = new Float64Array(sums.length);
  let [least, found, border] = [-Infinity, undefined, 0];
  for (let column = 0; column < columns.length; column += 1) {
    const [values, order] = [columns[column], orders[column]];
    let seen = 0;
    left.fill(0);
    for (let at = 0; at + 1 < order.length; at += 1) {
      const row = order[at];
      left[kinds ? truth[row] : 0] += kinds ? times[row] : times[row] * truth[row];
      seen += times[row];
      const [here, next] = [values[row], values[order[at + 1]]];
      if (here === next) continue;
      const gain = squares(left, sums, seen, many);
      if (gain <= least) continue;
      // A rounding error is no better split.
      least = gain * (1 + 1e-12);
      found = column;
      border = (here + next) / 2;
    }
  }
  return { column: found, border };
}

function squares(left, sums, seen, many) {
  let [own, rest] = [0, 0];
  for (let kind = 0; kind < left.length; kind += 1) {
    own += left[kind] ** 2;
    rest += (sums[kind] - left[kind]) ** 2;
  }
  return own / seen + rest / (many - seen);
}
