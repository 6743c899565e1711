// A figure as an SVG that stands alone: words around it, every colour written out.

import { svg } from "./dom.js";

const STYLES = [
  "fill",
  "fill-opacity",
  "font-family",
  "font-size",
  "font-weight",
  "opacity",
  "stroke",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-opacity",
  "stroke-width",
  "text-anchor",
  "visibility",
];
const EDGE = 16;
const LINE = 18;

/** How wide a letter is on average, as a share of its height. */
const LETTER = 0.56;
const SIZES = { title: 16, subtitle: 12, above: 12, below: 12, note: 11, legend: 12 };

/**
 * A drawing with its words above and below, as text; each word line is { kind, text, color }.
 * @param {{drawing: Element, width: number, height: number, top: object[], bottom: object[],
 *   look: CSSStyleDeclaration, background: string}} parts
 */
export function pictureOf({ drawing, width, height, top, bottom, look, background }) {
  const above = EDGE + LINE * top.length;
  const size = {
    width: width + 2 * EDGE,
    height: above + height + LINE * bottom.length + 2 * EDGE,
  };
  const whole = svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${size.width} ${size.height}` },
    svg("rect", { ...size, fill: background }),
    ...top.map((words, line) => write(words, EDGE + LINE * (line + 0.7), look)),
    svg("g", { transform: `translate(${EDGE} ${above})` }, drawing),
    ...bottom.map((words, line) => write(words, above + height + LINE * (line + 1), look)),
  );
  return { text: new XMLSerializer().serializeToString(whole), size };
}

function write({ kind, text, color }, y, look) {
  const attributes = {
    x: EDGE,
    y,
    fill: color ?? look.color,
    "font-family": look.fontFamily,
    "font-size": SIZES[kind],
    "font-weight": kind === "title" ? 600 : 400,
  };
  return svg("text", attributes, text);
}

/** A copy of a drawing that looks the same without its style sheet. */
export function standalone(drawing) {
  const copy = drawing.cloneNode(true);
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, at) => {
    const look = getComputedStyle(originals[at]);
    for (const name of STYLES) node.style.setProperty(name, look.getPropertyValue(name));
  });
  return copy;
}

/** Words in lines that are at most so wide. */
export function wrapped(text, kind, width) {
  const letters = width / (LETTER * SIZES[kind]);
  const lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < letters) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines.map((line) => ({ kind, text: line }));
}
