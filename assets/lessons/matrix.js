// The matrix that is typed: counts in, and everything that follows from them while typing.

import { button, folding, html, say, set, svg } from "../explorer/dom.js";
import { count, percent } from "../explorer/words.js";
import { FEWEST, LONGEST_NAME, MOST, matrixOf, readCount } from "./counts.js";
import { readTable, renamed, tokenOf } from "./counts.js";
import { drawIcons, drawStrip, heightOfIcons, iconSays, words } from "./icons.js";
import { writtenNumber } from "./formula.js";
import { lesson } from "./shell.js";

export const numbers = matrixOf;

function says({ n, size, right, tp, positives, flagged, beta, classes, ...rates }, _, show) {
  if (!n) return "There are no rows: type a count.";
  if (show.has("averages")) return averagesOf({ n, size, right, classes, ...rates });
  const { accuracy, recall, precision, f, macroF } = rates;
  const all = `${count(right)} of ${count(n)} rows are right (accuracy ${percent(accuracy)})`;
  if (size > 2) {
    const mean = `The mean F1 of the ${size} classes is ${writtenNumber(macroF)}`;
    const below = `The working below is of class ${classes[0].name} against all others`;
    return `${all}. ${mean}. ${below}.${whyUndefined(classes)}`;
  }
  const name = classes[0].name;
  if (!positives || !flagged) return `${all}.${whyUndefined([classes[0]])}`;
  const share = `(recall ${percent(recall)})`;
  const rows = name === "positive" ? "positives" : `rows that are ${name}`;
  const found = `Of ${count(positives)} ${rows} ${count(tp)} are found ${share}`;
  const hits = `${count(tp)} are ${name} (precision ${percent(precision)})`;
  const called = `of ${count(flagged)} called ${name} ${hits}`;
  return `${found}; ${called}; ${all}. F${count(beta)} is ${writtenNumber(f)}.`;
}

/** Which rates of classes are undefined, and why; "" where none is. */
function whyUndefined(classes) {
  const named = (isSo) => classes.filter(isSo).map(({ name }) => name).join(", ");
  const lacking = named(({ truly }) => !truly);
  const unsaid = named(({ tp, fp }) => !(tp + fp));
  const none = lacking && ` No row is truly ${lacking}, so recall is undefined there.`;
  const never = unsaid && ` No row is called ${unsaid}, so precision is undefined there.`;
  const lacks = (none || never) && classes.length > 1;
  const mean = lacks ? " A mean with an undefined part is undefined." : "";
  return `${none}${never}${mean}`;
}

/** The averages of several classes in words. */
function averagesOf({ n, size, right, classes, accuracy, macroF, weightedF, macroRecall }) {
  const all = `${count(right)} of ${count(n)} rows of ${size} classes are right`;
  const micro = `micro F1, the accuracy, is ${writtenNumber(accuracy)}`;
  const macro = `Macro F1, each class alike, is ${writtenNumber(macroF)}`;
  const weighted = `weighted F1, each class by its rows, ${writtenNumber(weightedF)}`;
  const recall = `Macro recall is ${writtenNumber(macroRecall)}`;
  return `${all}: ${micro}. ${macro}; ${weighted}. ${recall}.${whyUndefined(classes)}`;
}

// The picture: icons above, precision and recall as areas below

const [WIDE, HIGH, LEFT] = [460, 345, 10];

