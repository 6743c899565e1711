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

const QUARTERS = [0, 0.25, 0.5, 0.75, 1].map((place) => [place, String(place)]);
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

/**
 * The ticks of both axes, each a place from 0 to 1 and its text; quarters where none are given.
 * @param {{x?: [number, string][], y?: [number, string][]}} axes
 */
export const drawTicks = ({ x = QUARTERS, y = QUARTERS } = {}) => [
  ...y.flatMap(drawAcross),
  ...x.map(drawBelow),
];

function drawAcross([place, text]) {
  const left = { class: "tick", x: LEFT - 8, y: atY(place) + 4, "text-anchor": "end" };
  return [
    svg("line", { class: "grid", x1: atX(0), x2: atX(1), y1: atY(place), y2: atY(place) }),
    svg("text", left, text),
  ];
}

const drawBelow = ([place, text]) =>
  svg("text", { class: "tick", x: atX(place), y: HEIGHT - 4, "text-anchor": "middle" }, text);

/** A dashed line to compare with, from one point to another. */
export function drawReference(from, to) {
  const node = drawSegment("reference");
  moveSegment(node, [from, to]);
  return node;
}

/** A straight line that stands nowhere yet. */
export const drawSegment = (kind) => svg("line", { class: kind });

/** Let a straight line run from one point to another, or nowhere where one is undefined. */
export function moveSegment(node, [[x1, y1], [x2, y2]]) {
  const isSomewhere = Number.isFinite(x1 + y1 + x2 + y2);
  set(node, "visibility", isSomewhere ? false : "hidden");
  if (!isSomewhere) return;
  const ends = { x1: atX(x1), y1: atY(y1), x2: atX(x2), y2: atY(y2) };
  for (const [name, value] of Object.entries(ends)) set(node, name, value);
}

/** A small text above a point, to the right of it. */
export const drawNote = (text, [x, y]) =>
  svg("text", { class: "tick", x: atX(x) + 4, y: atY(y) - 5 }, text);

/** A box between two corners. */
export function drawBox([x1, y1, x2, y2], kind, color) {
  const [width, height] = [atX(x2) - atX(x1), atY(y1) - atY(y2)];
  return svg("rect", { class: kind, x: atX(x1), y: atY(y2), width, height, fill: color });
}

/** The area inside points [x, y]. */
export const drawArea = (points, kind, color) =>
  svg("path", { class: kind, d: points.length ? `${pathOf(points)}Z` : "", fill: color });

/** A thin line through points [x, y]. */
export const drawPath = (points, kind, color) =>
  svg("path", { class: kind, d: pathOf(points), stroke: color });

/** The line of a model or metric through points [x, y]. */
export function drawLine(points, { color, dash }, isChosen) {
  return svg("path", {
    class: isChosen ? "line chosen" : "line",
    d: pathOf(points),
    stroke: color,
    "stroke-dasharray": DASHES[dash],
  });
}

function pathOf(points) {
  const places = points.map(([x, y]) => `${atX(x).toFixed(2)} ${atY(y).toFixed(2)}`);
  return places.length ? `M${places.join("L")}` : "";
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
