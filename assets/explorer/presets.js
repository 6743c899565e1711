// Thresholds to jump to: the best on these rows, and those that keep a promise.

import { html, set } from "./dom.js";
import { GOALS, thresholdFor } from "./goals.js";

/** @param {{move: (threshold: number) => void, settle: () => void}} actions */
export function makePresets(actions) {
  const node = html("div", { class: "presets", role: "group", "aria-label": "Presets" });
  const goals = GOALS.map((goal) => makeGoal(goal, actions));
  let buttons = [];
  return {
    node,
    draw({ model }) {
      const best = model.presets.map((preset) => makeBest(preset, actions));
      buttons = [...best, ...goals.map((goal) => goal.button)];
      for (const goal of goals) goal.draw(model);
      // Boxes stay where they are: one of them may have the focus.
      for (const old of node.querySelectorAll(":scope > button")) old.remove();
      node.prepend(...best);
      if (!goals[0].node.isConnected) node.append(...goals.map((goal) => goal.node));
    },
    move({ threshold }) {
      for (const button of buttons) {
        const isHere = !button.disabled && Number(button.value) === threshold;
        set(button, "aria-pressed", String(isHere));
      }
    },
  };
}

function makeBest({ label, threshold, why }, actions) {
  const button = html("button", { type: "button", title: why }, label);
  aim(button, threshold);
  button.onclick = () => reach(button, actions);
  return button;
}

/** A goal whose number can be changed: a button and a box in one. */
function makeGoal({ before, unit, value, why, row }, actions) {
  const button = html("button", { type: "button" }, before);
  const box = html("input", { type: "text", inputmode: "decimal", value, autocomplete: "off" });
  const node = html("span", { class: "goal" }, button, box, html("span", { class: "note" }, unit));
  let model = null;
  const draw = (next = model) => {
    model = next;
    const wanted = numberIn(box);
    const threshold = wanted === null ? null : thresholdFor({ row }, model.table, wanted);
    aim(button, threshold);
    set(button, "aria-label", `${before} ${box.value}${unit}`);
    set(button, "title", threshold === null ? `${why}: there is none here.` : `${why}.`);
    set(box, "aria-label", `${before} how many${unit}`);
  };
  box.oninput = () => draw();
  box.onchange = () => reach(button, actions);
  box.onfocus = () => box.select();
  button.onclick = () => reach(button, actions);
  return { node, button, draw };
}

function numberIn({ value }) {
  const wanted = Number(value.trim().replace(",", ".") || NaN);
  return Number.isFinite(wanted) && wanted >= 0 ? wanted : null;
}

function aim(button, threshold) {
  button.value = threshold ?? "";
  button.disabled = threshold === null;
}

function reach(button, { move, settle }) {
  if (button.disabled) return;
  move(Number(button.value));
  settle();
}
