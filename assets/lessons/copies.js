// Over- and under-sampling, inside and outside the folds: what cross-validation promises, and what
// the same model finds on new rows.

import { html } from "../explorer/dom.js";
import { count, percent } from "../explorer/words.js";
import { makePlane } from "./plane.js";
import { normals, uniforms } from "./random.js";
import { lesson } from "./shell.js";
import { below, mean, sum } from "./sums.js";
import { makeTable } from "./tables.js";

const [FOLDS, NEW, SHOWN] = [5, 400, 120];

/** So many sets of rows are averaged: a single one has few cases. */
const SETS = 12;

/** Rows with two features; those of the rare class lie `distance` to the right on average. */
export function rowsOf(seed, n, rare, distance) {
  const draw = normals(seed);
  return below(n).map((at) => {
    const label = Number(at < rare);
    return { id: at, label, x: draw() + distance * label, y: draw() };
  });
}

/** Rows with as many of either class: the rare ones copied, or some of the others left out. */
export function balanced(rows, way, draw) {
  const [others, rare] = [0, 1].map((label) => rows.filter((row) => row.label === label));
  if (way === "nothing" || !rare.length || !others.length) return rows;
  const pick = (from) => from[Math.floor(from.length * draw())];
  const [few, many] = rare.length < others.length ? [rare, others] : [others, rare];
  if (way === "copy rare rows") {
    return [...rows, ...below(many.length - few.length).map(() => pick(few))];
  }
  const left = [...many];
  while (left.length > few.length) left.splice(Math.floor(left.length * draw()), 1);
  return [...few, ...left];
}

/** A function that gives the label of the nearest training row; copies of a row are one place. */
export function nearestAmong(train) {
  const seen = new Set();
  const own = train.filter(({ id }) => !seen.has(id) && seen.add(id));
  const [xs, ys] = [own.map((row) => row.x), own.map((row) => row.y)];
  return ({ x, y }) => {
    let [found, least] = [0, Infinity];
    for (let at = 0; at < xs.length; at += 1) {
      const away = (xs[at] - x) ** 2 + (ys[at] - y) ** 2;
      if (away < least) [found, least] = [at, away];
    }
    return own[found]?.label ?? 0;
  };
}

/** Each class dealt to the folds in turn, in a random order. */
export function foldsOf(rows, draw) {
  const keys = rows.map(() => draw());
  const folds = rows.map(() => 0);
  for (const label of [0, 1]) {
    const places = below(rows.length).filter((at) => rows[at].label === label);
    places.sort((one, other) => keys[one] - keys[other]);
    places.forEach((at, place) => {
      folds[at] = place % FOLDS;
    });
  }
  return folds;
}

/** Recall and precision of answers; precision is NaN where nothing was flagged. */
function ratesOf(rows, called) {
  const hits = sum(rows.map(({ label }, at) => label * called[at]));
  const [positives, flagged] = [sum(rows.map(({ label }) => label)), sum(called)];
  return { hits, positives, flagged, recall: hits / positives, precision: hits / flagged };
}

/** The share of rows that train in the fold that they test. */
function twinsOf({ rows, folds, trains }) {
  const known = trains.map((train) => new Set(train.map(({ id }) => id)));
  return mean(rows.map((row, at) => Number(known[folds[at]].has(row.id))));
}

/** What cross-validation says, where rows are balanced before the split or in training folds. */
export function promised(rows, way, order, draw) {
  const all = order === "before" ? balanced(rows, way, draw) : rows;
  const folds = foldsOf(all, draw);
  const trains = below(FOLDS).map((fold) => {
    const train = all.filter((_, at) => folds[at] !== fold);
    return order === "before" ? train : balanced(train, way, draw);
  });
  const answers = trains.map(nearestAmong);
  const called = all.map((row, at) => answers[folds[at]](row));
  return { rows: all, folds, trains, called, ...ratesOf(all, called) };
}

/** One set of rows: what the folds promise in both orders, and what new rows give. */
function tried({ rare, distance, way, seed }) {
  const rows = rowsOf(seed, SHOWN, rare, distance);
  // Each begins with the same draws, so that rows that are not copied meet in the same folds.
  const draw = () => uniforms(seed + 9000);
  const [before, inside] = ["before", "inside"].map((order) =>
    promised(rows, way, order, draw()),
  );
  const train = balanced(rows, way, draw());
  const fresh = rowsOf(seed + 5000, NEW, Math.round((NEW * rare) / SHOWN), distance);
  const real = ratesOf(fresh, fresh.map(nearestAmong(train)));
  return { rows, before, inside, real };
}

