// One card for each metric: its number, its interval, its counts in words.

import { html, say, set } from "./dom.js";

export function makeCards() {
  const node = html("section", { class: "cards", "aria-label": "Metrics at this threshold" });
  let cards = [];
  return {
    nodes: [node],
    draw({ board }) {
      cards = board.cards.map((card) => makeCard(card, board.level));
      node.replaceChildren(...cards.map((card) => card.node));
    },
    move({ judgement }) {
      cards.forEach((card, position) => card.move(judgement.cards[position]));
    },
  };
}

function makeCard({ name, summary }, level) {
  const value = html("span", { class: "number" });
  const bar = html("span", { class: "interval-bar", "aria-hidden": "true" });
  const interval = html("span", { class: "interval", title: `${100 * level}% interval` });
  const words = html("span", { class: "note words" });
  const label = html("span", { class: "note", title: summary }, name);
  const row = html("span", { class: "interval-row" }, bar, interval);
  const node = html("div", { class: "card" }, label, value, row, words);
  return { node, move: (shown) => moveCard({ node, value, bar, interval, row, words }, shown) };
}

function moveCard({ node, value, bar, interval, row, words }, shown) {
  const defined = !Number.isNaN(shown.value);
  node.classList.toggle("undefined", !defined);
  say(value, shown.text);
  set(value, "title", defined ? false : `Undefined: ${shown.words}`);
  say(words, shown.words);
  say(interval, shown.interval);
  row.classList.toggle("absent", shown.low === undefined);
  if (shown.low === undefined) return;
  bar.style.setProperty("--low", shown.low);
  bar.style.setProperty("--high", shown.high);
  bar.style.setProperty("--value", shown.value);
}
