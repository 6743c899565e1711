// The lesson "ROC step by step": a ROC curve built one score at a time, from plain data.

import {
  atX,
  atY,
  drawLine,
  drawMarker,
  drawShape,
  drawTicks,
  makeFigure,
  placeMarker,
} from "./chart.js";
import { button, html, say, set, svg } from "./dom.js";
import { count, rowsOf } from "./words.js";

/** The step is told when the reader has stayed at it for so long, in milliseconds. */
const REST = 500;

/**
 * Put the lesson into an element; `update` gives it its payload.
 * @param {Element} parent
 * @param {(step: number) => void} tell called when the reader stays at a step
 */
export function mount(parent, tell) {
  const root = html("div", { class: "explorer lesson", tabindex: "-1" });
  const sentence = html("p", { class: "says", "aria-live": "polite" });
  const picture = makePicture();
  const rows = makeRows((step) => player.go(step));
  const player = makePlayer(root, show);
  const told = html("div", { class: "told" }, player.node, sentence, rows.node);
  root.append(html("div", { class: "beside" }, picture.node, told));
  parent.append(root);
  let [data, rest, said] = [null, 0, []];

  function show(step, before) {
    say(sentence, data.says[step] + (step === data.steps.length ? ` ${data.end}` : ""));
    rows.show(step);
    picture.show(step, before);
    clearTimeout(rest);
    rest = setTimeout(() => player.isPlaying() || settle(step), REST);
  }

  function settle(step) {
    if (step === data.at) return;
    data.at = step;
    said.push(step);
    tell(step);
  }

  /** Go to the step of an address, unless it is one that was told from here. */
  function follow(at) {
    if (said.includes(at)) said = said.slice(said.indexOf(at) + 1);
    else if (at !== data.at) player.go((data.at = at));
  }

  function update(payload) {
    if (data?.key === payload.key) return follow(payload.at);
    data = { ...payload, corners: cornersOf(payload.steps) };
    picture.draw(data);
    rows.draw(data);
    player.reset(payload.steps.length, payload.at);
  }

  function destroy() {
    clearTimeout(rest);
    player.stop();
    root.remove();
  }

  return { update, destroy };
}

// The curve in counts, touching no element

/**
 * The corners of the curve, from the start on.
 * @param {{up: number, right: number, pairs: number}[]} steps
 * @returns {{tp: number, fp: number, pairs: number}[]}
 */
function cornersOf(steps) {
  const corners = [{ tp: 0, fp: 0, pairs: 0 }];
  for (const { up, right, pairs } of steps) {
    const { tp, fp } = corners.at(-1);
    corners.push({ tp: tp + up, fp: fp + right, pairs });
  }
  return corners;
}

const COUNTS = ["TP", "FP", "FN", "TN", "TPR", "FPR"];

/** The four counts at a corner and the shares that are its place; `whole` is the last corner. */
function countsAt({ tp, fp }, whole) {
  const share = (part, all) => String(Math.round((1000 * part) / all) / 1000);
  return [tp, fp, whole.tp - tp, whole.fp - fp, share(tp, whole.tp), share(fp, whole.fp)];
}

/** The corners up to a step, which need not be whole: 2.5 is halfway from 2 to 3. */
function cornersUpTo(corners, step) {
  const whole = Math.floor(step);
  const reached = corners.slice(0, whole + 1);
  if (whole === step) return reached;
  const [from, to] = [corners[whole], corners[whole + 1]];
  const between = (key) => from[key] + (step - whole) * (to[key] - from[key]);
  return [...reached, { tp: between("tp"), fp: between("fp") }];
}

/** Where the curve first reaches a count of one axis; on a diagonal between its corners. */
function crossing(corners, count, along, other) {
  const at = corners.findIndex((corner) => corner[along] >= count);
  if (at < 1) return at < 0 ? null : corners[0][other];
  const [from, to] = [corners[at - 1], corners[at]];
  const part = (count - from[along]) / (to[along] - from[along]);
  return from[other] + part * (to[other] - from[other]);
}

/**
 * The lines that divide the area below the curve into rectangles, each from one point [fp, tp] to
 * another.
 */
function dividers(corners) {
  const end = corners.at(-1);
  const upright = upTo(end.fp).map((fp) => {
    const top = Math.max(...corners.filter((corner) => corner.fp === fp).map(({ tp }) => tp), -1);
    return [[fp, 0], [fp, top < 0 ? crossing(corners, fp, "fp", "tp") : top]];
  });
  const level = upTo(end.tp).map((tp) => [
    [crossing(corners, tp, "tp", "fp"), tp],
    [end.fp, tp],
  ]);
  return [...upright, ...level];
}