const kept = { key: "", found: null };

/** The rates of many sets of rows, their counts added up. */
function averagesOf({ rare, distance, way }) {
  const key = [rare, distance, way].join();
  if (kept.key === key) return kept.found;
  const sets = below(SETS).map((at) => tried({ rare, distance, way, seed: 2000 + at }));
  const pooled = (name) => {
    const all = (of) => sum(sets.map((one) => one[name][of]));
    return { recall: all("hits") / all("positives"), precision: all("hits") / all("flagged") };
  };
  const found = { before: pooled("before"), inside: pooled("inside"), real: pooled("real") };
  Object.assign(kept, { key, found });
  return found;
}

/** @param {{rare: number, distance: number, way: string, order: string, seed: number}} state */
export function numbers(state) {
  const { before, inside, real, rows } = tried(state);
  const { way, order } = state;
  const found = order === "before" ? before : inside;
  const averages = averagesOf(state);
  return {
    rows, found, real, way, order, averages,
    hits: found.hits,
    positives: found.positives,
    flagged: found.flagged,
    recall: found.recall,
    precision: found.precision,
    twins: twinsOf(found),
    realHits: real.hits,
    realPositives: real.positives,
    realFlagged: real.flagged,
    realRecall: real.recall,
    realPrecision: real.precision,
    promise: averages[order].recall,
    truth: averages.real.recall,
    gap: averages[order].recall - averages.real.recall,
  };
}

function says({ recall, precision, realRecall, realPrecision, gap, twins, way, order }) {
  const [r, p, rr, rp] = [recall, precision, realRecall, realPrecision].map(percent);
  const promise = `On this one set the folds promise a recall of ${r}, a precision of ${p}`;
  const real = `${count(NEW)} new rows give ${rr} and ${rp}`;
  const off = Math.abs(100 * gap).toFixed(0);
  const points = off === "0" ? "right" : `${off} points too ${gap > 0 ? "high" : "low"}`;
  const mean = `Over ${SETS} sets the recall is ${points}`;
  const copies = `${percent(twins)} of the test rows are training rows too`;
  const rate = "Test folds have more cases than new rows, so their precision differs";
  const fair = "No test row is a training row; test folds keep the true share of cases";
  const isChanged = order === "before" && way !== "nothing";
  return `${promise}; ${real}. ${mean}. ${twins ? copies : isChanged ? rate : fair}.`;
}

const [CASE, OTHER] = ["var(--positive)", "var(--negative)"];

function picture() {
  const plane = makePlane({
    height: 390,
    x: [-3.2, 5],
    y: [-3.4, 3.4],
    across: "first feature",
    up: "Ringed: first test fold. Red: rare rows, larger with copies",
    ticksX: [],
    ticksY: [],
    edges: { left: 12, right: 12, bottom: 24 },
  });
  return {
    node: html("div", {}, plane.node),
    draw({ found }) {
      plane.draw(shapesOf(found));
      const rare = `${count(found.positives)} of the rare class`;
      plane.describe(`${count(found.rows.length)} rows, ${rare}`);
    },
  };
}

/** A dot for each row, whatever its copies; those that test in the first fold lie above. */
function shapesOf({ rows, folds }) {
  const copies = new Map();
  rows.forEach(({ id }, at) => {
    const { many = 0, isTested = false } = copies.get(id) ?? {};
    copies.set(id, { many: many + 1, isTested: isTested || folds[at] === 0 });
  });
  const shapes = [[], []];
  for (const { id, x, y, label } of new Map(rows.map((row) => [row.id, row])).values()) {
    const { many, isTested } = copies.get(id);
    const r = 3 + 1.4 * Math.sqrt(many - 1);
    if (isTested) shapes[1].push({ shape: "ring", at: [x, y], r: r + 3 });
    shapes[Number(isTested)].push({ shape: "dot", at: [x, y], r, color: label ? CASE : OTHER });
  }
  return shapes.flat();
}

/** Both orders and new rows, averaged. */
function beside() {
  const table = makeTable(
    [`Averages of ${SETS} sets of rows`, "recall; precision"],
    ["Folds, balanced before the split", "Folds, balanced inside", "New rows"],
  );
  return {
    node: table.node,
    draw: ({ averages }) =>
      table.fill(
        ["before", "inside", "real"].map((name) => {
          const { recall, precision } = averages[name];
          return `${percent(recall)}; ${percent(precision)}`;
        }),
      ),
  };
}

export const mount = lesson({ numbers, says, picture, beside });
