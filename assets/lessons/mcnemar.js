// Two models on the same rows: only the rows that one alone gets right tell them apart (McNemar).

import { html, say, svg } from "../explorer/dom.js";
import { count, percent } from "../explorer/words.js";
import { binomialPmf, normalCdf } from "./distributions.js";
import { writtenNumber } from "./formula.js";
import { makePlane } from "./plane.js";
import { lesson } from "./shell.js";

/**
 * @param {{both: number, first: number, second: number, none: number}} state rows that both models
 *   get right, the first alone, the second alone, and none of them
 */
export function numbers({ both, first, second, none }) {
  const [n, apart] = [both + first + second + none, first + second];
  const fewer = Math.min(first, second);
  const chances = Array.from({ length: fewer + 1 }, (_, k) => binomialPmf(k, apart, 0.5));
  const tail = chances.reduce((all, one) => all + one, 0);
  const chi = apart ? (first - second) ** 2 / apart : NaN;
  const chiOf = (value) => 2 * (1 - normalCdf(Math.sqrt(value)));
  const continued = apart ? Math.max(0, Math.abs(first - second) - 1) ** 2 / apart : NaN;
  return {
    both, first, second, none, n, apart, fewer, chi, continued,
    one: (both + first) / n,
    other: (both + second) / n,
    gap: (first - second) / n,
    exact: apart ? Math.min(1, 2 * tail) : 1,
    // Mid-p: splits exactly as uneven as the observed one count half (Fagerland, Lydersen and
    // Laake 2013).
    mid: first === second ? 1 - (apart ? chances[fewer] / 2 : 0) : 2 * tail - chances[fewer],
    p: chiOf(chi),
    pContinued: chiOf(continued),
  };
}

function says({ n, one, other, first, second, apart, exact, mid }) {
  const shares = `The first model is right for ${percent(one)} of ${count(n)} rows, the second`;
  if (!apart) return `${shares} for the same ones: nothing tells them apart.`;
  const alone = `Only the first gets ${count(first)} rows right, only the second ${count(second)}`;
  const p = `${writtenNumber(exact)} (exact test; mid-p ${writtenNumber(mid)})`;
  const fair = `A fair coin shares ${count(apart)} rows at least as unevenly with probability ${p}`;
  return `${shares} for ${percent(other)}. ${alone}. ${fair}.`;
}

function picture() {
  const coin = makePlane({
    height: 250,
    x: [0, 1],
    y: [0, 1],
    across: "rows that the first model alone gets right",
    up: "A fair coin for each row that one model alone gets right",
    ticksY: [],
    edges: { left: 14 },
  });
  const strip = svg("g", {});
  const box = { class: "plane", viewBox: "0 0 460 110", role: "img" };
  const bar = svg("svg", { ...box, "aria-label": "Rows by which model is right" }, strip);
  return {
    node: html("div", {}, coin.node, bar),
    draw(now) {
      drawCoin(coin, now);
      strip.replaceChildren(...drawStrip(now));
    },
  };
}

function drawCoin(plane, { apart, first, second, fewer }) {
  const chances = Array.from({ length: apart + 1 }, (_, k) => [k, binomialPmf(k, apart, 0.5)]);
  const reach = Math.max(4 * Math.sqrt(apart) / 2, Math.abs(first - second) / 2) + 1;
  const [low, high] = [Math.max(0, apart / 2 - reach), Math.min(apart, apart / 2 + reach)];
  const top = Math.max(...chances.map(([, chance]) => chance)) * 1.2;
  plane.span({ x: [low - 0.7, high + 0.7], y: [0, top] });
  const isFar = (k) => k <= fewer || k >= apart - fewer;
  plane.draw([
    ...chances.filter(([k]) => k >= low && k <= high).map(([k, chance]) => ({
      shape: "bar",
      kind: isFar(k) ? "tail" : "middle",
      box: [k - 0.42, 0, k + 0.42, chance],
    })),
    { shape: "segment", kind: "interval", ends: [[first, 0], [first, top * 0.08]] },
    { shape: "note", at: [first, top * 0.08], text: `${count(first)}`, anchor: "middle", dx: 0 },
  ]);
  const alone = `${count(first)} rows are the first’s alone`;
  plane.describe(`Binomial distribution of ${count(apart)} fair coins; ${alone}`);
}

const [LEFT, WIDE] = [14, 432];

/** All rows in one strip: only its middle tells the models apart. */
function drawStrip({ both, first, second, none, n }) {
  const parts = [
    { rows: both, kind: "tn", text: "both right" },
    { rows: first, kind: "tp", text: "first alone" },
    { rows: second, kind: "fp", text: "second alone" },
    { rows: none, kind: "fn", text: "none" },
  ];
  let from = 0;
  return parts.flatMap(({ rows, kind, text }, at) => {
    const x = LEFT + (WIDE * from) / (n || 1);
    from += rows;
    const area = { x, y: 8, width: (WIDE * rows) / (n || 1), height: 44 };
    const mark = { cx: LEFT + 6 + (at % 2) * 216, cy: 70 + 20 * Math.floor(at / 2), r: 5 };
    const words = { class: "tick", x: mark.cx + 10, y: mark.cy + 4 };
    return [
      svg("rect", { class: `block ${kind}`, ...area }),
      svg("circle", { class: `icon ${kind}`, ...mark }),
      svg("text", words, `${text}: ${count(rows)}`),
    ];
  });
}

/** The table of both models, with its p values. */
function beside() {
  const cells = Object.fromEntries(
    ["both", "first", "second", "none"].map((key) => [key, html("span", { class: "cell-number" })]),
  );
  const cell = (key, kind) => html("td", { class: kind }, cells[key]);
  const head = ["rows", "second right", "second wrong"].map((text) => html("th", {}, text));
  const table = html(
    "table",
    { class: "small-matrix" },
    html("tr", {}, ...head),
    html("tr", {}, html("th", {}, "first right"), cell("both", "same"), cell("first", "right")),
    html("tr", {}, html("th", {}, "first wrong"), cell("second", "wrong"), cell("none", "same")),
  );
  return {
    node: table,
    draw: (now) => Object.entries(cells).forEach(([key, node]) => say(node, count(now[key]))),
  };
}

export const mount = lesson({ numbers, says, picture, beside });
