// The models, each with its line; a click chooses one.

import { drawSwatch } from "./chart.js";
import { html, set } from "./dom.js";

export function makeLegend(choose) {
  const node = html("div", { class: "legend", role: "group", "aria-label": "Models" });
  let drawn = null;
  return {
    nodes: [node],
    draw({ board, model }) {
      // The same buttons as long as the models are the same: one of them may have the focus.
      if (drawn !== board.key) {
        node.replaceChildren(...board.models.map((each) => makeButton(each, choose)));
        drawn = board.key;
      }
      [...node.children].forEach((button, position) =>
        set(button, "aria-pressed", String(position === model.position)),
      );
    },
  };
}

function makeButton(model, choose) {
  const name = html("span", { class: "name" }, model.label);
  const button = html("button", { type: "button", title: model.label }, drawSwatch(model), name);
  button.onclick = () => choose(model.position);
  return button;
}
