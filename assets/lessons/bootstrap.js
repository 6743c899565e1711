// The bootstrap: rows drawn with replacement, how often each is in the bag, the statistic that
// spreads, and the two forms of .632.

import { button, html } from "../explorer/dom.js";
import { count, percent } from "../explorer/words.js";
import { writtenNumber } from "./formula.js";
import { makePlane } from "./plane.js";
import { normals, uniforms } from "./random.js";
import { lesson } from "./shell.js";
import { below, deviation, mean, sum } from "./sums.js";
import { makeTable } from "./tables.js";

/** Rows of two classes in turn, one feature each; those of class 1 lie higher on average. */
export function rowsOf(n) {
  const draw = normals(11);
  return below(n).map((at) => {
    const label = at % 2;
    return { label, value: Number((5 + 1.5 * label + draw()).toFixed(2)) };
  });
}

/** The most complete samples that are drawn. */
const MOST = 1000;

/** Which rows were drawn, one after the other. */
export function drawnRows(seed, n, many) {
  const draw = uniforms(seed);
  return below(many).map(() => Math.floor(n * draw()));
}

/** The label of the nearest row among those in the bag (one nearest neighbour). */
function nearest(rows, bag, value) {
  let [label, least] = [0, Infinity];
  rows.forEach((row, at) => {
    const away = Math.abs(row.value - value);
    if (bag[at] && away < least) [label, least] = [row.label, away];
  });
  return label;
}

/** What one sample gives: its mean, the rows left out, and the errors of a model trained on it. */
export function sampleOf(rows, drawn) {
  const bag = rows.map(() => 0);
  for (const at of drawn) bag[at] += 1;
  const wrong = rows.map(({ value, label }) => Number(nearest(rows, bag, value) !== label));
  const out = below(rows.length).filter((at) => !bag[at]);
  return {
    bag, wrong, out,
    mean: mean(drawn.map((at) => rows[at].value)),
    outError: mean(out.map((at) => wrong[at])),
    allError: mean(wrong),
  };
}

/** The error of each row by the models that were trained without it; rows never left out lack. */
function errorOfRows(n, samples) {
  const errors = below(n).map((at) =>
    mean(samples.filter(({ bag }) => !bag[at]).map(({ wrong }) => wrong[at])),
  );
  return mean(errors.filter(Number.isFinite));
}

const keptSamples = { key: "", rows: [], samples: [] };

/** All complete samples; those drawn before are kept while more are added. */
function samplesOf(seed, n, many) {
  const key = `${seed} ${n}`;
  if (keptSamples.key !== key) Object.assign(keptSamples, { key, rows: rowsOf(n), samples: [] });
  const { rows, samples } = keptSamples;
  if (samples.length < many) {
    const drawn = drawnRows(seed, n, many * n);
    for (let at = samples.length; at < many; at += 1) {
      samples.push(sampleOf(rows, drawn.slice(at * n, (at + 1) * n)));
    }
  }
  return samples.slice(0, many);
}

/** @param {{n: number, drawn: number, seed: number}} state `drawn` rows, n of which are a sample */
export function numbers({ n, drawn: asked, seed }) {
  const drawn = Math.min(asked, MOST * n);
  const rows = rowsOf(n);
  const complete = Math.floor(drawn / n);
  const samples = samplesOf(seed, n, complete);
  const inThis = drawn ? ((drawn - 1) % n) + 1 : 0;
  const now = drawnRows(seed, n, drawn).slice(drawn - inThis);
  const bag = below(n).map((at) => now.filter((one) => one === at).length);
  const values = rows.map(({ value }) => value);
  const tested = samples.filter(({ out }) => out.length);
  const outError = mean(tested.map((one) => one.outError));
  const efron = errorOfRows(n, samples);
  // Asked for its own training rows this model finds them: equal features apart, it errs on none.
  const train = sampleOf(rows, below(n)).allError;
  return {
    n, drawn, rows, bag, complete, inThis, samples, train, outError, efron,
    statistics: samples.map((one) => one.mean),
    never: bag.filter((times) => !times).length,
    neverShare: complete ? mean(samples.map(({ out }) => out.length)) / n : NaN,
    expected: (1 - 1 / n) ** n,
    limit: Math.exp(-1),
    mean: mean(values),
    error: deviation(samples.map((one) => one.mean)),
    formula: (deviation(values) * Math.sqrt((n - 1) / n)) / Math.sqrt(n),
    single: 0.368 * train + 0.632 * efron,
    rounds: mean(tested.map((one) => 0.632 * one.outError + 0.368 * one.allError)),
    allError: mean(tested.map((one) => one.allError)),
  };
}

