// Two normal densities: scores of negatives and of positives, and a threshold between them.

import { html } from "../explorer/dom.js";
import { percent } from "../explorer/words.js";
import { normalCdf, normalDensity } from "./distributions.js";
import { expected, makeExpected } from "./expected.js";
import { makePlane, sampled } from "./plane.js";
import { lesson } from "./shell.js";

/** Rows that are judged: expected counts, so that nothing here is drawn at random. */
const ROWS = 1000;

/** Points of a curve, and how far beyond the means it goes, in standard deviations. */
const [POINTS, FAR] = [160, 4.5];

/**
 * Scores of negatives are normal with mean 0 and deviation 1, those of positives with mean
 * `distance` and deviation `spread`; a row is flagged where its score is above the threshold.
 * @param {{distance: number, spread: number, prevalence: number, threshold: number}} state
 */
export function numbers({ distance, spread, prevalence, threshold }) {
  const tpr = 1 - normalCdf((threshold - distance) / spread);
  const fpr = 1 - normalCdf(threshold);
  const [positives, negatives] = [ROWS * prevalence, ROWS * (1 - prevalence)];
  const [tp, fp] = [positives * tpr, negatives * fpr];
  const [fn, tn] = [positives - tp, negatives - fp];
  return {
    distance, spread, prevalence, threshold, tpr, fpr, tp, fp, fn, tn,
    precision: tp / (tp + fp),
    accuracy: (tp + tn) / ROWS,
    always: Math.max(prevalence, 1 - prevalence),
    rest: 1 - prevalence,
    alarms: fp / tp,
    auc: normalCdf(distance / Math.sqrt(1 + spread ** 2)),
    // The deviation of the difference between a positive and a negative score.
    apart: Math.sqrt(1 + spread ** 2),
  };
}

/** The corners of both curves, from the highest threshold down. */
export function curves(state) {
  const { distance, spread } = state;
  const high = Math.max(FAR, distance + FAR * spread);
  const low = Math.min(-FAR, distance - FAR * spread);
  const all = Array.from({ length: POINTS + 1 }, (_, at) =>
    numbers({ ...state, threshold: high - (at / POINTS) * (high - low) }),
  );
  return {
    roc: all.map(({ fpr, tpr }) => [fpr, tpr]),
    pr: all
      .filter(({ precision }) => !Number.isNaN(precision))
      .map(({ tpr, precision }) => [tpr, precision]),
  };
}

function says({ tp, fp, fn, precision, tpr, fpr, always, accuracy }, _, show) {
  const flagged = tp + fp;
  const found = `finds ${percent(tpr)} of the positives (misses ${expected(fn)})`;
  if (!(flagged >= 0.05)) return "The threshold flags almost nothing: precision is not meaningful.";
  const right = `of ${expected(flagged)} rows flagged ${percent(precision)} are positive`;
  if (show.has("rare")) {
    const alone = `the false positive rate, ${percent(fpr)}, does not say that`;
    return `The threshold ${found}; ${right}: ${alone}.`;
  }
  const both = `The threshold ${found} and flags ${percent(fpr)} of the negatives; ${right}.`;
  const guess = `always giving the larger class would reach ${percent(always)}`;
  return `${both} Accuracy is ${percent(accuracy)}; ${guess}.`;
}

const [POSITIVE, NEGATIVE] = ["var(--positive)", "var(--negative)"];

function picture(change, show) {
  const density = makePlane({
    height: 190,
    x: [-4, 6],
    y: [0, 0.45],
    across: "score",
    up: "Rows with this score",
    ticksY: [],
    edges: { left: 12 },
  });
  const handle = density.handle({
    label: "Threshold",
    along: "x",
    step: [0.05, 0],
    look: "line",
    move: (x) => change({ threshold: Number(Math.min(6, Math.max(-4, x)).toFixed(2)) }),
  });
  const squares = [
    show.has("roc") && makeCurve("False positive rate", "True positive rate (recall)", "roc"),
    show.has("pr") && makeCurve("Recall", "Precision", "pr"),
  ].filter(Boolean);
  const drawings = squares.map(({ plane }) => plane.node);
  const pair = html("div", { class: `pair of-${squares.length}` }, ...drawings);
  return {
    node: html("div", {}, density.node, pair),
    draw(now, state) {
      drawDensities(density, now);
      handle.put(now.threshold, 0, `${now.threshold}`, [now.threshold, -4, 6]);
      const drawn = curves(state);
      for (const square of squares) drawCurve(square, drawn[square.of], now);
    },
  };
}

function drawDensities(plane, { distance, spread, prevalence, threshold }) {
  // Each is as high as its class is frequent: areas are shares of all rows.
  const negative = (x) => (1 - prevalence) * normalDensity(x);
  const positive = (x) => (prevalence * normalDensity((x - distance) / spread)) / spread;
  const top = Math.max(negative(0), positive(distance)) * 1.18;
  plane.span({ x: [-4, 6], y: [0, top] });
  const under = (of, low, high) =>
    low < high ? [[low, 0], ...sampled(of, low, high, 90), [high, 0]] : [];
  plane.draw([
    { shape: "area", kind: "pale", color: NEGATIVE, points: under(negative, -4, 6) },
    { shape: "area", kind: "pale", color: POSITIVE, points: under(positive, -4, 6) },
    { shape: "area", kind: "full", color: NEGATIVE, points: under(negative, threshold, 6) },
    { shape: "area", kind: "full", color: POSITIVE, points: under(positive, threshold, 6) },
    { shape: "line", color: NEGATIVE, points: sampled(negative, -4, 6) },
    { shape: "line", color: POSITIVE, points: sampled(positive, -4, 6) },
    { shape: "note", at: [0, negative(0)], text: "negatives", anchor: "end", dx: -22 },
    { shape: "note", at: [distance, positive(distance)], text: "positives", dx: 22 },
    { shape: "note", at: [threshold, top], text: "flagged \u2192", dx: 12, dy: 10 },
  ]);
  const scores = `negatives about 0, positives about ${distance}`;
  plane.describe(`Densities of the scores: ${scores}; rows above ${threshold} are flagged`);
}

function makeCurve(across, up, of) {
  const frame = { width: 228, height: 214, x: [0, 1], y: [0, 1], across, up };
  const halves = { ticksX: [0, 0.5, 1], ticksY: [0, 0.5, 1] };
  const plane = makePlane({ ...frame, ...halves, edges: { left: 30 } });
  return { plane, of, across, up };
}

function drawCurve({ plane, of, across, up }, points, now) {
  const here = of === "roc" ? [now.fpr, now.tpr] : [now.tpr, now.precision];
  const level = now.prevalence;
  const chance = of === "roc" ? [[0, 0], [1, 1]] : [[0, level], [1, level]];
  const point = [
    { shape: "ring", at: here },
    { shape: "dot", at: here, r: 3, color: "var(--ink)" },
  ];
  plane.draw([
    { shape: "segment", ends: chance },
    { shape: "line", kind: "chosen", color: "var(--right)", points },
    ...(Number.isNaN(here[1]) ? [] : point),
  ]);
  const [x, y] = here.map(percent);
  plane.describe(`${up} against ${across.toLowerCase()}; the threshold stands at ${x} and ${y}`);
}

export const mount = lesson({ numbers, says, picture, beside: makeExpected });
