// What is drawn: the curves, the lines on them, the metrics against the threshold.

import { drawSwatch } from "./chart.js";
import { html, set } from "./dom.js";
import { EXTRAS, FIGURES } from "./figures.js";

export function makeChooser({ draw }) {
  const groups = [
    makeGroup("Curves", "curves", draw, () => FIGURES),
    makeGroup("Also drawn", "lines", draw, ({ drawn }) =>
      EXTRAS.filter(({ on }) => drawn.curves.includes(on)),
    ),
    makeGroup("Metrics", "metrics", draw, ({ drawn, metrics }) =>
      drawn.curves.includes("metrics") ? metrics : [],
    ),
  ];
  return {
    nodes: [html("section", { class: "chooser" }, ...groups.map(({ node }) => node))],
    draw(view) {
      for (const group of groups) group.draw(view);
    },
  };
}

/** Buttons that are pressed or not; `offered` says which there are. */
function makeGroup(title, field, draw, offered) {
  const buttons = html("div", { class: "chips", role: "group", "aria-label": title });
  const label = html("span", { class: "note", "aria-hidden": "true" }, title);
  const node = html("div", { class: "choice" }, label, buttons);
  let now = [];
  const others = (key) => now.filter((each) => each !== key);
  const toggle = (key, isOn) => draw({ [field]: isOn ? [...now, key] : others(key) });
  let built = "";
  return {
    node,
    draw({ board }) {
      const choices = offered(board);
      now = board.drawn[field];
      node.hidden = choices.length === 0;
      // The same buttons as long as the choices are the same: one of them may have the focus.
      const wanted = choices.map(({ key }) => key).join();
      if (wanted !== built) {
        buttons.replaceChildren(...choices.map((each) => makeChip(each, toggle)));
      }
      built = wanted;
      for (const chip of buttons.children) {
        set(chip, "aria-pressed", String(now.includes(chip.value)));
      }
    },
  };
}

function makeChip({ key, name, summary, color, dash }, toggle) {
  const swatch = color ? [drawSwatch({ color, dash })] : [];
  const attributes = { type: "button", title: summary, value: key };
  const chip = html("button", attributes, ...swatch, name);
  chip.onclick = () => toggle(key, chip.getAttribute("aria-pressed") !== "true");
  return chip;
}
