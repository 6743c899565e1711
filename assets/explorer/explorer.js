// The threshold explorer: drawn into an element from plain data; tells what was chosen.

import { makeChooser, makeControl, makeLegend } from "./controls.js";
import { makeCosts } from "./costs.js";
import { CURVES } from "./curves.js";
import { html } from "./dom.js";
import { makeCards, makeHeadline, makeHistogram, makeMatrix } from "./panels.js";
import { makePlot } from "./plot.js";
import {
  answerOf,
  choiceOf,
  decode,
  isToldAnew,
  looksLike,
  makePending,
  moved,
  priced,
  scoreFrom,
  thresholdOf,
  viewOf,
  withAnswer,
} from "./view.js";

/**
 * Put an explorer into an element; `update` gives it its payload.
 * @param {Element} parent
 * @param {(answer: object) => void} [tell] called with { model, threshold, own, drawn, holds } when
 *   the threshold has been let go or something chosen. Its receiver answers with `update`; the
 *   tables of the data that it `holds` need not be sent again. Without it there is nobody to ask
 *   for counts between the rows of the table, so it stays on its rows.
 */
export function mount(parent, tell) {
  const root = parent.appendChild(html("div", { class: "explorer" }));
  const pending = makePending();
  let [data, choice] = [null, null];

  const actions = {
    move(threshold) {
      choice = moved(choice, tell ? threshold : scoreFrom(data, choice, threshold));
      show("move");
    },
    settle() {
      show("settle");
      if (tell && pending.send(choice)) tell(answerOf(data, choice));
    },
    choose: (position, threshold = choice.thresholds[position]) =>
      change(moved({ ...choice, position }, threshold)),
    keepOwn: (own) => change(moved({ ...choice, own }, thresholdOf(choice))),
    draw: (drawn) => change({ ...choice, drawn: { ...choice.drawn, ...drawn } }),
    price(said) {
      if (tell) return ask({ said });
      [data, choice] = reckoned(data, choice, said);
      show("draw", "move", "settle");
    },
    pick: tell && ((rows) => ask({ rows })),
  };
  const parts = makeParts(root, actions);

  const ask = (what) => tell({ ...answerOf(data, choice), ...what, turn: Date.now() });
  function change(next) {
    choice = next;
    show("draw", "move");
    actions.settle();
  }
  function show(...steps) {
    const view = viewOf(data, choice);
    const shown = parts.filter(({ isShown }) => !isShown || isShown(view.data));
    for (const step of steps) for (const part of shown) part[step]?.(view);
  }
  function update(payload) {
    const isNew = data?.key !== payload.key;
    if (isNew && !payload.models) return tell?.({ holds: null });
    const asked = choiceOf(payload.models ? payload : { ...data, ...payload });
    const follow = pending.receive(asked) || isNew;
    const redraw = isNew || isToldAnew(data, payload) || (follow && !looksLike(asked, choice));
    data = isNew ? decode(payload) : withAnswer(data, payload);
    if (follow) choice = asked;
    show(...(redraw ? ["draw", "move"] : ["move"]));
  }
  return { update, destroy: () => root.remove() };
}

/** Where there is no server, the cheapest threshold is found among the rows that are here. */
function reckoned(data, choice, said) {
  const told = priced(data, said);
  const { threshold } = told.costs.cheapest[choice.position];
  return [told, threshold === null ? choice : moved(choice, threshold)];
}

function makeParts(root, actions) {
  const plots = CURVES.map((curve) => makePlot(curve, actions.choose));
  const matrix = makeMatrix();
  const cards = makeCards(actions);
  const chooser = makeChooser(actions);
  const above = [
    makeHeadline(),
    makeHistogram(actions),
    makeControl(actions),
    makeCosts(actions),
    cards,
    makeLegend(actions, [cards.density, chooser.fold]),
    chooser,
  ];
  const row = html("div", { class: "figures" });
  root.append(...above.flatMap(({ nodes }) => nodes), row);
  const pale = { move: ({ result }) => root.classList.toggle("settling", !result.exact) };
  return [...above, makeRow(row, plots, matrix), ...plots, matrix, pale];
}

/** The plots that are chosen, and the matrix in the room that they leave. */
function makeRow(row, plots, matrix) {
  return {
    draw({ data }) {
      const shown = plots.filter(({ isShown }) => isShown(data));
      const nodes = [...shown, matrix].flatMap((each) => each.nodes);
      const isThere = (node, at) => row.children[at] === node;
      const isSame = row.children.length === nodes.length && nodes.every(isThere);
      if (!isSame) {
        row.replaceChildren(...nodes);
        row.dispatchEvent(new Event("figures", { bubbles: true, composed: true }));
      }
      row.style.setProperty("--rest-of-3", 3 - (shown.length % 3));
      row.style.setProperty("--rest-of-2", 2 - (shown.length % 2));
    },
  };
}
