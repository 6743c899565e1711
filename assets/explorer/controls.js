// What can be chosen: the threshold (slider, box, presets), the model, the curves.

import { drawSwatch } from "./chart.js";
import { CURVES, EXTRAS } from "./curves.js";
import { button, folding, html, press, refill, say, set, tickBox } from "./dom.js";
import { GOALS, nearestRow, rowsAtOrAbove, shortAt, thresholdFor } from "./scores.js";
import { minus, roughly } from "./words.js";

// The threshold: a slider that stops at real scores, a box to type one, and presets

/** A key is let go when none has been pressed for so long, in milliseconds. */
const PAUSE = 250;

/** A page key goes through this share of the scores. */
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
  const slider = html("input", {
    type: "range",
    min: 0,
    max: 1,
    step: "any",
    "aria-label": "Threshold",
  });
  const box = html("input", {
    class: "box",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    "aria-label": "Type a threshold",
  });
  const presets = makePresets(actions);
  const ends = html("div", { class: "ends", "aria-hidden": "true" });
  const choices = html("div", { class: "choices" }, box, presets.node);
  let view = null;
  listenToSlider(slider, () => view, actions);
  listenToBox(box, () => view, actions);
  return {
    nodes: [html("section", { class: "control" }, slider, ends, choices, presets.goals)],
    draw({ model }) {
      presets.draw(model);
      ends.replaceChildren(...wordsOfEnds(model.axis).map((text) => html("span", {}, text)));
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
    waiting = setTimeout(settle, PAUSE);
  };
}

/** The threshold that a key leads to from the lowest score that is flagged. */
function afterKey(key, { model: { table }, threshold }) {
  const last = table.threshold.length - 1;
  const wanted = key(rowsAtOrAbove(table, threshold) - 1, last);
  return shortAt(table, Math.min(last, Math.max(0, wanted)));
}

function listenToBox(box, view, { move, settle }) {
  const restore = () => {
    box.value = view().result.threshold;
  };
  box.onchange = () => {
    const typed = numberIn(box);
    if (!Number.isFinite(typed)) {
      restore();
      return;
    }
    move(typed);
    settle();
  };
  box.onfocus = () => box.select();
  box.onkeydown = (event) => {
    if (event.key === "Escape") restore();
  };
}

/** The number in a box, with a point or a comma and either minus sign; NaN where there is none. */
export const numberIn = ({ value }) =>
  Number(value.trim().replace("\u2212", "-").replace(",", ".") || NaN);

function wordsOfEnds({ kind, low, high }) {
  const ranked = "by rank: these scores are too spread out for a linear scale";
  return [roughly(low), kind === "rank" ? ranked : "", roughly(high)];
}

function moveSlider(slider, { place, result }) {
  if (Number(slider.value) !== place) slider.value = place;
  slider.style.setProperty("--place", place);
  set(slider, "aria-valuetext", result.headline);
}

function moveBox(box, { result, threshold }) {
  if (box.matches(":focus")) return;
  box.value = result.threshold;
  box.title = `Threshold ${threshold}; type another`;
}

// Thresholds to jump to: the best on these rows, and those that keep a goal

function makePresets(actions) {
  const goals = GOALS.map((goal) => makeGoal(goal, actions));
  const group = { class: "presets goals", role: "group", "aria-label": "Goals" };
  const panel = html("div", group, ...goals.map((goal) => goal.node));
  const fold = folding("keep a goal", panel);
  const node = html("div", { class: "presets", role: "group", "aria-label": "Presets" }, fold);
  let best = [];
  return {
    node,
    goals: panel,
    draw(model) {
      // Boxes stay where they are: one of them may have the focus.
      for (const old of best) old.remove();
      best = model.presets.map((preset) => makeBest(preset, actions));
      node.prepend(...best);
      for (const goal of goals) goal.draw(model);
    },
    move({ threshold }) {
      const buttons = [...best, ...goals.map((goal) => goal.button)];
      press(buttons, ({ disabled, value }) => !disabled && Number(value) === threshold);
    },
  };
}

function makeBest({ label, threshold, why }, actions) {
  const node = button({ title: why }, () => jumpTo(node, actions), label);
  aim(node, threshold);
  return node;
}

