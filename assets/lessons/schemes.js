// Ways of dividing rows into those that train and those that test, and what each says of the error.
// No drawing here.

import { percent } from "../explorer/words.js";
import { normalQuantile, tQuantile, wilson } from "./distributions.js";
import { dealt, uniforms } from "./random.js";
import { below, deviation, mean, sum } from "./sums.js";
import { lossOf, taken, trained } from "./training.js";

/** The share of the rows that test in a hold-out, and how often both repeated schemes deal. */
const [SHARE, REPEATS, SAMPLES] = [0.25, 20, 40];

/**
 * A round of each scheme: how often each row trains, 0 where it tests.
 * @type {Record<string, (rows: Rows, folds: number, draw: () => number) => number[][]>}
 */
const ROUNDS = {
  "hold-out": (rows, _, draw) => [testing(rows, heldOut(rows, draw))],
  "stratified hold-out": (rows, _, draw) => [testing(rows, heldOutOfEach(rows, draw))],
  "repeated hold-out": (rows, _, draw) =>
    below(REPEATS).map(() => testing(rows, heldOut(rows, draw))),
  "k-fold": (rows, folds, draw) => inTurn([dealt(draw, sizeOf(rows), sizeOf(rows))], folds),
  "stratified k-fold": (rows, folds, draw) =>
    inTurn(strataOf(rows).map((one) => shuffled(one, draw)), folds),
  "group k-fold": inGroups,
  "leave-one-out": (rows) => below(sizeOf(rows)).map((at) => testing(rows, [at])),
  bootstrap: (rows, _, draw) => below(SAMPLES).map(() => sampled(sizeOf(rows), draw)),
};

/** In the order in which they are taught. */
export const SCHEMES = Object.keys(ROUNDS);

/** How often each row trains in each round of a scheme; 0 where it tests. */
export const roundsOf = (scheme, rows, folds, seed) =>
  ROUNDS[scheme](rows, folds, uniforms(1000 * seed + SCHEMES.indexOf(scheme)));

const sizeOf = ({ truth }) => truth.length;

const testing = (rows, places) => {
  const roles = new Array(sizeOf(rows)).fill(1);
  for (const at of places) roles[at] = 0;
  return roles;
};

const heldOut = (rows, draw) =>
  dealt(draw, sizeOf(rows), Math.max(1, Math.round(SHARE * sizeOf(rows))));

const heldOutOfEach = (rows, draw) =>
  strataOf(rows).flatMap((one) => shuffled(one, draw).slice(0, Math.round(SHARE * one.length)));

/** The rows of each class. */
const strataOf = ({ classes, truth }) =>
  classes.map((_, code) => below(truth.length).filter((at) => truth[at] === code));

/** Lists of rows that belong together; each row alone where none do. */
function together({ truth, group }) {
  const members = new Map();
  truth.forEach((_, at) => {
    const own = group ? group[at] : at;
    members.set(own, [...(members.get(own) ?? []), at]);
  });
  return [...members.values()];
}

const shuffled = (list, draw) => dealt(draw, list.length, list.length).map((at) => list[at]);

/** Rows dealt to the folds in turn, one list after the other. */
function inTurn(lists, folds) {
  const order = lists.flat();
  const roles = below(folds).map(() => new Array(order.length).fill(1));
  order.forEach((row, place) => {
    roles[place % folds][row] = 0;
  });
  return roles;
}

/** Groups dealt whole, the largest first, each to the fold that has the fewest rows. */
function inGroups(rows, folds, draw) {
  const groups = shuffled(together(rows), draw);
  groups.sort((one, other) => other.length - one.length);
  const parts = below(folds).map(() => []);
  for (const group of groups) {
    const fewest = Math.min(...parts.map((one) => one.length));
    parts.find((one) => one.length === fewest).push(...group);
  }
  return parts.map((part) => testing(rows, part));
}

/** A sample drawn with replacement. */
function sampled(n, draw) {
  const times = new Array(n).fill(0);
  for (let at = 0; at < n; at += 1) times[Math.floor(n * draw())] += 1;
  return times;
}

