// Minkowski distances of two rows of a table, feature by feature, and which row is nearest by each
// order.

import { html } from "../explorer/dom.js";
import { count } from "../explorer/words.js";
import { writtenNumber } from "./formula.js";
import { makePlane } from "./plane.js";
import { lesson } from "./shell.js";
import { below, mean, sum } from "./sums.js";
import { makeTable } from "./tables.js";

/** What the rows of a file are called. */
const OWN = "your file";
const ORDERS = ["1", "1.5", "2", "3", "5", "10", "∞"];
const NAMES = { 1: "Manhattan", 2: "Euclidean", "∞": "Chebyshev" };

const powerOf = (order) => (order === "∞" ? Infinity : Number(order));

/** What the distance of two rows is made of; the share of each feature in the sum of powers. */
export function termsOf(first, second, p) {
  const difference = first.map((value, at) => Math.abs(value - second[at]));
  const largest = Math.max(...difference);
  if (!largest) return { difference, share: difference.map(() => NaN), distance: 0 };
  // Of the largest difference: powers of the differences themselves overflow.
  const power = difference.map((one) =>
    p === Infinity ? Number(one === largest) : (one / largest) ** p,
  );
  const all = sum(power);
  const distance = p === Infinity ? largest : largest * all ** (1 / p);
  return { difference, share: power.map((one) => one / all), distance };
}

/** The place of the row nearest to another, the first of equally near ones. */
export function nearestOf(rows, place, p) {
  const far = rows.map((row, at) =>
    at === place ? Infinity : termsOf(row, rows[place], p).distance,
  );
  const least = Math.min(...far);
  return [far.indexOf(least), least];
}

/** Each feature with mean 0 and standard deviation 1; one that never changes counts nothing. */
export function standardised(rows) {
  const units = rows[0].map((_, column) => {
    const values = rows.map((row) => row[column]);
    const middle = mean(values);
    return [middle, Math.sqrt(mean(values.map((one) => (one - middle) ** 2))) || 1];
  });
  return rows.map((row) => row.map((value, at) => (value - units[at][0]) / units[at][1]));
}

/** @param {{order: string, first: number, second: number, standardise: string}} state */
export function numbers({ order, first, second, standardise }, _, data) {
  const isOwn = OWN in data;
  const { features, names, number } = isOwn ? data[OWN] : data.flowers;
  const values = standardise === "yes" ? standardised(features) : features;
  const [one, other] = [first, second].map((at) => Math.min(at, values.length) - 1);
  const by = (name) => termsOf(values[one], values[other], powerOf(name)).distance;
  return {
    order, names,
    whose: isOwn ? OWN : "the iris data",
    ...termsOf(values[one], values[other], powerOf(order)),
    values: [values[one], values[other]],
    rows: [number[one], number[other]],
    manhattan: by("1"),
    euclidean: by("2"),
    chebyshev: by("∞"),
    byOrder: ORDERS.map((name) => {
      const [near, far] = nearestOf(values, one, powerOf(name));
      return { name, distance: by(name), near: number[near], far };
    }),
  };
}

function says({ order, rows, distance, whose, names, share }) {
  const [first, second] = rows.map(count);
  const name = NAMES[order] ? ` (${NAMES[order]})` : "";
  const apart = `${writtenNumber(distance)} apart by order ${order}${name}`;
  const most = Math.max(...share);
  const feature = names[share.indexOf(most)];
  const part = `The largest part of the sum, ${Math.round(100 * most)}%, is ${feature}`;
  const largest = order === "∞" ? `Only the largest difference counts: ${feature}` : part;
  const why = distance ? largest : "They do not differ in any feature";
  return `Rows ${first} and ${second} of ${whose} are ${apart}. ${why}.`;
}

/** Features that are drawn: those that count most. */
const SHOWN = 6;
const LONGEST = 18;

function picture() {
  const plane = makePlane({
    height: 230,
    x: [0, 1],
    y: [0, SHOWN],
    across: "share of the sum",
    writeX: (at) => `${Math.round(100 * at)}%`,
    ticksX: [0, 0.25, 0.5, 0.75, 1],
    ticksY: [],
    edges: { left: 14, right: 22 },
  });
  const table = makeTable(
    ["order", "distance; nearest to the first row"],
    ORDERS.map((name) => (NAMES[name] ? `${name} (${NAMES[name]})` : name)),
  );
  return {
    node: html("div", {}, plane.node, table.node),
    draw(now) {
      drawShares(plane, now);
      table.fill(
        now.byOrder.map(({ distance, near, far }) => {
          const nearest = `row ${count(near)}, ${writtenNumber(far)} away`;
          return `${writtenNumber(distance)}; ${nearest}`;
        }),
      );
    },
  };
}

const shortened = (name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name);

function drawShares(plane, { names, values, difference, share, rows }) {
  const places = below(names.length);
  places.sort((one, other) => difference[other] - difference[one] || one - other);
  const shown = places.slice(0, SHOWN);
  const high = shown.length;
  const [first, second] = rows;
  plane.span(
    { x: [0, 1], y: [0, high] },
    { across: "share of the sum", up: `Each feature: rows ${first} and ${second}, difference` },
  );
  const told = shown.map((at) => {
    const [one, other] = values.map((row) => writtenNumber(row[at]));
    return `${names[at]}: ${one} and ${other}, difference ${writtenNumber(difference[at])}`;
  });
  plane.draw(
    shown.flatMap((at, row) => {
      const level = high - row;
      const [one, other] = values.map((values_) => writtenNumber(values_[at]));
      const apart = writtenNumber(difference[at]);
      const words = `${shortened(names[at])}: ${one}, ${other}, ${apart}`;
      return [
        { shape: "bar", kind: "middle", box: [0, level - 0.95, share[at] || 0, level - 0.5] },
        { shape: "note", at: [0, level - 0.45], text: words, dx: 0, dy: -2 },
      ];
    }),
  );
  plane.describe(told.join("; "));
}

export const mount = lesson({ numbers, says, picture });
