// The threshold: a slider that stops at real scores, a box to type one, and presets.

import { nearestRow } from "./axis.js";
import { html, set } from "./dom.js";
import { makePresets } from "./presets.js";
import { rowsAtOrAbove, shortAt } from "./tables.js";
import { roughly } from "./words.js";

const PAUSE_MS = 250;
const LEAP = 0.05;

/** Where each key leads from a row of the table; rows run from the highest score down. */
const KEYS = {
  ArrowRight: (row) => row - 1,
  ArrowUp: (row) => row - 1,
  ArrowLeft: (row) => row + 1,
  ArrowDown: (row) => row + 1,
  PageUp: (row, last) => row - Math.ceil(LEAP * last),
  PageDown: (row, last) => row + Math.ceil(LEAP * last),
  Home: (row, last) => last,
  End: () => 0,
};

/**
 * @param {object} actions
 * @param {(threshold: number) => void} actions.move while the handle moves
 * @param {() => void} actions.settle when it has been let go
 */
export function makeControl(actions) {
  const slider = makeSlider();
  const box = makeBox();
  const presets = makePresets(actions);
  const ends = html("div", { class: "ends", "aria-hidden": "true" });
  const choices = html("div", { class: "choices" }, box, presets.node);
  let view = null;
  listenToSlider(slider, () => view, actions);
  listenToBox(box, () => view, actions);
  return {
    nodes: [html("section", { class: "control" }, slider, ends, choices)],
    draw({ model }) {
      presets.draw({ model });
      drawEnds(ends, model.axis);
      slider.disabled = model.table.threshold.length < 2;
      slider.title = slider.disabled ? "Every row has the same score." : "";
    },
    move(next) {
      view = next;
      moveSlider(slider, view);
      moveBox(box, view);
      presets.move(view);
    },
  };
}

const makeSlider = () =>
  html("input", { type: "range", min: 0, max: 1, step: "any", "aria-label": "Threshold" });

const makeBox = () =>
  html("input", {
    class: "box",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    "aria-label": "Type a threshold",
  });

function listenToSlider(slider, view, { move, settle }) {
  let waiting = 0;
  slider.oninput = () => {
    const { axis, table } = view().model;
    move(shortAt(table, nearestRow(axis, Number(slider.value))));
  };
  slider.onchange = settle;
  slider.onblur = settle;
  slider.onkeydown = (event) => {
    const key = KEYS[event.key];
    if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(afterKey(key, view()));
    clearTimeout(waiting);
    waiting = setTimeout(settle, PAUSE_MS);
  };
}

/** The threshold that a key leads to from the lowest score that is flagged. */
function afterKey(key, { model: { table }, threshold }) {
  const last = table.threshold.length - 1;
  const wanted = key(rowsAtOrAbove(table, threshold) - 1, last);
  return shortAt(table, Math.min(last, Math.max(0, wanted)));
}

function listenToBox(box, view, { move, settle }) {
  box.onchange = () => {
    const typed = Number(box.value.trim().replace("\u2212", "-").replace(",", ".") || NaN);
    if (!Number.isFinite(typed)) {
      box.value = view().judgement.threshold;
      return;
    }
    move(typed);
    settle();
  };
  box.onfocus = () => box.select();
  box.onkeydown = (event) => {
    if (event.key === "Escape") box.value = view().judgement.threshold;
  };
}

function drawEnds(ends, { kind, low, high }) {
  const middle = kind === "rank" ? "by rank: these scores lie too far apart to stand by size" : "";
  const texts = [roughly(low), middle, roughly(high)];
  ends.replaceChildren(...texts.map((text) => html("span", {}, text)));
}

function moveSlider(slider, { place, judgement }) {
  if (Number(slider.value) !== place) slider.value = place;
  slider.style.setProperty("--place", place);
  set(slider, "aria-valuetext", judgement.headline);
}

function moveBox(box, { judgement, threshold }) {
  if (box.matches(":focus")) return;
  box.value = judgement.threshold;
  box.title = `Threshold ${threshold}; type another`;
}
