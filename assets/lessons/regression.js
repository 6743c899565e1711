// Regression errors: four points to drag, and every number that a report has of them.

import { html } from "../explorer/dom.js";
import { count } from "../explorer/words.js";
import { writtenNumber } from "./formula.js";
import { makePlane } from "./plane.js";
import { lesson } from "./shell.js";
import { below, crossed, mean, pairsOf, sum } from "./sums.js";
import { makeTable } from "./tables.js";

const POINTS = 4;

/** The pairs of two rows: 1 in the same order by both, -1 in opposite orders, 0 where one ties. */
const ordersOf = (truth, predicted) =>
  pairsOf(truth.length).map(([one, other]) => {
    const [first, second] = [truth, predicted].map((list) => Math.sign(list[one] - list[other]));
    return { one, other, order: first * second, isTied: [first === 0, second === 0] };
  });

/** Ranks from 1; equal values share the mean of their ranks. */
export const ranksOf = (values) =>
  values.map((value) => {
    const [less, same] = [(one) => one < value, (one) => one === value];
    return values.filter(less).length + (values.filter(same).length + 1) / 2;
  });

/** Pearson's r; undefined where one list does not vary. */
export const pearson = (one, other) =>
  crossed(one, other) / Math.sqrt(crossed(one, one) * crossed(other, other));

/** @param {{truth: number[], predicted: number[]}} state */
export function numbers(state) {
  const [truth, predicted] = [state.truth, state.predicted].map((list) => list.slice(0, POINTS));
  const n = truth.length;
  const errors = truth.map((value, at) => predicted[at] - value);
  const squares = sum(errors.map((error) => error ** 2));
  const total = crossed(truth, truth);
  const orders = ordersOf(truth, predicted);
  const many = (isOne) => orders.filter(isOne).length;
  const [same, opposite] = [many(({ order }) => order > 0), many(({ order }) => order < 0)];
  const apart = [0, 1].map((side) => many(({ isTied }) => !isTied[side]));
  const slope = crossed(truth, predicted) / total;
  return {
    n, truth, predicted, errors, squares, total, orders, same, opposite, slope,
    absolute: sum(errors.map(Math.abs)),
    mae: mean(errors.map(Math.abs)),
    mse: squares / n,
    half: squares / (2 * n),
    rmse: Math.sqrt(squares / n),
    largest: Math.max(...errors.map(Math.abs)),
    r2: total ? 1 - squares / total : NaN,
    pearson: pearson(truth, predicted),
    spearman: pearson(ranksOf(truth), ranksOf(predicted)),
    pairs: orders.length,
    tied: orders.length - same - opposite,
    tauA: (same - opposite) / orders.length,
    tauB: (same - opposite) / Math.sqrt(apart[0] * apart[1]),
    firstApart: apart[0],
    secondApart: apart[1],
    start: mean(predicted) - slope * mean(truth),
  };
}

function says({ mae, rmse, largest, r2, pearson: r, same, opposite, tied, pairs }) {
  const [by, root, worst] = [mae, rmse, largest].map((one) => writtenNumber(one));
  const wrong = `The mean absolute error is ${by}, the RMSE ${root}, the largest error ${worst}`;
  const fit = `R² is ${writtenNumber(r2)}, Pearson’s r ${writtenNumber(r)}`;
  const order = `${same} are in the same order, ${opposite} in the opposite one, ${tied} tied`;
  return `${wrong}. ${fit}. Of ${count(pairs)} pairs of points ${order}.`;
}

// The picture: one unit is as long across as up, so that a squared error is a square

const [ACROSS, UP] = [[-2, 11.5], [-2, 9.5]];
const [BLUE, RED, GREY] = ["var(--right)", "var(--positive)", "var(--negative)"];

function picture(change) {
  const plane = makePlane({
    height: 416,
    x: ACROSS,
    y: UP,
    across: "true value",
    up: "predicted value",
    ticksX: [0, 2, 4, 6, 8, 10],
    ticksY: [0, 2, 4, 6, 8],
    edges: { left: 34, right: 10 },
  });
  let state = null;
  const handles = below(POINTS).map((at) =>
    plane.handle({
      label: `Point ${at + 1}`,
      along: "xy",
      step: [0.5, 0.5],
      move: (x, y) => change(movedTo(state, at, x, y)),
    }),
  );
  return {
    node: html("div", {}, plane.node),
    draw(now, next) {
      state = next;
      plane.draw([...diagonal(), ...DRAWN[next.shown](now)]);
      handles.forEach((handle, at) => {
        const [x, y] = [now.truth[at], now.predicted[at]];
        handle.put(x, y, `true ${x}, predicted ${y}`, [y, ...UP]);
      });
      const told = now.truth.map((x, at) => `true ${x}, predicted ${now.predicted[at]}`);
      plane.describe(`Four points: ${told.join("; ")}`);
    },
  };
}

/** Points stand at quarters, so that ties can be made. */
const quarter = (value, [low, high]) => Math.round(4 * Math.min(high, Math.max(low, value))) / 4;

function movedTo({ truth, predicted }, at, x, y) {
  const put = (list, value) => list.map((one, place) => (place === at ? value : one));
  return { truth: put(truth, quarter(x, ACROSS)), predicted: put(predicted, quarter(y, UP)) };
}

const diagonal = () => [
  { shape: "segment", ends: [[UP[0], UP[0]], [UP[1], UP[1]]] },
  { shape: "note", at: [UP[1], UP[1]], text: "no error", dx: 4, dy: 12 },
];

const DRAWN = {
  errors: ({ truth, predicted, errors }) =>
    truth.flatMap((x, at) => {
      const [low, high] = [Math.min(x, predicted[at]), Math.max(x, predicted[at])];
      const side = high - low;
      // The square lies on the side away from the diagonal.
      const [left, right] = errors[at] > 0 ? [x - side, x] : [x, x + side];
      return [
        { shape: "bar", kind: "squared", box: [left, low, right, high] },
        { shape: "segment", kind: "interval", ends: [[x, x], [x, predicted[at]]] },
      ];
    }),
  pairs: ({ truth, predicted, orders }) =>
    orders.map(({ one, other, order }) => ({
      shape: "line",
      points: [one, other].map((at) => [truth[at], predicted[at]]),
      color: order > 0 ? BLUE : order < 0 ? RED : GREY,
      dash: order ? undefined : "5 4",
    })),
  line: ({ start, slope }) => [
    { shape: "line", color: BLUE, points: ACROSS.map((x) => [x, start + slope * x]) },
  ],
};

/** All numbers, side by side. */
function beside() {
  const tables = [
    makeTable([], ["MAE", "MSE", "RMSE", "Largest"]),
    makeTable([], ["R²", "Pearson r", "Spearman ρ", "Kendall τ-b"]),
    makeTable([], ["Pairs", "Same (C)", "Opposite (D)", "Tied"]),
  ];
  const keys = [
    ["mae", "mse", "rmse", "largest"],
    ["r2", "pearson", "spearman", "tauB"],
    ["pairs", "same", "opposite", "tied"],
  ];
  return {
    node: html("div", { class: "tables" }, ...tables.map(({ node }) => node)),
    draw: (now) =>
      tables.forEach(({ fill }, at) => fill(keys[at].map((key) => writtenNumber(now[key])))),
  };
}

export const mount = lesson({ numbers, says, picture, beside });
