// The models, each with its line; a click chooses one.

import { drawSwatch } from "./chart.js";
import { html } from "./dom.js";

export function makeLegend(choose) {
  const node = html("div", { class: "legend", role: "group", "aria-label": "Models" });
  return {
    nodes: [node],
    draw({ board, model }) {
      const buttons = board.models.map((each) => makeButton(each, each === model, choose));
      node.replaceChildren(...buttons);
    },
  };
}

function makeButton(model, isChosen, choose) {
  const name = html("span", { class: "name" }, model.label);
  const states = { type: "button", title: model.label, "aria-pressed": String(isChosen) };
  const button = html("button", states, drawSwatch(model), name);
  button.onclick = () => choose(model.position);
  return button;
}
