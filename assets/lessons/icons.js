// Counts as pictures: an array of icons, and precision and recall as areas that share the hits.

import { svg } from "../explorer/dom.js";
import { count, percent } from "../explorer/words.js";

/** So many icons at most: more cannot be told apart. */
const ICONS = 200;
const COLUMNS = 25;

/**
 * How many icons each part of a whole has: one a row where there are few rows, else shares of
 * `ICONS` by the largest remainders.
 */
export function apportioned(parts) {
  const whole = parts.reduce((all, one) => all + one, 0);
  if (whole <= ICONS) return parts;
  const exact = parts.map((part) => (ICONS * part) / whole);
  const icons = exact.map(Math.floor);
  const left = ICONS - icons.reduce((all, one) => all + one, 0);
  const order = exact.map((one, at) => [one - icons[at], at]).sort(([one], [other]) => other - one);
  for (const [, at] of order.slice(0, left)) icons[at] += 1;
  return icons;
}

/** What one icon stands for, in words; "" of no rows. */
export function iconSays(parts) {
  const whole = parts.reduce((all, one) => all + one, 0);
  if (whole <= ICONS) return whole ? "Each mark is one row" : "";
  const each = whole / ICONS;
  return `Each mark is ${count(each < 10 ? Math.round(10 * each) / 10 : Math.round(each))} rows`;
}

/** Icons of parts, each { many, kind }, as shapes of a drawing `wide` points wide. */
export function drawIcons(parts, { left, top, wide }) {
  const icons = apportioned(parts.map(({ many }) => many));
  const cell = wide / COLUMNS;
  const kinds = parts.flatMap(({ kind }, at) => Array(icons[at]).fill(kind));
  return kinds.map((kind, at) =>
    svg("circle", {
      class: `icon ${kind}`,
      cx: left + ((at % COLUMNS) + 0.5) * cell,
      cy: top + (Math.floor(at / COLUMNS) + 0.5) * cell,
      r: cell * 0.36,
    }),
  );
}

/** The height of so many icons in a drawing so many points wide. */
export const heightOfIcons = (rows, wide) =>
  (Math.ceil(Math.min(rows, ICONS) / COLUMNS) * wide) / COLUMNS;

/** Below a strip of this height there is room for brackets. */
const ROOMY = 40;

/**
 * A strip [FN | TP | FP] as wide as its counts: the truth spans the first two, what is called the
 * last two, so that recall and precision are shares of two areas with the hits in common.
 */
export function drawStrip({ fn, tp, fp, recall, precision, name }, { left, top, wide, high }) {
  const whole = fn + tp + fp;
  if (!whole) return [words(`${name}: no row of this class, and none called so`, left, top + high)];
  const x = (rows) => left + (rows / whole) * wide;
  const block = (kind, from, to) => {
    const area = { x: x(from), y: top, width: x(to) - x(from), height: high };
    return svg("rect", { class: `block ${kind}`, ...area });
  };
  const blocks = [block("fn", 0, fn), block("tp", fn, fn + tp), block("fp", fn + tp, whole)];
  const rates = [`recall ${percent(recall)}`, `precision ${percent(precision)}`];
  const line = () => words(`${name}: ${rates.join(", ")}`, left, top + high + 12);
  if (high < ROOMY) return [...blocks, line()];
  const bracket = (from, to, y, text, anchor) => [
    svg("path", { class: "bracket", d: `M${x(from)} ${y - 4}v4H${x(to)}v-4` }),
    words(text, anchor === "start" ? x(from) : x(to), y + 13, anchor),
  ];
  const below = top + high + 7;
  const truly = `truly ${name} ${count(fn + tp)}: ${rates[0]}`;
  const called = `called ${name} ${count(tp + fp)}: ${rates[1]}`;
  return [
    ...blocks,
    ...bracket(0, fn + tp, below, truly, "start"),
    ...bracket(fn, whole, below + 21, called, "end"),
  ];
}

export const words = (text, x, y, anchor = "start") =>
  svg("text", { class: "tick", x, y, "text-anchor": anchor }, text);
