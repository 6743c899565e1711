// Any lesson: a picture, what moves it, one live sentence; below, what to notice, a question, the
// formulas with live numbers. What is drawn and said comes from a stage.

import { button, folding, html, press, say, set, svg } from "../explorer/dom.js";
import { standalone } from "../explorer/picture.js";
import { makeMenu } from "../explorer/saving.js";
import { formula, sentence, writtenNumber } from "./formula.js";
import { nextSeed } from "./random.js";
import { scaleOf, startOf, stateOf, textOf } from "./states.js";

/**
 * What draws a lesson.
 * @typedef {object} Stage
 * @property {(state: State, show: Set<string>, data: Record<string, Rows>) =>
 *   Record<string, unknown>} numbers everything that is shown, from the state and rows alone
 * @property {(numbers: object, state: State, show: Set<string>) => string} says the live sentence
 * @property {(change: Change, show: Set<string>) => Part} picture
 * @property {(change: Change, show: Set<string>) => Part} [beside] what stands below the sliders
 *
 * @typedef {{ node: Element, draw: (numbers: object, state: State) => void }} Part
 * @typedef {(part: Partial<State>) => void} Change
 */

/** The state is told when the reader has left it alone for so long, in milliseconds. */
const REST = 500;

/**
 * A function that puts a stage into an element, as `component` of streamlit.js wants it.
 * @param {Stage} stage
 */
export const lesson = (stage) => (parent, tell) => {
  const root = html("div", { class: "explorer lesson", tabindex: "-1" });
  parent.append(root);
  let [shown, resting, told] = [null, 0, []];

  function update(payload) {
    if (shown?.key !== payload.key) open(payload);
    else if (told.includes(payload.at)) told = told.slice(told.indexOf(payload.at) + 1);
    else follow(payload.at);
    shown.tellAnswer(payload.answer);
  }

  function open(payload) {
    clearTimeout(resting);
    const show = new Set(payload.show);
    const state = stateOf(payload.at, payload.settings);
    shown = { ...payload, show, state, at: payload.at };
    const parts = partsOf(stage, shown, change);
    shown.parts = parts.all;
    shown.tellAnswer = parts.tellAnswer;
    root.replaceChildren(...parts.nodes);
    draw();
  }

  /** Show the state of an address, unless it is the one shown. */
  function follow(at) {
    if (at === shown.at) return;
    shown.at = at;
    shown.state = stateOf(at, shown.settings);
    draw();
  }

  function change(part) {
    shown.state = { ...shown.state, ...part };
    draw();
    clearTimeout(resting);
    resting = setTimeout(settle, REST);
  }

  function settle() {
    const at = textOf(shown.state, shown.settings);
    if (at === shown.at) return;
    shown.at = at;
    told.push(at);
    tell(at);
  }

  function draw() {
    const numbers = stage.numbers(shown.state, shown.show, shown.data);
    for (const part of shown.parts) part.draw(numbers, shown.state);
  }

  function destroy() {
    clearTimeout(resting);
    root.remove();
  }

  return { update, destroy };
};

function partsOf(stage, { settings, show, title, data, ...texts }, change) {
  const picture = stage.picture(change, show);
  const says = makeSentence((numbers, state) => stage.says(numbers, state, show));
  const controls = makeControls(settings, change);
  const beside = stage.beside ? [stage.beside(change, show)] : [];
  const frame = html("section", { class: "figure stage" }, picture.node);
  const below = makeBelow(
    texts,
    (target) => {
      change(stateOf(target, settings));
      frame.scrollIntoView({ block: "nearest" });
    },
    (target) => stage.numbers(stateOf(target, settings), show, data),
  );
  const told = html(
    "div",
    { class: "told" },
    says.node,
    controls.node,
    ...beside.map(({ node }) => node),
  );
  const menu = makeMenu();
  frame.append(menu.node);
  const saved = makeSaved(title, frame, says.node);
  menu.offer(saved.figure);
  return {
    all: [picture, says, controls, ...beside, below, saved],
    nodes: [html("div", { class: "beside" }, frame, told), below.node],
    tellAnswer: below.tellAnswer,
  };
}

/** What the menu of a lesson saves: its picture below the live sentence, and its numbers. */
function makeSaved(title, frame, sentence) {
  let scalars = [];
  const figure = {
    name: title,
    picture: () => ({ ...drawnIn(frame), title, subtitle: sentence.textContent, frame }),
    rows: () => [["number", "value"], ...scalars],
  };
  return {
    figure,
    draw(numbers) {
      scalars = Object.entries(numbers).filter(([, value]) => typeof value === "number");
    },
  };
}

/** The drawings of a stage as one, each where it stands. */
function drawnIn(frame) {
  const { left, top, width, height } = frame.firstElementChild.getBoundingClientRect();
  const copies = [...frame.querySelectorAll("svg")].map((one) => {
    const place = one.getBoundingClientRect();
    const copy = standalone(one);
    set(copy, "x", place.left - left);
    set(copy, "y", place.top - top);
    set(copy, "width", place.width);
    set(copy, "height", place.height);
    return copy;
  });
  return { drawing: svg("g", {}, ...copies), width, height };
}

/** The live sentence. */
function makeSentence(says) {
  const node = html("p", { class: "says", "aria-live": "polite" });
  return { node, draw: (numbers, state) => say(node, says(numbers, state)) };
}

// What can be moved

