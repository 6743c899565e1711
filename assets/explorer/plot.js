// A plot of one curve for each model, with the point of the threshold on each.

import {
  HEIGHT,
  WIDTH,
  atX,
  atY,
  drawLine,
  drawMarker,
  drawTicks,
  fromPlace,
  makeCanvas,
  placeMarker,
} from "./chart.js";
import { nearestPoint } from "./curves.js";
import { html, say, set } from "./dom.js";

/** How near the pointer must be to a curve, as a share of the axes. */
const NEAR = 0.08;

/**
 * @param {object} figure which curve it is and what is said about it: see figures.js
 * @param {(position: number, threshold: number) => void} pick told what was clicked
 */
export function makePlot(figure, pick) {
  const texts = {
    title: html("h2", {}),
    subtitle: html("p", { class: "note" }),
    above: html("p", { class: "axis" }),
    below: html("p", { class: "axis below" }),
    missing: html("p", { class: "note missing" }),
  };
  const { title, subtitle, above, below, missing } = texts;
  const canvas = makeCanvas();
  const tip = html("div", { class: "tip", hidden: "" });
  const frame = html("div", { class: "plot-frame" }, canvas, tip);
  let markers = [];
  return {
    nodes: [html("section", { class: "figure" }, title, subtitle, above, frame, below, missing)],
    draw({ board, model }) {
      sayTexts(texts, figure, board, model);
      set(canvas, "aria-label", `${above.textContent} against ${below.textContent}`);
      const isMissing = missing.textContent !== "";
      frame.hidden = above.hidden = below.hidden = isMissing;
      markers = isMissing ? [] : drawModels(canvas, figure, board, model);
      listen(frame, tip, { board, figure, pick });
    },
    move({ board, threshold }) {
      for (const { marker, model } of markers) {
        placeMarker(marker, figure.point(board, model, threshold));
      }
    },
  };
}

function sayTexts(texts, figure, board, model) {
  const words = { ...figure.words(board, model), missing: figure.missing(board, model) };
  for (const [key, text] of Object.entries(words)) say(texts[key], text);
}

/** Draw every model that has the curve, the chosen one last, and return their markers. */
function drawModels(canvas, figure, board, chosen) {
  const others = board.models.filter((model) => model !== chosen);
  const models = [...others, chosen].filter((model) => !figure.missing(board, model));
  const markers = models.map((model) => ({ model, marker: drawMarker(model, model === chosen) }));
  canvas.replaceChildren(
    ...drawTicks(),
    ...figure.reference(chosen),
    ...models.map((model) => drawLine(figure.path(model), model, model === chosen)),
    ...markers.map(({ marker }) => marker),
  );
  return markers;
}

function listen(frame, tip, { board, figure, pick }) {
  const find = (event) => nearestModel(board, figure, pointerIn(frame, event));
  frame.onpointermove = (event) => showTip(tip, find(event), board, figure);
  frame.onpointerleave = () => showTip(tip, null);
  frame.onclick = (event) => {
    const found = find(event);
    if (found) pick(found.position, board.models[found.position].table.threshold[found.row]);
  };
}

function pointerIn(frame, { clientX, clientY }) {
  const { left, top, width, height } = frame.getBoundingClientRect();
  return fromPlace(((clientX - left) / width) * WIDTH, ((clientY - top) / height) * HEIGHT);
}

/** The model and the row of its table whose point lies nearest, or null where none is near. */
function nearestModel(board, figure, point) {
  const near = board.models
    .filter((model) => !figure.missing(board, model))
    .map((model) => ({ position: model.position, ...nearestPoint(figure.curve(model), point) }))
    .filter(({ distance }) => distance < NEAR)
    .sort((one, other) => one.distance - other.distance);
  return near[0] ?? null;
}

function showTip(tip, found, board, figure) {
  tip.hidden = !found;
  if (!found) return;
  const model = board.models[found.position];
  const { x, y } = figure.curve(model);
  say(tip, figure.hover(board, model, found.row));
  tip.style.setProperty("--x", atX(x[found.row]) / WIDTH);
  tip.style.setProperty("--y", atY(y[found.row]) / HEIGHT);
}
