// The picture of the lesson: the curve so far, the area below it, and what the last move added.

import {
  atX,
  atY,
  drawArea,
  drawLine,
  drawMarker,
  drawReference,
  drawTicks,
  makeCanvas,
  placeMarker,
} from "./chart.js";
import { html, say, set, svg } from "./dom.js";
import { entries } from "./entries.js";
import { fileName } from "./files.js";
import { cornersUpTo, partings } from "./growing.js";
import { makeMenu } from "./menu.js";
import { drawn } from "./saved.js";
import { count, rowsOf } from "./words.js";

/** A move takes so long, in milliseconds. */
const MOVE = 260;

/** Rectangles of fewer points of the canvas than this are not drawn one by one. */
const SMALLEST = 5;

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function makeGrowth() {
  const texts = {
    title: html("h2", {}),
    subtitle: html("p", { class: "note" }),
    above: html("p", { class: "axis" }),
    below: html("p", { class: "axis below" }),
    note: html("p", { class: "note about" }),
  };
  const canvas = makeCanvas();
  const menu = makeMenu("ROC step by step");
  const frame = html("div", { class: "plot-frame" }, canvas);
  const { title, subtitle, above, below, note } = texts;
  const node = html("section", { class: "figure" });
  node.append(menu.node, title, subtitle, above, frame, below, note);
  let data = null;
  let turn = 0;

  function draw(fed) {
    data = fed;
    const [negative, positive] = data.classes.map(rowsOf);
    say(subtitle, "Each is a pair of rows; those in the right order lie below the curve");
    say(above, `share of ${positive} found`);
    say(below, `share of ${negative} flagged`);
    menu.offer(offered(data, canvas, texts));
  }

  function show(step, before) {
    const { pairs } = data.path[step];
    const { tp, fp } = data.path.at(-1);
    say(title, `${rounded(pairs)} of ${count(tp * fp)} rectangles lie below`);
    say(note, `${data.path[step].tp} of ${tp} found, ${data.path[step].fp} of ${fp} flagged.`);
    set(canvas, "aria-label", `${above.textContent} against ${below.textContent}`);
    turn += 1;
    const isNext = step === before + 1 && !still();
    if (isNext) grow(turn, before, performance.now());
    else paint(canvas, data, step);
  }

  function grow(mine, from, start) {
    if (mine !== turn) return;
    const part = Math.min(1, Math.max(0, performance.now() - start) / MOVE);
    paint(canvas, data, from + part);
    if (part < 1) requestAnimationFrame(() => grow(mine, from, start));
  }

  return { node, draw, show };
}

const rounded = (pairs) => count(Math.round(10 * pairs) / 10);

/** Draw the curve up to a step, which need not be whole. */
function paint(canvas, { path, color }, step) {
  const whole = path.at(-1);
  const place = ({ fp, tp }) => [fp / whole.fp, tp / whole.tp];
  const corners = cornersUpTo(path, step);
  const line = corners.map(place);
  const [from, to] = [path[Math.max(0, Math.ceil(step) - 1)], corners.at(-1)].map(place);
  const style = { color, dash: "solid" };
  const marker = drawMarker(style, true);
  placeMarker(marker, to);
  canvas.replaceChildren(
    ...drawTicks(),
    drawReference([0, 0], [1, 1]),
    drawArea([...line, [to[0], 0]], "grown", color),
    drawArea([[from[0], 0], from, to, [to[0], 0]], "grown new", color),
    drawPartings(corners, whole, color),
    drawLine(line, style, true),
    marker,
  );
}

function drawPartings(corners, whole, color) {
  const place = ([fp, tp]) => [atX(fp / whole.fp), atY(tp / whole.tp)];
  const [[left, bottom], [right, top]] = [[0, 0], [1, 1]].map(place);
  const isSmall = Math.min(Math.abs(right - left), Math.abs(bottom - top)) < SMALLEST;
  const lines = isSmall ? [] : partings(corners).map((ends) => `M${ends.map(place).join("L")}`);
  return svg("path", { class: "partings", d: lines.join(""), stroke: color });
}

function offered(data, canvas, texts) {
  return entries({
    name: (ending) => `${fileName("ROC step by step")}.${ending}`,
    picture: () => drawn(canvas, texts, []),
    rows: () => tableOf(data),
    code: () => data.code,
  });
}

function tableOf({ path, says }) {
  const head = ["step", "found", "flagged", "rectangles below", "what happens"];
  return [head, ...path.map(({ tp, fp, pairs }, step) => [step, tp, fp, pairs, says[step]])];
}
