// Metrics against the threshold, each with its band where a formula gives one.

import { drawArea } from "./chart.js";
import { countsAtRow, held } from "./curves.js";
import { atScore, pointAt } from "./figure_words.js";
import { byRank, byScore, scoreTicks } from "./ks.js";
import { estimate } from "./metrics.js";
import { minus, number } from "./words.js";

export const METRICS = {
  key: "metrics",
  name: "metrics by threshold",
  columns: ["threshold", "value"],
  byThreshold: true,
  hasChoice: true,

  missing: ({ drawn }, { table }) => {
    if (!table.threshold.length) return "There are no rows.";
    return drawn.metrics.length ? "" : "Choose a metric above.";
  },

  lines(board, model) {
    const lines = board.metrics
      .filter(({ key }) => board.drawn.metrics.includes(key))
      .map((metric) => ({ ...metric, model, ...at(metric.key, board.z) }));
    const bottom = lowest(lines);
    const height = (value) => (value - bottom) / (1 - bottom);
    const across = byScore(model);
    return lines.map((line) => ({
      ...line,
      bottom,
      height,
      place: ([threshold, value]) => across([threshold, height(value)]),
    }));
  },

  axes(board, model) {
    const isSigned = METRICS.lines(board, model)[0].bottom < 0;
    const y = [0, 0.25, 0.5, 0.75, 1].map((place) => [place, minus(String(2 * place - 1))]);
    return { x: scoreTicks(model), ...(isSigned && { y }) };
  },

  words: ({ level }, model) => ({
    title: "What each threshold is worth",
    subtitle: `Metrics of ${model.spoken} at every threshold`,
    above: "",
    below: `threshold${byRank(model)}`,
    note:
      `Shaded: ${100 * level}% intervals (Wilson; for F1 through the Jaccard index), ` +
      "each for its own threshold, not for the best of many.",
  }),

  under: (board, model) => METRICS.lines(board, model).map((line) => drawBand(board, line)),

  hover: (_, line, row) => `${atScore(line, row)}: ${line.name} ${number(pointAt(line, row)[1])}`,
};

const at = (key, z) => ({
  point: (counts, threshold) => [threshold, estimate(key, counts, z).value],
});

/** The lower end of the axis: 0, or -1 where a correlation is negative somewhere. */
function lowest(lines) {
  const isNegative = ({ model: { table }, point }) =>
    table.threshold.some((_, row) => point(countsAtRow(table, row))[1] < 0);
  return lines.some(isNegative) ? -1 : 0;
}

function drawBand({ z }, { model: { table, axis }, key, color, height }) {
  const ends = Array.from(table.threshold, (_, row) => ({
    x: axis.places[row],
    ...estimate(key, countsAtRow(table, row), z),
  })).filter(({ low }) => low !== undefined);
  const lower = held(ends.map(({ x, low }) => [x, height(low)]));
  const upper = held(ends.map(({ x, high }) => [x, height(high)]));
  return drawArea([...lower, ...upper.reverse()], "band", color);
}
