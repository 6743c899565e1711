// How the scores of each class lie along the slider.

import { html, say, svg } from "./dom.js";
import { count, roughly, rowsOf } from "./words.js";

const HEIGHT = 100;
const ROOM_BELOW = 12;

/** More rows than this have no tick of their own. */
const RUG_AT_MOST = 300;

export function makeHistogram() {
  const legend = html("p", { class: "note" });
  const flagged = html("p", { class: "note flagged" });
  const bars = svg("svg", {
    class: "bars",
    viewBox: `0 0 1 ${HEIGHT + ROOM_BELOW}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const line = html("div", { class: "handle-line" });
  const tip = html("div", { class: "tip", hidden: "" });
  const plot = html("div", { class: "histogram" }, bars, line, tip);
  const node = html("section", { class: "scores" }, legend, flagged, plot);
  return {
    nodes: [node],
    draw: ({ board, model }) => drawAll({ legend, bars, plot, tip }, board, model),
    move({ place, judgement }) {
      line.style.setProperty("--place", place);
      say(flagged, judgement.flagged);
    },
  };
}

function drawAll({ legend, bars, plot, tip }, board, model) {
  const { spoken, histogram } = model;
  const [negative, positive] = board.classes;
  legend.replaceChildren(
    html("span", {}, `Scores of ${spoken}`),
    html("span", { class: "key positive" }, positive),
    html("span", { class: "key negative" }, negative),
    html("span", {}, "square-root scale"),
  );
  bars.replaceChildren(...drawBars(histogram), ...drawRug(model));
  plot.onpointermove = (event) => {
    const bin = binUnder(plot, histogram, event);
    tip.hidden = !bin;
    if (bin) showBin(tip, bin, board.classes);
  };
  plot.onpointerleave = () => {
    tip.hidden = true;
  };
}

function drawBars(bins) {
  const height = (rows, { left, right }) => Math.sqrt(rows / (right - left));
  const most = bins.map((bin) => height(Math.max(bin.positives, bin.negatives), bin));
  const scale = HEIGHT / Math.max(...most);
  return bins.flatMap((bin) => [
    drawBar("negative", bin, scale * height(bin.negatives, bin), 0.04),
    drawBar("positive", bin, scale * height(bin.positives, bin), 0.24),
  ]);
}

/** A bar that leaves a share of its bin free on either side. */
function drawBar(kind, { left, right }, height, free) {
  const margin = free * (right - left);
  const width = right - left - 2 * margin;
  return svg("rect", { class: kind, x: left + margin, width, y: HEIGHT - height, height });
}

/** One tick for each score of each class, where there are few rows. */
function drawRug({ table: { threshold, tp, fp, positives, negatives }, axis }) {
  if (positives + negatives > RUG_AT_MOST) return [];
  const stands = (running, row) => running[row] > (row ? running[row - 1] : 0);
  return Array.from(threshold).flatMap((_, row) => [
    ...(stands(fp, row) ? [drawTick("negative", axis.places[row], HEIGHT + 2)] : []),
    ...(stands(tp, row) ? [drawTick("positive", axis.places[row], HEIGHT + 6)] : []),
  ]);
}

const drawTick = (kind, x, y) =>
  svg("line", { class: `rug ${kind}`, x1: x, x2: x, y1: y, y2: y + 4 });

function binUnder(plot, bins, { clientX }) {
  const box = plot.getBoundingClientRect();
  const place = (clientX - box.left) / box.width;
  return bins.find(({ left, right }) => place >= left && place <= right);
}

function showBin(tip, bin, [negative, positive]) {
  const { from, to, left, right } = bin;
  const scores = from === to ? roughly(from) : `${roughly(from)} to ${roughly(to)}`;
  const rows = [
    `${count(bin.positives)} ${rowsOf(positive)}`,
    `${count(bin.negatives)} ${rowsOf(negative)}`,
  ];
  say(tip, `Scores ${scores}: ${rows.join(", ")}`);
  tip.style.setProperty("--x", (left + right) / 2);
}
