// What next? A learning curve and a validation curve, both exact: least squares on some of 40
// features that are normal and independent, each telling less than the one before.

import { button, folding, html, press } from "../explorer/dom.js";
import { count, percent } from "../explorer/words.js";
import { points } from "./formula.js";
import { makePlane } from "./plane.js";
import { lesson } from "./shell.js";
import { below } from "./sums.js";
import { makeTable } from "./tables.js";

const [FEATURES, DECAY] = [40, 0.75];

/** The share of variance that a model of the first d features leaves, with rows without end. */
export const leftBy = (d, noise) =>
  noise + ((1 - noise) * (DECAY ** d - DECAY ** FEATURES)) / (1 - DECAY ** FEATURES);

/**
 * The expected R² on training and on new rows, as shares of the variance of the target: features
 * left out act as noise, and least squares on n normal rows errs by (n - 1) / (n - d - 1) of it.
 */
export function expectedOf(n, d, noise) {
  const left = leftBy(d, noise);
  return {
    left,
    train: 1 - left * Math.max(0, 1 - d / n),
    test: n > d + 1 ? 1 - (left * (n - 1)) / (n - d - 1) : -Infinity,
  };
}

const ALL = below(FEATURES).map((at) => at + 1);
const [FEWEST, MOST] = [45, 2000];

/** @param {{n: number, d: number, noise: number}} state */
export function numbers({ n, d, noise }) {
  const { left, train, test } = expectedOf(n, d, noise);
  const tests = ALL.map((one) => expectedOf(n, one, noise).test);
  const best = ALL[tests.indexOf(Math.max(...tests))];
  const to = (rows, features) => expectedOf(rows, features, noise).test;
  return {
    n, d, noise, left, train, test, best, tests,
    trains: ALL.map((one) => expectedOf(n, one, noise).train),
    rest: n - d - 1,
    fewer: n - 1,
    gap: train - test,
    double: to(2 * n, d),
    ten: to(10 * n, d),
    atBest: to(n, best),
    limit: 1 - noise,
    reach: 1 - left,
  };
}

function says({ n, d, train, test, gap }) {
  const [here, there] = [train, test].map((one) => percent(Math.max(0, one)));
  const model = `With ${count(n)} rows and ${d} features the model`;
  const fit = `${model} explains ${here} of the variance of`;
  const lost = test < 0 ? "nothing (less than their mean would)" : there;
  const wide = gap > 0.08 ? "The gap is wide" : "The gap is narrow";
  return `${fit} its training rows and ${lost} of new ones. ${wide}: ${points(gap)} points.`;
}

const [BLUE, RED] = ["var(--right)", "var(--positive)"];

/** The planes of both curves. */
function makePlanes() {
  const frame = {
    height: 208,
    y: [0.5, 1],
    ticksY: [0.5, 0.6, 0.7, 0.8, 0.9, 1],
    writeY: (at) => `${Math.round(100 * at)}%`,
    edges: { left: 48, right: 22, top: 36 },
  };
  const learning = makePlane({
    ...frame,
    x: [Math.log10(FEWEST), Math.log10(MOST)],
    across: "rows",
    up: "Learning curve: training rows (blue) and new rows (red)",
    ticksX: [50, 100, 200, 500, 1000, 2000].map(Math.log10),
    writeX: (at) => count(Math.round(10 ** at)),
  });
  const validation = makePlane({
    ...frame,
    x: [1, FEATURES],
    across: "features",
    up: "Validation curve: the same over the number of features",
    ticksX: [1, 10, 20, 30, 40],
  });
  return { learning, validation };
}

function picture(change) {
  const { learning, validation } = makePlanes();
  const rows = learning.handle({
    label: "Rows",
    along: "x",
    step: [0.05, 0],
    look: "line",
    move: (x) => change({ n: Math.round(Math.min(MOST, Math.max(FEWEST, 10 ** x))) }),
  });
  const features = validation.handle({
    label: "Features",
    along: "x",
    step: [1, 0],
    look: "line",
    move: (x) => change({ d: Math.round(Math.min(FEATURES, Math.max(1, x))) }),
  });
  return {
    node: html("div", {}, learning.node, validation.node),
    draw(now) {
      const sizes = below(61).map((at) => FEWEST * (MOST / FEWEST) ** (at / 60));
      const curve = sizes.map((n) => [Math.log10(n), expectedOf(n, now.d, now.noise)]);
      const line = (key) => curve.map(([x, one]) => [x, shown(one[key])]);
      drawCurves(learning, { ...now, at: Math.log10(now.n) }, line("train"), line("test"));
      const over = (values) => values.map((one, at) => [at + 1, shown(one)]);
      drawCurves(validation, { ...now, at: now.d }, over(now.trains), over(now.tests));
      rows.put(Math.log10(now.n), 0, count(now.n), [now.n, FEWEST, MOST]);
      features.put(now.d, 0, String(now.d), [now.d, 1, FEATURES]);
    },
  };
}

/** What is below the picture stands at its foot. */
const shown = (share) => Math.max(0.5, share);

function drawCurves(plane, { at, train, test }, trains, tests) {
  plane.draw([
    { shape: "line", color: BLUE, points: trains },
    { shape: "line", color: RED, points: tests },
    { shape: "dot", at: [at, shown(train)], color: BLUE, r: 5 },
    { shape: "dot", at: [at, shown(test)], color: RED, r: 5 },
  ]);
  const told = `${percent(train)} on training rows, ${percent(Math.max(0, test))} on new ones`;
  plane.describe(`Here ${told}`);
}

/** Four models that explain 80% of new rows; each needs something else. */
export const CASES = [
  { n: 45, d: 14, noise: 0.12 },
  { n: 1500, d: 7, noise: 0.075 },
  { n: 1500, d: 20, noise: 0.195 },
  { n: 68, d: 40, noise: 0.08 },
];

function beside(change) {
  const buttons = CASES.map((one, at) => button({}, () => change(one), `Case ${at + 1}`));
  const group = { class: "presets", role: "group", "aria-label": "Four models at 80%" };
  const table = makeTable(
    ["Variance of new rows explained", ""],
    ["now", "twice the rows", "ten times the rows", "the best number of features", "all but noise"],
  );
  const panel = html("div", {}, table.node);
  const fold = folding("Show what would help", panel);
  const row = html("div", group, ...buttons);
  return {
    node: html("div", {}, row, fold, panel),
    draw(now) {
      const isCase = (one) => one.n === now.n && one.d === now.d && one.noise === now.noise;
      press(buttons, (_, at) => isCase(CASES[at]));
      const { test, double, ten, atBest, best, limit } = now;
      const texts = [test, double, ten, atBest, limit].map((one) => percent(Math.max(0, one)));
      texts[3] += ` (${best})`;
      table.fill(texts);
    },
  };
}

export const mount = lesson({ numbers, says, picture, beside });
