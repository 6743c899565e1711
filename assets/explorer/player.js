// Going from step to step: buttons, a slider, keys, and by itself.

import { html, say, set } from "./dom.js";

/** All of it takes about so long by itself, and each step at least and at most so long. */
const [WHOLE, FASTEST, SLOWEST] = [30_000, 150, 1400];

/** @param {(step: number, before: number) => void} show told where it stands, and stood before */
export function makePlayer(root, show) {
  let [step, last, timer] = [0, 0, 0];
  const actions = {
    first: () => go(0),
    back: () => go(step - 1),
    next: () => go(step + 1),
    last: () => go(last),
    toggle: () => (timer ? stop() : start()),
    go,
  };
  const controls = makeControls(actions);
  listen(root, actions);

  function go(wanted) {
    stop();
    move(wanted);
  }

  function move(wanted) {
    const before = step;
    step = Math.min(Math.max(0, wanted), last);
    controls.stand(step, last);
    if (step === last) stop();
    show(step, before);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    controls.offer(step === last && last ? "Play again" : "Play");
  }

  function start() {
    if (step === last) move(0);
    const pace = Math.min(Math.max(WHOLE / (last || 1), FASTEST), SLOWEST);
    timer = setInterval(() => move(step + 1), pace);
    controls.offer("Pause");
  }

  function reset(length, at) {
    last = length;
    step = at;
    go(at);
  }

  return { node: controls.node, go, stop, reset, isPlaying: () => timer !== 0 };
}

function makeControls({ first, back, next, last, toggle, go }) {
  const slider = html("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "Step" });
  const counter = html("span", { class: "note counter" });
  const play = makeButton("Play", toggle);
  play.classList.add("play");
  slider.oninput = () => go(Number(slider.value));
  const named = { First: first, Back: back, Next: next, Last: last };
  const buttons = Object.entries(named).map(([name, act]) => makeButton(name, act));
  const row = html("div", { class: "choices" }, ...buttons, play, counter);
  return {
    node: html("div", { class: "control player", role: "group" }, row, slider),
    offer: (word) => say(play, word),
    stand(step, length) {
      set(slider, "max", length);
      slider.value = step;
      slider.style.setProperty("--place", length ? step / length : 0);
      say(counter, `step ${step} of ${length}`);
    },
  };
}

function makeButton(name, act) {
  const button = html("button", { type: "button" }, name);
  button.onclick = act;
  return button;
}

/** Arrows, Home and End go through the steps, the space bar plays; a slider knows its own keys. */
function listen(root, { first, back, next, last, toggle }) {
  const keys = { ArrowRight: next, ArrowLeft: back, Home: first, End: last, " ": toggle };
  root.onkeydown = (event) => {
    const isOwn = event.target.closest(event.key === " " ? "button, summary" : "input");
    if (isOwn || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  };
}
