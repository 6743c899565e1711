// How sure is a share: its interval against n, the level, and the binomial distribution behind it.

import { html } from "../explorer/dom.js";
import { count, percent } from "../explorer/words.js";
import { betaQuantile, binomialPmf, normalQuantile, tQuantile, wilson } from "./distributions.js";
import { makePlane } from "./plane.js";
import { uniforms } from "./random.js";
import { lesson } from "./shell.js";
import { below } from "./sums.js";
import { makeTable } from "./tables.js";

/** The rows of the table. */
const SIZES = [50, 100, 500, 1000, 5000];

/** Degrees of freedom of the table of t, which ends in z. */
const FREEDOM = [4, 9, 29, 99];

/** The plain normal interval, cut nowhere: its ends can lie outside 0 and 1. */
export const wald = (share, n, z) => {
  const half = z * Math.sqrt((share * (1 - share)) / n);
  return [share - half, share + half];
};

/** The exact interval of Clopper and Pearson (1934). */
export const exact = (right, n, level) => [
  right === 0 ? 0 : betaQuantile((1 - level) / 2, right, n - right + 1),
  right === n ? 1 : betaQuantile((1 + level) / 2, right + 1, n - right),
];

/** How many samples are drawn to be compared. */
const SAMPLES = 100;

/**
 * How many of n rows are right in each of many samples, by the inverse of the binomial's
 * distribution: the same draws for every n and p, so that intervals move and do not jump.
 */
export function drawnRights(seed, n, p) {
  const draw = uniforms(seed);
  const reach = 9 * Math.sqrt(n * p * (1 - p)) + 9;
  const first = Math.max(0, Math.floor(n * p - reach));
  const upToEach = [];
  let total = 0;
  for (let k = first; k <= Math.min(n, n * p + reach); k += 1) {
    total += binomialPmf(k, n, p);
    upToEach.push(total);
  }
  return below(SAMPLES).map(() => {
    const wanted = draw() * total;
    return first + upToEach.findIndex((reached) => reached >= wanted);
  });
}

/** The interval of each sample, and whether it misses the true share. */
const sampled = (seed, n, p, z) =>
  drawnRights(seed, n, p).map((right) => {
    const [low, high] = wilson(right, n, z);
    return { share: right / n, low, high, isMiss: p < low - 1e-12 || p > high + 1e-12 };
  });

/** @param {{n: number, accuracy: number, level: string, show: string, seed: number}} state */
export function numbers({ n, accuracy, level: said, show, seed }) {
  const level = parseFloat(said) / 100;
  const z = normalQuantile((1 + level) / 2);
  const right = Math.round(n * accuracy);
  const share = right / n;
  const [low, high] = wilson(right, n, z);
  const [below, above] = wald(share, n, z);
  const [least, most] = exact(right, n, level);
  return {
    n, accuracy, level, z, right, share, low, high, below, above, least, most,
    squared: z ** 2,
    error: Math.sqrt((share * (1 - share)) / n),
    half: z * Math.sqrt((share * (1 - share)) / n),
    tail: (1 + level) / 2,
    df: n - 1,
    samples: show === "one sample" ? null : sampled(seed, n, accuracy, z),
    t: tQuantile((1 + level) / 2, n - 1),
    table: SIZES.map((rows) => [rows, ...wilson(Math.round(rows * accuracy), rows, z)]),
    ts: FREEDOM.map((df) => [df, tQuantile((1 + level) / 2, df)]),
  };
}

function says({ n, accuracy, right, share, low, high, level, samples }) {
  if (samples) return samplesSay(samples, { n, accuracy, level });
  const asked = n * accuracy;
  const exact = `${percent(accuracy)} of ${count(n)} would be ${count(asked)} rows`;
  const isOdd = Math.abs(asked - right) > 1e-9;
  const ends = `${percent(low)} to ${percent(high)}`;
  const found = `${count(right)} of ${count(n)} right is ${percent(share)}`;
  const half = `${(50 * (high - low)).toFixed(1)} points to either side on average`;
  const sure = `${count(100 * level)}% interval ${ends} (Wilson), ${half}`;
  return `${isOdd ? `${exact}, which is impossible. ` : ""}${found}; ${sure}.`;
}

function samplesSay(samples, { n, accuracy, level }) {
  const missed = samples.filter(({ isMiss }) => isMiss).length;
  const model = `The model is truly right for ${percent(accuracy)}`;
  const drawn = `Of ${SAMPLES} samples of ${count(n)} rows, ${SAMPLES - missed} give an interval`;
  const expected = Math.round(SAMPLES * (1 - level));
  const lost = `${missed} miss it (red); about ${expected} are expected to`;
  return `${model}. ${drawn} that holds this; ${lost}.`;
}

// The picture: the binomial above, the interval over n below

const [LOW, HIGH] = [10, 10_000];

function picture() {
  const binomial = makePlane({
    height: 190,
    x: [0, 1],
    y: [0, 1],
    across: "share of rows that are right",
    up: "Samples if this share were the true one (red: beyond z errors)",
    ticksY: [],
    writeX: (at) => `${Math.round(1000 * at) / 10}%`,
    edges: { left: 12, right: 22 },
  });
  const growing = makePlane({
    height: 220,
    x: [Math.log10(LOW), Math.log10(HIGH)],
    y: [0, 1],
    across: "rows",
    up: "Wilson’s interval (blue), plain normal one (dashed)",
    ticksX: [1, 2, 3, 4],
    writeX: (at) => count(10 ** at),
    writeY: (at) => `${Math.round(100 * at)}%`,
    edges: { left: 50, right: 30 },
  });
  const repeated = makePlane({
    height: 190,
    x: [0, SAMPLES + 1],
    y: [0, 1],
    across: "sample",
    up: "The interval of each sample; red: it misses the true share (line)",
    ticksX: [1, 20, 40, 60, 80, 100],
    writeY: (at) => `${Math.round(1000 * at) / 10}%`,
    edges: { left: 50, right: 22 },
  });
  const node = html("div", {}, binomial.node, growing.node);
  return {
    node,
    draw(now, state) {
      const first = (now.samples ? repeated : binomial).node;
      if (node.firstChild !== first) node.firstChild.replaceWith(first);
      if (now.samples) drawRepeated(repeated, now);
      else drawBinomial(binomial, now);
      drawGrowing(growing, now, state);
    },
  };
}

