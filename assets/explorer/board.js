// The payload made ready: tables decoded, slider positions worked out. No drawing here.

import { makeAxis, placeOf } from "./axis.js";
import { judge } from "./judge.js";
import { decodeTable } from "./tables.js";

/**
 * What can be chosen, all of it at once.
 * @typedef {object} Point
 * @property {number} position of the chosen model
 * @property {number[]} thresholds one for each model
 * @property {boolean} own whether each model keeps its own; if not, all are the same
 * @property {{curves: string[], lines: string[], metrics: string[]}} drawn what is to be seen
 */

/** Everything that can be drawn, from the payload of the explorer. */
export function makeBoard(data) {
  return { ...data, models: data.models.map(makeModel) };
}

function makeModel(model, position) {
  const table = decodeTable(model.table);
  return { ...model, position, table, axis: makeAxis(table, model.axis) };
}

/** The same board with what the server says at the thresholds that it has reached. */
export const boardAt = (board, { thresholds, own, drawn, chosen, at, code }) =>
  ({ ...board, thresholds, own, drawn, chosen, at, code });

/** What is to be seen at one point. */
export function viewOf(board, { position, thresholds, own, drawn }) {
  const model = board.models[position];
  const threshold = thresholds[position];
  return {
    board: { ...board, own, drawn },
    model,
    threshold,
    thresholds,
    place: placeOf(model.table, model.axis, threshold),
    judgement: judge(board, model, threshold),
  };
}
