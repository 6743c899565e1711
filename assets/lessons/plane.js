// A picture with two axes of any range: lines, areas, dots and bars drawn from data, and handles
// that are dragged or moved by the arrow keys.

import { set, svg } from "../explorer/dom.js";

const EDGES = { left: 46, right: 14, top: 22, bottom: 40 };

/** Points from the left to the right of a picture that has no other beside it. */
const WIDTH = 460;

/**
 * @param {object} asked
 * @param {number} [asked.width] of the picture, in points; by default that of a whole picture
 * @param {number} asked.height
 * @param {[number, number]} asked.x range of the axis
 * @param {[number, number]} asked.y
 * @param {string} [asked.across] what the axis to the right says
 * @param {string} [asked.up] what the upright axis says, above it
 * @param {Partial<typeof EDGES>} [asked.edges]
 */
export function makePlane(asked) {
  const frame = { width: WIDTH, ...asked };
  const { across = "", up = "" } = frame;
  const edges = { ...EDGES, ...frame.edges };
  const place = placeOn({ ...frame, edges });
  const [axes, ground, handles] = [{ "aria-hidden": "true" }, { "aria-hidden": "true" }, {}].map(
    (attributes) => svg("g", attributes),
  );
  const box = { class: "plane", viewBox: `0 0 ${frame.width} ${frame.height}`, role: "group" };
  const node = svg("svg", box, axes, ground, handles);
  let drawn = "";

  /** Let the axes have another range, or other words. */
  function span(range, words = { across, up }) {
    const wanted = JSON.stringify([range, words]);
    if (wanted === drawn) return;
    drawn = wanted;
    place.span(range);
    axes.replaceChildren(...axesOf(place, range, words, frame));
  }

  span({ x: frame.x, y: frame.y });
  return {
    node,
    place,
    span,
    /** Say to those who cannot see it what it shows. */
    describe: (text) => set(node, "aria-label", text),
    /** Draw shapes, each { shape, … }, one above the other. */
    draw: (shapes) => ground.replaceChildren(...shapes.map((one) => drawOn(place, one))),
    /** Add a handle; `move` is called with where it is dragged to. */
    handle(options) {
      const fromPointer = (event) => place.fromPointer(event, node);
      return makeHandle(handles, { ...options, fromPointer, place });
    },
  };
}

/** From numbers to places on the picture, and back from the pointer. */
function placeOn({ width, height, edges, x, y }) {
  const [wide, high] = [width - edges.left - edges.right, height - edges.top - edges.bottom];
  let [[left, right], [bottom, top]] = [x, y];
  return {
    edges,
    width,
    height,
    atX: (value) => edges.left + ((value - left) / (right - left)) * wide,
    atY: (value) => edges.top + (1 - (value - bottom) / (top - bottom)) * high,
    span(range) {
      [[left, right], [bottom, top]] = [range.x, range.y];
    },
    fromPointer({ clientX, clientY }, node) {
      const shown = node.getBoundingClientRect();
      const scale = width / shown.width;
      const [px, py] = [(clientX - shown.left) * scale, (clientY - shown.top) * scale];
      return [
        left + ((px - edges.left) / wide) * (right - left),
        bottom + (1 - (py - edges.top) / high) * (top - bottom),
      ];
    },
  };
}

// Axes

/** About five round numbers between two ends. */
export function ticksOf(low, high, most = 5) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(10)),
  );
}

function axesOf({ atX, atY, edges, width, height }, { x, y }, { across, up }, frame) {
  const { writeX = plain, writeY = plain, ticksX = ticksOf(...x), ticksY = ticksOf(...y) } = frame;
  const level = (value) => [
    svg("line", { class: "grid", x1: atX(x[0]), x2: atX(x[1]), y1: atY(value), y2: atY(value) }),
    text(writeY(value), { x: edges.left - 7, y: atY(value) + 4, "text-anchor": "end" }),
  ];
  const below = (value) =>
    text(writeX(value), { x: atX(value), y: height - edges.bottom + 16, "text-anchor": "middle" });
  return [
    ...ticksY.flatMap(level),
    ...ticksX.map(below),
    text(across, { ...NAME, x: width - edges.right, y: height - 6, "text-anchor": "end" }),
    text(up, { ...NAME, x: 4, y: 13 }),
  ];
}

const NAME = { kind: "axis-name" };

const plain = (value) => String(value).replace("-", "\u2212");

const text = (words, { kind = "", ...place }) =>
  svg("text", { class: `tick ${kind}`, ...place }, words);

// Shapes

