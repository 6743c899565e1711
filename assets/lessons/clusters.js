// Clusters: points to drag, the silhouette of one of them, and how clusters agree with classes.

import { button, html, press } from "../explorer/dom.js";
import { writtenNumber } from "./formula.js";
import { makePlane } from "./plane.js";
import { lesson } from "./shell.js";
import { below, mean, pairsOf, sum } from "./sums.js";
import { makeTable } from "./tables.js";

/** The class of each point. */
export const CLASSES = ["A", "A", "A", "B", "B", "B", "C", "C", "C"];
const POINTS = CLASSES.length;

/** The silhouette of a point, with a and b, the mean distances to its own and the next cluster. */
function silhouetteOf(at, distance, clusters) {
  const others = (cluster) =>
    below(POINTS).filter((one) => one !== at && clusters[one] === cluster);
  const away = (cluster) => mean(others(cluster).map((one) => distance(at, one)));
  const own = others(clusters[at]);
  const names = [...new Set(clusters)].filter((one) => one !== clusters[at]);
  const [b, next] = names.map((one) => [away(one), one]).sort(([x], [y]) => x - y)[0] ?? [NaN, 0];
  const a = away(clusters[at]);
  // A point alone in its cluster has silhouette 0 (Rousseeuw 1987).
  const s = own.length ? (b - a) / Math.max(a, b) : 0;
  return { a, b, s, own, other: others(next), next };
}

const entropy = (sizes) => {
  const all = sum(sizes);
  return -sum(sizes.filter((one) => one > 0).map((one) => (one / all) * Math.log(one / all)));
};

/** How a grouping agrees with the classes: by pairs, by the largest class, by entropy. */
export function agreement(clusters) {
  const pairs = pairsOf(POINTS).map((places) =>
    [CLASSES, clusters].map((groups) => groups[places[0]] === groups[places[1]]),
  );
  const many = (inClass, inCluster) =>
    pairs.filter(([one, other]) => one === inClass && other === inCluster).length;
  const [both, classOnly, clusterOnly, apart] = [
    many(true, true), many(true, false), many(false, true), many(false, false),
  ];
  const [inClass, inCluster] = [both + classOnly, both + clusterOnly];
  const chance = (inClass * inCluster) / pairs.length;
  const most = (inClass + inCluster) / 2;
  const sizes = (groups, of) => of.map((one) => groups.filter((each) => each === one).length);
  const [names, kinds] = [[...new Set(clusters)], [...new Set(CLASSES)]];
  const cells = names.map((name) =>
    sizes(CLASSES.filter((_, at) => clusters[at] === name), kinds),
  );
  const [ofClass, ofCluster] = [entropy(sizes(CLASSES, kinds)), entropy(sizes(clusters, names))];
  const joint = entropy(cells.flat());
  return {
    both, classOnly, clusterOnly, apart, inClass, inCluster, chance, most,
    pairs: pairs.length,
    agreeing: both + apart,
    rand: (both + apart) / pairs.length,
    adjusted: (both - chance) / (most - chance),
    purity: sum(cells.map((row) => Math.max(...row))) / POINTS,
    largest: sum(cells.map((row) => Math.max(...row))),
    homogeneity: (ofClass + ofCluster - joint) / ofClass,
    completeness: ofCluster ? (ofClass + ofCluster - joint) / ofCluster : 1,
    n: POINTS,
  };
}

/** @param {{x: number[], y: number[], clusters: number[], chosen: number}} state */
export function numbers({ x, y, clusters: all, chosen }) {
  const clusters = all.slice(0, POINTS);
  const distance = (one, other) => Math.hypot(x[one] - x[other], y[one] - y[other]);
  const each = below(POINTS).map((at) => silhouetteOf(at, distance, clusters));
  const k = new Set(clusters).size;
  const { a, b, s, own, other, next } = each[chosen - 1];
  const isPossible = k > 1 && k < POINTS;
  return {
    ...agreement(clusters),
    x, y, clusters, chosen, a, b, own, other, next, k,
    s: isPossible ? s : NaN,
    larger: Math.max(a, b),
    silhouettes: each.map((one) => one.s),
    silhouette: isPossible ? mean(each.map((one) => one.s)) : NaN,
  };
}

