// Over-fitting: the error on training rows and on others, by the number of training rows and by how
// complex the model is.

import { html } from "../explorer/dom.js";
import { count } from "../explorer/words.js";
import { makePlane } from "./plane.js";
import { dealt, uniforms } from "./random.js";
import { dealtApart, refused, roundsOf, saidError } from "./schemes.js";
import { lesson } from "./shell.js";
import { below, mean } from "./sums.js";
import { MOST, lossOf, taken, trained } from "./training.js";

/** Rows to train on, draws of them, how many sizes there are, and folds. */
const [FEW, DRAWS, SIZES, FOLDS] = [100, 15, 6, 10];
const FEWEST = 10;

/** More rows aside would tell the same, later. */
const ASIDE = 150;

const DIALS = below(MOST).map((at) => at + 1);

/** The mean loss of a model on rows at each of its dials. */
function meansOf(model, rows) {
  const totals = new Float64Array(MOST);
  rows.features.forEach((one, at) => {
    const said = model(one);
    const truth = rows.truth[at];
    for (let dial = 0; dial < MOST; dial += 1) totals[dial] += lossOf(rows, truth, said[dial]);
  });
  return totals.map((one) => one / rows.truth.length);
}

/** The mean over rounds, dial by dial. */
const averaged = (rounds) => DIALS.map((_, at) => mean(rounds.map((one) => one[at])));

/** Numbers of training rows, evenly spaced. */
const sizesOf = (n) =>
  below(SIZES).map((at) =>
    Math.round(FEWEST + (at / (SIZES - 1)) * Math.max(0, 0.8 * n - FEWEST)),
  );

/** Errors at each number of training rows, over draws of these; a list over dials for each. */
function learning(kind, used, aside, seed) {
  const draw = uniforms(seed + 500);
  const n = used.truth.length;
  const orders = below(DRAWS).map(() => dealt(draw, n, n));
  // Each draw is judged by a third of the other rows, so that all have their turn.
  const thirds = below(3).map((third) =>
    taken(aside, below(aside.truth.length).filter((at) => at % 3 === third)),
  );
  return sizesOf(n).map((size) => {
    const rounds = orders.map((order, turn) => {
      const places = order.slice(0, size);
      const times = new Uint8Array(n);
      for (const at of places) times[at] = 1;
      const model = trained(kind, used, times);
      return [meansOf(model, taken(used, places)), meansOf(model, thirds[turn % 3])];
    });
    const [train, test] = [0, 1].map((side) => averaged(rounds.map((one) => one[side])));
    return { size, train, test };
  });
}

/** Errors over ten folds, a list over dials each; rows that belong together stay in one fold. */
function validation(kind, used, seed) {
  const scheme = refused("group k-fold", used, FOLDS) ? "k-fold" : "group k-fold";
  const rounds = roundsOf(scheme, used, FOLDS, seed).map((times) => {
    const model = trained(kind, used, times);
    const side = (role) => taken(used, below(times.length).filter((at) => times[at] === role));
    return [meansOf(model, side(1)), meansOf(model, side(0))];
  });
  const [train, test] = [0, 1].map((side) => averaged(rounds.map((one) => one[side])));
  return { train, test };
}

/** Those of a few states: what is to be noticed has some of its own. */
const kept = new Map();

/** All that does not change with the dial. */
function knownOf({ rows, model, seed }, data) {
  const key = [rows, model, seed].join();
  if (kept.has(key)) return kept.get(key);
  const { used, aside: rest } = dealtApart(data[rows], seed, FEW);
  const each = Math.max(1, Math.floor(rest.truth.length / ASIDE));
  const spread = below(rest.truth.length).filter((at) => at % each === 0);
  const aside = taken(rest, spread.slice(0, ASIDE));
  const whole = trained(model, used);
  const found = {
    used, aside,
    sames: meansOf(whole, used),
    asides: meansOf(whole, aside),
    sizes: learning(model, used, aside, seed),
    folds: validation(model, used, seed),
  };
  if (kept.size > 20) kept.clear();
  kept.set(key, found);
  return found;
}