function says({ n, drawn, inThis, never, complete, neverShare, expected, error, formula }) {
  if (!drawn) return `Draw from these ${n} rows: each drawn row is put back before the next draw.`;
  const left = `${never} of the rows are not among them`;
  const bag = `${count(inThis)} of ${n} rows are drawn, and ${left}`;
  if (inThis < n && !complete) return `${bag} yet.`;
  const share = `Over ${count(complete)} sample${complete > 1 ? "s" : ""} a row is left out`;
  const often = `${percent(neverShare)} of the time; ${percent(expected)} is expected`;
  const spread = `The mean has a standard error of ${writtenNumber(error)}`;
  const known = `(by the formula ${writtenNumber(formula)})`;
  const end = complete > 1 ? ` ${spread} ${known}.` : "";
  return `${inThis < n ? `${bag} yet` : bag}. ${share} ${often}.${end}`;
}

// The picture: rows and how often each is drawn, above; the means of all samples, below

const [BLUE, RED] = ["var(--right)", "var(--positive)"];

function picture() {
  const frame = { edges: { left: 26, right: 12 } };
  const bagged = makePlane({
    ...frame,
    height: 200,
    x: [0, 11],
    y: [0, 6],
    across: "row",
    up: "How often each row is in this sample; hollow: not at all",
    ticksX: [],
  });
  const spread = makePlane({
    ...frame,
    height: 190,
    x: [3, 9],
    y: [0, 1],
    across: "mean of a sample (line: mean of all rows)",
    up: "The means of all samples so far",
    ticksY: [],
  });
  return {
    node: html("div", {}, bagged.node, spread.node),
    draw(now) {
      drawBag(bagged, now);
      drawMeans(spread, now);
    },
  };
}

function drawBag(plane, { n, bag, rows, never }) {
  const high = Math.max(6, ...bag) + 0.5;
  plane.span({ x: [0.2, n + 0.8], y: [0, high] });
  const r = n > 25 ? 4 : 6;
  plane.draw(
    rows.flatMap(({ label }, at) => [
      ...below(bag[at]).map((time) => ({
        shape: "dot",
        at: [at + 1, time + 0.6],
        r,
        color: label ? RED : BLUE,
      })),
      ...(bag[at] ? [] : [{ shape: "ring", at: [at + 1, 0.6], r }]),
    ]),
  );
  plane.describe(`In-bag counts ${bag.join(", ")}; ${never} rows are not drawn`);
}

/** Bars of the histogram. */
const BARS = 30;

function drawMeans(plane, { statistics, mean: middle, formula, complete }) {
  const [low, high] = [middle - 4 * formula, middle + 4 * formula];
  const wide = (high - low) / BARS;
  const bars = below(BARS).map(() => 0);
  for (const one of statistics) {
    bars[Math.min(BARS - 1, Math.max(0, Math.floor((one - low) / wide)))] += 1;
  }
  const top = Math.max(8, ...bars) * 1.1;
  plane.span({ x: [low, high], y: [0, top] });
  plane.draw([
    ...bars.map((many, at) => ({
      shape: "bar",
      kind: "middle",
      box: [low + (at + 0.06) * wide, 0, low + (at + 0.94) * wide, many],
    })),
    { shape: "segment", ends: [[middle, 0], [middle, top]] },
  ]);
  const told = `${count(complete)} samples around ${middle.toFixed(2)}`;
  plane.describe(`Histogram of the means of ${told}`);
}

/** Buttons that draw, and errors of a model that is trained on each sample. */
function beside(change) {
  let state = null;
  const add = (rows) => () => change({ drawn: Math.min(MOST * state.n, state.drawn + rows()) });
  /** As many as complete a sample, or a whole one. */
  const toEnd = () => state.n - (state.drawn % state.n);
  const buttons = [
    button({}, add(() => 1), "Draw one row"),
    button({}, add(toEnd), "A whole sample"),
    button({}, add(() => toEnd() + 99 * state.n), "100 samples"),
  ];
  const table = makeTable(
    ["One nearest neighbour, trained on each sample", "error"],
    ["on its training rows", "on rows left out", ".632, over rows (Efron)", ".632, over samples"],
  );
  return {
    node: html("div", {}, html("div", { class: "choices" }, ...buttons), table.node),
    draw(now, next) {
      state = next;
      const shares = [now.train, now.outError, now.single, now.rounds];
      table.fill(shares.map((one) => (Number.isNaN(one) ? "–" : percent(one))));
    },
  };
}

export const mount = lesson({ numbers, says, picture, beside });
