// A figure: its words, its canvas, whose two axes run from 0 to 1, and the shapes drawn on it.

import { html, say, set, svg } from "./dom.js";
import { standalone } from "./picture.js";
import { makeMenu } from "./saving.js";

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

/**
 * A figure without a drawing: `write` shows its words, `offer` fills the menu that saves it.
 * @param {object} [attributes] of its element
 */
export function makeFigure(attributes) {
  const texts = {
    title: html("h2", {}),
    subtitle: html("p", { class: "note" }),
    above: html("p", { class: "axis" }),
    below: html("p", { class: "axis below" }),
    note: html("p", { class: "note about" }),
  };
  const { title, subtitle, above, below, note } = texts;
  const canvas = svg("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const frame = html("div", { class: "plot-frame" }, canvas);
  const menu = makeMenu();
  const parts = [menu.node, title, subtitle, above, frame, below, note];
  const node = html("section", { class: "figure", ...attributes }, ...parts);
  return {
    node,
    canvas,
    frame,
    /** Show some of the words, by their names. */
    write(words) {
      for (const [name, text] of Object.entries(words)) say(texts[name], text);
      set(canvas, "aria-label", `${above.textContent} against ${below.textContent}`);
    },
    /** Offer to save it; `lines` are named in the picture, `caption` says which data it shows. */
    offer({ name, lines = [], rows, code, caption = () => "" }) {
      const picture = () => ({ ...partsOf(node, canvas, texts, lines), caption: caption() });
      menu.offer({ name, picture, rows, code });
    },
    /** Leave only the title and the subtitle, or show all. */
    hideDrawing(isHidden) {
      for (const each of [frame, above, below, note, menu.node]) each.hidden = isHidden;
    },
  };
}

/** What a picture of the figure is made of. */
function partsOf(frame, canvas, texts, lines) {
  const drawing = standalone(canvas);
  set(drawing, "width", WIDTH);
  set(drawing, "height", HEIGHT);
  const words = Object.entries(texts).map(([name, node]) => [name, node.textContent]);
  const named = lines.map(({ name, color }) => ({
    name,
    color: color.startsWith("var(") ? resolved(color, canvas.parentElement) : color,
  }));
  const size = { width: WIDTH, height: HEIGHT };
  return { drawing, ...size, ...Object.fromEntries(words), lines: named, frame };
}

/** A colour that the style sheet names, written out. */
function resolved(color, parent) {
  const probe = parent.appendChild(document.createElement("span"));
  probe.style.color = color;
  const written = getComputedStyle(probe).color;
  probe.remove();
  return written;
}

// Shapes

/**
 * The ticks of both axes, each a place from 0 to 1 and its text; quarters where none are given.
 * @param {{x?: [number, string][], y?: [number, string][]}} axes
 */
export const drawTicks = ({ x = QUARTERS, y = QUARTERS } = {}) => [
  ...y.flatMap(([place, text]) => [
    svg("line", { class: "grid", x1: atX(0), x2: atX(1), y1: atY(place), y2: atY(place) }),
    drawText(text, { x: LEFT - 8, y: atY(place) + 4, "text-anchor": "end" }),
  ]),
  ...x.map(([place, text]) =>
    drawText(text, { x: atX(place), y: HEIGHT - 4, "text-anchor": "middle" }),
  ),
];

const drawText = (text, attributes) => svg("text", { class: "tick", ...attributes }, text);

const SHAPES = {
  /** A straight line between two points. */
  segment({ kind, ends }) {
    const node = drawSegment(kind);
    moveSegment(node, ends);
    return node;
  },

  /** A small text above a point, to the right of it. */
  note: ({ text, at: [x, y] }) => drawText(text, { x: atX(x) + 4, y: atY(y) - 5 }),

  /** A rectangle between two corners. */
  box({ kind, corners: [x1, y1, x2, y2], color }) {
    const [width, height] = [atX(x2) - atX(x1), atY(y1) - atY(y2)];
    return svg("rect", { class: kind, x: atX(x1), y: atY(y2), width, height, fill: color });
  },

  /** The area inside points. */
  area({ kind, corners, color }) {
    const d = corners.length ? `${pathOf(corners)}Z` : "";
    return svg("path", { class: kind, d, fill: color });
  },

  /** A thin line through points. */
  path: ({ kind, corners, color }) =>
    svg("path", { class: kind, d: pathOf(corners), stroke: color }),
};

/** A shape, described by { shape, kind, color } and where it is; points are [x, y]. */
export const drawShape = ({ shape, ...rest }) => SHAPES[shape](rest);

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