function makeControls(settings, change) {
  const labelled = settings.filter(({ label }) => label);
  const made = labelled.map((one) => makerOf(one)(one, change));
  const again = button({ class: "again" }, () => change(startOf(settings)), "Start again");
  const buttons = made.filter(({ isButton }) => isButton).map(({ node }) => node);
  const others = made.filter(({ isButton }) => !isButton).map(({ node }) => node);
  const row = html("div", { class: "choices" }, ...buttons, again);
  return {
    node: html("div", { class: "control moved" }, ...others, row),
    draw: (_, state) => made.forEach((one) => one.draw(state)),
  };
}

function makerOf({ key, options }) {
  if (key === "seed") return makeAnew;
  return options.length ? makeChoice : makeSlider;
}

/** A button that draws again. */
const makeAnew = ({ key, label, high }, change) => {
  let seed = 0;
  const node = button({}, () => change({ [key]: nextSeed(seed, high) }), label);
  return {
    node,
    isButton: true,
    draw(state) {
      seed = state[key];
    },
  };
};

/** Buttons, of which one is pressed. */
function makeChoice({ key, options, label }, change) {
  const buttons = options.map((word) => button({}, () => change({ [key]: word }), word));
  const name = html("span", { class: "note" }, label);
  const group = { class: "presets", role: "group", "aria-label": label };
  return {
    node: html("div", { class: "picked-one" }, name, html("div", group, ...buttons)),
    draw: (state) => press(buttons, (_, at) => options[at] === state[key]),
  };
}

const FORMS = { percent: "%", count: ",", number: "" };

/** A value as its slider says it. */
export const writtenAs = (form, value) => {
  if (form !== "number") return writtenNumber(value, FORMS[form]);
  return String(Number(value.toPrecision(6))).replace("-", "\u2212");
};

function makeSlider(setting, change) {
  const { key, label, form } = setting;
  const { steps, valueAt, placeOf } = scaleOf(setting);
  const value = html("output", {});
  const input = html("input", { type: "range", min: 0, max: steps, step: 1, "aria-label": label });
  input.oninput = () => change({ [key]: valueAt(Number(input.value)) });
  const head = html("span", { class: "moved-head" }, html("span", {}, label), value);
  return {
    node: html("label", { class: "moved-one" }, head, input),
    draw(state) {
      const written = writtenAs(form, state[key]);
      const place = placeOf(state[key]);
      if (Number(input.value) !== place) input.value = place;
      input.style.setProperty("--place", steps ? place / steps : 0);
      set(input, "aria-valuetext", written);
      say(value, written);
    },
  };
}

// What stands below

const titled = (title, ...nodes) =>
  html("section", { class: "figure" }, html("h2", {}, title), ...nodes);

/**
 * What to notice, a question with its answer, what words mean, and the formulas with the numbers
 * of the moment.
 * @param {{words: object[], notice: object[], check: string, formula: string[],
 *   symbols: object[]}} texts
 * @param {(target: string) => void} tryIt
 * @param {(target: string) => object} numbersAt the numbers of a state
 */
export function makeBelow({ words, notice, check, ...lines }, tryIt, numbersAt) {
  const [asked, working] = [makeCheck(check), makeWorking(lines)];
  const noticed = makeNotice(notice, tryIt, numbersAt);
  const parts = [noticed.node, asked.node, ...makeWords(words), working.node];
  return {
    ...asked,
    node: html("div", { class: "under" }, ...parts),
    draw(numbers) {
      noticed.draw(numbers);
      working.draw(numbers);
    },
  };
}

/** Numbers in what is to be noticed are those of its state; without one, those of the moment. */
function makeNotice(notice, tryIt, numbersAt) {
  const moving = [];
  const items = notice.map(({ text, target }) => {
    const told = sentence(text);
    if (told.isLive && target) told.fill(numbersAt(target));
    else moving.push(told);
    const tried = target ? [" ", button({ class: "try" }, () => tryIt(target), "Try it")] : [];
    return html("li", {}, ...told.nodes, ...tried);
  });
  return {
    node: titled("What to notice", html("ul", {}, ...items)),
    draw: (numbers) => moving.forEach(({ fill }) => fill(numbers)),
  };
}

/** What words mean that a reader may not know. */
function makeWords(words) {
  if (!words.length) return [];
  const told = words.flatMap(({ text, target }) => [html("dt", {}, text), html("dd", {}, target)]);
  const node = titled("Words used here", html("dl", {}, ...told));
  node.classList.add("meanings");
  return [node];
}

/** A question; its answer is hidden, and comes later where a teacher keeps it back. */
function makeCheck(check) {
  const panel = html("p", { class: "answer", "aria-live": "polite" });
  const fold = folding("Show the answer", panel);
  const wait = html("p", { class: "note" }, "Your teacher shows the answer here.");
  return {
    node: titled("Check yourself", html("p", {}, check), fold, wait, panel),
    tellAnswer(answer) {
      fold.hidden = !answer;
      wait.hidden = Boolean(answer);
      say(panel, answer);
    },
  };
}

/** Formulas, and below them what each of their symbols stands for. */
function makeWorking({ formula: lines, symbols }) {
  const made = lines.map((line) => formula(line));
  const nodes = made.map((one) => html("p", { class: "formula" }, ...one.nodes));
  const told = symbols.map(({ text, target }) =>
    html("div", {}, html("dt", {}, ...formula(text).nodes), html("dd", {}, target)),
  );
  const legend = told.length ? [html("dl", { class: "symbols" }, ...told)] : [];
  return {
    node: titled("The working, with the numbers of this moment", ...nodes, ...legend),
    draw: (numbers) => made.forEach(({ fill }) => fill(numbers)),
  };
}
