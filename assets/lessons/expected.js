// The matrix of counts that are expected, where rates and not rows are moved.

import { html, say } from "../explorer/dom.js";
import { count } from "../explorer/words.js";

/** A number of rows to expect: whole, unless a tenth matters. */
export const expected = (value) =>
  count(value >= 10 ? Math.round(value) : Math.round(10 * value) / 10);

/** A table of the numbers tp, fn, fp and tn. */
export function makeExpected() {
  const cells = {};
  const cell = (name, kind) => {
    cells[name] = html("span", { class: "cell-number" });
    const says = html("span", { class: "note" }, name.toUpperCase());
    return html("td", { class: kind }, says, cells[name]);
  };
  const head = ["truth", "flagged", "passed"].map((text) => html("th", {}, text));
  const body = [
    html("tr", {}, html("th", {}, "positive"), cell("tp", "right"), cell("fn", "wrong")),
    html("tr", {}, html("th", {}, "negative"), cell("fp", "wrong"), cell("tn", "right")),
  ];
  const about = html("caption", { class: "note" });
  const table = html("table", { class: "small-matrix" }, about, html("tr", {}, ...head), ...body);
  return {
    node: table,
    draw(now) {
      const { tp, fn, fp, tn } = now;
      say(about, `Expected of ${count(Math.round(tp + fn + fp + tn))} rows`);
      for (const [name, node] of Object.entries(cells)) say(node, expected(now[name]));
    },
  };
}
