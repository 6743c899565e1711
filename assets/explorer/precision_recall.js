// Precision and recall: how many alerts are real, as more of the class is found.

import { drawNote, drawPath, drawReference } from "./chart.js";
import { atScore, linePerModel, needsPositives, pointAt, withInterval } from "./figure_words.js";
import { are, percent, rowsOf } from "./words.js";

const point = ({ tp, fp, fn }) => [tp / (tp + fn), tp / (tp + fp)];
const EQUAL_F1 = [0.2, 0.4, 0.6, 0.8];
const PIECES = 24;

export const PRECISION_RECALL = {
  key: "precision-recall",
  name: "precision-recall",
  columns: ["recall", "precision"],
  // Average precision is the area under steps: each precision holds from the recall before it.
  stepped: true,
  missing: needsPositives,
  lines: (board, chosen) => linePerModel(board, chosen, { point }),

  words: ({ classes: [, positive] }, model) => ({
    title: `How many flagged rows ${are(positive)}`,
    subtitle: `Precision against recall. Average precision ${withInterval(model.ap)}`,
    above: `share of flagged rows that ${are(positive)} (precision)`,
    below: `share of ${rowsOf(positive)} found (recall)`,
    note: "Average precision is the area below these steps.",
  }),

  under({ drawn }, { table: { positives, negatives } }) {
    const prevalence = positives / (positives + negatives);
    return [
      ...(drawn.lines.includes("f1") ? EQUAL_F1.flatMap(drawEqualF1) : []),
      drawReference([0, prevalence], [1, prevalence]),
      drawNote(`flagging every row: ${percent(prevalence)}`, [0, prevalence]),
    ];
  },

  hover({ classes: [, positive] }, line, row) {
    const [x, y] = pointAt(line, row);
    const found = `finds ${percent(x)} of ${rowsOf(positive)}`;
    return `${atScore(line, row)} ${found}; ${percent(y)} of flagged rows ${are(positive)}`;
  },
};

/** The points of one F1, from the lowest recall that has it to recall 1. */
function drawEqualF1(f1) {
  const lowest = f1 / (2 - f1);
  const all = Array.from({ length: PIECES + 1 }, (_, piece) => {
    const recall = lowest + ((1 - lowest) * piece) / PIECES;
    return [recall, Math.min(1, (f1 * recall) / (2 * recall - f1))];
  });
  return [drawPath(all, "extra"), drawNote(`F1 ${f1}`, [0.85, f1 / (2 - f1) + 0.01])];
}
