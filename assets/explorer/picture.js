// A figure as a picture that stands alone: an SVG with its words, its caption, its fonts, and every
// colour written out; as seen, or laid out for a slide or for print.

import { SANS, SERIF, fontsFor, widthOf } from "./fonts.js";
import { svg } from "./dom.js";
import { onPaper } from "./paper.js";

/**
 * What a picture is made of.
 * @typedef {object} Parts
 * @property {Element} drawing
 * @property {number} width of the drawing
 * @property {number} height of the drawing
 * @property {string} title
 * @property {string} subtitle
 * @property {string} [above] the words of the axis above the drawing
 * @property {string} [below] those of the axis below it
 * @property {string} [note]
 * @property {{name: string, color: string}[]} [lines] named below the drawing
 * @property {string} [caption] which data it shows
 * @property {Element} frame whose background and colour it takes over
 */

/** How large a picture is: `width` and `height` where they are fixed, `scale` of a PNG. */
export const SEEN = { scale: 2 };
export const SLIDE = { width: 1920, height: 1080, scale: 1 };
export const PRINT = { width: 1600, scale: 1, isOnPaper: true };

const SIZES = { title: 16, subtitle: 12, axis: 12, note: 11, legend: 12, caption: 10 };
const SLIDE_SIZES = { title: 54, subtitle: 32, axis: 12, note: 30, legend: 36, caption: 22 };

/** Words that stand back, as they do on the page. */
const QUIET = new Set(["subtitle", "note", "caption"]);

const EDGE = 16;
const SLIDE_EDGE = 72;
const SLIDE_GAP = 64;

/** So wide must be what is left beside a drawing for words to stand there rather than below. */
const BESIDE = 420;

/** The height of a line of text, as a share of its size. */
const LEADING = 1.4;

