// Minkowski distances: two points, and all points at the same distance, as the order moves.

import { html } from "../explorer/dom.js";
import { writtenNumber } from "./formula.js";
import { makePlane } from "./plane.js";
import { lesson } from "./shell.js";
import { below } from "./sums.js";
import { makeTable } from "./tables.js";

/** The slider's last step stands for the limit. */
const LIMIT = 10;

/** The distance of order p of two differences; the larger of them where p is infinite. */
export function minkowski(dx, dy, p) {
  const [small, large] = [Math.abs(dx), Math.abs(dy)].sort((one, other) => one - other);
  if (!large || p === Infinity) return large;
  // The larger one is taken out, so that no power overflows.
  return large * (1 + (small / large) ** p) ** (1 / p);
}

/** @param {{order: number, first: number[], second: number[]}} state */
export function numbers({ order, first, second }) {
  const p = order >= LIMIT ? Infinity : order;
  const [dx, dy] = [0, 1].map((axis) => Math.abs(first[axis] - second[axis]));
  const by = (one) => minkowski(dx, dy, one);
  // By way of the middle of the square: the detour that a distance must not shorten.
  const corner = dx + dy;
  return {
    p, dx, dy, first, second, corner,
    written: p === Infinity ? "∞" : p,
    distance: by(p),
    one: by(1),
    two: by(2),
    three: by(3),
    most: by(Infinity),
    isDistance: p >= 1,
    points: below(241).map((at) => {
      const angle = (2 * Math.PI * at) / 240;
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      const r = by(p) / minkowski(x, y, p);
      return [first[0] + r * x, first[1] + r * y];
    }),
  };
}

const NAMES = { 1: ", the Manhattan distance", 2: ", the Euclidean distance" };

function says({ p, written, distance, dx, dy, isDistance, corner }) {
  const name = p === Infinity ? ", the Chebyshev distance" : (NAMES[p] ?? "");
  const far = `With order ${written}${name}, the points are ${writtenNumber(distance)} apart`;
  const apart = `${writtenNumber(dx)} across and ${writtenNumber(dy)} up`;
  const larger = "all points on the line around the first one are equally far away";
  const none = `This is not a distance: via the corner it is only ${writtenNumber(corner)}`;
  const end = isDistance || distance <= corner ? `They differ by ${apart}; ${larger}` : none;
  return `${far}. ${end}.`;
}

const [ACROSS, UP] = [[-6, 8], [-4, 8]];
const [BLUE, RED] = ["var(--right)", "var(--positive)"];

function picture(change) {
  const plane = makePlane({
    height: 410,
    x: ACROSS,
    y: UP,
    across: "first feature",
    up: "Second feature. Line: all points at this distance from the blue point",
    ticksX: [-6, -4, -2, 0, 2, 4, 6, 8],
    ticksY: [-4, -2, 0, 2, 4, 6],
    edges: { left: 26, right: 14 },
  });
  const handles = ["first", "second"].map((key) =>
    plane.handle({
      label: `The ${key} point`,
      along: "xy",
      step: [0.5, 0.5],
      move: (x, y) => change({ [key]: [half(x, ACROSS), half(y, UP)] }),
    }),
  );
  return {
    node: html("div", {}, plane.node),
    draw(now) {
      const { first, second, points, distance, written } = now;
      const detour = [first, [second[0], first[1]], second];
      plane.draw([
        { shape: "area", kind: "pale", color: BLUE, points },
        { shape: "line", color: BLUE, points },
        { shape: "line", color: "var(--ink)", dash: "3 3", points: detour },
        { shape: "dot", at: first, r: 11, color: BLUE },
        { shape: "dot", at: second, r: 11, color: RED },
      ]);
      [first, second].forEach(([x, y], at) =>
        handles[at].put(x, y, `${x}, ${y}`, [y, ...UP]),
      );
      const told = `from ${first.join(", ")} to ${second.join(", ")}`;
      plane.describe(`Distance of order ${written} ${told}: ${writtenNumber(distance)}`);
    },
  };
}

/** Points stand at halves. */
const half = (value, [low, high]) => Math.round(2 * Math.min(high, Math.max(low, value))) / 2;

function beside() {
  const table = makeTable(
    ["order", "distance"],
    ["1 (Manhattan)", "2 (Euclidean)", "3", "∞ (Chebyshev)"],
  );
  return {
    node: table.node,
    draw: ({ one, two, three, most }) =>
      table.fill([one, two, three, most].map((value) => value.toFixed(4))),
  };
}

export const mount = lesson({ numbers, says, picture, beside });
