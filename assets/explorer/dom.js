// Elements made from plain data. Text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element; a missing or false attribute is left out; strings become text. */
export const html = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** A button that calls a function when it is clicked. */
export function button(attributes, onclick, ...children) {
  const node = html("button", { type: "button", ...attributes }, ...children);
  node.onclick = onclick;
  return node;
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** Show a text; nothing is touched where it is shown already. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Set an attribute, or remove it where there is no value. */
export function set(node, name, value) {
  if (value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

/** Keep room for the longest text: nothing below may move while the numbers in it change. */
export const hold = (node, texts) =>
  set(node, "data-room", texts.reduce((one, other) => (other.length > one.length ? other : one)));

/** Show which of some buttons are pressed. */
export function press(buttons, isPressed) {
  [...buttons].forEach((each, at) => set(each, "aria-pressed", String(isPressed(each, at))));
}

/** A button that shows and hides what stands in a panel, which is hidden at first. */
export function folding(label, panel) {
  panel.hidden = true;
  const node = button({ class: "fold", "aria-expanded": "false" }, () => {
    panel.hidden = !panel.hidden;
    set(node, "aria-expanded", String(!panel.hidden));
  }, label);
  return node;
}

/** A box to tick, with its label. */
export function tickBox(label, onchange) {
  const box = html("input", { type: "checkbox" });
  box.onchange = () => onchange(box.checked);
  return { box, node: html("label", { class: "each note" }, box, label) };
}

/**
 * A tip in a frame; the function returned lets it say what `at` finds below the pointer:
 * { text, x, y } with places as shares of the frame, or nothing.
 */
export function addTip(frame) {
  const tip = frame.appendChild(html("div", { class: "tip", hidden: "" }));
  const hide = () => {
    tip.hidden = true;
  };
  frame.addEventListener("focusout", hide);
  frame.onpointerleave = hide;
  return (at) => {
    frame.onpointermove = (event) => {
      const { text, ...place } = at(event) ?? {};
      tip.hidden = text === undefined;
      if (tip.hidden) return;
      say(tip, text);
      for (const [axis, share] of Object.entries(place)) tip.style.setProperty(`--${axis}`, share);
    };
  };
}

/** Go to another of some buttons by arrow keys; the tab key stops at one of them only. */
export function among(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const buttons = [...event.currentTarget.children];
  const next = buttons[buttons.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  for (const each of buttons) each.tabIndex = each === next ? 0 : -1;
  next.focus();
}

const shownKeys = new WeakMap();

/** Fill an element again if its key is another one than last time; else a focus in it is kept. */
export function refill(node, key, makeChildren) {
  if (shownKeys.get(node) === key) return;
  shownKeys.set(node, key);
  node.replaceChildren(...makeChildren());
}
