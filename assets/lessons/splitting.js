// Splitting the rows: who trains and who tests in each round of a scheme, what every scheme says of
// the error of one model, and how near that comes to the error on rows kept aside.

import { html } from "../explorer/dom.js";
import { count } from "../explorer/words.js";
import { makePlane } from "./plane.js";
import {
  SCHEMES, dealtApart, estimated, lossesOf, noInformation, refused, saidError, weighed,
} from "./schemes.js";
import { lesson } from "./shell.js";
import { below, mean, sum } from "./sums.js";
import { trained } from "./training.js";

/** Rows to train on: few, so that chance shows. */
const FEW = 100;

const KIND = "nearest neighbours";
const DIALS = { "1 neighbour": 1, "9 neighbours": 9 };

const kept = new Map();

/** What a function finds, kept by a key: many states share it. */
function remembered(key, find) {
  if (!kept.has(key)) {
    if (kept.size > 300) kept.clear();
    kept.set(key, find());
  }
  return kept.get(key);
}

/** The rows of a state, dealt, and what the model trained on all of those used loses. */
const knownOf = ({ rows: name, model, seed }, data) =>
  remembered([name, model, seed].join(), () => {
    const { used, aside: rest } = dealtApart(data[name], seed, FEW);
    const dial = DIALS[model];
    const whole = trained(KIND, used, undefined, dial);
    return {
      used, rest,
      same: mean(lossesOf(whole, used, dial)),
      aside: mean(lossesOf(whole, rest, dial)),
      none: noInformation(used, used.features.map((one) => whole(one)[dial - 1])),
    };
  });

/** @param {{rows: string, model: string, scheme: string, folds: number, seed: number}} state */
export function numbers(state, _, data) {
  const { rows: name, model, scheme: asked, folds, seed } = state;
  const { used, rest, same, aside, none } = knownOf(state, data);
  const plan = { kind: KIND, dial: DIALS[model], folds, seed };
  const able = SCHEMES.filter((one) => !refused(one, used, folds));
  const made = able.map((one) => {
    const key = [name, model, seed, one, one.endsWith("k-fold") ? folds : ""].join();
    return remembered(key, () => estimated(one, used, plan));
  });
  const found = made.find((one) => one.scheme === asked) ?? made.find(isPlain) ?? made[0];
  const { roles, error } = found;
  const off = (one) => Math.abs(one.error - aside);
  const leftOut = made.find((one) => one.scheme === "bootstrap").error;
  return {
    used, rest, made, found, folds, asked, error, same, leftOut, none,
    ...weighed(same, leftOut, none),
    why: refused(asked, used, folds),
    isShare: used.classes.length > 0,
    nearest: made.reduce((best, one) => (off(one) < off(best) ? one : best)).scheme,
    estimate: error,
    rounds: roles.length,
    train: sum(roles.map(sum)) / roles.length,
    test: sum(roles.map((times) => times.filter((one) => !one).length)) / roles.length,
    aside,
    off: error - aside,
  };
}

const isPlain = ({ scheme }) => scheme === "k-fold";

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function says({ found, why, asked, aside, rest, nearest, isShare }) {
  const [here, there] = [found.error, aside].map((one) => saidError(one, isShare));
  const not = why && `${capital(asked)} is not possible (${why}). `;
  const what = isShare ? "the share of wrong answers" : "the mean error";
  const puts = `${capital(found.scheme)} estimates ${what} at ${here}`;
  const known = `On ${count(rest.truth.length)} rows kept aside it is ${there}`;
  return `${not}${puts}. ${known}. ${capital(nearest)} comes nearest this time.`;
}

const [BLUE, RED] = ["var(--right)", "var(--positive)"];

function picture() {
  const roles = makePlane({
    height: 168,
    x: [0, 1],
    y: [-0.12, 1],
    ticksX: [],
    ticksY: [],
    edges: { left: 12, right: 12, bottom: 20 },
  });
  const schemes = makePlane({
    height: 236,
    x: [0, 1],
    y: [0, SCHEMES.length],
    across: "error",
    up: "Small: rounds. Large: estimate, 95% interval. Red: rows kept aside",
    ticksY: SCHEMES.map((_, at) => levelOf(at)),
    writeY: (at) => SCHEMES[SCHEMES.length - 0.5 - at],
    edges: { left: 126, right: 18, bottom: 34 },
  });
  return {
    node: html("div", {}, roles.node, schemes.node),
    draw(now) {
      drawRoles(roles, now);
      drawSchemes(schemes, now);
    },
  };
}