/** @param {{rows: string, model: string, dial: number, seed: number}} state */
export function numbers(state, _, data) {
  const { used, aside, sames, asides, sizes, folds } = knownOf(state, data);
  const at = state.dial - 1;
  const [fewest, most] = [sizes[0], sizes.at(-1)];
  return {
    ...state, sizes, folds,
    few: fewest.size,
    many: most.size,
    gapFew: fewest.test[at] - fewest.train[at],
    gapMany: most.test[at] - most.train[at],
    isShare: used.classes.length > 0,
    n: used.truth.length,
    rest: aside.truth.length,
    best: folds.test.indexOf(Math.min(...folds.test)) + 1,
    same: sames[at],
    aside: asides[at],
    gap: asides[at] - sames[at],
  };
}

const nameOf = (model, dial) =>
  model === "decision tree"
    ? `A decision tree of depth ${dial}`
    : `A model of ${dial} nearest neighbour${dial > 1 ? "s" : ""}`;

function says({ model, dial, same, aside, n, rest, isShare, best }) {
  const [here, there] = [same, aside].map((one) => saidError(one, isShare));
  const verb = isShare ? "is wrong for" : "is off by";
  const on = `its ${count(n)} training rows, and`;
  const found = isShare
    ? `${verb} ${here} of ${on} for ${there} of ${count(rest)} new ones`
    : `${verb} ${here} on average on ${on} by ${there} on ${count(rest)} new ones`;
  const word = model === "decision tree" ? "depth" : "number of neighbours";
  return `${nameOf(model, dial)} ${found}. Over ten folds the best ${word} is ${best}.`;
}

const [BLUE, RED] = ["var(--right)", "var(--positive)"];

function picture(change) {
  const frame = { height: 196, y: [0, 1], edges: { left: 42, right: 20 } };
  const byRows = makePlane({ ...frame, x: [0, 1], across: "training rows" });
  const byDial = makePlane({
    ...frame,
    height: 212,
    x: DIAL_ENDS,
    across: "depth, or neighbours",
    up: "The same over ten folds, by depth or neighbours",
    ticksX: [1, 5, 10, 15, 20],
    edges: { ...frame.edges, top: 36 },
  });
  const handle = byDial.handle({
    label: "Depth or neighbours",
    along: "x",
    step: [1, 0],
    look: "line",
    move: (x) => change({ dial: Math.round(Math.min(MOST, Math.max(1, x))) }),
  });
  return {
    node: html("div", {}, byRows.node, byDial.node),
    draw(now) {
      drawByRows(byRows, now);
      drawByDial(byDial, now);
      handle.put(now.dial, 0, String(now.dial), [now.dial, 1, MOST]);
    },
  };
}

const DIAL_ENDS = [0.5, MOST + 0.5];

function drawByRows(plane, { sizes, dial, n, isShare }) {
  const [train, test] = ["train", "test"].map((side) =>
    sizes.map((one) => [one.size, one[side][dial - 1]]),
  );
  const up = isShare ? "Share of errors:" : "Mean absolute error:";
  const words = { across: "training rows", up: `${up} training rows (blue), new rows (red)` };
  drawCurves(plane, train, test, { x: [0, n], words });
  const ends = [sizes[0], sizes.at(-1)].map((one) => {
    const said = [one.train, one.test].map((side) => saidError(side[dial - 1], isShare));
    return `with ${one.size} training rows ${said[0]} on these, ${said[1]} on new rows`;
  });
  plane.describe(`Errors: ${ends.join("; ")}`);
}

function drawByDial(plane, { folds, dial, best, isShare }) {
  const [train, test] = [folds.train, folds.test].map((side) =>
    side.map((error, at) => [at + 1, error]),
  );
  drawCurves(plane, train, test, { x: DIAL_ENDS });
  const least = `${saidError(folds.test[best - 1], isShare)} at ${best}`;
  const here = `${saidError(folds.test[dial - 1], isShare)} at ${dial}`;
  plane.describe(`Errors on rows that the folds left out: ${here}; the least is ${least}`);
}

/** Two lines from 0 up, with dots. */
function drawCurves(plane, train, test, { x, words }) {
  const most = Math.max(...[...train, ...test].map(([, error]) => error));
  plane.span({ x, y: [0, most * 1.08 || 1] }, words);
  const dots = (points, color) => points.map((at) => ({ shape: "dot", at, r: 3, color }));
  plane.draw([
    { shape: "line", color: BLUE, points: train },
    { shape: "line", color: RED, points: test },
    ...dots(train, BLUE),
    ...dots(test, RED),
  ]);
}

export const mount = lesson({ numbers, says, picture });