const upTo = (most) => Array.from({ length: Math.floor(most) }, (_, at) => at + 1);

// The picture: the curve so far, the area below it, and what the last move added

const NAME = "ROC step by step";

/** What the corners and the diagonal stand for. */
const CORNERS = [
  { shape: "note", text: "perfect", at: [0, 0.94] },
  { shape: "note", text: "nothing flagged", at: [0, 0] },
  { shape: "note", text: "all flagged", at: [0.7, 0.93] },
  { shape: "note", text: "chance", at: [0.62, 0.58] },
];

/** A move takes so long, in milliseconds. */
const MOVE = 260;

/** Rectangles of fewer points of the canvas than this are not drawn one by one. */
const SMALLEST = 5;

const rowsFlagged = (rows) => `${count(rows)} ${rows === 1 ? "row" : "rows"} flagged`;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function makePicture() {
  const figure = makeFigure();
  let data = null;
  let turn = 0;

  function draw(next) {
    data = next;
    const [negative, positive] = data.classes.map(rowsOf);
    figure.write({
      subtitle: "A rectangle is a pair of rows, one of each class",
      above: `share of ${positive} found (TPR)`,
      below: `share of ${negative} flagged (FPR)`,
    });
    figure.offer({ name: NAME, rows: () => tableOf(data), code: data.code });
  }

  function show(step, before) {
    const { tp, fp, pairs } = data.corners[step];
    const whole = data.corners.at(-1);
    const below = count(Math.round(10 * pairs) / 10);
    figure.write({
      title: `${below} of ${count(whole.tp * whole.fp)} rectangles lie below`,
      note: `${rowsFlagged(tp + fp)}: TP ${tp} of ${whole.tp}, FP ${fp} of ${whole.fp}.`,
    });
    turn += 1;
    const isNext = step === before + 1 && !isStill();
    if (isNext) animate(turn, before, performance.now());
    else paint(figure.canvas, data, step);
  }

  /** Paint the move from one step to the next, until another one begins. */
  function animate(mine, from, start) {
    if (mine !== turn) return;
    const part = Math.min(1, Math.max(0, performance.now() - start) / MOVE);
    paint(figure.canvas, data, from + part);
    if (part < 1) requestAnimationFrame(() => animate(mine, from, start));
  }

  return { node: figure.node, draw, show };
}

/** Draw the curve up to a step, which need not be whole. */
function paint(canvas, { corners: all, color }, step) {
  const whole = all.at(-1);
  const place = ({ fp, tp }) => [fp / whole.fp, tp / whole.tp];
  const reached = cornersUpTo(all, step);
  const line = reached.map(place);
  const [from, to] = [all[Math.max(0, Math.ceil(step) - 1)], reached.at(-1)].map(place);
  const below = (points, kind) =>
    drawShape({ shape: "area", kind, corners: [...points, [to[0], 0]], color });
  const style = { color, dash: "solid" };
  const marker = drawMarker(style, true);
  placeMarker(marker, to);
  canvas.replaceChildren(
    ...drawTicks(),
    ...CORNERS.map(drawShape),
    drawShape({ shape: "segment", kind: "reference", ends: [[0, 0], [1, 1]] }),
    below(line, "grown"),
    below([[from[0], 0], from, to], "grown new"),
    drawDividers(reached, whole, color),
    drawLine(line, style, true),
    marker,
  );
}

function drawDividers(corners, whole, color) {
  const place = ([fp, tp]) => [atX(fp / whole.fp), atY(tp / whole.tp)];
  const [[left, bottom], [right, top]] = [[0, 0], [1, 1]].map(place);
  const isSmall = Math.min(Math.abs(right - left), Math.abs(bottom - top)) < SMALLEST;
  const lines = isSmall ? [] : dividers(corners).map((ends) => `M${ends.map(place).join("L")}`);
  return svg("path", { class: "dividers", d: lines.join(""), stroke: color });
}

function tableOf({ corners, says, thresholds }) {
  const head = ["step", "threshold", ...COUNTS, "rectangles below", "what happens"];
  const row = (corner, step) => [
    step,
    thresholds[step - 1] ?? "",
    ...countsAt(corner, corners.at(-1)),
    corner.pairs,
    says[step],
  ];
  return [head, ...corners.map(row)];
}

// Going from step to step: buttons, a slider, keys, and by itself

/** Milliseconds that all steps take together by themselves, and each at least and at most. */
const [WHOLE, FASTEST, SLOWEST] = [30_000, 150, 1400];