const levelOf = (at) => SCHEMES.length - 0.5 - at;

const ROUNDS_SAY = "A line for each round: grey rows train, red rows test";

/** More rows and rounds than these cannot be told apart. */
const [ROWS, ROUNDS] = [60, 20];

function drawRoles(plane, { found: { scheme, roles }, used }) {
  const rows = below(Math.min(ROWS, used.truth.length));
  // Leave-one-out of the first rows is a diagonal.
  const rounds = roles.slice(0, ROUNDS);
  const [wide, high] = [1 / rows.length, 1 / rounds.length];
  const box = (row, round) => {
    const top = 1 - round * high;
    return [(row + 0.08) * wide, top - 0.9 * high, (row + 0.92) * wide, top];
  };
  const together = used.group ? "those that belong together" : "one class";
  const stripe = `rows; stripe: ${together}`;
  plane.span(
    { x: [0, 1], y: [-0.12, 1] },
    { up: ROUNDS_SAY, across: used.group || used.classes.length ? stripe : "rows" },
  );
  const lines = rounds.map((_, at) => [0, 1 - (at + 0.9) * high, 1, 1 - at * high]);
  const cells = (isSo) =>
    rounds.flatMap((times, round) =>
      rows.filter((row) => isSo(times[row])).map((row) => box(row, round)),
    );
  plane.draw([
    { shape: "bars", kind: "training", boxes: lines },
    { shape: "bars", kind: "tail", boxes: cells((times) => !times) },
    { shape: "bars", kind: "middle", boxes: cells((times) => times > 1) },
    ...striped(used, rows, wide),
  ]);
  const tests = roles.map((times) => times.filter((one) => !one).length);
  const ends = `${Math.min(...tests)} to ${Math.max(...tests)} of ${used.truth.length} rows`;
  plane.describe(`${scheme}: ${count(roles.length)} rounds; ${ends} test in a round`);
}

/** A stripe below: the rows of one group, or of one class, in the same shade. */
function striped({ group, classes, truth }, rows, wide) {
  if (!group && !classes.length) return [];
  const codes = rows.map((at) => (group ?? truth)[at]);
  let turn = 0;
  const turns = codes.map((code, at) => (turn += Number(at > 0 && code !== codes[at - 1])));
  return [0, 1].map((side) => ({
    shape: "bars",
    color: side ? "var(--quiet)" : "var(--ink)",
    boxes: rows
      .filter((at) => turns[at] % 2 === side)
      .map((at) => [at * wide, -0.11, (at + 1) * wide, -0.05]),
  }));
}

function drawSchemes(plane, { made, found, aside, same, isShare }) {
  const drawn = made.flatMap(({ tested, error, high }) => [...dotsOf(tested), error, high]);
  const most = Math.max(...drawn.filter(Number.isFinite), aside) * 1.04 || 1;
  plane.span({ x: [0, most], y: [0, SCHEMES.length] });
  const upright = (x, color) =>
    ({ shape: "line", color, dash: "5 4", points: [[x, 0], [x, SCHEMES.length]] });
  plane.draw([
    upright(aside, RED),
    upright(same, "var(--quiet)"),
    ...made.flatMap((one) => drawnRounds(one, one === found)),
  ]);
  const told = made.map(({ scheme, error }) => `${scheme} ${saidError(error, isShare)}`);
  const known = `rows kept aside ${saidError(aside, isShare)}`;
  const own = `training rows ${saidError(same, isShare)}`;
  plane.describe(`Estimates of the error: ${[...told, known, own].join(", ")}`);
}

/** The rounds that are drawn: many with one row each are right or wrong, and have no spread. */
const dotsOf = (tested) => (new Set(tested).size > 2 || tested.length <= 20 ? tested : []);

function drawnRounds({ scheme, tested, error, low, high }, isChosen) {
  const level = levelOf(SCHEMES.indexOf(scheme));
  const spread = (at) => level + 0.5 * (((at * 0.618034) % 1) - 0.5);
  const dots = dotsOf(tested).map((x, at) => [x, spread(at)]);
  const ends = [[low, level], [high, level]];
  return [
    { shape: "dots", kind: "faint", points: dots, r: 3, color: BLUE },
    ...(Number.isFinite(low + high) ? [{ shape: "segment", kind: "interval", ends }] : []),
    ...(isChosen ? [{ shape: "ring", at: [error, level], r: 9 }] : []),
    { shape: "dot", at: [error, level], r: 5, color: "var(--ink)" },
  ];
}

export const mount = lesson({ numbers, says, picture });
