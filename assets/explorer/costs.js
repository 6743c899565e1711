// What decisions cost, how common positives are in use, how many cases come: said in boxes.

import { aim, jumpTo, numberIn } from "./controls.js";
import { button, hold, html, press, say, set } from "./dom.js";
import { statesOf } from "./view.js";
import { minus } from "./words.js";

/** What can be said of decisions, in this order: the key, what stands before the number, behind. */
const SAID = [
  { key: "fn", before: "Cost of a miss", unit: "" },
  { key: "fp", before: "of a false alarm", unit: "" },
  { key: "share", before: "", unit: "" },
  { key: "volume", before: "", unit: "cases a day" },
];

/** Its boxes are read all at once, `price` is told what they hold. */
export function makeCosts({ move, settle, price }) {
  const boxes = SAID.map((said) => makeSaid(said, () => tell()));
  const cheapest = button({}, () => jumpTo(cheapest, { move, settle }), "cheapest");
  const day = html("span", {});
  const line = html("p", { class: "note day held" }, day);
  const fields = html("div", { class: "presets" }, ...boxes.map(({ node }) => node), cheapest);
  const group = { class: "costs", role: "group", "aria-label": "Costs" };
  const node = html("section", group, fields, line);
  const tell = () => price(Object.fromEntries(boxes.map(({ key, read }) => [key, read()])));
  return {
    nodes: [node],
    draw(view) {
      const { data: { costs, classes }, model } = view;
      node.hidden = !costs;
      if (!costs) return;
      hold(line, statesOf(view).map((state) => state.day));
      for (const box of boxes) box.draw(costs, classes, model.table);
      const { threshold, why } = costs.cheapest[model.position];
      aim(cheapest, threshold);
      cheapest.hidden = costs.fn === null;
      say(cheapest, threshold === null ? "cheapest" : `cheapest: ${minus(threshold)}`);
      set(cheapest, "title", why);
    },
    move({ threshold, result }) {
      press([cheapest], ({ disabled, value }) => !disabled && Number(value) === threshold);
      say(day, result.day);
    },
  };
}

/** A box for a number that may be left open. */
function makeSaid({ key, before, unit }, tell) {
  const box = html("input", { type: "text", inputmode: "decimal", autocomplete: "off" });
  const label = html("span", { class: "note" }, before);
  const behind = html("span", { class: "note" }, unit);
  const node = html("label", { class: "goal said" }, label, box, behind);
  let shown = "";
  const isKnown = () => box.value.trim() === "" || Number.isFinite(numberIn(box));
  box.onchange = () => {
    if (isKnown()) tell();
    else box.value = shown;
  };
  box.onfocus = () => box.select();
  return {
    key,
    node,
    read: () => (box.value.trim() === "" ? null : numberIn(box)),
    draw(costs, [, positive], { positives, negatives }) {
      const value = costs[key];
      shown = value === null ? "" : minus(key === "share" ? 100 * value : value);
      if (!box.matches(":focus")) box.value = shown;
      if (key === "share") {
        const percent = (100 * positives) / (positives + negatives);
        set(box, "placeholder", String(Number(percent.toPrecision(3))));
        say(behind, `% ${positive} in use`);
      }
    },
  };
}
