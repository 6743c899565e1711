// Two models over folds: differences fold by fold, their t, its critical value and the decision,
// and what changes because folds share training rows.

import { html, say, set } from "../explorer/dom.js";
import { count } from "../explorer/words.js";
import { lnGamma, tCdf, tQuantile } from "./distributions.js";
import { writtenNumber } from "./formula.js";
import { makePlane, sampled } from "./plane.js";
import { lesson } from "./shell.js";
import { sum } from "./sums.js";

/** The density of Student's t. */
export const tDensity = (t, df) =>
  Math.exp(lnGamma((df + 1) / 2) - lnGamma(df / 2) - ((df + 1) / 2) * Math.log1p((t * t) / df)) /
  Math.sqrt(df * Math.PI);

/**
 * Scores of two models on the same k folds, in percent.
 * @param {{first: number[], second: number[], alpha: string}} state
 */
export function numbers({ first, second, alpha: said }) {
  const alpha = parseFloat(said) / 100;
  const d = first.map((score, at) => Number((score - second[at]).toFixed(4)));
  const k = d.length;
  const df = k - 1;
  const mean = sum(d) / k;
  const squares = sum(d.map((one) => (one - mean) ** 2));
  const variance = squares / df;
  const [plain, corrected] = [variance / k, variance * (1 / k + 1 / df)];
  // If all differences are equal, their variance is 0 and t is undefined.
  const [t, t2] = squares < 1e-12 ? [NaN, NaN] : [plain, corrected].map((v) => mean / Math.sqrt(v));
  const critical = tQuantile(1 - alpha / 2, df);
  const p = (value) => 2 * (1 - tCdf(Math.abs(value), df));
  return {
    first, second, alpha, d, k, df, mean, squares, variance, t, t2, critical,
    deviation: Math.sqrt(variance),
    error: Math.sqrt(plain),
    error2: Math.sqrt(corrected),
    p: p(t),
    p2: p(t2),
    ratio: 1 / df,
    tail: 1 - alpha / 2,
    low: mean - critical * Math.sqrt(corrected),
    high: mean + critical * Math.sqrt(corrected),
    shared: (k - 2) / (k - 1),
    isFar: Math.abs(t) > critical,
    isFar2: Math.abs(t2) > critical,
  };
}

const decided = (isFar) => (isFar ? "the difference is significant" : "no difference is shown");

function says({ t, t2, critical, isFar, isFar2, p2, alpha, mean }) {
  if (Number.isNaN(t)) return "All differences are equal: t is undefined.";
  const level = `${count(100 * alpha)}% level, beyond ±${critical.toFixed(3)}`;
  const plain = `The plain paired t is ${signed(t, 3)}: ${decided(isFar)} (${level})`;
  const honest = `Corrected for shared training rows it is ${signed(t2, 3)}`;
  const end = isFar === isFar2 ? `still, ${decided(isFar2)}` : decided(isFar2);
  const found = `Mean difference ${signed(mean, 2)} points, corrected p = ${writtenNumber(p2)}`;
  return `${plain}. ${honest}: ${end}. ${found}.`;
}

const signed = (value, digits) => value.toFixed(digits).replace("-", "\u2212");

// The picture: the differences above, the distribution of t below

const [FAR, MOST] = [12, 6];

function picture(change) {
  const points = makePlane({
    height: 200,
    x: [0.5, 10.5],
    y: [-FAR, FAR],
    across: "fold",
    up: "First minus second, in percentage points",
    ticksX: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    edges: { left: 34 },
  });
  const density = makePlane({
    height: 210,
    x: [-MOST, MOST],
    y: [0, 0.44],
    across: "t",
    up: "If there were no difference: Student’s t, and where a test decides",
    ticksY: [],
    edges: { left: 12 },
  });
  let state = null;
  const handles = Array.from({ length: 10 }, (_, at) =>
    points.handle({
      label: `Difference of fold ${at + 1}`,
      along: "y",
      step: [0, 1],
      move: (_, y) => change({ first: withDifference(state, at, y) }),
    }),
  );
  return {
    node: html("div", {}, points.node, density.node),
    draw(now, next) {
      state = next;
      drawDifferences(points, now);
      handles.forEach((handle, at) =>
        handle.put(at + 1, now.d[at], signed(now.d[at], 1), [now.d[at], -FAR, FAR]),
      );
      drawDensity(density, now);
    },
  };
}

