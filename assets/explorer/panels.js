// What is shown at one threshold beside the curves: headline, histogram, cards, confusion matrix.

import { addTip, among, button, hold, html, refill, say, set, svg, tickBox } from "./dom.js";
import { statesOf } from "./view.js";
import { placeOf } from "./scores.js";
import { count, roughly, rowsOf } from "./words.js";

// The finding in a sentence, how sure it is, and what to do here

export function makeHeadline() {
  const text = html("span", {});
  const title = html("h1", { class: "headline held" }, text);
  const doubt = html("span", {});
  const lead = html("p", { class: "lead held" }, doubt);
  const spoken = html("p", { class: "spoken", role: "status" });
  return {
    nodes: [title, lead, spoken],
    draw(view) {
      const states = statesOf(view);
      hold(title, states.map(({ headline }) => headline));
      hold(lead, states.map((state) => state.doubt));
    },
    move({ result }) {
      say(text, result.headline);
      say(doubt, result.doubt);
    },
    settle: ({ result }) => say(spoken, result.headline),
  };
}

// How the scores of each class lie along the slider

const BARS_HEIGHT = 100;
const RUG_HEIGHT = 12;

/** More rows than this have no tick of their own: ticks would run into each other. */
const RUG_AT_MOST = 300;

/** The bars of the scores; `pick`, where there is one, takes over the rows of a bar. */
export function makeHistogram({ pick }) {
  const legend = html("p", { class: "note" });
  const title = "A row is flagged where its score is at least the threshold.";
  const flagged = html("p", { class: "note", title });
  const bars = svg("svg", {
    class: "bars",
    viewBox: `0 0 1 ${BARS_HEIGHT + RUG_HEIGHT}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const line = html("div", { class: "handle-line" });
  const bins = html("div", { class: "bins", role: "group", "aria-label": "Select rows by score" });
  bins.onkeydown = among;
  const plot = html("div", { class: "histogram" }, bars, line, bins);
  const tell = addTip(plot);
  bins.addEventListener("focusin", (event) => plot.onpointermove(event));
  return {
    nodes: [html("section", { class: "scores" }, legend, flagged, plot)],
    draw({ data, model }) {
      const [negative, positive] = data.classes;
      const marked = data.selected?.model === model.name ? data.selected : null;
      legend.replaceChildren(
        html("span", {}, `Scores of ${model.spoken}`),
        html("span", { class: "key positive" }, positive),
        html("span", { class: "key negative" }, negative),
        html("span", {}, "square-root scale"),
        ...(marked ? [html("span", { class: "key picked" }, marked.rows)] : []),
      );
      const marks = marked ? marked.scores.map((score) => drawMark(model, score)) : [];
      bars.replaceChildren(...drawBars(model.histogram), ...drawRug(model), ...marks);
      refill(bins, `${data.key}|${model.name}`, () => makeBins(model, data.classes, pick));
      tell(({ target }) => tipOf(model.histogram[target.dataset.bin], data.classes));
    },
    move({ place, result }) {
      line.style.setProperty("--place", place);
      // What a day brings says it too.
      say(flagged, result.day ? "" : result.flagged);
    },
  };
}

function drawBars(bins) {
  const height = (rows, { left, right }) => Math.sqrt(rows / (right - left));
  const most = bins.map((bin) => height(Math.max(bin.positives, bin.negatives), bin));
  const scale = BARS_HEIGHT / Math.max(...most);
  return bins.flatMap((bin) => [
    drawBar("negative", bin, scale * height(bin.negatives, bin), 0.04),
    drawBar("positive", bin, scale * height(bin.positives, bin), 0.24),
  ]);
}

/** A bar that leaves a share of its bin free on either side. */
function drawBar(kind, { left, right }, height, free) {
  const margin = free * (right - left);
  const width = right - left - 2 * margin;
  return svg("rect", { class: kind, x: left + margin, width, y: BARS_HEIGHT - height, height });
}

/** One tick for each score of each class, where there are few rows. */
function drawRug({ table: { threshold, tp, fp, positives, negatives }, axis: { places } }) {
  if (positives + negatives > RUG_AT_MOST) return [];
  const hasRows = (running, row) => running[row] > (row ? running[row - 1] : 0);
  return Array.from(threshold).flatMap((_, row) => [
    ...(hasRows(fp, row) ? [drawTick("negative", places[row], BARS_HEIGHT + 2)] : []),
    ...(hasRows(tp, row) ? [drawTick("positive", places[row], BARS_HEIGHT + 6)] : []),
  ]);
}

/** A line at the score of a row that is selected. */
function drawMark(model, score) {
  const x = placeOf(model, score);
  return svg("line", { class: "picked", x1: x, x2: x, y1: 0, y2: BARS_HEIGHT + RUG_HEIGHT });
}

const drawTick = (kind, x, y) =>
  svg("line", { class: `rug ${kind}`, x1: x, x2: x, y1: y, y2: y + 4 });

/** What is pointed at in each bin with rows, and pressed to select them. */
function makeBins({ histogram }, classes, pick) {
  const last = histogram.length - 1;
  const filled = histogram.map((bin, at) => ({ ...bin, at })).filter(hasRows);
  return filled.map((bin, place) => {
    const attributes = { class: "bin", "data-bin": bin.at };
    if (!pick) return placed(html("span", attributes), bin);
    const name = `${wordsOfBin(bin, classes)}. Select them`;
    const spoken = { ...attributes, "aria-label": name, tabindex: place ? -1 : 0 };
    const chosen = [bin.from, bin.to, bin.at < last];
    return placed(button(spoken, () => pick(chosen)), bin);
  });
}

/** A policy of contents lets scripts set properties of a style, but no attribute. */
function placed(node, { left, right }) {
  node.style.left = `${100 * left}%`;
  node.style.width = `${100 * (right - left)}%`;
  return node;
}

const hasRows = ({ positives, negatives }) => positives + negatives > 0;

const tipOf = (bin, classes) =>
  bin && { text: wordsOfBin(bin, classes), x: (bin.left + bin.right) / 2 };

function wordsOfBin({ from, to, positives, negatives }, [negative, positive]) {
  const scores = from === to ? roughly(from) : `${roughly(from)} to ${roughly(to)}`;
  const rows = [
    `${count(positives)} ${rowsOf(positive)}`,
    `${count(negatives)} ${rowsOf(negative)}`,
  ];
  return `Scores ${scores}: ${rows.join(", ")}`;
}

// One card for each metric: its number and its interval as a bar. Pointing at it, or going there by
// keyboard, shows the ends of the interval and the counts; a switch shows those of all cards.

/** Shows them in all cards; `drawn.lines` keeps its key. */
const DENSE = { key: "intervals", name: "intervals and counts" };

export function makeCards({ draw }) {
  const node = html("section", { class: "cards", "aria-label": "Metrics at this threshold" });
  let [cards, lines] = [[], []];
  const density = tickBox(DENSE.name, (isDense) => {
    const others = lines.filter((key) => key !== DENSE.key);
    draw({ lines: isDense ? [...others, DENSE.key] : others });
  });
  return {
    nodes: [node],
    density: density.node,
    draw(view) {
      const { data } = view;
      const states = statesOf(view);
      ({ lines } = data.drawn);
      density.box.checked = lines.includes(DENSE.key);
      node.classList.toggle("dense", density.box.checked);
      cards = data.cards.map((card, at) =>
        makeCard(card, data.level, states.map((state) => state.cards[at].words)),
      );
      node.replaceChildren(...cards.map((card) => card.node));
    },
    move({ result }) {
      cards.forEach((card, position) => card.move(result.cards[position]));
    },
  };
}

function makeCard({ name, summary }, level, room) {
  const value = html("span", { class: "number" });
  const bar = html("span", { class: "interval-bar", "aria-hidden": "true" });
  const ends = html("span", { class: "interval" });
  const interval = html("span", { class: "note" }, `${100 * level}% interval `, ends);
  const words = html("span", {});
  const label = html("span", { class: "note", title: summary }, name);
  const row = html("span", { class: "number-row" }, value, bar);
  const counts = html("span", { class: "note words held" }, words);
  hold(counts, room);
  const about = html("div", { class: "behind" }, interval, counts);
  const attributes = { class: "card", tabindex: 0, role: "group", "aria-label": name };
  const node = html("div", attributes, label, row, about);
  const move = (card) => {
    const isDefined = !Number.isNaN(card.value);
    node.classList.toggle("undefined", !isDefined);
    say(value, card.text);
    set(value, "title", isDefined ? false : `Undefined: ${card.words}`);
    say(words, card.words);
    say(ends, card.interval);
    set(interval, "hidden", card.low === undefined && "");
    bar.classList.toggle("absent", card.low === undefined);
    if (card.low === undefined) return;
    for (const end of ["low", "high", "value"]) bar.style.setProperty(`--${end}`, card[end]);
  };
  return { node, move };
}

// The confusion matrix of the chosen model

export function makeMatrix() {
  const cells = {
    tp: makeCell("TP, found", "right"),
    fn: makeCell("FN, missed", "wrong"),
    fp: makeCell("FP, false alarm", "wrong"),
    tn: makeCell("TN, passed", "right"),
  };
  const [negative, positive] = [makeHead("row"), makeHead("row")];
  const table = html(
    "table",
    { class: "matrix" },
    html("tr", {}, html("td", {}), makeHead("col", "flagged"), makeHead("col", "passed")),
    html("tr", {}, positive, cells.tp.node, cells.fn.node),
    html("tr", {}, negative, cells.fp.node, cells.tn.node),
  );
  return {
    nodes: [html("section", { class: "figure" }, html("h2", {}, "Who lands where"), table)],
    draw({ data: { classes } }) {
      [negative, positive].forEach((head, at) => {
        say(head, classes[at]);
        head.title = classes[at];
      });
    },
    move({ result: { counts } }) {
      for (const [key, { number }] of Object.entries(cells)) say(number, count(counts[key]));
    },
  };
}

const makeHead = (scope, ...text) => html("th", { scope }, ...text);

function makeCell(fate, kind) {
  const number = html("span", { class: "cell-number" });
  const node = html("td", { class: kind }, number, html("span", { class: "note" }, fate));
  return { number, node };
}
