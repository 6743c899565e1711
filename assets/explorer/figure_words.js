// What figures say alike.

import { countsAtRow } from "./curves.js";
import { shortAt } from "./tables.js";
import { minus, number, rowsOf } from "./words.js";

/** Why there is no curve, where only one class has rows; nothing where there is one. */
export function needsBoth({ classes: [negative, positive] }, { table }) {
  if (table.positives === 0) return nothingToFind(positive);
  return table.negatives ? "" : `There are no ${rowsOf(negative)}, so no alarm can be false.`;
}

/** The same for curves of the positive rows alone. */
export const needsPositives = ({ classes: [, positive] }, { table }) =>
  table.positives ? "" : nothingToFind(positive);

const nothingToFind = (positive) =>
  `There are no ${rowsOf(positive)}, so there is nothing to find.`;

/** "At 0.34, forest", the beginning of what hovering says. */
export const atScore = ({ model: { spoken, table } }, row) =>
  `At ${minus(String(shortAt(table, row)))}, ${spoken}`;

/** The numbers of a line at a row of its table. */
export const pointAt = ({ model: { table }, point }, row) =>
  point(countsAtRow(table, row), table.threshold[row]);

export function withInterval({ value, low, high, why }) {
  if (value === null) return `is undefined: ${why}`;
  return low === null ? number(value) : `${number(value)} (${number(low)} to ${number(high)})`;
}

/** One line for each model; the chosen one last, so that it lies on top. */
export const linePerModel = (board, chosen, parts) =>
  [...board.models.filter((model) => model !== chosen), chosen].map((model) => ({
    model,
    name: model.label,
    color: model.color,
    dash: model.dash,
    ...parts,
  }));
