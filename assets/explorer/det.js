// Detection error trade-off: both kinds of error, on scales that make normal scores a line.

import { drawReference } from "./chart.js";
import { atScore, linePerModel, needsBoth, pointAt } from "./figure_words.js";
import { probit } from "./normal.js";
import { percent, rowsOf } from "./words.js";

const LOWEST = 0.001;
const TICKS = [0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99];
const HALF = -probit(LOWEST);

/** Where a rate stands; those beyond the ends stand at the ends. */
const placeRate = (rate) => 0.5 + probit(Math.min(1 - LOWEST, Math.max(LOWEST, rate))) / (2 * HALF);
const ticks = TICKS.map((rate) => [placeRate(rate), `${Number((100 * rate).toPrecision(2))}%`]);

export const DET = {
  key: "det",
  name: "DET",
  columns: ["false positive rate", "false negative rate"],
  missing: needsBoth,

  lines: (board, chosen) =>
    linePerModel(board, chosen, {
      point: ({ tp, fp, fn, tn }) => [fp / (fp + tn), fn / (tp + fn)],
      place: ([x, y]) => [placeRate(x), placeRate(y)],
    }),

  axes: () => ({ x: ticks, y: ticks }),

  words: ({ classes: [negative, positive] }) => ({
    title: "Misses against false alarms",
    subtitle: "Detection error trade-off, on normal scales; lower left is better",
    above: `share of ${rowsOf(positive)} missed`,
    below: `share of ${rowsOf(negative)} flagged`,
    note: "Rates beyond 0.1% and 99.9% stand at the edges.",
  }),

  under: () => [drawReference([0, 1], [1, 0])],

  hover({ classes: [negative, positive] }, line, row) {
    const [x, y] = pointAt(line, row);
    const missed = `misses ${percent(y)} of ${rowsOf(positive)}`;
    return `${atScore(line, row)} ${missed}, flags ${percent(x)} of ${rowsOf(negative)}`;
  },
};
