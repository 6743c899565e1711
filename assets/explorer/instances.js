// The rows of the lesson, highest score first; those that have been reached are marked.

import { html, set } from "./dom.js";

/** @param {(step: number) => void} pick told which step reaches the row that was clicked */
export function makeInstances(pick) {
  const body = html("tbody", {});
  const head = html("tr", {}, ...["row", "score", "truth"].map((text) => html("th", {}, text)));
  const table = html("table", { class: "instances" }, html("thead", {}, head), body);
  const node = html("section", { class: "figure listed", tabindex: "0" });
  set(node, "aria-label", "The rows, highest score first");
  node.append(table);
  let steps = [];

  function draw({ rows, classes, steps: moves }) {
    steps = moves.flatMap(({ up, right }, at) => Array(up + right).fill(at + 1));
    body.replaceChildren(...rows.map((row, at) => makeRow(row, classes, () => pick(steps[at]))));
  }

  function show(step) {
    [...body.children].forEach((row, at) => {
      row.classList.toggle("reached", steps[at] <= step);
      set(row, "aria-current", steps[at] === step && "step");
    });
    bring(node, head.offsetHeight, body.children, Math.max(0, steps.indexOf(step)));
  }

  return { node, draw, show };
}

function makeRow([number, score, truth], classes, choose) {
  const key = html("span", { class: truth ? "key positive" : "key negative" }, classes[truth]);
  const cells = [number, score, key].map((cell) => html("td", {}, cell));
  const row = html("tr", {}, ...cells);
  row.onclick = choose;
  return row;
}

/** Bring a row into the middle of its list, no row half below the head; the page itself stays. */
function bring(list, head, rows, at) {
  if (!rows.length) return;
  const room = (list.clientHeight - head) / rows[at].offsetHeight;
  const last = Math.max(0, Math.ceil(rows.length - room));
  const first = Math.min(last, Math.max(0, Math.round(at - room / 2)));
  list.scrollTop = rows[first].offsetTop - head;
}
