// Cumulative gain and lift: what the highest-scored share of the rows holds.

import { drawPath, drawReference } from "./chart.js";
import { traced } from "./curves.js";
import { atScore, linePerModel, needsPositives, pointAt } from "./figure_words.js";
import { count, number, percent, roughly, rowsOf } from "./words.js";

const flagged = ({ tp, fp, fn, tn }) => (tp + fp) / (tp + fp + fn + tn);
const gain = (counts) => [flagged(counts), counts.tp / (counts.tp + counts.fn)];

function lift(counts) {
  const [share, found] = gain(counts);
  return [share, found / share];
}

export const GAIN = {
  key: "gain",
  name: "cumulative gain",
  columns: ["share flagged", "share of positives found"],
  origin: [0, 0],
  missing: needsPositives,
  lines: (board, chosen) => linePerModel(board, chosen, { point: gain }),

  words: ({ classes: [, positive] }) => ({
    title: `How soon ${rowsOf(positive)} are found`,
    subtitle: "Cumulative gain: rows taken from the highest score down",
    above: `share of ${rowsOf(positive)} found`,
    below: "share of all rows flagged",
    note: "Dotted: a perfect order. Dashed: a random one.",
  }),

  under: (_, { table: { positives, negatives }, color }) => [
    drawReference([0, 0], [1, 1]),
    drawPath([[0, 0], [positives / (positives + negatives), 1], [1, 1]], "hull", color),
  ],

  hover({ classes: [, positive] }, line, row) {
    const [share, found] = pointAt(line, row);
    const all = `${percent(found)} of ${rowsOf(positive)}`;
    return `${atScore(line, row)} finds ${all} in ${percent(share)} of rows`;
  },
};

export const LIFT = {
  key: "lift",
  name: "lift",
  columns: ["share flagged", "lift"],
  missing: needsPositives,

  lines(board, chosen) {
    const lines = linePerModel(board, chosen, { point: lift });
    const top = highest(lines);
    return lines.map((line) => ({ ...line, top, place: ([share, times]) => [share, times / top] }));
  },

  axes(board, chosen) {
    const { top } = LIFT.lines(board, chosen).at(-1);
    const step = roundStep(top / 4);
    const times = Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step);
    return { y: times.map((each) => [each / top, `${roughly(each)}×`]) };
  },

  words: ({ classes: [, positive] }) => ({
    title: `How many times more ${rowsOf(positive)} than by chance`,
    subtitle: "Lift: rows taken from the highest score down",
    above: `${rowsOf(positive)} among those flagged, times their share in all rows`,
    below: "share of all rows flagged",
    note: "Far to the left a few rows decide, and the line is rough.",
  }),

  under(board, chosen) {
    const { top } = LIFT.lines(board, chosen).at(-1);
    return [drawReference([0, 1 / top], [1, 1 / top])];
  },

  hover({ classes: [, positive] }, line, row) {
    const [share, times] = pointAt(line, row);
    const { tp, fp } = line.model.table;
    const flags = `flags ${percent(share)} (${count(tp[row] + fp[row])} rows)`;
    const found = `${number(times)} times as many ${rowsOf(positive)} as by chance`;
    return `${atScore(line, row)} ${flags}, ${found}`;
  },
};

/** The largest of 1, 2 and 5 times a power of ten that is at most so much. */
function roundStep(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * [5, 2, 1].find((each) => each * power <= most);
}

/** The largest lift of all lines, 1 where there is none. */
function highest(lines) {
  const all = lines.flatMap((line) => [...traced(line).y]).filter((each) => !Number.isNaN(each));
  return Math.max(1, ...all);
}
