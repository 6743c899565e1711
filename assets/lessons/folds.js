// Cross-validation: which row tests when, and how far the estimate moves with deal and rows.

import { button, html } from "../explorer/dom.js";
import { percent } from "../explorer/words.js";
import { normalCdf } from "./distributions.js";
import { makePlane } from "./plane.js";
import { dealt, nextSeed, normals, uniforms } from "./random.js";
import { lesson } from "./shell.js";
import { below, deviation, mean, sum } from "./sums.js";
import { makeTable } from "./tables.js";

/** How often the same rows are dealt, and how many other sets of rows are drawn. */
const [DEALS, SETS] = [200, 200];
const ALONE = "n";
const FOLDS = ["2", "5", "10", ALONE];

/** Rows of two classes in turn; the values of class 1 lie `distance` higher on average. */
export function rowsOf(seed, n, distance) {
  const draw = normals(seed);
  return below(n).map((at) => ({ label: at % 2, value: distance * (at % 2) + draw() }));
}

/** The fold of each row, dealt at random; sizes differ by one at most. */
export function foldsOf(seed, n, k) {
  const folds = below(n);
  orderOf(seed, n).forEach((row, place) => {
    folds[row] = place % k;
  });
  return folds;
}

const orders = new Map();

/** So many rows in an order drawn by a seed, which is kept: each is asked for again and again. */
function orderOf(seed, n) {
  const key = 1000 * seed + n;
  if (orders.size > 20_000) orders.clear();
  if (!orders.has(key)) orders.set(key, dealt(uniforms(seed + 3000), n, n));
  return orders.get(key);
}

/** Sums of both classes: how many rows, and their values; one of these for each group of rows. */
function tallies(rows, groupOf, groups) {
  const found = below(groups).map(() => ({ many: [0, 0], total: [0, 0] }));
  rows.forEach(({ label, value }, at) => {
    const { many, total } = found[groupOf(at)];
    many[label] += 1;
    total[label] += value;
  });
  return found;
}

const tally = (rows) => tallies(rows, () => 0, 1)[0];

/**
 * What the model of all rows but a part calls a value: the class whose training mean is nearer, the
 * only class where there is but one. It is asked a hundred thousand times, so it makes no lists.
 */
function called(all, part, value) {
  const zeros = all.many[0] - part.many[0];
  const ones = all.many[1] - part.many[1];
  if (!zeros || !ones) return zeros ? 0 : 1;
  const zero = Math.abs(value - (all.total[0] - part.total[0]) / zeros);
  const one = Math.abs(value - (all.total[1] - part.total[1]) / ones);
  return one < zero ? 1 : 0;
}

/** Which rows are called right by the model that is trained without their fold. */
export function validated(rows, folds, k) {
  const all = tally(rows);
  const parts = tallies(rows, (at) => folds[at], k);
  return rows.map(({ label, value }, at) => Number(called(all, parts[folds[at]], value) === label));
}

/** The true accuracy of the model that is trained on these rows; classes are equally frequent. */
export function truthOf(rows, distance) {
  const { many, total } = tally(rows);
  const [zero, one] = [0, 1].map((label) => total[label] / many[label]);
  const border = (zero + one) / 2;
  const right = (normalCdf(border) + 1 - normalCdf(border - distance)) / 2;
  return one > zero ? right : 1 - right;
}

const kept = { key: "", spreads: [] };

/** For each number of folds: estimates of many deals of these rows, and of many sets of rows. */
function spreadsOf(seed, n, distance) {
  const key = [seed, n, distance].join(" ");
  if (kept.key === key) return kept.spreads;
  const sets = below(SETS).map((at) => rowsOf(10_000 + at, n, distance));
  const truth = mean(sets.map((rows) => truthOf(rows, distance)));
  const here = rowsOf(seed, n, distance);
  const spreads = FOLDS.map((name) => {
    const k = kOf(name, n);
    const estimate = (rows, at) => mean(validated(rows, foldsOf(at, n, k), k));
    const deals = below(k === n ? 1 : DEALS).map((at) => estimate(here, at + 1));
    return { name, k, truth, deals, sets: sets.map((rows, at) => estimate(rows, at + 1)) };
  });
  Object.assign(kept, { key, spreads });
  return spreads;
}

const kOf = (name, n) => (name === ALONE ? n : Number(name));

/** @param {{n: number, folds: string, distance: number, seed: number, deal: number}} state */
export function numbers({ n, folds: name, distance, seed, deal }) {
  const k = kOf(name, n);
  const rows = rowsOf(seed, n, distance);
  const folds = foldsOf(deal, n, k);
  const rights = validated(rows, folds, k);
  const spreads = spreadsOf(seed, n, distance);
  const { deals, sets, truth } = spreads.find((one) => one.name === name);
  const perFold = below(k).map((fold) => mean(rights.filter((_, at) => folds[at] === fold)));
  return {
    n, k, name, rows, folds, rights, spreads, perFold,
    right: sum(rights),
    estimate: mean(rights),
    truth: truthOf(rows, distance),
    train: n - Math.floor(n / k),
    lowDeal: Math.min(...deals),
    highDeal: Math.max(...deals),
    sdDeals: deals.length > 1 ? deviation(deals) : 0,
    sdSets: deviation(sets),
    meanSets: mean(sets),
    meanTruth: truth,
    bias: mean(sets) - truth,
    alone: k === n,
  };
}

