// Distances without numbers: yes-or-no features by simple matching and Jaccard, words by edits.

import { button, html, press, say, set } from "../explorer/dom.js";
import { writtenNumber } from "./formula.js";
import { lesson } from "./shell.js";
import { below } from "./sums.js";

const BITS = 8;

/**
 * The least number of letters inserted, deleted or replaced between the beginnings of two words.
 * @returns {number[][]} a row for each letter of the first word and none, a column of the second
 */
export function editsOf(first, second) {
  const table = [below(second.length + 1)];
  for (let row = 1; row <= first.length; row += 1) {
    const above = table[row - 1];
    const line = [row];
    for (let at = 1; at <= second.length; at += 1) {
      const replaced = above[at - 1] + Number(first[row - 1] !== second[at - 1]);
      line.push(Math.min(replaced, above[at] + 1, line[at - 1] + 1));
    }
    table.push(line);
  }
  return table;
}

/** One cheapest way through the table, from its end to its beginning, as [row, column]. */
export function wayOf(table, first, second) {
  let [row, at] = [first.length, second.length];
  const way = [[row, at]];
  while (row || at) {
    const here = table[row][at];
    const same = row && at ? Number(first[row - 1] !== second[at - 1]) : NaN;
    if (row && at && table[row - 1][at - 1] + same === here) [row, at] = [row - 1, at - 1];
    else if (row && table[row - 1][at] + 1 === here) row -= 1;
    else at -= 1;
    way.push([row, at]);
  }
  return way;
}

/** @param {{first: number[], second: number[], words: string}} state */
export function numbers(state) {
  const [first, second] = [state.first, state.second].map((bits) => bits.slice(0, BITS));
  const many = (one, other) =>
    first.filter((bit, at) => bit === one && second[at] === other).length;
  const [both, onlyFirst, onlySecond, none] = [many(1, 1), many(1, 0), many(0, 1), many(0, 0)];
  const [one, other] = state.words.split(" ");
  const table = editsOf(one, other);
  const edits = table[one.length][other.length];
  const n = both + onlyFirst + onlySecond + none;
  return {
    first, second, both, onlyFirst, onlySecond, none, one, other, table, edits, n,
    way: wayOf(table, one, other),
    hamming: onlyFirst + onlySecond,
    matching: (both + none) / n,
    mismatching: (onlyFirst + onlySecond) / n,
    either: both + onlyFirst + onlySecond,
    jaccard: both / (both + onlyFirst + onlySecond),
    longer: Math.max(one.length, other.length),
    share: edits / Math.max(one.length, other.length),
  };
}

function says({ both, none, n, matching, jaccard, one, other, edits }) {
  const same = `The customers agree in ${both + none} of ${n} features`;
  const agree = `${same}, ${both} of them bought`;
  const by = `simple matching ${writtenNumber(matching)}, Jaccard ${writtenNumber(jaccard)}`;
  const words = `From “${one}” to “${other}” it takes ${edits} edit${edits === 1 ? "" : "s"}`;
  return `${agree} by both: ${by}. ${words}.`;
}

/** The edits between the beginnings of two words. */
function picture() {
  const edits = html("table", { class: "edits" });
  const note = "Edits between beginnings; filled: one cheapest way";
  return {
    node: html("div", {}, html("p", { class: "note" }, note), edits),
    draw: (now) => edits.replaceChildren(...tableOf(now)),
  };
}

/** What two customers bought, each thing a button. */
function beside(change) {
  let state = null;
  const flip = (key) => (at) => () =>
    change({ [key]: state[key].map((bit, place) => (place === at ? 1 - bit : bit)) });
  const lines = ["first", "second"].map((key) => makeBits(key, flip(key)));
  const same = below(BITS).map(() => html("td", { class: "note" }));
  const compared = html("tr", {}, html("td", {}), ...same);
  const bits = html("table", { class: "bits" }, ...lines.map(({ node }) => node), compared);
  const note = "What two customers bought, of eight things: click to change it.";
  return {
    node: html("div", {}, html("p", { class: "note" }, note), bits),
    draw(now) {
      state = { first: now.first, second: now.second };
      lines.forEach(({ buttons, key }) => {
        press(buttons, (_, at) => now[key][at] === 1);
        buttons.forEach((one, at) => {
          const word = now[key][at] ? "yes" : "no";
          say(one, word);
          set(one, "aria-label", `The ${key} customer bought thing ${at + 1}: ${word}`);
        });
      });
      same.forEach((cell, at) => say(cell, now.first[at] === now.second[at] ? "=" : "≠"));
    },
  };
}

function makeBits(key, onclick) {
  const buttons = below(BITS).map((at) => button({ class: "bit" }, onclick(at)));
  const cells = buttons.map((one) => html("td", {}, one));
  return { buttons, key, node: html("tr", {}, html("th", { scope: "row" }, key), ...cells) };
}

function tableOf({ one, other, table, way }) {
  const headOf = (letter = "") => html(letter ? "th" : "td", {}, letter);
  const heads = ["", "", ...other].map(headOf);
  const onWay = new Set(way.map((place) => place.join()));
  const rows = table.map((line, row) => {
    const cells = line.map((edits, at) =>
      html("td", { class: onWay.has([row, at].join()) ? "right" : "" }, String(edits)),
    );
    return html("tr", {}, headOf(one[row - 1]), ...cells);
  });
  return [html("tr", {}, ...heads), ...rows];
}

export const mount = lesson({ numbers, says, picture, beside });
