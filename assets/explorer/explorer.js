// The threshold explorer: drawn into an element from plain data; tells what was chosen.

import { boardAt, makeBoard, viewOf } from "./board.js";
import { makeCards } from "./cards.js";
import { makeChooser } from "./chooser.js";
import { makeControl } from "./control.js";
import { html } from "./dom.js";
import { FIGURES } from "./figures.js";
import { makeHeadline } from "./headline.js";
import { makeHistogram } from "./histogram.js";
import { makeLegend } from "./legend.js";
import { makeMatrix } from "./matrix.js";
import { makeOutbox } from "./outbox.js";
import { makePlot } from "./plot.js";
import { makeRow } from "./row.js";
import { rowsAtOrAbove, shortAt } from "./tables.js";

/** @typedef {import("./board.js").Point} Point */

/**
 * Draw an explorer.
 * @param {Element} parent
 * @param {(choice: object) => void} [onSettle] called with { model, threshold, own, drawn } when
 *   the threshold has been let go or something chosen. Its receiver answers with `update`. Without
 *   it there is nobody to ask for counts between the rows of the table, so it stays on its rows.
 */
export function mountExplorer(parent, onSettle) {
  const root = html("div", { class: "explorer" });
  parent.append(root);
  const outbox = makeOutbox();
  let board = null;
  let point = null;

  // move and settle the threshold; choose a model; part the models' thresholds; draw curves.
  const actions = {
    move(threshold) {
      const reached = onSettle ? threshold : onRow(board, point, threshold);
      point = { ...point, thresholds: moved(point, reached) };
      show("move");
    },
    settle() {
      show("settle");
      if (onSettle && outbox.send(point)) onSettle(answer(board, point));
    },
    choose: (position, threshold = point.thresholds[position]) =>
      change({ position, thresholds: moved({ ...point, position }, threshold) }),
    part: (own) => change({ own, thresholds: moved({ ...point, own }, chosenThreshold(point)) }),
    draw: (drawn) => change({ drawn: { ...point.drawn, ...drawn } }),
  };
  const parts = makeParts(root, actions);

  function change(chosen) {
    point = { ...point, ...chosen };
    show("draw", "move");
    actions.settle();
  }

  function show(...steps) {
    const view = viewOf(board, point);
    root.classList.toggle("settling", !view.judgement.exact);
    const shown = parts.filter(({ isShown }) => !isShown || isShown(view.board));
    for (const step of steps) for (const part of shown) part[step]?.(view);
  }

  function update(data) {
    const isNew = board?.key !== data.key;
    board = isNew ? makeBoard(data) : boardAt(board, data);
    const asked = pointOf(board);
    const follow = outbox.receive(asked) || isNew;
    const redraw = isNew || (follow && !looksLike(asked, point));
    if (follow) point = asked;
    show(...(redraw ? ["draw", "move"] : ["move"]));
  }

  return { update, destroy: () => root.remove() };
}

/** The point at which the server stands. */
function pointOf({ models, chosen, thresholds, own, drawn }) {
  const position = Math.max(0, models.map(({ name }) => name).indexOf(chosen));
  return { position, thresholds, own, drawn };
}

const chosenThreshold = ({ position, thresholds }) => thresholds[position];

/** The thresholds when the chosen model's is moved; the others follow unless each has its own. */
const moved = ({ position, thresholds, own }, threshold) =>
  thresholds.map((each, at) => (own && at !== position ? each : threshold));

const answer = ({ models }, point) => ({
  model: models[point.position].name,
  threshold: chosenThreshold(point),
  own: point.own,
  drawn: point.drawn,
});

/** Whether two points differ in their thresholds at most, so that nothing needs to be redrawn. */
const looksLike = (one, other) =>
  JSON.stringify({ ...one, thresholds: [] }) === JSON.stringify({ ...other, thresholds: [] });

/** The lowest score of the table that is not below the threshold; its highest where all are. */
function onRow({ models }, { position }, threshold) {
  const { table } = models[position];
  return shortAt(table, Math.max(0, rowsAtOrAbove(table, threshold) - 1));
}

function makeParts(root, actions) {
  const plots = FIGURES.map((figure) => makePlot(figure, actions.choose));
  const matrix = makeMatrix();
  const above = [
    makeHeadline(),
    makeHistogram(),
    makeControl(actions),
    makeCards(),
    makeLegend(actions),
    makeChooser(actions),
  ];
  const row = html("div", { class: "figures" });
  root.append(...above.flatMap(({ nodes }) => nodes), row);
  return [...above, makeRow(row, plots, matrix), ...plots, matrix];
}
