// A picture taken in dark colours, changed into one on white paper.

import { svg } from "./dom.js";

/** The colours of dark mode and those of light mode that stand for them; see theme.py. */
const PAIRS = [
  ["#11151b", "#ffffff"],
  ["#191f28", "#ffffff"],
  ["#2c3542", "#e6e2d9"],
  ["#e9ebee", "#1b2330"],
  ["#a5afbc", "#545e6d"],
  ["#ff6b7e", "#c8324a"],
  ["#66748a", "#8491a2"],
  ["#6fa8e6", "#2f6db5"],
  ["#3b88e2", "#2f6db5"],
  ["#ff9536", "#d9772b"],
  ["#34c4b3", "#2a9d8f"],
  ["#e2569a", "#b5457b"],
  ["#ac8bef", "#8a6fbf"],
  ["#dbb223", "#af8e1c"],
  ["#70b34b", "#5a8f3c"],
  ["#d26a46", "#a85538"],
  ["#56c3f0", "#459cc0"],
  ["#868ea0", "#6b7280"],
];

/** Colours less bright than this are tints of the dark ground; those of models are brighter. */
const DARK = 0.36;

/** So much is added to what a tint lacks to white, so that the ground itself becomes white. */
const LIFT = 1.12;

/** How bright red, green and blue are; ITU-R BT.709. */
const BRIGHTNESS = [0.2126, 0.7152, 0.0722];

/** Let a picture stand on white; `ground` is the colour on which it was drawn. */
export function onPaper(picture, ground) {
  if (brightness(channels(ground) ?? [255, 255, 255]) < 0.5) {
    for (const node of picture.querySelectorAll("*")) {
      ink(node, "fill");
      ink(node, "stroke");
    }
    inkImages(picture);
  }
  picture.querySelector("rect").setAttribute("fill", "#ffffff");
}

function ink(node, name) {
  const styled = node.style.getPropertyValue(name);
  const color = channels(styled || node.getAttribute(name));
  if (!color) return;
  const written = `rgb(${inked(color).join(", ")})`;
  if (styled) node.style.setProperty(name, written);
  else node.setAttribute(name, written);
}

/** Cells of a grid are an image: a filter does with its points what `inked` does with tints. */
function inkImages(picture) {
  const images = [...picture.querySelectorAll("image")];
  if (!images.length) return;
  const row = (at) => [...BRIGHTNESS.map((part, each) => Number(each === at) - 2 * part), 0, LIFT];
  const values = [...[0, 1, 2].flatMap(row), 0, 0, 0, 1, 0].join(" ");
  const matrix = svg("feColorMatrix", { type: "matrix", values });
  const about = { id: "paper", "color-interpolation-filters": "sRGB" };
  picture.prepend(svg("filter", about, matrix));
  for (const image of images) image.setAttribute("filter", "url(#paper)");
}

/** The colour on paper for one of dark mode; lines of models are drawn alike in both. */
export function inked(color) {
  const pair = PAIRS.find(([dark]) => String(channels(dark)) === String(color));
  if (pair) return channels(pair[1]);
  const bright = brightness(color);
  const add = bright < DARK ? 255 * (LIFT - 2 * bright) : 0;
  return color.map((each) => Math.min(255, Math.round(each + add)));
}

const brightness = (color) =>
  color.reduce((sum, each, at) => sum + (BRIGHTNESS[at] * each) / 255, 0);

/** "#1b2330" or "rgb(27, 35, 48)" as three numbers; nothing for "none" and what is transparent. */
export function channels(text) {
  const said = (text ?? "").trim();
  if (/^#[0-9a-f]{6}$/i.test(said)) return said.match(/\w\w/g).map((each) => parseInt(each, 16));
  const [, list] = /^rgb\(([^)]+)\)$/.exec(said) ?? [];
  return list?.split(",").map(Number);
}