function says({ n, k, right, estimate, truth, lowDeal, highDeal, alone, train }) {
  const models = `${k} models, each trained on ${train === n - 1 ? n - 1 : `about ${train}`} rows`;
  const found = `call ${right} of ${n} rows right: ${percent(estimate)}`;
  const ends = `${percent(lowDeal)} to ${percent(highDeal)}`;
  const again = `Put into folds ${DEALS} times, the same rows give ${ends}`;
  const deal = alone ? "There is only one way to deal, so nothing changes with it" : again;
  const known = `In truth, a model trained on all rows is right for ${percent(truth)}`;
  return `${models}, ${found}. ${deal}. ${known}.`;
}

const RED = "var(--positive)";

function picture() {
  const grid = makePlane({
    height: 210,
    x: [0, 1],
    y: [0, 1],
    across: "rows",
    up: "A line for each model: grey trains, blue is right, red wrong",
    ticksX: [],
    ticksY: [],
    edges: { left: 12, right: 12, bottom: 22 },
  });
  const spread = makePlane({
    height: 190,
    x: [0, 4],
    y: [0, 1],
    up: "95% of estimates: same rows dealt again (blue), other rows (black)",
    ticksX: [0.5, 1.5, 2.5, 3.5],
    writeX: (at) => ["2 folds", "5 folds", "10 folds", "n folds"][at - 0.5],
    writeY: (at) => `${Math.round(100 * at)}%`,
    edges: { left: 46, bottom: 24 },
  });
  return {
    node: html("div", {}, grid.node, spread.node),
    draw(now) {
      drawGrid(grid, now);
      drawSpread(spread, now);
    },
  };
}

/** Rows that test together stand side by side, so that leave-one-out is a diagonal. */
function drawGrid(plane, { n, k, folds, rights, perFold }) {
  const gap = k > 20 ? 0 : 0.12;
  const order = below(n).sort((one, other) => folds[one] - folds[other] || one - other);
  const level = (fold) => [1 - (fold + 1 - gap) / k, 1 - (fold + gap) / k];
  const cells = order.map((row, at) => {
    const [low, high] = level(folds[row]);
    const box = [(at + 0.06) / n, low, (at + 0.94) / n, high];
    return { shape: "bar", kind: rights[row] ? "middle" : "tail", box };
  });
  const lines = below(k).map((fold) => {
    const [low, high] = level(fold);
    return { shape: "bar", kind: "training", box: [0, low, 1, high] };
  });
  plane.draw([...lines, ...cells]);
  plane.describe(`${k} models; accuracy of each fold: ${perFold.map(percent).join(", ")}`);
}

/** The middle 95% of values. */
function middle(values) {
  const ordered = [...values].sort((one, other) => one - other);
  const at = (share) => ordered[Math.round(share * (ordered.length - 1))];
  return [at(0.025), at(0.975)];
}

function drawSpread(plane, { spreads, name, estimate, truth }) {
  const bars = spreads.map((one) => ({ ...one, ends: middle(one.sets), own: middle(one.deals) }));
  const low = Math.min(...bars.map(({ ends }) => ends[0]));
  plane.span({ x: [0, 4], y: [Math.max(0, low - 0.03), 1.02] });
  const shapes = bars.flatMap(({ ends, own, sets }, at) => [
    { shape: "segment", kind: "residual", ends: [[at + 0.6, ends[0]], [at + 0.6, ends[1]]] },
    { shape: "dot", at: [at + 0.6, mean(sets)], r: 3.5, color: "var(--ink)" },
    { shape: "bar", kind: "middle", box: [at + 0.36, own[0] - 0.003, at + 0.46, own[1] + 0.003] },
  ]);
  const here = FOLDS.indexOf(name);
  plane.draw([
    { shape: "segment", ends: [[0, truth], [4, truth]] },
    { shape: "note", at: [4, truth], text: "in truth", anchor: "end", dx: -4, dy: -5 },
    ...shapes,
    { shape: "dot", at: [here + 0.41, estimate], r: 6, color: RED },
  ]);
  const told = bars.map((one) => `${one.k} folds: ${one.ends.map(percent).join(" to ")}`);
  plane.describe(`Estimates on other rows, middle 95%: ${told.join("; ")}`);
}

/** A button that deals the same rows again, and mean and spread for each number of folds. */
function beside(change) {
  let state = null;
  const again = button({}, () => change({ deal: nextSeed(state.deal, 999) }), "Deal again");
  const note = html("p", { class: "note" }, "The same rows, other folds.");
  const table = makeTable(["folds", "mean; spread by deal, by rows"], FOLDS);
  return {
    node: html("div", {}, html("div", { class: "aside" }, again, note), table.node),
    draw({ spreads }, next) {
      state = next;
      table.fill(
        spreads.map(({ deals, sets }) => {
          const dealt = deals.length > 1 ? deviation(deals) : 0;
          const [average, ...both] = [mean(sets), dealt, deviation(sets)].map(percent);
          return `${average}; ${both.join(", ")}`;
        }),
      );
    },
  };
}

export const mount = lesson({ numbers, says, picture, beside });
