// The distributions of the scores of both classes, and the gap between them.

import { placeOf } from "./axis.js";
import { drawNote, drawPath } from "./chart.js";
import { points, traced } from "./curves.js";
import { atScore, needsBoth, pointAt } from "./figure_words.js";
import { percent, roughly, rowsOf } from "./words.js";

const below = {
  positive: ({ tp, fn }) => fn / (tp + fn),
  negative: ({ fp, tn }) => tn / (fp + tn),
};

export const KS = {
  key: "ks",
  name: "Kolmogorov-Smirnov",
  columns: ["threshold", "share of its class that scores lower"],
  missing: needsBoth,
  byThreshold: true,

  lines: ({ classes }, model) =>
    [["negative", classes[0]], ["positive", classes[1]]].map(([kind, name]) => ({
      model,
      name,
      color: `var(--${kind})`,
      dash: "solid",
      point: (counts, threshold) => [threshold, below[kind](counts)],
      place: byScore(model),
    })),

  axes: (_, model) => ({ x: scoreTicks(model) }),

  words({ classes: [negative, positive] }, model) {
    const { at, gap } = widest(model);
    const told = Number.isNaN(gap) ? "KS is undefined" : `KS ${percent(gap)}, at ${roughly(at)}`;
    return {
      title: `How far apart ${rowsOf(positive)} and ${rowsOf(negative)} score`,
      subtitle: `Distributions of the scores of ${model.spoken}. ${told}`,
      above: "share of the class that scores lower",
      below: `threshold${byRank(model)}`,
      note: "Dotted: where the two are furthest apart. Found and judged on the same rows.",
    };
  },

  under(_, model) {
    const { x, high, low } = widest(model);
    return [drawPath([[x, low], [x, high]], "hull", "var(--ink)")];
  },

  hover: (_, line, row) =>
    `${atScore(line, row)} leaves ${percent(pointAt(line, row)[1])} of ${rowsOf(line.name)} below`,
};

/** From a score to its place on the slider of a model. */
export function byScore({ table, axis }) {
  return ([threshold, y]) => [placeOf(table, axis, threshold), y];
}

/** The ends of a model's slider as ticks. */
export const scoreTicks = ({ axis: { low, high } }) => [
  [0, roughly(low)],
  [1, roughly(high)],
];

export const byRank = ({ axis }) => (axis.kind === "rank" ? " (by rank)" : "");

function widest(model) {
  const [negative, positive] = KS.lines({ classes: ["", ""] }, model).map((line) => traced(line));
  const gaps = Array.from(positive.y, (each, row) => Math.abs(negative.y[row] - each));
  if (!gaps.length) return { gap: NaN };
  const row = gaps.reduce((best, gap, at) => (gap > gaps[best] ? at : best), 0);
  const [one, other] = [negative.y[row], positive.y[row]];
  const ends = { low: Math.min(one, other), high: Math.max(one, other) };
  return { at: model.table.threshold[row], gap: gaps[row], x: positive.x[row], ...ends };
}