function picture() {
  const drawing = svg("g", {});
  const node = svg("svg", { class: "plane", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" }, drawing);
  return {
    node: html("div", {}, node),
    draw(now) {
      const parts = partsOf(now);
      drawing.replaceChildren(...(now.size === 2 ? drawTwo(now, parts) : drawMany(now)));
      const told = parts.map(({ many, name }) => `${count(many)} ${name}`).join(", ");
      set(node, "aria-label", `Icons and areas: ${told}`);
    },
  };
}

/** What icons show: which class is true (colour) and which is called (filled or not). */
function partsOf({ size, tp, fn, fp, tn, right, wrong }) {
  if (size > 2) {
    return [
      { many: right, kind: "right", name: "right" },
      { many: wrong, kind: "miss", name: "wrong" },
    ];
  }
  return [
    { many: tp, kind: "tp", name: "true positives", short: "TP" },
    { many: fn, kind: "fn", name: "false negatives", short: "FN" },
    { many: fp, kind: "fp", name: "false positives", short: "FP" },
    { many: tn, kind: "tn", name: "true negatives", short: "TN" },
  ];
}

const inner = WIDE - 2 * LEFT;

/** Icons with their legend. */
function drawMarks(parts, top) {
  const legend = parts.map(({ kind, name, short = name }, at) => {
    const x = LEFT + 7 + at * 112;
    const mark = svg("circle", { class: `icon ${kind}`, cx: x, cy: top + 6, r: 6 });
    return svg("g", {}, mark, words(short, x + 11, top + 10));
  });
  return [...legend, ...drawIcons(parts, { left: LEFT, top: top + 22, wide: inner })];
}

function drawTwo(now, parts) {
  const below = 46 + heightOfIcons(ICON_ROWS, inner);
  const place = { left: LEFT, wide: inner, top: below + 28, high: 62 };
  return [
    ...drawMarks(parts, 4),
    words(iconSays(parts.map(({ many }) => many)), LEFT, below),
    words("Precision and recall: two areas that share the hits", LEFT, below + 20),
    ...drawStrip({ ...now, name: now.classes[0].name }, place),
  ];
}

/** Room is kept for as many icons as there can be. */
const ICON_ROWS = 200;

function drawMany({ classes, size }) {
  const room = (HIGH - 4) / size;
  // Brackets need more room than one line of words.
  const high = room > 92 ? room - 50 : room - 18;
  const place = (at) => ({ left: LEFT, wide: inner, top: 4 + at * room, high });
  return classes.flatMap((one, at) => drawStrip(one, place(at)));
}

// The matrix itself, each cell a box to type in, with margins

function beside(change) {
  const table = html("table", { class: "typed" });
  const problem = html("p", { class: "problem", role: "alert" });
  const open = html("a", { class: "open", target: "_blank", rel: "noopener" }, "Open as data ↗");
  const tell = (text) => say(problem, text);
  const paste = makePaste(change, tell);
  let [size, boxes, heads, margins, cells, names] = [0, [], {}, {}, [], []];

  const resize = (by) => () => change({ cells: resized(cells, size, size + by) });
  const [less, more] = [button({}, resize(-1), "− class"), button({}, resize(1), "+ class")];

  /** Take what a box says; the matrix stays as it is where that is no count. */
  function type(at, text) {
    const read = readCount(text);
    set(boxes[at], "aria-invalid", read.problem ? "true" : false);
    tell(read.problem ?? "");
    const one = (cell, place) => (place === at ? read.count : cell);
    if (!read.problem) change({ cells: cells.map(one) });
  }

  /** Take the name of a class; it stays as it was where that cannot be one. */
  function rename(at, box) {
    const read = renamed(names, at, box.value);
    set(box, "aria-invalid", read.problem ? "true" : false);
    tell(read.problem ?? "");
    if (!read.problem) change({ names: read.names });
  }

  function draw({ size: wanted, cells: counts, n, classes, named }) {
    cells = counts;
    names = classes.map(({ name }) => name);
    if (size !== wanted) {
      size = wanted;
      const take = { type, rename, paste: paste.take };
      ({ boxes, heads, margins } = fillTable(table, size, take));
      less.disabled = size <= FEWEST;
      more.disabled = size >= MOST;
    }
    showTable({ size, boxes, heads, margins }, { counts, names, n, classes });
    open.hidden = !n;
    set(open, "href", `overview?data=${encodeURIComponent(tokenOf(counts, named))}`);
  }

  const row = html("div", { class: "choices" }, less, more, paste.fold, open);
  return { node: html("div", { class: "typing" }, table, problem, row, paste.panel), draw };
}

/** The table shows its counts, the names of the classes, and the margins. */
function showTable({ size, boxes, heads, margins }, { counts, names, n, classes }) {
  boxes.forEach((box, at) => {
    const [truth, called] = [names[Math.floor(at / size)], names[at % size]];
    set(box, "aria-label", `Truly ${truth}, called ${called}`);
    showCount(box, counts[at]);
  });
  heads.rows.forEach((box, at) => isTyping(box) || (box.value = names[at]));
  heads.columns.forEach((head, at) => say(head, names[at]));
  classes.forEach(({ truly, tp, fp }, at) => {
    say(margins.rows[at], count(truly));
    say(margins.columns[at], count(tp + fp));
  });
  say(margins.whole, count(n));
}

const isTyping = (box) => box.getRootNode().activeElement === box;

/** A box shows its count, unless someone is typing in it. */
function showCount(box, value) {
  if (isTyping(box) && readCount(box.value).count === value) return;
  if (box.getAttribute("aria-invalid") && isTyping(box)) return;
  set(box, "aria-invalid", false);
  if (box.value !== count(value)) box.value = count(value);
}

/** The cells of a matrix with more or fewer classes; what is cut off is lost. */
export const resized = (cells, from, to) =>
  Array.from({ length: to * to }, (_, at) => {
    const [row, column] = [Math.floor(at / to), at % to];
    return row < from && column < from ? cells[row * from + column] : 0;
  });

const TAGS = ["TP", "FN", "FP", "TN"];

function fillTable(table, size, { type, rename, paste }) {
  const classes = Array.from({ length: size }, (_, at) => at);
  const boxes = Array.from({ length: size * size }, (_, at) => {
    const box = html("input", { type: "text", inputmode: "numeric", autocomplete: "off" });
    box.oninput = () => type(at, box.value);
    box.onfocus = () => box.select();
    box.onpaste = (event) => paste(event.clipboardData.getData("text"), event);
    return box;
  });
  const margin = () => html("td", { class: "margin" });
  const margins = { rows: classes.map(margin), columns: classes.map(margin), whole: margin() };
  const heads = { rows: classes.map(nameBox), columns: classes.map(() => html("th", {})) };

  function nameBox(at) {
    const label = `Name of class ${at + 1}`;
    const given = { type: "text", class: "name", maxlength: LONGEST_NAME, "aria-label": label };
    const box = html("input", { ...given, autocomplete: "off" });
    box.oninput = () => rename(at, box);
    return box;
  }

  const cell = (at) => {
    const isRight = Math.floor(at / size) === at % size;
    const tag = size === 2 ? [html("span", { class: "note" }, TAGS[at])] : [];
    return html("td", { class: isRight ? "right" : "wrong" }, ...tag, boxes[at]);
  };
  const [corner, end] = ["truth \\ called", "sum"].map((text) => html("th", {}, text));
  const rows = classes.map((at) => {
    const cells = classes.map((to) => cell(at * size + to));
    return html("tr", {}, html("th", {}, heads.rows[at]), ...cells, margins.rows[at]);
  });
  const foot = html("tr", {}, html("th", {}, "sum"), ...margins.columns, margins.whole);
  table.replaceChildren(html("tr", {}, corner, ...heads.columns, end), ...rows, foot);
  return { boxes, heads, margins };
}

// A whole table at once: pasted into a box, or read from a file

function makePaste(change, tell) {
  const text = html("textarea", {
    rows: 4,
    "aria-label": "A table of counts, a row for each true class",
    placeholder: "90, 210\n140, 9560",
  });
  const file = html("input", { type: "file", accept: ".csv,.tsv,.txt", "aria-label": "A file" });
  const use = (said) => {
    const read = readTable(said);
    tell(read.problem ?? "");
    if (read.cells) change({ cells: read.cells });
  };
  text.oninput = () => use(text.value);
  file.onchange = async () => {
    if (file.files[0]) use(await file.files[0].slice(0, 20_000).text());
  };
  const about = html("p", { class: "note" }, "Rows are the true classes, columns the called ones.");
  const panel = html("div", { class: "pasting" }, about, text, file);
  /** One number is typed; more are a table. */
  const take = (said, event) => {
    if (!/\d\s*[\t\n;|,]\s*\S/.test(said.trim()) || "count" in readCount(said)) return;
    event.preventDefault();
    use(said);
  };
  return { panel, fold: folding("Paste or read a table", panel), take };
}

export const mount = lesson({ numbers, says, picture, beside });
