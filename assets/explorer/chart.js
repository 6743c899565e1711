// The pieces of a chart whose two axes run from 0 to 1.

import { set, svg } from "./dom.js";

const LEFT = 36;
const TOP = 8;
const RIGHT = 12;
const BOTTOM = 22;
const ACROSS = 310;
const UP = 270;
export const WIDTH = LEFT + ACROSS + RIGHT;
export const HEIGHT = TOP + UP + BOTTOM;

const TICKS = [0, 0.25, 0.5, 0.75, 1];
const DASHES = {
  solid: false,
  dash: "6 4",
  dot: "2 3",
  dashdot: "6 3 2 3",
  longdashdot: "10 3 2 3",
};

/** From a share to a place on the canvas, and back. */
export const atX = (x) => LEFT + x * ACROSS;
export const atY = (y) => TOP + (1 - y) * UP;
export const fromPlace = (left, top) => [(left - LEFT) / ACROSS, 1 - (top - TOP) / UP];

export const makeCanvas = () =>
  svg("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });

export const drawTicks = () => TICKS.flatMap(drawTick);

function drawTick(tick) {
  const left = { class: "tick", x: LEFT - 6, y: atY(tick) + 4, "text-anchor": "end" };
  const below = { class: "tick", x: atX(tick), y: HEIGHT - 4, "text-anchor": "middle" };
  return [
    svg("line", { class: "grid", x1: atX(0), x2: atX(1), y1: atY(tick), y2: atY(tick) }),
    svg("text", left, String(tick)),
    svg("text", below, String(tick)),
  ];
}

/** A dashed line to compare with, from one point to another. */
export function drawReference([x1, y1], [x2, y2]) {
  return svg("line", { class: "reference", x1: atX(x1), y1: atY(y1), x2: atX(x2), y2: atY(y2) });
}

/** A small text at the left edge, above a height. */
export function drawNote(text, y) {
  return svg("text", { class: "tick", x: atX(0) + 4, y: atY(y) - 5 }, text);
}

/** A model's line through points [x, y]. */
export function drawLine(points, { color, dash }, isChosen) {
  const places = points.map(([x, y]) => `${atX(x).toFixed(2)} ${atY(y).toFixed(2)}`);
  return svg("path", {
    class: isChosen ? "line chosen" : "line",
    d: `M${places.join("L")}`,
    stroke: color,
    "stroke-dasharray": DASHES[dash],
  });
}

/** A short piece of a model's line, for the legend. */
export function drawSwatch({ color, dash }) {
  const line = { x1: 0, x2: 22, y1: 5, y2: 5, stroke: color, "stroke-dasharray": DASHES[dash] };
  const place = { class: "swatch", viewBox: "0 0 22 10", "aria-hidden": "true" };
  return svg("svg", place, svg("line", line));
}

/** The operating point of a model. */
export function drawMarker({ color }, isChosen) {
  const dot = svg("circle", { r: isChosen ? 2.5 : 3, fill: color });
  const ring = isChosen ? [svg("circle", { class: "ring", r: 6.5 })] : [];
  return svg("g", { class: isChosen ? "marker chosen" : "marker" }, ...ring, dot);
}

/** Put a marker at a point, or nowhere where the point is undefined. */
export function placeMarker(marker, [x, y]) {
  const exists = !Number.isNaN(x + y);
  set(marker, "visibility", exists ? false : "hidden");
  if (exists) set(marker, "transform", `translate(${atX(x)} ${atY(y)})`);
}
