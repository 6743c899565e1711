// The models, each with its line; a click chooses one. One threshold for all, or one for each.

import { drawSwatch } from "./chart.js";
import { html, say, set } from "./dom.js";
import { minus } from "./words.js";

export function makeLegend({ choose, part }) {
  const models = html("div", { class: "models", role: "group", "aria-label": "Models" });
  const box = html("input", { type: "checkbox" });
  const each = html("label", { class: "each note" }, box, "a threshold of its own for each");
  const scales = html("p", { class: "note scales" });
  box.onchange = () => part(box.checked);
  let drawn = null;
  return {
    nodes: [html("section", { class: "legend" }, models, each, scales)],
    draw({ board, model }) {
      // The same buttons as long as the models are the same: one of them may have the focus.
      if (drawn !== board.key) {
        models.replaceChildren(...board.models.map((one) => makeButton(one, choose)));
        drawn = board.key;
      }
      [...models.children].forEach((button, position) =>
        set(button, "aria-pressed", String(position === model.position)),
      );
      each.hidden = board.models.length < 2;
      box.checked = board.own;
      say(scales, board.own ? "" : board.scales);
    },
    move({ board, thresholds }) {
      [...models.children].forEach((button, position) => {
        const at = minus(String(thresholds[position]));
        say(button.lastChild, board.own ? ` at ${at}` : "");
      });
    },
  };
}

function makeButton(model, choose) {
  const name = html("span", { class: "name" }, model.label);
  const at = html("span", { class: "at" });
  const parts = [drawSwatch(model), name, at];
  const button = html("button", { type: "button", title: model.label }, ...parts);
  button.onclick = () => choose(model.position);
  return button;
}
