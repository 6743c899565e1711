// A plot of curves, with the point of the threshold on each.

import {
  HEIGHT,
  WIDTH,
  atX,
  atY,
  drawLine,
  drawMarker,
  drawSegment,
  drawTicks,
  fromPlace,
  makeCanvas,
  moveSegment,
  placeMarker,
} from "./chart.js";
import { held, itself, nearestAcross, nearestPoint, points, steps, traced } from "./curves.js";
import { html, say, set } from "./dom.js";
import { countsOf } from "./judge.js";
import { makeMenu } from "./menu.js";
import { saved } from "./saved.js";
import { shortAt } from "./tables.js";

/** How near the pointer must be to a curve, as a share of the axes. */
const NEAR = 0.08;

/**
 * @param {object} figure what is drawn and said: see docs/explorer.md
 * @param {(position: number, threshold: number) => void} pick told what was clicked
 */
export function makePlot(figure, pick) {
  const texts = {
    title: html("h2", {}),
    subtitle: html("p", { class: "note" }),
    above: html("p", { class: "axis" }),
    below: html("p", { class: "axis below" }),
    note: html("p", { class: "note about" }),
    missing: html("p", { class: "note missing" }),
  };
  const { title, subtitle, above, below, note, missing } = texts;
  const canvas = makeCanvas();
  const tip = html("div", { class: "tip", hidden: "" });
  const frame = html("div", { class: "plot-frame" }, canvas, tip);
  const menu = makeMenu(figure.name);
  let moving = [];
  let code = "";
  const parts = [menu.node, title, subtitle, above, frame, below, note, missing];
  const node = html("section", { class: "figure", "data-figure": figure.key }, ...parts);
  return {
    nodes: [node],
    isShown: ({ drawn }) => drawn.curves.includes(figure.key),
    draw({ board, model }) {
      const isMissing = sayTexts(texts, figure, board, model);
      set(canvas, "aria-label", [above, below].map((each) => each.textContent).join(" against "));
      for (const each of [frame, above, below, note, menu.node]) each.hidden = isMissing;
      const lines = isMissing ? [] : linesOf(figure, board, model);
      moving = isMissing ? [] : drawAll(canvas, figure, { board, model, lines });
      code = board.code?.[figure.key];
      menu.offer(saved({ figure, lines, canvas, texts, code: () => code }));
      listen(frame, tip, { board, figure, lines, pick });
    },
    move(view) {
      code = view.board.code?.[figure.key];
      for (const move of moving) move(view);
    },
  };
}

/** Say all that is said, and whether there is nothing to draw. */
function sayTexts(texts, figure, board, model) {
  const missing = figure.missing(board, model);
  const words = { ...figure.words(board, model), missing };
  for (const [key, text] of Object.entries(words)) say(texts[key], text);
  return missing !== "";
}

/** The lines of all models that have the curve, each with its place at every row. */
const linesOf = (figure, board, model) =>
  figure
    .lines(board, model)
    .filter((line) => !figure.missing(board, line.model))
    .map((line) => ({ ...line, curve: traced(line) }));

/** Draw everything, and return what moves with the threshold. */
function drawAll(canvas, figure, { board, model, lines }) {
  const isChosen = (line) => line.model === model;
  const markers = lines.map((line) => drawMarker(line, isChosen(line) && !figure.byThreshold));
  const moving = [figure.moving?.(board, model), figure.byThreshold && makeUpright()];
  const extra = moving.filter(Boolean);
  canvas.replaceChildren(
    ...drawTicks(figure.axes?.(board, model)),
    ...figure.under(board, model),
    ...extra.map(({ node }) => node),
    ...lines.map((line) => drawLine(pathOf(figure, line), line, isChosen(line))),
    ...markers,
  );
  const follow = (line, at) => (view) => placeMarker(markers[at], markerPlace(line, view));
  return [...extra.map(({ move }) => move), ...lines.map(follow)];
}

function pathOf({ stepped, byThreshold, origin }, { curve }) {
  const all = points(curve);
  if (byThreshold) return held(all);
  return [...(origin ? [origin] : []), ...(stepped ? steps(all) : all)];
}

/** The upright line of the threshold, where the axis below is that of the scores. */
function makeUpright() {
  const node = drawSegment("upright");
  return { node, move: ({ place }) => moveSegment(node, [[place, 0], [place, 1]]) };
}

function markerPlace({ model, point, place = itself }, { board, thresholds }) {
  const threshold = thresholds[model.position];
  return place(point(countsOf(board, model, threshold), threshold));
}

function listen(frame, tip, { board, figure, lines, pick }) {
  const find = (event) => nearestLine(figure, lines, pointerIn(frame, event));
  frame.onpointermove = (event) => showTip(tip, find(event), board, figure);
  frame.onpointerleave = () => showTip(tip, null);
  frame.onclick = (event) => {
    const found = find(event);
    if (found) pick(found.line.model.position, shortAt(found.line.model.table, found.row));
  };
}

function pointerIn(frame, { clientX, clientY }) {
  const { left, top, width, height } = frame.getBoundingClientRect();
  return fromPlace(((clientX - left) / width) * WIDTH, ((clientY - top) / height) * HEIGHT);
}

/** The line and the row of its table that lie nearest, or null where none is near. */
function nearestLine({ byThreshold }, lines, point) {
  const nearest = byThreshold ? nearestAcross : nearestPoint;
  const near = lines
    .map((line) => ({ line, ...nearest(line.curve, point) }))
    .filter(({ distance }) => distance < NEAR)
    .sort((one, other) => one.distance - other.distance);
  return near[0] ?? null;
}

function showTip(tip, found, board, figure) {
  tip.hidden = !found;
  if (!found) return;
  const { x, y } = found.line.curve;
  say(tip, figure.hover(board, found.line, found.row));
  tip.style.setProperty("--x", atX(x[found.row]) / WIDTH);
  tip.style.setProperty("--y", atY(y[found.row]) / HEIGHT);
}
