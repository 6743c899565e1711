// The threshold explorer: drawn into an element from plain data; tells what was chosen.

import { boardAt, makeBoard, viewOf } from "./board.js";
import { makeCards } from "./cards.js";
import { makeControl } from "./control.js";
import { html } from "./dom.js";
import { PRECISION_RECALL, ROC } from "./figures.js";
import { makeHeadline } from "./headline.js";
import { makeHistogram } from "./histogram.js";
import { makeLegend } from "./legend.js";
import { makeMatrix } from "./matrix.js";
import { makePlot } from "./plot.js";
import { rowsAtOrAbove } from "./tables.js";

/** A point is what can be chosen: the position of a model, and a threshold. */
const same = (a, b) => a.position === b.position && a.threshold === b.threshold;

/**
 * Draw an explorer.
 * @param {Element} parent
 * @param {(choice: {model: string, threshold: number}) => void} [onSettle] called when the
 *   threshold has been let go or a model chosen. Its receiver answers with `update`. Without it
 *   there is nobody to ask for counts between the rows of the table, so it stays on its rows.
 */
export function mountExplorer(parent, onSettle) {
  const root = html("div", { class: "explorer" });
  parent.append(root);
  const outbox = makeOutbox();
  let board = null;
  let point = null;

  const actions = {
    move(threshold) {
      point = { ...point, threshold: onSettle ? threshold : onRow(board, point, threshold) };
      show("move");
    },
    choose(position, threshold = point.threshold) {
      point = { position, threshold };
      show("draw", "move");
      actions.settle();
    },
    settle() {
      show("settle");
      if (onSettle && outbox.send(point)) {
        onSettle({ model: board.models[point.position].name, threshold: point.threshold });
      }
    },
  };
  const parts = makeParts(root, actions);

  function show(...steps) {
    const view = viewOf(board, point);
    root.classList.toggle("settling", !view.judgement.exact);
    for (const step of steps) for (const part of parts) part[step]?.(view);
  }

  function update(data) {
    const isNew = board?.key !== data.key;
    board = isNew ? makeBoard(data) : boardAt(board, data);
    const asked = { position: positionOf(board, data.chosen), threshold: data.threshold };
    const follow = outbox.receive(asked) || isNew;
    const redraw = isNew || (follow && asked.position !== point.position);
    if (follow) point = asked;
    show(...(redraw ? ["draw", "move"] : ["move"]));
  }

  return { update, destroy: () => root.remove() };
}

const positionOf = ({ models }, name) =>
  Math.max(0, models.findIndex((model) => model.name === name));

/** The lowest score of the table that is not below the threshold; its highest where all are. */
function onRow({ models }, { position }, threshold) {
  const { table } = models[position];
  return table.threshold[Math.max(0, rowsAtOrAbove(table, threshold) - 1)];
}

function makeParts(root, actions) {
  const figures = [
    makePlot(ROC, actions.choose),
    makePlot(PRECISION_RECALL, actions.choose),
    makeMatrix(),
  ];
  const above = [
    makeHeadline(),
    makeHistogram(),
    makeControl(actions),
    makeCards(),
    makeLegend(actions.choose),
  ];
  const row = html("div", { class: "figures" }, ...figures.flatMap(({ nodes }) => nodes));
  root.append(...above.flatMap(({ nodes }) => nodes), row);
  return [...above, ...figures];
}

/**
 * What the server was told and has not answered yet. Its late answers must not pull the handle
 * back; only a point that it reached by itself (undo, another page) is followed.
 */
function makeOutbox() {
  let sent = [];
  let said = null;
  return {
    send(point) {
      const last = sent.at(-1) ?? said;
      if (last && same(last, point)) return false;
      sent.push(point);
      return true;
    },
    receive(point) {
      const answered = sent.findIndex((each) => same(each, point)) + 1;
      const follow = !answered && !(said && same(said, point));
      sent = follow ? [] : sent.slice(answered);
      said = point;
      return follow;
    },
  };
}
