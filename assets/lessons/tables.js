// Small tables of names and values.

import { html, say } from "../explorer/dom.js";
import { count } from "../explorer/words.js";

/**
 * A table of one value a row.
 * @param {string[]} names of its two columns; none where they need no name
 * @param {(string | number)[]} keys what its rows are called
 */
export function makeTable(names, keys) {
  const cells = keys.map(() => html("td", {}));
  const heads = names.map((name) => html("th", { scope: "col" }, name));
  const head = names.length ? [html("tr", {}, ...heads)] : [];
  const rows = keys.map((key, at) => {
    const name = typeof key === "number" ? count(key) : key;
    return html("tr", {}, html("th", { scope: "row" }, name), cells[at]);
  });
  return {
    node: html("table", { class: "values" }, ...head, ...rows),
    fill: (texts) => texts.forEach((text, at) => say(cells[at], text)),
  };
}