/** The scores of the first model after one difference was moved. */
function withDifference({ first, second }, at, y) {
  const to = second[at] + Math.round(Math.min(FAR, Math.max(-FAR, y)));
  return first.map((score, place) => (place === at ? Math.min(100, Math.max(0, to)) : score));
}

function drawDifferences(plane, { mean, low, high, d }) {
  plane.draw([
    { shape: "bar", kind: "band", box: [0.5, Math.max(-FAR, low), 10.5, Math.min(FAR, high)] },
    { shape: "segment", ends: [[0.5, 0], [10.5, 0]] },
    { shape: "segment", kind: "interval", ends: [[0.5, mean], [10.5, mean]] },
    ...d.map((one, at) => ({
      shape: "segment",
      kind: "residual",
      ends: [[at + 1, mean], [at + 1, one]],
    })),
  ]);
  plane.describe(`Differences of ten folds: ${d.map((one) => signed(one, 1)).join(", ")}`);
}

function drawDensity(plane, { df, critical, t, t2 }) {
  const of = (x) => tDensity(x, df);
  const inside = (value) => Math.min(MOST, Math.max(-MOST, value));
  const tail = (from, to) => [[from, 0], ...sampled(of, from, to, 40), [to, 0]];
  const at = (value, text, height) => {
    // Words stand on the outer side of their line, unless the edge is near.
    const isLeft = value < 0 === Math.abs(value) < 4.2;
    const side = isLeft ? { anchor: "end", dx: -5 } : { dx: 5 };
    return [
      { shape: "segment", kind: "upright", ends: [[inside(value), 0], [inside(value), height]] },
      { shape: "note", at: [inside(value), height], text, dy: 4, ...side },
    ];
  };
  const red = { shape: "area", kind: "full", color: "var(--positive)" };
  const both = [
    ...at(t, `plain ${signed(t, 2)}`, 0.2),
    ...at(t2, `corrected ${signed(t2, 2)}`, 0.3),
  ];
  plane.draw([
    { ...red, points: tail(-MOST, inside(-critical)) },
    { ...red, points: tail(inside(critical), MOST) },
    { shape: "line", color: "var(--ink)", points: sampled(of, -MOST, MOST) },
    ...(Number.isNaN(t) ? [] : both),
  ]);
  const where = `plain t ${signed(t, 2)}, corrected ${signed(t2, 2)}`;
  const name = `Student’s t with ${df} degrees of freedom`;
  plane.describe(`${name}, critical beyond ${signed(critical, 2)}; ${where}`);
}

/** The scores as a table whose cells can be typed. */
function beside(change) {
  const problem = html("p", { class: "problem", role: "alert" });
  let state = { first: [], second: [] };
  const rows = Array.from({ length: 10 }, (_, at) => makeRow(at, type));

  function type(key, at, box) {
    const value = Number(box.value.trim().replace(",", ".") || NaN);
    const isScore = value >= 0 && value <= 100;
    set(box, "aria-invalid", isScore ? false : "true");
    say(problem, isScore ? "" : `“${box.value.slice(0, 20)}” is not a score from 0 to 100.`);
    if (isScore) change({ [key]: state[key].map((one, place) => (place === at ? value : one)) });
  }

  const head = ["fold", "first %", "second %", "difference"].map((text) => html("th", {}, text));
  const body = rows.map(({ node }) => node);
  const table = html("table", { class: "values typed-folds" }, html("tr", {}, ...head), ...body);
  return {
    node: html("div", { class: "typing" }, table, problem),
    draw(now, next) {
      state = next;
      rows.forEach((row, at) => row.show(now, at));
    },
  };
}

function makeRow(at, type) {
  const boxOf = (key, name) => {
    const box = html("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      "aria-label": `Fold ${at + 1}, ${name} model, percent`,
    });
    box.oninput = () => type(key, at, box);
    return box;
  };
  const [first, second] = [boxOf("first", "first"), boxOf("second", "second")];
  const difference = html("td", {});
  const cells = [first, second].map((box) => html("td", {}, box));
  const show = (box, value) => {
    if (box.getRootNode().activeElement === box && box.getAttribute("aria-invalid")) return;
    set(box, "aria-invalid", false);
    if (Number(box.value.replace(",", ".")) !== value || !box.value) box.value = String(value);
  };
  return {
    node: html("tr", {}, html("th", { scope: "row" }, String(at + 1)), ...cells, difference),
    show(now) {
      show(first, now.first[at]);
      show(second, now.second[at]);
      say(difference, signed(now.d[at], 1));
    },
  };
}

export const mount = lesson({ numbers, says, picture, beside });
