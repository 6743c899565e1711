// ROC: how much of the class is found against how much else is flagged.

import { drawArea, drawBox, drawPath, drawReference, drawSegment, moveSegment } from "./chart.js";
import { across, hull, points, traced } from "./curves.js";
import { atScore, linePerModel, needsBoth, pointAt, withInterval } from "./figure_words.js";
import { count, number, percent, rowsOf } from "./words.js";

const point = ({ tp, fp, fn, tn }) => [fp / (fp + tn), tp / (tp + fn)];

export const ROC = {
  key: "roc",
  name: "ROC",
  columns: ["false positive rate", "true positive rate"],
  origin: [0, 0],
  missing: needsBoth,
  lines: (board, chosen) => linePerModel(board, chosen, { point }),

  words: (board, model) => ({
    title: `Finding ${rowsOf(board.classes[1])} against false alarms`,
    subtitle: `ROC curve. ROC AUC ${withInterval(model.auc)}`,
    above: `share of ${rowsOf(board.classes[1])} found`,
    below: `share of ${rowsOf(board.classes[0])} flagged`,
    note: notes(board, model).join(" "),
  }),

  under: (board, model) => [
    ...(has(board, "partial") ? drawPartial(model) : []),
    ...(has(board, "band") && model.band ? [drawBand(model)] : []),
    ...(model.ties ? model.ties.boxes.map((box) => drawBox(box, "tied", model.color)) : []),
    drawReference([0, 0], [1, 1]),
    ...(has(board, "hull") ? [drawHull(model)] : []),
  ],

  /** Where every point costs as much as the one where the threshold stands. */
  moving(board) {
    if (!has(board, "cost") || board.equalCost === null) return null;
    const node = drawSegment("extra");
    const move = ({ judgement: { counts } }) =>
      moveSegment(node, across(point(counts), board.equalCost));
    return { node, move };
  },

  hover(board, line, row) {
    const [x, y] = pointAt(line, row);
    const [negative, positive] = board.classes;
    const found = `finds ${percent(y)} of ${rowsOf(positive)}`;
    return `${atScore(line, row)} ${found}, flags ${percent(x)} of ${rowsOf(negative)}`;
  },
};

const has = ({ drawn }, key) => drawn.lines.includes(key);

function notes(board, model) {
  const told = [];
  if (has(board, "band")) told.push(aboutBand(board, model));
  if (model.ties) told.push(aboutTies(board, model.ties));
  if (has(board, "hull")) told.push("Dotted: the hull, which mixtures of two thresholds reach.");
  if (has(board, "cost")) told.push(aboutCost(board));
  if (has(board, "partial")) told.push(aboutPartial(model));
  return told;
}

function aboutBand({ level }, { band, spoken }) {
  if (!band) return `No band: ${spoken} has too few rows of one class.`;
  const method = `${band.method}, ${count(band.resamples)} resamples`;
  return `Shaded: the whole curve lies there with ${100 * level}% confidence (${method}).`;
}

function aboutTies({ classes: [negative, positive] }, { share, low, high }) {
  const auc = `ROC AUC between ${number(low)} and ${number(high)}`;
  const who = `${percent(share)} of rows share a score with a row of the other class`;
  return `Ties: ${who}; sorting ${positive} and ${negative} inside them gives ${auc} (boxes).`;
}

const aboutCost = ({ equalCost }) =>
  equalCost === null
    ? "No line of equal cost: by the costs given, finding a case saves nothing."
    : "Dashed: as costly as here, by the costs of the page Costs; above it cheaper.";

function aboutPartial({ partial, spoken }) {
  const upTo = percent(partial.to);
  return `Partial AUC of ${spoken} up to ${upTo} flagged, rescaled: ${withInterval(partial)}.`;
}

function drawPartial({ partial: { to } }) {
  return [drawBox([0, 0, to, 1], "partial")];
}

function drawBand({ band: { low, high }, color }) {
  const at = (edge) => edge.map((y, step) => [step / (edge.length - 1), y]);
  return drawArea([...at(low), ...at(high).reverse()], "band", color);
}

const drawHull = (model) =>
  drawPath(hull([[0, 0], ...points(traced({ model, point }))]), "hull", model.color);
