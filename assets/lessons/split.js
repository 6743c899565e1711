// Splitting off a test part: how many cases of a rare class it holds, by chance or by strata.

import { html } from "../explorer/dom.js";
import { count, percent } from "../explorer/words.js";
import { lnGamma } from "./distributions.js";
import { makePlane } from "./plane.js";
import { dealt, uniforms } from "./random.js";
import { lesson } from "./shell.js";
import { below, mean } from "./sums.js";

/** How often the rows are dealt to compare with the exact probabilities. */
const DEALS = 1000;

const lnWays = (n, k) => lnGamma(n + 1) - lnGamma(k + 1) - lnGamma(n - k + 1);

/** P(k of the cases are among so many rows drawn without replacement): hypergeometric. */
export const hypergeometric = (k, rows, cases, drawn) =>
  k < Math.max(0, cases + drawn - rows) || k > Math.min(cases, drawn)
    ? 0
    : Math.exp(lnWays(cases, k) + lnWays(rows - cases, drawn - k) - lnWays(rows, drawn));

/** How many cases are in the test parts of many deals, each in one of the places left or not. */
function casesDealt(seed, rows, cases, many) {
  const draw = uniforms(seed + 7000);
  return below(DEALS).map(() => {
    let left = many;
    for (let at = 0; at < cases; at += 1) if (draw() * (rows - at) < left) left -= 1;
    return many - left;
  });
}

/** Rows of the test part by strata: each class gives its share, rounded. */
function stratified(draw, rows, cases, many) {
  const own = Math.round((cases * many) / rows);
  const others = dealt(draw, rows - cases, many - own).map((row) => row + cases);
  return [...dealt(draw, cases, own), ...others];
}

/** @param {{rows: number, cases: number, train: string, way: string, seed: number}} state */
export function numbers({ rows, cases: asked, train, way, seed }) {
  const cases = Math.min(asked, rows - 1);
  const test = Math.round(rows * (1 - parseFloat(train) / 100));
  const draw = uniforms(seed);
  const isRandom = way === "at random";
  const here = isRandom ? dealt(draw, rows, test) : stratified(draw, rows, cases, test);
  const seen = casesDealt(seed, rows, cases, test);
  const strata = Math.round((cases * test) / rows);
  const exact = below(Math.min(cases, test) + 1).map((k) => hypergeometric(k, rows, cases, test));
  return {
    rows, cases, test, here, seen, exact, strata, isRandom,
    train: rows - test,
    found: here.filter((row) => row < cases).length,
    none: exact[0],
    noneSeen: mean(seen.map((one) => Number(!one))),
    expected: (cases * test) / rows,
    share: cases / rows,
    noneLeft: hypergeometric(cases, rows, cases, test),
    // As if test rows were drawn with replacement: nearly the same where there are many rows.
    nearly: (1 - cases / rows) ** test,
  };
}

function says(now) {
  const { rows, cases, test, found, none, noneSeen, isRandom, strata } = now;
  const part = `The test part has ${count(test)} of ${count(rows)} rows and ${found} of the`;
  const has = `${part} ${cases === 1 ? "one case" : `${count(cases)} cases`}`;
  if (!isRandom) {
    const always = `Stratified, it has ${strata} whatever the draw`;
    const few = strata ? "" : ": too few cases to give the test part one";
    const chance = `At random it would have none in ${percent(none)} of the splits`;
    return `${has}. ${always}${few}. ${chance}.`;
  }
  const often = `it has none in ${percent(none)} of all splits`;
  return `${has}. At random ${often}; here in ${percent(noneSeen)} of ${count(DEALS)}.`;
}

// The picture: rows as dots, the test part at the right; how many cases it has, below

const [CASE, OTHER] = ["var(--positive)", "var(--negative)"];

function picture() {
  const deal = makePlane({
    height: 190,
    x: [0, 1],
    y: [0, 1],
    up: "Training part (left) and test part (right); red: cases",
    ticksX: [],
    ticksY: [],
    edges: { left: 10, right: 10, bottom: 6 },
  });
  const chances = makePlane({
    height: 205,
    x: [-0.6, 10],
    y: [0, 1],
    across: "cases in the test part",
    up: "How often, at random: exact (bars) and in 1,000 splits (dots)",
    writeY: (at) => `${Math.round(100 * at)}%`,
    edges: { left: 40 },
  });
  return {
    node: html("div", {}, deal.node, chances.node),
    draw(now) {
      drawDeal(deal, now);
      drawChances(chances, now);
    },
  };
}

/** Dots in columns, cases first. */
function dotsIn([from, to], rows, cases, high, r) {
  const wide = (to - from) / Math.ceil(rows.length / high);
  const ordered = [...rows].sort((one, other) => one - other);
  return ordered.map((row, at) => ({
    shape: "dot",
    at: [from + (Math.floor(at / high) + 0.5) * wide, 1 - ((at % high) + 0.5) / high],
    r,
    color: row < cases ? CASE : OTHER,
  }));
}

function drawDeal(plane, { rows, cases, here, found }) {
  const inTest = new Set(here);
  const rest = below(rows).filter((row) => !inTest.has(row));
  const high = rows > 150 ? 14 : rows > 60 ? 9 : 6;
  const r = rows > 150 ? 3.6 : 6;
  const border = Math.ceil(rest.length / high) / Math.ceil(rows / high) * 0.96;
  plane.draw([
    ...dotsIn([0, border], rest, cases, high, r),
    { shape: "segment", ends: [[border + 0.02, 0], [border + 0.02, 1]] },
    ...dotsIn([border + 0.04, 1], here, cases, high, r),
  ]);
  const parts = `${count(rest.length)} training rows and ${count(here.length)} test rows`;
  plane.describe(`${parts}, ${found} of the cases among these`);
}

function drawChances(plane, { exact, seen, found, strata, isRandom }) {
  const shown = Math.max(4, exact.findLastIndex((one) => one > 0.0005));
  const shares = below(exact.length).map((k) => seen.filter((one) => one === k).length / DEALS);
  const top = Math.min(1, Math.max(...exact, ...shares) * 1.15);
  plane.span({ x: [-0.6, shown + 0.6], y: [0, top] });
  plane.draw([
    ...exact.slice(0, shown + 1).map((chance, k) => ({
      shape: "bar",
      kind: k ? "middle" : "tail",
      box: [k - 0.4, 0, k + 0.4, chance],
    })),
    ...shares.slice(0, shown + 1).map((share, k) => ({
      shape: "dot",
      at: [k, share],
      r: 3.5,
      color: "var(--ink)",
    })),
    { shape: "ring", at: [isRandom ? found : strata, 0], r: 6 },
  ]);
  const told = exact.slice(0, shown + 1).map((one, k) => `${k}: ${percent(one)}`).join(", ");
  plane.describe(`Cases in the test part, at random: ${told}`);
}

export const mount = lesson({ numbers, says, picture });
