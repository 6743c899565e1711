// Train, dev and test: the best of several models on the dev rows, and what it is worth on the test
// rows. How much too good the winner looks is worked out exactly.

import { html } from "../explorer/dom.js";
import { count, percent } from "../explorer/words.js";
import { binomialPmf, normalQuantile } from "./distributions.js";
import { points } from "./formula.js";
import { makePlane } from "./plane.js";
import { uniforms } from "./random.js";
import { lesson } from "./shell.js";
import { below, sum } from "./sums.js";

/** True accuracies: evenly spaced quantiles of a normal distribution, the best one first. */
export function truthsOf({ models, accuracy, spread }) {
  return below(models).map((at) => {
    const z = models > 1 ? -normalQuantile((at + 0.5) / models) : 0;
    return Math.min(0.995, Math.max(0.005, accuracy + spread * z));
  });
}

/** How many of n rows a model gets right: the probability of each count, and of at most it. */
export function countsOf(n, p) {
  const mode = Math.min(n, Math.floor((n + 1) * p));
  const chances = new Float64Array(n + 1);
  chances[mode] = binomialPmf(mode, n, p);
  // Outwards from the mode, each probability from its neighbour, until they are negligible.
  for (let k = mode; k < n && chances[k] > 1e-18; k += 1) {
    chances[k + 1] = (chances[k] * (n - k) * p) / ((k + 1) * (1 - p));
  }
  for (let k = mode; k > 0 && chances[k] > 1e-18; k -= 1) {
    chances[k - 1] = (chances[k] * k * (1 - p)) / ((n - k + 1) * p);
  }
  const upTo = new Float64Array(n + 1);
  let all = 0;
  for (let k = 0; k <= n; k += 1) {
    all += chances[k];
    upTo[k] = Math.min(1, all);
  }
  return { chances, upTo };
}

/** What to expect of the best of independent models on n dev rows; the first of equals is taken. */
export function expectedOf(truths, n) {
  const models = truths.map((p) => countsOf(n, p));
  const below1 = ({ upTo }, k) => (k ? upTo[k - 1] : 0);
  const best = new Float64Array(n + 1);
  let [dev, test] = [0, 0];
  for (let k = 0; k <= n; k += 1) {
    // The first of equals wins: models before it have fewer right, those after it at most as many.
    const after = new Float64Array(models.length + 1).fill(1);
    for (let at = models.length - 1; at >= 0; at -= 1) {
      after[at] = after[at + 1] * models[at].upTo[k];
    }
    if (!after[0]) continue;
    let before = 1;
    models.forEach((one, at) => {
      const chance = before * one.chances[k] * after[at + 1];
      best[k] += chance;
      test += chance * truths[at];
      before *= below1(one, k);
    });
    dev += (best[k] * k) / n;
  }
  return { best, dev, test };
}

const kept = { key: "", found: null };

/** The same, worked out once for each state that matters to it. */
function keptExpected({ models, accuracy, spread, dev }) {
  const key = [models, accuracy, spread, dev].join(" ");
  if (kept.key !== key) {
    const truths = truthsOf({ models, accuracy, spread });
    Object.assign(kept, { key, found: { truths, ...expectedOf(truths, dev) } });
  }
  return kept.found;
}

/** Rows right of n, drawn. */
const drawnOf = (draw, n, p) => sum(below(n).map(() => Number(draw() < p)));

/** @param {{models: number, accuracy: number, spread: number, dev: number, test: number}} state */
export function numbers(state) {
  const { models, dev, test, seed } = state;
  const { truths, best, dev: expectedDev, test: expectedTest } = keptExpected(state);
  const draw = uniforms(seed);
  const rights = truths.map((p) => drawnOf(draw, dev, p));
  const chosen = rights.indexOf(Math.max(...rights));
  const p = truths[chosen];
  const right = drawnOf(draw, test, p);
  return {
    models, truths, best, expectedDev, expectedTest, dev, test, chosen, right,
    shares: rights.map((one) => one / dev),
    devShare: rights[chosen] / dev,
    testShare: right / test,
    devRight: rights[chosen],
    truth: p,
    top: truths[0],
    curse: expectedDev - expectedTest,
    halfTest: 1.96 * Math.sqrt((p * (1 - p)) / test),
  };
}

function says({ models, devShare, testShare, curse, truth, halfTest }) {
  const [here, there] = [devShare, testShare].map(percent);
  const one = `The model is right for ${here} of the dev rows and ${there} of the test rows`;
  const many = `The best of ${models} models is right for ${here} of the dev rows`;
  const found = models === 1 ? one : `${many}, and for ${there} of the test rows`;
  const truly = `its true accuracy is ${percent(truth)}`;
  const average = `On average the dev rows promise ${points(curse)} points too much`;
  const near = `within ±${points(halfTest)} points of the truth 95 times in 100`;
  return `${found}; ${truly}. ${average}; test rows are ${near}.`;
}

const [BLUE, RED] = ["var(--right)", "var(--positive)"];

function picture() {
  const plane = makePlane({
    height: 390,
    x: [0.5, 1],
    y: [0, 1],
    across: "accuracy",
    up: "Blue: on dev rows. Red: winner on test rows. Bars: all winners",
    ticksY: [],
    writeX: (at) => `${Math.round(1000 * at) / 10}%`,
    edges: { left: 14, right: 18 },
  });
  return {
    node: html("div", {}, plane.node),
    draw: (now) => drawModels(plane, now),
  };
}

/** Bars stand below, models above them. */
const FLOOR = 0.36;

function drawModels(plane, now) {
  const { truths, shares, chosen, testShare, truth, best, expectedDev, models, dev } = now;
  const most = Math.max(...best);
  const likely = below(dev + 1).filter((k) => best[k] > most / 1000).map((k) => k / dev);
  const all = [...truths, ...shares, testShare, ...likely];
  const [low, high] = [Math.min(...all) - 0.02, Math.min(1.01, Math.max(...all) + 0.02)];
  plane.span({ x: [low, high], y: [0, 1] });
  const level = (at) => FLOOR + 0.08 + ((models - at) / (models + 1)) * (0.94 - FLOOR);
  const upright = (x, kind) => ({ shape: "segment", kind, ends: [[x, 0], [x, FLOOR + 0.03]] });
  const r = models > 25 ? 2.5 : 4.5;
  plane.draw([
    ...likely.map((x) => ({
      shape: "bar",
      kind: "middle",
      box: [x - 0.42 / dev, 0, x + 0.42 / dev, (FLOOR * best[Math.round(x * dev)]) / most],
    })),
    upright(expectedDev, "interval"),
    ...truths.flatMap((p, at) => [
      { shape: "segment", kind: "residual", ends: [[p, level(at)], [shares[at], level(at)]] },
      { shape: "dot", at: [p, level(at)], r: r / 2, color: "var(--ink)" },
      { shape: "dot", at: [shares[at], level(at)], r, color: BLUE },
    ]),
    { shape: "ring", at: [shares[chosen], level(chosen)], r: 8 },
    { shape: "dot", at: [shares[chosen], level(chosen)], r: 5, color: BLUE },
    { shape: "dot", at: [testShare, level(chosen)], r: 6, color: RED },
  ]);
  const told = `the winner has ${percent(shares[chosen])} on dev, ${percent(testShare)} on test`;
  plane.describe(`${count(models)} models; ${told} rows, and a true accuracy of ${percent(truth)}`);
}

export const mount = lesson({ numbers, says, picture });
