// The payload made ready: tables decoded, curves and slider positions worked out. No drawing here.

import { makeAxis, placeOf } from "./axis.js";
import { precisionRecallCurve, rocCurve } from "./curves.js";
import { judge } from "./judge.js";
import { decodeTable } from "./tables.js";

/** Everything that can be drawn, from the payload of the explorer. */
export function makeBoard(data) {
  return { ...data, models: data.models.map(makeModel) };
}

function makeModel(model, position) {
  const table = decodeTable(model.table);
  return {
    ...model,
    position,
    table,
    axis: makeAxis(table, model.axis),
    roc: rocCurve(table),
    precisionRecall: precisionRecallCurve(table),
  };
}

/** The same board with what the server says at the threshold that it has reached. */
export const boardAt = (board, { threshold, chosen, at }) => ({ ...board, threshold, chosen, at });

/** What is to be seen of one model at one threshold. */
export function viewOf(board, { position, threshold }) {
  const model = board.models[position];
  return {
    board,
    model,
    threshold,
    place: placeOf(model.table, model.axis, threshold),
    judgement: judge(board, model, threshold),
  };
}
