// The menu of a figure, and the files that it makes in the browser: pictures, numbers, code.

import { button, html, set } from "./dom.js";
import { PRINT, SLIDE, pictureOf, pngOf } from "./picture.js";

// The menu

/**
 * A small menu; `offer` fills it with what can be saved.
 * @returns {{node: Element, offer: (figure: {name: string,
 *   picture: () => import("./picture.js").Parts, rows: () => unknown[][], code?: string}) => void}}
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
  // A mouse opens it by pointing, and pins it by a click; a finger and a key open it by a click.
  let pointed = false;
  node.onpointerenter = ({ pointerType }) => {
    if (pointerType === "mouse" && !node.open) node.open = pointed = true;
  };
  node.onpointerleave = () => {
    if (pointed) close();
    pointed = false;
  };
  summary.onclick = (event) => {
    if (pointed) event.preventDefault();
    pointed = false;
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
    title: "Python that draws this figure from the same file",
    take: () => file("py", "text/x-python", code),
  };
  const png = (label, title, format, suffix = "") => ({
    name: label,
    title,
    take: async () =>
      save(`${fileName(name)}${suffix}.png`, "image/png", await pngOf(picture(), format)),
  });
  return [
    png("PNG", "Bitmap, as shown here"),
    png("PNG for slides", "1920 × 1080, in large type", SLIDE, "-slide"),
    png("PNG for print", "1600 points wide, on white", PRINT, "-print"),
    {
      name: "SVG",
      title: "Vector image, sharp at any size",
      take: async () => file("svg", "image/svg+xml", (await pictureOf(picture())).text),
    },
    {
      name: "Data (CSV)",
      title: "The numbers of every point",
      take: () => file("csv", "text/csv", csvOf(rows())),
    },
    ...(code ? [python] : []),
  ];
}

// Files

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

/** Rows of cells as CSV; a spreadsheet takes none of them for a formula. */
export const csvOf = (rows) => `${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;

function cell(value) {
  if (typeof value === "number") return Number.isNaN(value) ? "" : String(value);
  const text = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Names that Windows keeps for devices. */
const KEPT = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** So many letters of a title stand in the name of a file. */
const LONGEST = 60;

/** A name that every file system takes. */
export function fileName(text) {
  const joined = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+/, "");
  const name = [...joined].slice(0, LONGEST).join("").replace(/-+$/, "");
  return KEPT.test(name) ? `figure-${name}` : name || "figure";
}
