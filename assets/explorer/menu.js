// The small menu of a figure: what can be taken away from it.

import { html } from "./dom.js";

/**
 * @param {string} name of the figure
 * @returns what `offer`s entries, each { name, title, take }
 */
export function makeMenu(name) {
  const list = html("div", { class: "menu-list" });
  const summary = html("summary", { "aria-label": `Save ${name}`, title: "Save this figure" }, "⤓");
  const node = html("details", { class: "menu" }, summary, list);
  node.onkeydown = (event) => {
    if (event.key !== "Escape" || !node.open) return;
    close(node);
    summary.focus();
  };
  node.onfocusout = ({ relatedTarget }) => {
    if (relatedTarget && !node.contains(relatedTarget)) close(node);
  };
  return {
    node,
    offer: (entries) => list.replaceChildren(...entries.map((entry) => makeEntry(entry, node))),
  };
}

function makeEntry({ name, title, take }, menu) {
  const button = html("button", { type: "button", title }, name);
  button.onclick = async () => {
    await take();
    close(menu);
  };
  return button;
}

function close(menu) {
  menu.open = false;
}
