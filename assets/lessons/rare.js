// Accuracy misleads: a model of fixed quality, and a class that becomes rare.

import { html, svg } from "../explorer/dom.js";
import { percent } from "../explorer/words.js";
import { ratesOf } from "./counts.js";
import { makeExpected } from "./expected.js";
import { drawIcons, heightOfIcons, iconSays, words } from "./icons.js";
import { makePlane } from "./plane.js";
import { lesson } from "./shell.js";

/**
 * Counts to expect of `rows` rows of which a share is positive.
 * @param {{share: number, recall: number, specificity: number, rows: number}} state
 */
export function numbers({ share, recall, specificity, rows }) {
  const positives = rows * share;
  const [tp, tn] = [positives * recall, (rows - positives) * specificity];
  const rates = ratesOf({ tp, fn: positives - tp, fp: rows - positives - tn, tn });
  return {
    ...rates, share, recall, specificity, rows,
    balanced: (recall + specificity) / 2,
    // Worked out of the rates, not of the counts: at both ends no count is left to divide by.
    accuracy: share * recall + (1 - share) * specificity,
    always: Math.max(share, 1 - share),
  };
}

function says({ share, accuracy, always, balanced, flagged, precision }) {
  const right = `With ${percent(share)} positives the model is right for ${percent(accuracy)}`;
  const gap = accuracy - always;
  const than = Math.abs(gap) < 1e-9 ? "just as often" : gap > 0 ? "less often" : "more often";
  const guess = `always “no” for ${percent(always)}, ${than}`;
  const good = `${percent(precision)} of its alarms are right`;
  const alarms = flagged < 0.05 ? "it raises no alarm" : good;
  const stays = `Its balanced accuracy stays ${percent(balanced)}`;
  return `${right} of the rows, ${guess}; ${alarms}. ${stays}.`;
}

const [LOW, HIGH] = [0.001, 0.5];

/** Where a share stands on an axis of logarithms. */
const place = (share) => Math.log10(share);
const TICKS = [0.001, 0.01, 0.1, 0.5].map(place);

function picture(change) {
  const plane = makePlane({
    height: 252,
    x: [place(LOW), place(HIGH)],
    y: [0, 1],
    across: "share of positives",
    up: "Share of rows, or of alarms, that are right",
    ticksX: TICKS,
    writeX: (at) => `${Number((100 * 10 ** at).toPrecision(3))}%`,
    writeY: (at) => `${Math.round(100 * at)}%`,
    edges: { left: 44, top: 36 },
  });
  const handle = plane.handle({
    label: "Share of positives",
    along: "x",
    step: [0.05, 0],
    look: "line",
    move: (x) => change({ share: shareAt(x) }),
  });
  const icons = svg("g", {});
  const box = { class: "plane", viewBox: `0 0 460 ${iconsHigh}`, role: "img" };
  const array = svg("svg", { ...box, "aria-label": "Rows as icons" }, icons);
  return {
    node: html("div", {}, plane.node, array),
    draw(now, state) {
      drawCurves(plane, now, state);
      handle.put(place(now.share), 0, percent(now.share), [now.share, LOW, HIGH]);
      icons.replaceChildren(...marks(now));
    },
  };
}

/** Where words above a point stand: on the side where there is room. */
const above = ({ share }) =>
  share < 0.05 ? { dx: 12, dy: -3 } : { dx: -12, dy: -3, anchor: "end" };

/** A place of the axis as a share of two or three digits. */
const shareAt = (x) => Number(Math.min(HIGH, Math.max(LOW, 10 ** x)).toPrecision(3));

const WIDE = 440;
const iconsHigh = 44 + heightOfIcons(200, WIDE);

function marks({ tp, fn, fp, tn }) {
  const parts = [
    { many: tp, kind: "tp", name: "found" },
    { many: fn, kind: "fn", name: "missed" },
    { many: fp, kind: "fp", name: "false alarms" },
    { many: tn, kind: "tn", name: "passed" },
  ];
  const legend = parts.flatMap(({ kind, name }, at) => [
    svg("circle", { class: `icon ${kind}`, cx: 17 + at * 112, cy: 8, r: 6 }),
    words(name, 28 + at * 112, 12),
  ]);
  const note = words(iconSays(parts.map(({ many }) => many)), 10, iconsHigh - 4);
  return [...legend, note, ...drawIcons(parts, { left: 10, top: 22, wide: WIDE })];
}

function drawCurves(plane, now, state) {
  const at = Array.from({ length: 81 }, (_, step) => {
    const share = LOW * (HIGH / LOW) ** (step / 80);
    return numbers({ ...state, share });
  });
  const line = (key) => at.map((one) => [place(one.share), one[key]]);
  const x = place(now.share);
  const ends = (key) => ({ at: [place(LOW), at[0][key]] });
  plane.draw([
    { shape: "line", color: "var(--negative)", dash: "6 4", points: line("always") },
    { shape: "line", kind: "chosen", color: "var(--right)", points: line("accuracy") },
    { shape: "line", color: "var(--positive)", points: line("precision") },
    { shape: "line", color: "var(--ink)", dash: "2 3", points: line("balanced") },
    ...["always", "accuracy", "precision", "balanced"].map((key) => ({
      shape: "dot",
      at: [x, now[key]],
      r: 3.5,
      color: "var(--ink)",
    })),
    { shape: "note", ...ends("precision"), text: "precision", dy: -5 },
    { shape: "note", ...ends("balanced"), text: "balanced accuracy", dx: 20, dy: -5 },
    { shape: "note", ...ends("accuracy"), text: "accuracy", dx: 150, dy: 13 },
    { shape: "note", at: [x, now.always], text: "always the larger class", ...above(now) },
  ]);
  const told = ["accuracy", "always", "precision", "balanced"].map(
    (key) => `${key} ${percent(now[key])}`,
  );
  const where = `at ${percent(now.share)}: ${told.join(", ")}`;
  plane.describe(`Rates against the share of positives; ${where}`);
}

export const mount = lesson({ numbers, says, picture, beside: makeExpected });