/** The picture as the text of an SVG, and its size in pixels. */
export async function pictureOf(parts, format = SEEN) {
  const look = getComputedStyle(parts.frame);
  const { width, height, nodes } = format.height ? slideOf(parts, format) : sheetOf(parts);
  const size = { width: format.width ?? width, height: (height * (format.width ?? width)) / width };
  const ground = svg("rect", { width, height, fill: look.backgroundColor });
  const style = svg("style", {});
  const whole = svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${width} ${height}` },
    style,
    svg("g", { fill: look.color }, ground, ...nodes),
  );
  if (format.isOnPaper) onPaper(whole, look.backgroundColor);
  style.textContent = await fontsFor(whole.textContent);
  return { text: new XMLSerializer().serializeToString(whole), size };
}

/** A PNG of a picture, as a blob. */
export async function pngOf(parts, format = SEEN) {
  const { text, size } = await pictureOf(parts, format);
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(format.scale * size.width);
  canvas.height = Math.round(format.scale * size.height);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// Layouts: from the parts to what stands where

/** All one below the other, as wide as the drawing. */
function sheetOf({ width, ...parts }) {
  const [head, foot] = [stack(SIZES, width), stack(SIZES, width)];
  head.add("title", parts.title);
  head.add("subtitle", parts.subtitle);
  const block = blockOf({ width, ...parts });
  foot.add("note", parts.note);
  for (const line of parts.lines ?? []) foot.add("legend", `— ${line.name}`, line.color);
  foot.gap(4);
  foot.add("caption", captionOf(parts));
  const top = EDGE + head.height + 6;
  return {
    width: width + 2 * EDGE,
    height: top + block.height + foot.height + EDGE,
    nodes: [
      moved(head.nodes, EDGE, EDGE),
      moved([block.node], EDGE, top),
      moved(foot.nodes, EDGE, top + block.height),
    ],
  };
}

/** Lines beside a drawing are no longer than this: both stand in the middle of the slide. */
const BESIDE_AT_MOST = 620;

/** The title above; the drawing as large as fits, with its words beside it or else below. */
function slideOf(parts, { width, height }) {
  const inner = width - 2 * SLIDE_EDGE;
  const [head, foot] = [stack(SLIDE_SIZES, inner), stack(SLIDE_SIZES, inner)];
  head.add("title", parts.title);
  head.add("subtitle", parts.subtitle);
  foot.add("caption", captionOf(parts));
  const block = blockOf(parts);
  const top = SLIDE_EDGE + head.height + 28;
  const room = height - top - foot.height - SLIDE_EDGE / 2 - 24;
  const wide = (down) => Math.min(inner / parts.width, down / block.height) * parts.width;
  const left = inner - wide(room) - SLIDE_GAP;
  const isBeside = left >= BESIDE;
  const across = Math.min(left, BESIDE_AT_MOST);
  const words = stack(SLIDE_SIZES, isBeside ? across : inner);
  for (const line of parts.lines ?? []) words.add("legend", `— ${line.name}`, line.color);
  words.gap(12);
  words.add("note", parts.note);
  const scale = wide(isBeside ? room : room - words.height) / parts.width;
  const isAside = isBeside && words.nodes.length > 0;
  const drawn = scale * parts.width;
  const middle = (inner - drawn - (isAside ? SLIDE_GAP + across : 0)) / 2;
  const high = scale * block.height;
  const place = isAside ? [middle + drawn + SLIDE_GAP, (high - words.height) / 2] : [0, high];
  return {
    width,
    height,
    nodes: [
      moved(head.nodes, SLIDE_EDGE, SLIDE_EDGE),
      moved([block.node], SLIDE_EDGE + middle, top, scale),
      moved(words.nodes, SLIDE_EDGE + place[0], top + place[1]),
      moved(foot.nodes, SLIDE_EDGE, height - SLIDE_EDGE / 2 - foot.height),
    ],
  };
}

const captionOf = ({ caption }) => [caption, today()].filter(Boolean).join(" · ");

/** The day as people of any country read it alike: 2026-11-29. */
function today() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

const moved = (nodes, x, y, scale = 1) =>
  svg("g", { transform: `translate(${x} ${y}) scale(${scale})` }, ...nodes);

/** The drawing between the words of its axes. */
function blockOf({ drawing, width, height, above = "", below = "" }) {
  const [over, under] = [stack(SIZES, width), stack(SIZES, width)];
  over.add("axis", above);
  under.add("axis", below, undefined, { x: width / 2, "text-anchor": "middle" });
  const place = moved([drawing], 0, over.height);
  const foot = moved(under.nodes, 0, over.height + height);
  const node = svg("g", {}, ...over.nodes, place, foot);
  return { node, height: over.height + height + under.height + (below ? 6 : 0) };
}

/** Texts one below the other, in lines that are at most so wide. */
function stack(sizes, width) {
  const nodes = [];
  return {
    nodes,
    height: 0,
    gap(height) {
      this.height += height;
    },
    add(kind, text = "", color = undefined, place = {}) {
      const size = sizes[kind];
      const type = { family: kind === "title" ? SERIF : SANS, size };
      type.weight = kind === "title" ? 600 : 400;
      for (const line of wrapped(text, type, width)) {
        this.height += LEADING * size;
        nodes.push(
          svg("text", {
            y: this.height - 0.35 * size,
            fill: color,
            "fill-opacity": QUIET.has(kind) ? 0.75 : undefined,
            "font-family": type.family,
            "font-size": size,
            "font-weight": type.weight,
            ...place,
          }, line),
        );
      }
    },
  };
}

/** A text in lines that are at most so wide; a longer word has a line to itself. */
export function wrapped(text, type, width) {
  const lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : "";
    if (longer && widthOf(longer, type) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// Drawings that need no style sheet

const STYLES = [
  "fill",
  "fill-opacity",
  "font-family",
  "font-size",
  "font-weight",
  "opacity",
  "stroke",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-opacity",
  "stroke-width",
  "text-anchor",
  "visibility",
];

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
