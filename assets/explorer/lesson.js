// A ROC curve built one score at a time, from plain data.

import { html, say } from "./dom.js";
import { growing } from "./growing.js";
import { makeInstances } from "./instances.js";
import { makePlayer } from "./player.js";
import { makeGrowth } from "./growth.js";

/** So long after the last move the step is told. */
const REST = 500;

/**
 * @param {Element} parent
 * @param {(step: number) => void} onRest called when the reader stays at a step
 */
export function mountLesson(parent, onRest) {
  const root = html("div", { class: "explorer lesson", tabindex: "-1" });
  const sentence = html("p", { class: "says", "aria-live": "polite" });
  const growth = makeGrowth();
  const instances = makeInstances((step) => player.go(step));
  const player = makePlayer(root, show);
  const beside = html("div", { class: "beside" }, growth.node, instances.node);
  root.append(player.node, sentence, beside);
  parent.append(root);
  let data = null;
  let rest = 0;

  function show(step, before) {
    say(sentence, data.says[step] + (step === data.steps.length ? ` ${data.end}` : ""));
    instances.show(step);
    growth.show(step, before);
    clearTimeout(rest);
    rest = setTimeout(() => player.isPlaying() || onRest(step), REST);
  }

  function update(fed) {
    if (data?.key === fed.key) return;
    data = { ...fed, path: growing(fed.steps) };
    growth.draw(data);
    instances.draw(data);
    player.reset(fed.steps.length, fed.at);
  }

  function destroy() {
    clearTimeout(rest);
    player.stop();
    root.remove();
  }

  return { update, destroy };
}