function says(now) {
  const { chosen, a, b, s, own, next, k, rand, adjusted, purity, homogeneity } = now;
  const [of, from, is] = [a, b, s].map((one) => writtenNumber(one));
  const nearest = `${from} from cluster ${next}, the nearest`;
  const near = `on average ${of} from its own cluster and ${nearest}`;
  const alone = `Point ${chosen} is alone in its cluster, so its silhouette is set to 0`;
  const told = own.length ? `Point ${chosen} is ${near}: its silhouette is ${is}` : alone;
  const none = `With ${k} cluster${k > 1 ? "s" : ""} of ${POINTS} points no silhouette is defined`;
  const [ri, ari, pure, homogeneous] = [rand, adjusted, purity, homogeneity].map((one) =>
    writtenNumber(one),
  );
  const against = `Against the classes: Rand ${ri}, adjusted ${ari}`;
  const mixed = `purity ${pure}, homogeneity ${homogeneous}`;
  return `${Number.isNaN(s) ? none : told}. ${against}; ${mixed}.`;
}

// The picture: colour and number are the cluster, the letter is the class

const [ACROSS, UP] = [[0, 12], [0, 9]];
const COLORS = ["var(--right)", "var(--positive)", "var(--negative)", "var(--ink)"];
const colorOf = (cluster) => COLORS[(cluster - 1) % COLORS.length];

function picture(change) {
  const plane = makePlane({
    height: 372,
    x: ACROSS,
    y: UP,
    across: "first feature",
    up: "Letter: class; number: cluster. Blue lines: a, red: b",
    ticksY: [0, 2, 4, 6, 8],
    edges: { left: 26, right: 14 },
  });
  let state = null;
  const handles = below(POINTS).map((at) =>
    plane.handle({
      label: `Point ${at + 1} of class ${CLASSES[at]}`,
      along: "xy",
      step: [0.25, 0.25],
      move: (x, y) => change(movedTo(state, at, x, y)),
    }),
  );
  return {
    node: html("div", { class: "clustered" }, plane.node),
    draw(now, next) {
      state = next;
      plane.draw(shapesOf(now));
      handles.forEach((handle, at) => {
        const [x, y] = [now.x[at], now.y[at]];
        handle.put(x, y, `${x}, ${y}, cluster ${now.clusters[at]}`, [y, ...UP]);
      });
      const told = CLASSES.map((name, at) => `${at + 1}: class ${name}, ${now.clusters[at]}`);
      plane.describe(`Nine points by class and cluster: ${told.join("; ")}`);
    },
  };
}

/** A point that is moved is the chosen one. */
function movedTo({ x, y }, at, toX, toY) {
  const put = (list, value, [low, high]) => {
    const to = Number(Math.min(high, Math.max(low, value)).toFixed(2));
    return list.map((one, place) => (place === at ? to : one));
  };
  return { x: put(x, toX, ACROSS), y: put(y, toY, UP), chosen: at + 1 };
}

/** Where a letter stands on its dot. */
const CENTRED = { anchor: "middle", dx: 0, dy: 4 };

function shapesOf({ x, y, clusters, chosen, own, other }) {
  const place = (at) => [x[at], y[at]];
  const here = place(chosen - 1);
  const lines = (places, kind) =>
    places.map((at) => ({ shape: "segment", kind, ends: [here, place(at)] }));
  return [
    ...lines(other, "to-other"),
    ...lines(own, "to-own"),
    { shape: "ring", at: here, r: 15 },
    ...clusters.flatMap((cluster, at) => [
      { shape: "dot", at: place(at), r: 9, color: colorOf(cluster) },
      { shape: "note", kind: "letter", at: place(at), text: CLASSES[at], ...CENTRED },
      { shape: "note", at: place(at), text: String(cluster), dx: 11, dy: 5 },
    ]),
  ];
}

/** The cluster of the chosen point, and all numbers. */
function beside(change) {
  let state = null;
  const put = (cluster) => () => {
    const moved = state.clusters.map((one, at) => (at === state.chosen - 1 ? cluster : one));
    change({ clusters: moved });
  };
  const buttons = [1, 2, 3, 4].map((cluster) => button({}, put(cluster), String(cluster)));
  const label = "Put the chosen point into cluster";
  const row = { class: "presets", role: "group", "aria-label": label };
  const tables = [
    makeTable([], ["Silhouette, mean", "Purity", "Homogeneity", "Completeness"]),
    makeTable([], ["Pairs together in both", "in class only", "in cluster only", "in none"]),
  ];
  const keys = [
    ["silhouette", "purity", "homogeneity", "completeness"],
    ["both", "classOnly", "clusterOnly", "apart"],
  ];
  const told = html("div", { class: "tables" }, ...tables.map(({ node }) => node));
  const note = html("span", { class: "note" }, label);
  const chosen = html("div", { class: "aside" }, note, html("div", row, ...buttons));
  return {
    node: html("div", {}, chosen, told),
    draw(now, next) {
      state = next;
      press(buttons, (_, at) => now.clusters[now.chosen - 1] === at + 1);
      tables.forEach(({ fill }, at) => fill(keys[at].map((key) => writtenNumber(now[key]))));
    },
  };
}

export const mount = lesson({ numbers, says, picture, beside });