/** A goal whose number can be changed: a button and a box in one. */
function makeGoal({ before, unit, value, why, row }, actions) {
  const go = () => jumpTo(node, actions);
  const node = button({}, go, before);
  const box = html("input", { type: "text", inputmode: "decimal", value, autocomplete: "off" });
  let model = null;
  const draw = (next = model) => {
    model = next;
    const wanted = numberIn(box);
    const isGoal = Number.isFinite(wanted) && wanted >= 0;
    const threshold = isGoal ? thresholdFor({ row }, model.table, wanted) : null;
    aim(node, threshold);
    set(node, "aria-label", `${before} ${box.value}${unit}`);
    set(node, "title", threshold === null ? `${why}: undefined here.` : `${why}.`);
    set(box, "aria-label", `${before} how many${unit}`);
  };
  box.oninput = () => draw();
  box.onchange = go;
  box.onfocus = () => box.select();
  const note = html("span", { class: "note" }, unit);
  return { node: html("span", { class: "goal" }, node, box, note), button: node, draw };
}

/** Let a button lead to a threshold, or to none. */
export function aim(node, threshold) {
  node.value = threshold ?? "";
  node.disabled = threshold === null;
}

export function jumpTo({ disabled, value }, { move, settle }) {
  if (disabled) return;
  move(Number(value));
  settle();
}

// The models, each with its line; one threshold for all, or one for each

/** `switches` stand at its end: they say how much is shown. */
export function makeLegend({ choose, keepOwn }, switches) {
  const models = html("div", { class: "models", role: "group", "aria-label": "Models" });
  const { box, node: each } = tickBox("separate threshold per model", keepOwn);
  const scales = html("p", { class: "note scales" });
  return {
    nodes: [html("section", { class: "legend" }, models, each, ...switches, scales)],
    draw({ data, model }) {
      refill(models, data.key, () => data.models.map((one) => makeModelButton(one, choose)));
      press(models.children, (_, position) => position === model.position);
      each.hidden = data.models.length < 2;
      box.checked = data.own;
      say(scales, data.own ? "" : data.scales);
    },
    move({ data, thresholds }) {
      [...models.children].forEach((one, position) =>
        say(one.lastChild, data.own ? ` at ${minus(thresholds[position])}` : ""),
      );
    },
  };
}

function makeModelButton(model, choose) {
  const { label, position } = model;
  const name = html("span", { class: "name" }, label);
  const at = html("span", { class: "at" });
  return button({ title: label }, () => choose(position), drawSwatch(model), name, at);
}

// What is drawn: the curves, the lines on them, the metrics against the threshold

export function makeChooser({ draw }) {
  const groups = [
    makeChips("Curves", "curves", draw, () => CURVES),
    makeChips("Also drawn", "lines", draw, ({ drawn }) =>
      EXTRAS.filter(({ on }) => drawn.curves.includes(on)),
    ),
    makeChips("Metrics", "metrics", draw, ({ drawn, metrics }) =>
      drawn.curves.includes("metrics") ? metrics : [],
    ),
  ];
  const panel = html("section", { class: "chooser" }, ...groups.map(({ node }) => node));
  return {
    nodes: [panel],
    fold: folding("curves and lines", panel),
    draw({ data }) {
      for (const group of groups) group.draw(data);
    },
  };
}

/** Buttons that are pressed or not; `offered` says which there are. */
function makeChips(title, field, draw, offered) {
  const chips = html("div", { class: "chips", role: "group", "aria-label": title });
  const label = html("span", { class: "note", "aria-hidden": "true" }, title);
  const node = html("div", { class: "choice" }, label, chips);
  let pressed = [];
  const toggle = (key) => {
    const others = pressed.filter((each) => each !== key);
    draw({ [field]: others.length < pressed.length ? others : [...pressed, key] });
  };
  return {
    node,
    draw(data) {
      const choices = offered(data);
      pressed = data.drawn[field];
      node.hidden = choices.length === 0;
      const keys = choices.map(({ key }) => key).join();
      refill(chips, keys, () => choices.map((each) => makeChip(each, toggle)));
      press(chips.children, ({ value }) => pressed.includes(value));
    },
  };
}

function makeChip({ key, name, summary, color, dash }, toggle) {
  const swatch = color ? [drawSwatch({ color, dash })] : [];
  return button({ title: summary, value: key }, () => toggle(key), ...swatch, name);
}
