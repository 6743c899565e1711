// Two models and what their answers cost: the cost against the accuracy, and weighted accuracy.

import { html, say, set } from "../explorer/dom.js";
import { count, percent } from "../explorer/words.js";
import { writtenNumber } from "./formula.js";
import { makePlane } from "./plane.js";
import { lesson } from "./shell.js";
import { below, sum } from "./sums.js";

const MODELS = ["first", "second"];
const CELLS = ["TP", "FN", "FP", "TN"];

/** What one model costs: cells, costs and weights in the order TP, FN, FP, TN. */
export function costOf(cells, costs, weights) {
  const n = sum(cells);
  const total = sum(cells.map((many, at) => many * costs[at]));
  const [tp, fn, fp, tn] = cells;
  const weighed = cells.map((many, at) => many * weights[at]);
  return {
    n, total, positives: tp + fn, negatives: fp + tn,
    right: tp + tn,
    accuracy: (tp + tn) / n,
    mean: total / n,
    weighed: weighed[0] + weighed[3],
    weight: sum(weighed),
    weighted: (weighed[0] + weighed[3]) / sum(weighed),
  };
}

/** Accuracy and mean cost of every model on such rows: the corners of what can be. */
export function cornersOf({ positives, negatives }, [tp, fn, fp, tn]) {
  const n = positives + negatives;
  const corner = (found, passed) => [
    (found * positives + passed * negatives) / n,
    (positives * (found ? tp : fn) + negatives * (passed ? tn : fp)) / n,
  ];
  return [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
}

/** @param {{first: number[], second: number[], costs: number[], weights: number[]}} state */
export function numbers({ first, second, costs, weights }) {
  const [one, two] = [first, second].map((cells) => costOf(cells, costs, weights));
  const [tp, fn, fp, tn] = costs;
  const named = (model, side) =>
    Object.fromEntries(Object.entries(model).map(([key, value]) => [key + side, value]));
  const counts = (cells) => Object.fromEntries(CELLS.map((name, at) => [name, cells[at]]));
  return {
    first, second, costs, weights, tp, fn, fp, tn, one, two,
    ...named({ ...one, ...counts(first) }, 1),
    ...named({ ...two, ...counts(second) }, 2),
    // Then each right answer saves as much, and the mean cost of given rows follows their accuracy.
    isLine: Math.abs(fn - tp - (fp - tn)) < 1e-9,
    saved: fn - tp,
  };
}

const better = (one, two, least) => {
  if (Math.abs(one - two) < 1e-9) return "both are equal";
  return (one < two) === least ? "the first is better" : "the second is better";
};

function says({ one, two, isLine, saved }) {
  if (!one.n || !two.n) return "A model has no rows: type a count.";
  const right = `The first model is right for ${percent(one.accuracy)}, the second for`;
  const shares = `${right} ${percent(two.accuracy)}: ${better(one.accuracy, two.accuracy, false)}`;
  const [first, second] = [one, two].map(({ total }) => writtenNumber(total, total % 1 ? "" : ","));
  const sums = `They cost ${first} and ${second}: ${better(one.mean, two.mean, true)} in mean cost`;
  const way = saved > 0 ? "falls" : saved < 0 ? "rises" : "does not change";
  const line = `The areas are lines: on the same rows the cost ${way} with the accuracy`;
  const wide = "One accuracy can go with many costs";
  return `${shares}. ${sums}. ${isLine ? line : wide}.`;
}

const [BLUE, RED] = ["var(--right)", "var(--positive)"];

function picture() {
  const plane = makePlane({
    height: 390,
    x: [0, 1],
    y: [0, 1],
    across: "accuracy",
    up: "Cost of a row; areas: all that a model can reach",
    ticksX: [0, 0.2, 0.4, 0.6, 0.8, 1],
    writeX: (at) => `${Math.round(100 * at)}%`,
    edges: { left: 46, right: 22 },
  });
  return {
    node: html("div", {}, plane.node),
    draw({ one, two, costs }) {
      const areas = [one, two].map((model) => (model.n ? cornersOf(model, costs) : []));
      const heights = [...areas.flat().map(([, cost]) => cost), 0];
      const room = (Math.max(...heights) - Math.min(...heights) || 1) * 0.08;
      plane.span({ x: [0, 1], y: [Math.min(...heights) - room, Math.max(...heights) + room] });
      plane.draw([
        ...shapesOf(one, areas[0], BLUE, "first"),
        ...shapesOf(two, areas[1], RED, "second"),
      ]);
      const [first, second] = [one, two].map(
        ({ accuracy, mean }) => `${percent(accuracy)}, ${writtenNumber(mean)}`,
      );
      plane.describe(`Accuracy and cost of a row: first ${first}; second ${second}`);
    },
  };
}

function shapesOf({ accuracy, mean }, corners, color, name) {
  const isRight = accuracy > 0.8;
  const side = isRight ? { anchor: "end", dx: -9 } : { dx: 9 };
  return [
    { shape: "area", kind: "pale", color, points: corners },
    { shape: "line", color, points: [...corners, ...corners.slice(0, 1)] },
    { shape: "dot", at: [accuracy, mean], r: 7, color },
    { shape: "note", at: [accuracy, mean], text: name, dy: name === "first" ? 16 : -8, ...side },
  ];
}

// Counts, costs and weights, each a box to type in

const KINDS = {
  first: { label: "first model", low: 0, high: 1e6, of: "count of rows" },
  second: { label: "second model", low: 0, high: 1e6, of: "count of rows" },
  costs: { label: "costs", low: -1e4, high: 1e4, of: "cost" },
  weights: { label: "weights", low: 0, high: 1e4, of: "weight" },
};

/** What a box says: a number in its range, whole where rows are counted; else undefined. */
export function readCell(key, text) {
  const { low, high } = KINDS[key];
  const plain = text.trim().replace("\u2212", "-").replace(",", ".");
  const value = /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : NaN;
  const isWhole = !MODELS.includes(key) || Number.isInteger(value);
  return value >= low && value <= high && isWhole ? value : undefined;
}

function beside(change) {
  const problem = html("p", { class: "problem", role: "alert" });
  let state = null;

  function type(key, at, box) {
    const value = readCell(key, box.value);
    const { low, high, of } = KINDS[key];
    const ends = `from ${signed(low)} to ${count(high)}`;
    const bad = `“${box.value.slice(0, 20)}” is not a ${of} ${ends}.`;
    set(box, "aria-invalid", value === undefined ? "true" : false);
    say(problem, value === undefined ? bad : "");
    if (value === undefined) return;
    change({ [key]: state[key].map((one, place) => (place === at ? value : one)) });
  }

  const rows = Object.keys(KINDS).map((key) => makeRow(key, type));
  const heads = [...CELLS, "accuracy", "cost"].map((text) => html("th", {}, text));
  const head = html("tr", {}, html("td", {}), ...heads);
  const body = rows.map(({ node }) => node);
  const table = html("table", { class: "values typed-costs" }, head, ...body);
  return {
    node: html("div", { class: "typing" }, table, problem),
    draw(now, next) {
      state = next;
      rows.forEach((row) => row.show(now));
    },
  };
}

const signed = (value) => (value < 0 ? `\u2212${count(-value)}` : count(value));

function makeRow(key, type) {
  const boxes = CELLS.map((name, at) => {
    const label = `${KINDS[key].label}, ${name}`;
    const box = html("input", { type: "text", inputmode: "decimal", "aria-label": label });
    box.oninput = () => type(key, at, box);
    box.onfocus = () => box.select();
    return box;
  });
  const [share, cost] = [html("td", {}), html("td", {})];
  const cells = boxes.map((box) => html("td", {}, box));
  const head = html("th", { scope: "row" }, key);
  return {
    node: html("tr", {}, head, ...cells, share, cost),
    show(now) {
      boxes.forEach((box, at) => showValue(key, box, now[key][at]));
      const model = { first: now.one, second: now.two }[key];
      if (!model) return;
      say(share, percent(model.accuracy));
      say(cost, writtenNumber(model.total, model.total % 1 ? "" : ","));
    },
  };
}

/** A box shows its value, unless someone is typing in it. */
function showValue(key, box, value) {
  const isTyped = box.getRootNode().activeElement === box;
  if (isTyped && (box.getAttribute("aria-invalid") || readCell(key, box.value) === value)) return;
  set(box, "aria-invalid", false);
  const text = String(value).replace("-", "\u2212");
  if (box.value !== text) box.value = text;
}

export const mount = lesson({ numbers, says, picture, beside });