/** More bars than these are narrower than a point. */
const BARS = 160;

function drawBinomial(plane, { n, share, right, low, high, below, above }) {
  const spread = Math.max(4.2 * Math.sqrt((share * (1 - share)) / n), 4 / n, high - low);
  const [from, to] = [Math.max(0, share - spread), Math.min(1, share + spread)];
  const [first, last] = [Math.ceil(from * n), Math.floor(to * n)];
  const each = Math.max(1, Math.ceil((last - first) / BARS));
  const bars = [];
  for (let k = first; k <= last; k += each) bars.push([k, binomialPmf(k, n, share)]);
  const top = Math.max(...bars.map(([, chance]) => chance)) * 1.3;
  plane.span({ x: [from - 0.6 / n, to + 0.6 / n], y: [0, top] });
  const half = (0.42 * each) / n;
  const isMiddle = (k) => k / n >= below && k / n <= above;
  const level = (ends, y, kind) => ({ shape: "segment", kind, ends: [[ends[0], y], [ends[1], y]] });
  plane.draw([
    ...bars.map(([k, chance]) => ({
      shape: "bar",
      kind: isMiddle(k) ? "middle" : "tail",
      box: [k / n - half, 0, k / n + half, chance],
    })),
    level([low, high], top * 0.9, "interval"),
    { shape: "dot", at: [share, top * 0.9], r: 4, color: "var(--ink)" },
  ]);
  const ends = `${percent(low)} to ${percent(high)}`;
  plane.describe(`Binomial distribution of ${right} of ${n}; interval ${ends}`);
}

function drawRepeated(plane, { samples, accuracy }) {
  const [low, high] = [
    Math.min(...samples.map((one) => one.low)),
    Math.max(...samples.map((one) => one.high)),
  ];
  const room = 0.04 * (high - low);
  const range = { x: [0, SAMPLES + 1], y: [low - room, high + room] };
  plane.span(range);
  const missed = below(SAMPLES).filter((at) => samples[at].isMiss);
  plane.draw([
    { shape: "segment", ends: [[0, accuracy], [SAMPLES + 1, accuracy]] },
    ...samples.map((one, at) => ({
      shape: "line",
      kind: one.isMiss ? "chosen" : "",
      color: one.isMiss ? "var(--positive)" : "var(--right)",
      points: [[at + 1, one.low], [at + 1, one.high]],
    })),
    ...missed.map((at) => ({
      shape: "dot",
      at: [at + 1, samples[at].share],
      r: 4,
      color: "var(--positive)",
    })),
  ]);
  const which = missed.length ? `; samples ${missed.map((at) => at + 1).join(", ")} miss it` : "";
  const held = `${SAMPLES - missed.length} of ${SAMPLES} intervals hold the true`;
  plane.describe(`${held} ${percent(accuracy)}${which}`);
}

function drawGrowing(plane, { n, z, low, high, share }, { accuracy }) {
  const sizes = Array.from({ length: 61 }, (_, at) => LOW * (HIGH / LOW) ** (at / 60));
  const clipped = (value) => Math.min(1, Math.max(0, value));
  const line = (ends, side) => sizes.map((rows) => [Math.log10(rows), clipped(ends(rows)[side])]);
  const byWilson = (rows) => wilson(rows * accuracy, rows, z);
  const byWald = (rows) => wald(accuracy, rows, z);
  const [lower, upper] = [line(byWilson, 0), line(byWilson, 1)];
  const back = [...upper].reverse();
  const here = Math.log10(n);
  plane.draw([
    { shape: "area", kind: "pale", color: "var(--right)", points: [...lower, ...back] },
    { shape: "line", kind: "chosen", color: "var(--right)", points: lower },
    { shape: "line", kind: "chosen", color: "var(--right)", points: upper },
    ...[0, 1].map((side) => ({
      shape: "line",
      color: "var(--negative)",
      dash: "5 4",
      points: line(byWald, side),
    })),
    { shape: "segment", kind: "interval", ends: [[here, low], [here, high]] },
    { shape: "dot", at: [here, share], r: 4, color: "var(--ink)" },
  ]);
  const ends = `${percent(low)} to ${percent(high)}`;
  plane.describe(`The interval narrows with n; at ${count(n)} rows it is ${ends}`);
}

/** The same share on other numbers of rows, and the quantiles of t, which become z. */
function beside() {
  const quantiles = makeTable(["df", "t"], [...FREEDOM, "∞ (z)"]);
  const made = [makeTable(["rows", "interval"], SIZES), quantiles];
  return {
    node: html("div", { class: "tables" }, ...made.map(({ node }) => node)),
    draw({ table, ts, z }) {
      made[0].fill(table.map(([, low, high]) => `${percent(low)} to ${percent(high)}`));
      made[1].fill([...ts.map(([, t]) => t), z].map((value) => value.toFixed(3)));
    },
  };
}

export const mount = lesson({ numbers, says, picture, beside });
