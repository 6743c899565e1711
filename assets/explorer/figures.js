// The two curves: what they show, and what is said about them.

import { drawNote, drawReference } from "./chart.js";
import { countsOf, shownThreshold } from "./judge.js";
import { are, minus, number, percent, rowsOf } from "./words.js";

export const ROC = {
  curve: (model) => model.roc,

  /** Why there is no curve; nothing where there is one. */
  missing({ classes: [negative, positive] }, { table }) {
    if (table.positives === 0) return nothingToFind(positive);
    return table.negatives ? "" : `There are no ${rowsOf(negative)}, so no alarm can be false.`;
  },

  words: ({ classes: [negative, positive] }, model) => ({
    title: `Finding ${rowsOf(positive)} against false alarms`,
    subtitle: `ROC. AUC ${withInterval(model.auc)}`,
    above: `share of ${rowsOf(positive)} found`,
    below: `share of ${rowsOf(negative)} flagged`,
  }),

  point: (board, model, threshold) => model.roc.point(countsOf(board, model, threshold)),

  path: ({ roc }) => [[0, 0], ...points(roc)],

  reference: () => [drawReference([0, 0], [1, 1])],

  hover({ classes: [negative, positive] }, model, row) {
    const found = `finds ${percent(model.roc.y[row])} of ${rowsOf(positive)}`;
    const flagged = `flags ${percent(model.roc.x[row])} of ${rowsOf(negative)}`;
    return `${atScore(model, row)} ${found}, ${flagged}`;
  },
};

export const PRECISION_RECALL = {
  curve: (model) => model.precisionRecall,

  missing: ({ classes: [, positive] }, { table }) =>
    table.positives ? "" : nothingToFind(positive),

  words: ({ classes: [, positive] }, model) => ({
    title: `How many flagged rows ${are(positive)}`,
    subtitle: `Precision against recall. AP ${withInterval(model.ap)}`,
    above: `share of flagged rows that ${are(positive)} (precision)`,
    below: `share of ${rowsOf(positive)} found (recall)`,
  }),

  point: (board, model, threshold) =>
    model.precisionRecall.point(countsOf(board, model, threshold)),

  path: ({ precisionRecall }) => steps(points(precisionRecall)),

  reference({ table: { positives, negatives } }) {
    const prevalence = positives / (positives + negatives);
    const note = drawNote(`prevalence ${percent(prevalence)}`, prevalence);
    return [drawReference([0, prevalence], [1, prevalence]), note];
  },

  hover({ classes: [, positive] }, model, row) {
    const found = `finds ${percent(model.precisionRecall.x[row])} of ${rowsOf(positive)}`;
    const real = `${percent(model.precisionRecall.y[row])} of flagged rows ${are(positive)}`;
    return `${atScore(model, row)} ${found}; ${real}`;
  },
};

const nothingToFind = (positive) =>
  `There are no ${rowsOf(positive)}, so there is nothing to find.`;

const points = ({ x, y }) => Array.from(x, (each, row) => [each, y[row]]);

/** Average precision is the area under steps: each precision holds from the recall before it. */
function steps(all) {
  return all.flatMap(([x, y], at) => [[at ? all[at - 1][0] : 0, y], [x, y]]);
}

const atScore = ({ label, table }, row) =>
  `At ${minus(shownThreshold(table, table.threshold[row]))}, ${label}`;

function withInterval({ value, low, high, why }) {
  if (value === null) return `is undefined: ${why}`;
  return low === null ? number(value) : `${number(value)} (${number(low)} – ${number(high)})`;
}
