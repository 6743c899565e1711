// What stands below a lesson that has a page of its own: what to notice, a question, the formulas.

import { html } from "../explorer/dom.js";
import { makeBelow } from "./shell.js";

export const mount = (parent, tell) => {
  const root = html("div", { class: "explorer lesson" });
  parent.append(root);
  let [shown, drawn, tried] = ["", null, 0];

  function update(payload) {
    if (shown !== payload.key) {
      shown = payload.key;
      // A number before it tells a second press from the first.
      drawn = makeBelow(payload, (target) => tell(`${(tried += 1)} ${target}`));
      root.replaceChildren(drawn.node);
    }
    drawn.draw(payload.numbers);
    drawn.tellAnswer(payload.answer);
  }

  return { update, destroy: () => root.remove() };
};
