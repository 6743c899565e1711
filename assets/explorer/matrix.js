// Who lands where: the confusion matrix of the chosen model.

import { html, say } from "./dom.js";
import { count } from "./words.js";

export function makeMatrix() {
  const cells = {
    tp: makeCell("found", "right"),
    fn: makeCell("missed", "wrong"),
    fp: makeCell("false alarm", "wrong"),
    tn: makeCell("left alone", "right"),
  };
  const [negative, positive] = [makeRowHead(), makeRowHead()];
  const table = html(
    "table",
    { class: "matrix" },
    html("tr", {}, html("td", {}), makeColumnHead("flagged"), makeColumnHead("passed")),
    html("tr", {}, positive, cells.tp.node, cells.fn.node),
    html("tr", {}, negative, cells.fp.node, cells.tn.node),
  );
  return {
    nodes: [html("section", { class: "figure" }, html("h2", {}, "Who lands where"), table)],
    draw({ board: { classes } }) {
      name(negative, classes[0]);
      name(positive, classes[1]);
    },
    move({ judgement: { counts } }) {
      for (const [key, { number }] of Object.entries(cells)) say(number, count(counts[key]));
    },
  };
}

const makeColumnHead = (text) => html("th", { scope: "col" }, text);
const makeRowHead = () => html("th", { scope: "row" });

function makeCell(fate, side) {
  const number = html("span", { class: "cell-number" });
  const node = html("td", { class: side }, number, html("span", { class: "note" }, fate));
  return { number, node };
}

function name(node, text) {
  say(node, text);
  node.title = text;
}
