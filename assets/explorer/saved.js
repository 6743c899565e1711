// What can be taken away from a plot of the explorer: pictures, its numbers, the code.

import { HEIGHT, WIDTH } from "./chart.js";
import { countsAtRow } from "./curves.js";
import { entries } from "./entries.js";
import { fileName } from "./files.js";
import { pointAt } from "./figure_words.js";
import { pictureOf, standalone, wrapped } from "./picture.js";

/** The entries of a plot's menu. */
export function saved({ figure, lines, canvas, texts, code }) {
  const picture = () => drawn(canvas, texts, lines);
  const name = (ending) => `${fileName(figure.name)}.${ending}`;
  return entries({ name, picture, rows: () => rowsOf(figure, lines), code });
}

/** A plot as a picture, with all that is said around it. */
export function drawn(canvas, texts, lines) {
  const said = (kind) => wrapped(texts[kind].textContent, kind, WIDTH);
  const copy = standalone(canvas);
  copy.setAttribute("width", WIDTH);
  copy.setAttribute("height", HEIGHT);
  const names = lines.map(({ name, color }) => ({ kind: "legend", text: `— ${name}`, color }));
  const look = getComputedStyle(canvas);
  return pictureOf({
    drawing: copy,
    width: WIDTH,
    height: HEIGHT,
    top: ["title", "subtitle", "above"].flatMap(said),
    bottom: ["below", "note"].flatMap(said).concat(names.map(resolved(canvas))),
    look,
    background: getComputedStyle(canvas.closest(".figure")).backgroundColor,
  });
}

/** A colour that the style sheet names, written out. */
const resolved = (canvas) => (words) => {
  const name = /^var\((--[\w-]+)\)$/.exec(words.color)?.[1];
  const color = name ? colorOf(canvas, words.color) : words.color;
  return { ...words, color };
};

function colorOf(canvas, color) {
  const probe = canvas.parentElement.appendChild(document.createElement("span"));
  probe.style.color = color;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function rowsOf({ columns }, lines) {
  const head = ["line", "score", ...columns, "tp", "fp", "fn", "tn"];
  return [head, ...lines.flatMap(lineRows)];
}

const lineRows = (line) =>
  Array.from(line.model.table.threshold, (score, row) => {
    const { tp, fp, fn, tn } = countsAtRow(line.model.table, row);
    return [line.name, score, ...pointAt(line, row), tp, fp, fn, tn];
  });