/** Why the rows do not allow a scheme; "" where they do. */
export function refused(scheme, rows, folds) {
  const few = (what, many) =>
    many < folds ? `${what} ${many}, fewer than ${folds} folds` : "";
  if (scheme.startsWith("stratified")) {
    if (!rows.classes.length) return "numbers have no classes to keep in proportion";
    return few("the rarest class has", Math.min(...strataOf(rows).map((one) => one.length)));
  }
  if (scheme === "group k-fold") {
    return rows.group ? few("groups:", new Set(rows.group).size) : "no rows belong together";
  }
  return few("rows:", sizeOf(rows));
}

/** Deal rows: at most `most` for use, and at most half of them; groups whole; the rest aside. */
export function dealtApart(rows, seed, most) {
  const order = shuffled(together(rows), uniforms(seed));
  const enough = Math.min(most, Math.floor(sizeOf(rows) / 2));
  let used = [];
  while (order.length && used.length + order[0].length <= enough) used = used.concat(order.shift());
  // Rows of one class lie beside each other, unless groups do.
  const code = (at) => (rows.classes.length && !rows.group ? rows.truth[at] : 0);
  const places = (list) => list.sort((one, other) => code(one) - code(other) || one - other);
  return { used: taken(rows, places(used)), aside: taken(rows, places(order.flat())) };
}

/** The losses of a model on rows, at one number of neighbours or one depth. */
export const lossesOf = (model, rows, dial) =>
  rows.features.map((one, at) => lossOf(rows, rows.truth[at], model(one)[dial - 1]));

/**
 * What a scheme says of the error: of a bootstrap each row counts alike, otherwise each round; its
 * 95% interval, and the mean loss of the rows that test in each round.
 */
export function estimated(scheme, rows, { kind, dial, folds, seed }) {
  const roles = roundsOf(scheme, rows, folds, seed);
  const losses = roles.map((times) => {
    const model = trained(kind, rows, times, dial);
    return rows.features.map((one, at) =>
      times[at] ? NaN : lossOf(rows, rows.truth[at], model(one)[dial - 1]),
    );
  });
  const tested = losses.map((round) => mean(round.filter(Number.isFinite)));
  const known = tested.filter(Number.isFinite);
  const isDrawn = scheme === "bootstrap";
  const error = isDrawn ? meanByRow(losses) : mean(known);
  const ends = isDrawn ? [NaN, NaN] : intervalOf(rows, roles, losses, known, error);
  return { scheme, roles, tested, error, low: Math.max(0, ends[0]), high: ends[1] };
}

function meanByRow(losses) {
  const rows = losses[0].map((_, at) =>
    mean(losses.map((round) => round[at]).filter(Number.isFinite)),
  );
  return mean(rows.filter(Number.isFinite));
}

const Z = normalQuantile(0.975);

/**
 * Student's t with the error that Nadeau and Bengio (2003) correct for training rows that rounds
 * share; of a lone round Wilson's interval for a share, and Student's for a mean.
 */
function intervalOf({ classes }, roles, losses, tested, error) {
  const many = tested.length;
  const around = (half) => [error - half, error + half];
  if (many > 1) {
    const [tests, trains] = [0, 1].map((least) =>
      sum(roles.map((times) => times.filter((one) => (least ? one > 0 : !one)).length)),
    );
    const standard = deviation(tested) * Math.sqrt(1 / many + tests / trains);
    return around(tQuantile(0.975, many - 1) * standard);
  }
  const own = losses[0].filter(Number.isFinite);
  if (classes.length) return wilson(sum(own), own.length, Z);
  return around((tQuantile(0.975, own.length - 1) * deviation(own)) / Math.sqrt(own.length));
}

/** The error if what the model says were dealt to the rows at random. */
export const noInformation = (rows, said) =>
  mean(said.map((one) => mean(rows.truth.map((truth) => lossOf(rows, truth, one)))));

/** .632 and .632+ of Efron and Tibshirani (1997). */
export function weighed(same, leftOut, none) {
  const capped = Math.min(leftOut, none);
  const rate = capped > same && none > same ? (capped - same) / (none - same) : 0;
  const weight = 0.632 / (1 - 0.368 * rate);
  return {
    rate,
    weight,
    point632: 0.368 * same + 0.632 * leftOut,
    plus632: (1 - weight) * same + weight * capped,
  };
}

/** An error as it is said: the share of the rows that are wrong, or a mean absolute error. */
export const saidError = (error, isShare) => (isShare ? percent(error) : error.toFixed(1));
