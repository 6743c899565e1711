// The menu of a figure, and the files that it makes in the browser: pictures, numbers, code.

import { button, html, set, svg } from "./dom.js";

// The menu

/**
 * A small menu; `offer` fills it with what can be saved.
 * @returns {{node: Element, offer: (figure: {name: string,
 *   picture: () => {text: string, size: object}, rows: () => unknown[][], code?: string}) => void}}
 */
export function makeMenu() {
  const list = html("div", { class: "menu-list" });
  const summary = html("summary", { title: "Save this figure" }, "⤓");
  const node = html("details", { class: "menu" }, summary, list);
  const close = () => {
    node.open = false;
  };
  node.onkeydown = (event) => {
    if (event.key !== "Escape" || !node.open) return;
    close();
    summary.focus();
  };
  node.onfocusout = ({ relatedTarget }) => {
    if (relatedTarget && !node.contains(relatedTarget)) close();
  };
  const makeEntry = ({ name, title, take }) =>
    button({ title }, async () => {
      await take();
      close();
    }, name);
  return {
    node,
    offer(figure) {
      set(summary, "aria-label", `Save ${figure.name}`);
      list.replaceChildren(...entriesOf(figure).map(makeEntry));
    },
  };
}

/** The entries of a menu; the Python only where a figure has some. */
function entriesOf({ name, picture, rows, code }) {
  const file = (ending, type, content) => save(`${fileName(name)}.${ending}`, type, content);
  const python = {
    name: "Python",
    title: "The lines that draw this figure from the same file",
    take: () => file("py", "text/x-python", code),
  };
  return [
    {
      name: "PNG",
      title: "Picture in points",
      take: async () => file("png", "image/png", await pngOf(picture())),
    },
    {
      name: "SVG",
      title: "Picture in lines, which stays sharp",
      take: () => file("svg", "image/svg+xml", picture().text),
    },
    {
      name: "Data (CSV)",
      title: "Every point that is drawn",
      take: () => file("csv", "text/csv", csvOf(rows())),
    },
    ...(code ? [python] : []),
  ];
}

// Files

/** Pixels of a PNG for each unit of a picture, so that it is sharp on fine screens. */
const SCALE = 2;

/** Let the reader save a file. */
function save(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser may begin to read a while after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A picture as a PNG blob. */
async function pngOf({ text, size: { width, height } }) {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * width;
  canvas.height = SCALE * height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Rows of cells as CSV; a spreadsheet takes none of them for a formula. */
export const csvOf = (rows) => `${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;

function cell(value) {
  if (typeof value === "number") return Number.isNaN(value) ? "" : String(value);
  const text = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A name that every file system takes. */
export const fileName = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60) || "figure";

// Pictures: an SVG that stands alone, with words around it and every colour written out

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
 * `frame` is the element whose background, colour and font it takes over.
 * @param {{drawing: Element, width: number, height: number, top: object[], bottom?: object[],
 *   frame: Element}} parts
 */
export function pictureOf({ drawing, width, height, top, bottom = [], frame }) {
  const look = getComputedStyle(frame);
  const above = EDGE + LINE * top.length;
  const size = {
    width: width + 2 * EDGE,
    height: above + height + LINE * bottom.length + 2 * EDGE,
  };
  const whole = svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${size.width} ${size.height}` },
    svg("rect", { ...size, fill: look.backgroundColor }),
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
