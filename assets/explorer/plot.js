// Any of the curves as a figure, with the point of the threshold on each of its lines.

import {
  HEIGHT,
  WIDTH,
  atX,
  atY,
  drawLine,
  drawMarker,
  drawSegment,
  drawShape,
  drawTicks,
  fromPlace,
  makeFigure,
  moveSegment,
  placeMarker,
} from "./chart.js";
import { cornersOf, hoverText, nearest, sceneOf, tableOf } from "./curves.js";
import { addTip, html, say } from "./dom.js";
import { shortAt } from "./scores.js";
import { countsOf } from "./view.js";
import { minus } from "./words.js";

/** How near the pointer must be to a curve, as a share of the axes. */
const NEAR = 0.08;

/**
 * The figure of a curve as a part of the explorer.
 * @param {import("./curves.js").Curve} curve
 * @param {(position: number, threshold: number) => void} pick called with what was clicked
 */
export function makePlot(curve, pick) {
  const { key, name } = curve;
  const figure = makeFigure({ "data-figure": key });
  const reason = html("p", { class: "note missing" });
  const tell = addTip(figure.frame);
  figure.node.append(reason);
  let [lines, moving, code, threshold] = [[], [], undefined, NaN];

  function offer(data) {
    code = data.code?.[key];
    const named = [...lines].sort((one, other) => one.model.position - other.model.position);
    const caption = () => [...(data.source ?? []), `threshold ${minus(threshold)}`].join(" · ");
    figure.offer({ name, lines: named, rows: () => tableOf(curve, lines), code, caption });
  }

  return {
    nodes: [figure.node],
    isShown: ({ drawn }) => drawn.curves.includes(key),
    draw({ data, model }) {
      const scene = sceneOf(curve, data, model);
      const missing = curve.missing(data, model);
      lines = scene.lines;
      figure.write(curve.words(scene));
      figure.hideDrawing(missing !== "");
      say(reason, missing);
      moving = missing ? [] : drawScene(figure.canvas, curve, scene);
      listen(figure.frame, tell, curve, scene, pick);
      offer(data);
    },
    move(view) {
      ({ threshold } = view);
      // The server sends the code of a curve after the curve has been chosen.
      if (view.data.code?.[key] !== code) offer(view.data);
      for (const move of moving) move(view);
    },
  };
}

/** Draw everything, and return what moves with the threshold. */
function drawScene(canvas, curve, scene) {
  const { model, lines } = scene;
  const isChosen = (line) => line.model === model;
  const markers = lines.map((line) => drawMarker(line, isChosen(line) && !curve.byThreshold));
  const following = curve.moving?.(scene);
  const segments = following ? [drawSegment(following.kind)] : [];
  canvas.replaceChildren(
    ...drawTicks(curve.ticks?.(scene)),
    ...curve.under(scene).map(drawShape),
    ...segments,
    ...lines.map((line) => drawLine(cornersOf(curve, line), line, isChosen(line))),
    ...markers,
  );
  return [
    ...segments.map((segment) => (view) => moveSegment(segment, following.ends(view))),
    ...lines.map((line, at) => (view) => placeMarker(markers[at], pointOf(line, view))),
  ];
}

/** Where the threshold stands on a line. */
function pointOf({ model, point, place }, { data, thresholds }) {
  const threshold = thresholds[model.position];
  return place(point(countsOf(data, model, threshold), threshold));
}

function listen(frame, tell, curve, scene, pick) {
  const find = (event) => nearestLine(curve, scene.lines, pointerIn(frame, event));
  tell((event) => {
    const { line, row } = find(event) ?? {};
    const place = line && { x: atX(line.x[row]) / WIDTH, y: atY(line.y[row]) / HEIGHT };
    return line && { text: hoverText(curve, scene, line, row), ...place };
  });
  frame.onclick = (event) => {
    const { line, row } = find(event) ?? {};
    if (line) pick(line.model.position, shortAt(line.model.table, row));
  };
}

function pointerIn(frame, { clientX, clientY }) {
  const { left, top, width, height } = frame.getBoundingClientRect();
  return fromPlace(((clientX - left) / width) * WIDTH, ((clientY - top) / height) * HEIGHT);
}

/** The line and the row of its table that lie nearest; nothing where none is near. */
function nearestLine(curve, lines, point) {
  const near = lines
    .map((line) => ({ line, ...nearest(curve, line, point) }))
    .filter(({ distance }) => distance < NEAR)
    .sort((one, other) => one.distance - other.distance);
  return near[0];
}
