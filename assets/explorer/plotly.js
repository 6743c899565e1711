// The menu of a plotly figure, and the numbers and the picture that it saves.

import { html, svg } from "./dom.js";
import { standalone } from "./picture.js";
import { makeMenu } from "./saving.js";

/**
 * Put the menu into an element that stands in the frame of its figure; `update` gives it
 * { title, subtitle, caption, code }.
 * @param {Element} parent
 */
export function mount(parent) {
  const menu = makeMenu();
  const root = html("div", { class: "figure-menu" }, menu.node);
  parent.append(root);

  function update({ title, subtitle, caption, code }) {
    menu.offer({
      name: title,
      picture: () => ({ ...drawingOf(frameOf(parent)), title, subtitle, caption }),
      rows: () => rowsOf(plotIn(frameOf(parent))),
      code,
    });
  }

  return { update, destroy: () => root.remove() };
}

/** The frame of the figure; the component itself stands in a tree of its own. */
const frameOf = (element) =>
  (element.getRootNode().host ?? element).closest('[class*="st-key-figure-"]');

const plotIn = (frame) => frame.querySelector(".js-plotly-plot");

/** Plotly draws in several layers, one above the other. */
function drawingOf(frame) {
  const layers = [...plotIn(frame).querySelectorAll(".main-svg")];
  const { width, height } = layers[0].getBoundingClientRect();
  return { drawing: svg("g", {}, ...layers.map(standalone)), width, height, frame };
}

// Numbers: rows from what plotly keeps of a figure

const ENTITIES = { lt: "<", gt: ">", quot: '"', "#x27": "'", "#39": "'", amp: "&" };

/** A text of a figure, which plotly may take for markup, as it was meant. */
const plain = (text) =>
  String(text ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\u2060/g, "")
    .replace(/&(lt|gt|quot|amp|#x27|#39);/g, (_, entity) => ENTITIES[entity]);

const titleOf = (axis) => plain(axis?.title?.text);

/** The words above the vertical axis, which plotly knows as a note at its top. */
const wordsAbove = ({ annotations = [] }) =>
  plain(annotations.find(({ x, y, yshift }) => x === 0 && y === 1 && yshift)?.text);

/** A heading, and one row for each point that is drawn; what has no name has none here. */
function rowsOf({ _fullData, data, layout }) {
  const y = titleOf(layout.yaxis) || wordsAbove(layout) || "y";
  const head = ["drawn", titleOf(layout.xaxis) || "x", y, "value"];
  const label = { x: labels(layout.xaxis), y: labels(layout.yaxis) };
  const shown = _fullData
    .map((full, at) => ({ ...full, name: plain(data[at]?.name) }))
    .filter(({ visible }) => visible !== false);
  const grids = shown.filter(({ type }) => type === "heatmap");
  const others = shown.filter((trace) => !grids.includes(trace));
  // Cells that can be clicked lie over their colours, and hold the numbers themselves.
  const isCovered = ({ z }) =>
    others.some(({ customdata }) => customdata?.length === z.length * (z[0]?.length ?? 0));
  const rows = shown.map((trace) => {
    if (others.includes(trace)) return pointRows(trace, label);
    return isCovered(trace) ? [] : gridRows(trace, label);
  });
  return [head, ...rows.flat()];
}

/** From a place on an axis to what is written there. */
function labels({ tickvals, ticktext } = {}) {
  const texts = new Map(Array.from(tickvals ?? [], (place, at) => [place, ticktext?.[at]]));
  return (place) => {
    const text = texts.get(place) ?? place;
    return typeof text === "number" ? text : plain(text);
  };
}

function pointRows({ name, x, y, customdata }, label) {
  const size = Math.max(x?.length ?? 0, y?.length ?? 0);
  return Array.from({ length: size }, (_, at) => [
    name,
    label.x(x?.[at] ?? at),
    label.y(y?.[at] ?? at),
    typeof customdata?.[at] === "number" ? customdata[at] : "",
  ]);
}

/** The cells of a grid; what they are about is in their data, if they have any, else in colour. */
function gridRows({ name, x, y, z, customdata }, label) {
  return Array.from(z).flatMap((row, down) =>
    Array.from(row, (value, across) => [
      name,
      label.x(x?.[across] ?? across),
      label.y(y?.[down] ?? down),
      customdata?.[down]?.[across] ?? value,
    ]),
  );
}