const SHAPES = {
  line: ({ atX, atY }, { points, kind, color, dash }) =>
    svg("path", {
      class: `line ${kind ?? ""}`,
      d: path(points, atX, atY),
      stroke: color,
      "stroke-dasharray": dash,
    }),
  area: ({ atX, atY }, { points, kind, color }) =>
    svg("path", {
      class: `area ${kind ?? ""}`,
      d: points.length ? `${path(points, atX, atY)}Z` : "",
      fill: color,
    }),
  dot: ({ atX, atY }, { at: [x, y], kind, color, r = 5 }) => {
    if (!Number.isFinite(x + y)) return svg("g", {});
    return svg("circle", { class: `dot ${kind ?? ""}`, cx: atX(x), cy: atY(y), r, fill: color });
  },
  ring: ({ atX, atY }, { at: [x, y], r = 7 }) =>
    svg("circle", { class: "ring", cx: atX(x), cy: atY(y), r }),
  segment: ({ atX, atY }, { ends: [[x1, y1], [x2, y2]], kind, color }) =>
    svg("line", {
      class: kind ?? "reference",
      x1: atX(x1),
      y1: atY(y1),
      x2: atX(x2),
      y2: atY(y2),
      stroke: color,
    }),
  bar: ({ atX, atY }, { box: [x1, y1, x2, y2], kind, color }) =>
    svg("rect", {
      class: `bar ${kind ?? ""}`,
      x: atX(x1),
      y: atY(y2),
      width: Math.max(0, atX(x2) - atX(x1)),
      height: Math.max(0, atY(y1) - atY(y2)),
      fill: color,
    }),
  // Many of one kind as one path: a hundred nodes would take longer to draw than a frame.
  dots: ({ atX, atY }, { points, kind, color, r }) => {
    const arc = (side) => `a${r} ${r} 0 1 0 ${side * 2 * r} 0`;
    const one = ([x, y]) => `M${(atX(x) - r).toFixed(1)} ${atY(y).toFixed(1)}${arc(1)}${arc(-1)}`;
    return svg("path", { class: `dot ${kind ?? ""}`, d: points.map(one).join(""), fill: color });
  },
  bars({ atX, atY }, { boxes, kind, color }) {
    const one = ([x1, y1, x2, y2]) => {
      const [left, right] = [x1, x2].map((x) => atX(x).toFixed(1));
      return `M${left} ${atY(y1).toFixed(1)}V${atY(y2).toFixed(1)}H${right}V${atY(y1).toFixed(1)}Z`;
    };
    return svg("path", { class: `bar ${kind ?? ""}`, d: boxes.map(one).join(""), fill: color });
  },
  note({ atX, atY }, { at: [x, y], text: words, anchor = "start", dx = 5, dy = -6, kind }) {
    if (!Number.isFinite(x + y)) return svg("g", {});
    return text(words, { kind, x: atX(x) + dx, y: atY(y) + dy, "text-anchor": anchor });
  },
};

const drawOn = (place, { shape, ...rest }) => SHAPES[shape](place, rest);

/** Points where nothing is defined are left out. */
function path(points, atX, atY) {
  const places = points
    .filter(([x, y]) => Number.isFinite(x + y))
    .map(([x, y]) => `${atX(x).toFixed(2)} ${atY(y).toFixed(2)}`);
  return places.length ? `M${places.join("L")}` : "";
}

/** Points of a function, evenly spaced. */
export const sampled = (of, low, high, many = 120) =>
  Array.from({ length: many + 1 }, (_, at) => {
    const x = low + (at / many) * (high - low);
    return [x, of(x)];
  });

// Handles

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };

/**
 * @param {Element} parent
 * @param {object} options
 * @param {string} options.label
 * @param {"x" | "y" | "xy"} options.along the axes that it moves along
 * @param {[number, number]} options.step of an arrow key, along each axis
 * @param {(x: number, y: number) => void} options.move
 * @param {"dot" | "line"} [options.look]
 */
function makeHandle(parent, { label, along, step, move, look = "dot", color, fromPointer, place }) {
  const marks = look === "dot" ? dotOf(color) : lineOf(place);
  const role = { tabindex: "0", role: "slider", "aria-label": label };
  const node = svg("g", { class: `handle ${look}`, ...role }, ...marks);
  let here = [0, 0];
  listenToPointer(node, (event) => move(...fromPointer(event)));
  listenToArrows(node, along, (across, up) =>
    move(here[0] + across * step[0], here[1] + up * step[1]),
  );
  parent.append(node);
  return {
    node,
    /** Put it at a point; `said` is what a screen reader says of it, `value` the number moved. */
    put(x, y, said, [value, low, high]) {
      here = [x, y];
      const told = {
        transform: `translate(${place.atX(x)} ${look === "dot" ? place.atY(y) : 0})`,
        "aria-valuetext": said,
        "aria-valuenow": value,
        "aria-valuemin": low,
        "aria-valuemax": high,
      };
      for (const [name, text] of Object.entries(told)) set(node, name, text);
    },
    remove: () => node.remove(),
  };
}

function listenToPointer(node, drag) {
  node.onpointerdown = (event) => {
    event.preventDefault();
    node.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    node.onpointermove = drag;
    node.onpointerup = node.onpointercancel = () => {
      node.onpointermove = null;
    };
  };
}

function listenToArrows(node, along, step) {
  node.onkeydown = (event) => {
    const [across, up] = ARROWS[event.key] ?? [];
    if (across === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const far = event.shiftKey ? 5 : 1;
    // A handle that moves along one axis knows both pairs of keys.
    const both = far * (across + up);
    if (along === "xy") step(far * across, far * up);
    else step(along === "x" ? both : 0, along === "y" ? both : 0);
  };
}

const dotOf = (color) => [
  svg("circle", { class: "reach", r: 16 }),
  svg("circle", { class: "grip", r: 7, fill: color }),
];

const lineOf = ({ edges, height }) => {
  const [top, bottom] = [edges.top - 6, height - edges.bottom];
  return [
    svg("rect", { class: "reach", x: -14, width: 28, y: top, height: bottom - top }),
    svg("line", { class: "upright", y1: top, y2: bottom }),
    svg("circle", { class: "grip", r: 7, cy: top + 2 }),
  ];
};
