// The menu of a plotly figure, as a Streamlit component: all of it happens in the browser.

import { html, svg } from "./dom.js";
import { entries } from "./entries.js";
import { fileName } from "./files.js";
import { makeMenu } from "./menu.js";
import { pictureOf, standalone, wrapped } from "./picture.js";
import { rowsOf } from "./traces.js";

const mounted = new WeakMap();

export default function render({ data, parentElement }) {
  if (!mounted.has(parentElement)) mounted.set(parentElement, mount(parentElement, data.title));
  mounted.get(parentElement).offer(offered(parentElement, data));
}

function mount(parentElement, title) {
  const menu = makeMenu(title);
  parentElement.append(html("div", { class: "figure-menu" }, menu.node));
  return menu;
}

function offered(element, { title, subtitle, code }) {
  return entries({
    name: (ending) => `${fileName(title)}.${ending}`,
    picture: () => drawn(frameOf(element), { title, subtitle }),
    rows: () => rowsOf(plotIn(frameOf(element))),
    code: () => code,
  });
}

/** The frame of the figure; the component itself stands in a tree of its own. */
const frameOf = (element) =>
  (element.getRootNode().host ?? element).closest('[class*="st-key-figure-"]');

const plotIn = (frame) => frame.querySelector(".js-plotly-plot");

/** Plotly draws in several layers, one above the other. */
function drawn(frame, { title, subtitle }) {
  const layers = [...plotIn(frame).querySelectorAll(".main-svg")];
  const { width, height } = layers[0].getBoundingClientRect();
  const drawing = svg("g", {}, ...layers.map(standalone));
  return pictureOf({
    drawing,
    width,
    height,
    top: [...wrapped(title, "title", width), ...wrapped(subtitle, "subtitle", width)],
    bottom: [],
    look: getComputedStyle(frame),
    background: getComputedStyle(frame).backgroundColor,
  });
}