/** @param {(step: number, before: number) => void} show called with this step and the last one */
function makePlayer(root, show) {
  let [step, last, timer] = [0, 0, 0];
  const actions = {
    first: () => go(0),
    back: () => go(step - 1),
    next: () => go(step + 1),
    last: () => go(last),
    toggle: () => (timer ? stop() : start()),
    go,
  };
  const controls = makePlayerControls(actions);
  listenToKeys(root, actions);

  function go(wanted) {
    stop();
    move(wanted);
  }

  function move(wanted) {
    const before = step;
    step = Math.min(Math.max(0, wanted), last);
    controls.stand(step, last);
    if (step === last) stop();
    show(step, before);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    controls.offer(step === last && last ? "Play again" : "Play");
  }

  function start() {
    if (step === last) move(0);
    const pace = Math.min(Math.max(WHOLE / (last || 1), FASTEST), SLOWEST);
    timer = setInterval(() => move(step + 1), pace);
    controls.offer("Pause");
  }

  function reset(length, at) {
    last = length;
    step = at;
    go(at);
  }

  return { node: controls.node, go, stop, reset, isPlaying: () => timer !== 0 };
}

function makePlayerControls({ first, back, next, last, toggle, go }) {
  const slider = html("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "Step" });
  const counter = html("span", { class: "note counter" });
  const play = button({ class: "play" }, toggle, "Play");
  slider.oninput = () => go(Number(slider.value));
  const named = { First: first, Back: back, Next: next, Last: last };
  const buttons = Object.entries(named).map(([name, act]) => button({}, act, name));
  const row = html("div", { class: "choices" }, ...buttons, play, counter);
  return {
    node: html("div", { class: "control player", role: "group" }, row, slider),
    offer: (word) => say(play, word),
    stand(step, length) {
      set(slider, "max", length);
      slider.value = step;
      slider.style.setProperty("--place", length ? step / length : 0);
      say(counter, `step ${step} of ${length}`);
    },
  };
}

/** Arrows, Home and End go through the steps, the space bar plays; a slider knows its own keys. */
function listenToKeys(root, { first, back, next, last, toggle }) {
  const keys = { ArrowRight: next, ArrowLeft: back, Home: first, End: last, " ": toggle };
  root.onkeydown = (event) => {
    const isOwn = event.target.closest(event.key === " " ? "button, summary" : "input");
    if (isOwn || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  };
}

// The rows, highest score first; those that have been reached are marked and have their counts

/** @param {(step: number) => void} pick called with the step that reaches the row clicked */
function makeRows(pick) {
  const body = html("tbody", {});
  const columns = ["row", "score = threshold", "truth", ...COUNTS];
  const head = html("tr", {}, ...columns.map((text) => html("th", {}, text)));
  const table = html("table", { class: "instances" }, html("thead", {}, head), body);
  const attributes = { class: "figure listed", tabindex: "0" };
  const label = "The rows, highest score first, and the counts at each as the threshold";
  const node = html("section", { ...attributes, "aria-label": label }, table);
  let stepOfRow = [];

  function draw({ rows, classes, steps, corners }) {
    stepOfRow = steps.flatMap(({ up, right }, at) => Array(up + right).fill(at + 1));
    body.replaceChildren(
      ...rows.map((row, at) => {
        const step = stepOfRow[at];
        // Rows that tie are flagged together: their counts stand beside the last of them.
        const isLast = stepOfRow[at + 1] !== step;
        const counts = isLast ? countsAt(corners[step], corners.at(-1)) : COUNTS.map(() => "");
        return makeRow(row, classes, counts, () => pick(step));
      }),
    );
  }

  function show(step) {
    [...body.children].forEach((row, at) => {
      row.classList.toggle("reached", stepOfRow[at] <= step);
      set(row, "aria-current", stepOfRow[at] === step && "step");
    });
    bringIntoView(node, head.offsetHeight, body.children, Math.max(0, stepOfRow.indexOf(step)));
  }

  return { node, draw, show };
}

function makeRow([number, score, truth], classes, counts, onclick) {
  const key = html("span", { class: truth ? "key positive" : "key negative" }, classes[truth]);
  const cells = [number, score, key].map((cell) => html("td", {}, cell));
  const counted = counts.map((text) => html("td", { class: "count" }, text));
  const row = html("tr", {}, ...cells, ...counted);
  row.onclick = onclick;
  return row;
}

/** Bring a row into the middle of its list, no row half below the head; the page itself stays. */
function bringIntoView(list, head, rows, at) {
  if (!rows.length) return;
  const room = (list.clientHeight - head) / rows[at].offsetHeight;
  const last = Math.max(0, Math.ceil(rows.length - room));
  const first = Math.min(last, Math.max(0, Math.round(at - room / 2)));
  list.scrollTop = rows[first].offsetTop - head;
}
