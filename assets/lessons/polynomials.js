// Over-fitting: polynomials through ten points, and their errors on these and on new points.

import { button, html } from "../explorer/dom.js";
import { basisOf, fitted, meanSquare, valueOf } from "./fitting.js";
import { writtenNumber } from "./formula.js";
import { makePlane, sampled } from "./plane.js";
import { nextSeed, normals, uniforms } from "./random.js";
import { lesson } from "./shell.js";

const [POINTS, NEW, DEGREES] = [10, 200, 9];
const X = Array.from({ length: POINTS }, (_, at) => at / (POINTS - 1));
const BASIS = basisOf(X, DEGREES);

/** What the points come from, before noise is added. */
export const truth = (x) => Math.sin(2 * Math.PI * x);

/** Ten points, moved or not, and new ones of the same kind. */
export function drawn({ seed, noise, moved }) {
  const [place, error] = [uniforms(seed + 5000), normals(seed)];
  const y = X.map((x, at) => truth(x) + noise * error() + moved[at]);
  const others = Array.from({ length: NEW }, () => {
    const x = place();
    return [x, truth(x) + noise * error()];
  });
  return { y, others };
}

/** An error that rounding alone makes is none. */
const clean = (error) => (error < 1e-12 ? 0 : error);

/** @param {{degree: number, noise: number, seed: number, moved: number[]}} state */
export function numbers({ degree, noise, seed, moved }) {
  const { y, others } = drawn({ seed, noise, moved });
  const coefficients = fitted(BASIS, y);
  const there = others.map(([x]) => BASIS.at(x));
  const at = (values, d) => values.map((one) => valueOf(coefficients, one, d));
  const here = X.map((_, place) => BASIS.rows.map((row) => row[place]));
  const degrees = Array.from({ length: DEGREES }, (_, one) => one + 1);
  const trains = degrees.map((d) => clean(meanSquare(at(here, d), y)));
  const seen = others.map(([, value]) => value);
  const tests = degrees.map((d) => meanSquare(at(there, d), seen));
  const fit = at(here, degree);
  const [train, test] = [trains[degree - 1], tests[degree - 1]];
  // New values at the same places: their error is known without drawing any.
  const again = meanSquare(fit, X.map(truth)) + noise ** 2;
  return {
    degree, noise, y, others, coefficients, fit, trains, tests, train, test, again,
    n: POINTS,
    terms: degree + 1,
    gap: again - train,
    optimism: (2 * noise ** 2 * (degree + 1)) / POINTS,
    best: 1 + tests.indexOf(Math.min(...tests)),
    lowest: Math.min(...tests),
  };
}

function says({ degree, train, test, best, terms }) {
  const through = terms === POINTS ? " (it goes through all ten points)" : "";
  const here = `Degree ${degree} errs by ${writtenNumber(train)} on the ten points${through}`;
  const there = `by ${writtenNumber(test)} on ${NEW} new ones (mean squared error)`;
  const other = `Degree ${best} errs least on these`;
  const least = degree === best ? "No other degree errs less on these" : other;
  return `${here} and ${there}. ${least}.`;
}

const [BLUE, RED] = ["var(--right)", "var(--positive)"];
const LIMIT = 2.2;

function picture(change, show) {
  const points = makePlane({
    height: 235,
    x: [-0.02, 1.02],
    y: [-LIMIT, LIMIT],
    across: "x",
    up: "y",
    ticksX: [0, 0.25, 0.5, 0.75, 1],
    edges: { left: 32 },
  });
  const errors = makePlane({
    height: 170,
    x: [0.8, 9.2],
    y: LOGS,
    across: "degree",
    up: "Mean squared error: ten points (blue), new points (red)",
    ticksX: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ticksY: [-3, -2, -1, 0, 1, 2],
    writeY: (at) => String(10 ** at),
    edges: { left: 44 },
  });
  let state = null;
  const handles = X.map((x, at) =>
    points.handle({
      label: `Point ${at + 1}`,
      along: "y",
      step: [0, 0.05],
      move: (_, y) => change({ moved: movedTo(state, at, y) }),
    }),
  );
  return {
    node: html("div", {}, points.node, errors.node),
    draw(now, next) {
      state = next;
      drawPoints(points, now, show);
      handles.forEach((handle, at) =>
        handle.put(X[at], now.y[at], now.y[at].toFixed(2), [now.y[at], -LIMIT, LIMIT]),
      );
      drawErrors(errors, now);
    },
  };
}

/** The shifts after one point was moved to another height. */
function movedTo(state, at, y) {
  const before = drawn(state).y[at] - state.moved[at];
  const to = Math.min(LIMIT, Math.max(-LIMIT, y));
  const wanted = Number((to - before).toFixed(3));
  return state.moved.map((shift, place) => (place === at ? wanted : shift));
}

function drawPoints(plane, { degree, coefficients, fit, y, others }) {
  const height = (x) => {
    const value = valueOf(coefficients, BASIS.at(x), degree);
    return Math.min(LIMIT * 1.2, Math.max(-LIMIT * 1.2, value));
  };
  plane.draw([
    ...others.slice(0, 60).map((at) => ({ shape: "dot", kind: "faint", at, r: 2, color: RED })),
    { shape: "line", color: "var(--negative)", dash: "6 4", points: sampled(truth, 0, 1, 60) },
    ...X.map((x, at) => ({ shape: "segment", kind: "residual", ends: [[x, y[at]], [x, fit[at]]] })),
    { shape: "line", kind: "chosen", color: BLUE, points: sampled(height, 0, 1, 200) },
  ]);
  plane.describe(`Ten points, the curve of degree ${degree}, and the curve that they come from`);
}

/** The axis of errors, in powers of ten; what is below stands at its foot. */
const LOGS = [-3.2, 2];
const logOf = (error) => Math.min(LOGS[1], Math.max(LOGS[0], Math.log10(error)));

function drawErrors(plane, { degree, trains, tests, train, test }) {
  const line = (values) => values.map((error, at) => [at + 1, logOf(error)]);
  plane.draw([
    { shape: "segment", kind: "reference", ends: [[degree, LOGS[0]], [degree, LOGS[1]]] },
    { shape: "line", color: BLUE, points: line(trains) },
    { shape: "line", color: RED, points: line(tests) },
    { shape: "dot", at: [degree, logOf(train)], color: BLUE, r: 5 },
    { shape: "dot", at: [degree, logOf(test)], color: RED, r: 5 },
  ]);
  const told = tests.map((error, at) => `${at + 1}: ${writtenNumber(error)}`).join(", ");
  plane.describe(`Errors by degree; on new points ${told}`);
}

/** A button that draws other points, none of them moved. */
function beside(change) {
  let seed = 1;
  const draw = () => change({ seed: nextSeed(seed, 999), moved: X.map(() => 0) });
  const note = "Drag a point, or move it by the arrow keys. Thin lines are residuals.";
  const parts = [button({}, draw, "New points"), html("p", { class: "note" }, note)];
  return {
    node: html("div", { class: "aside" }, ...parts),
    draw: (_, state) => {
      seed = state.seed;
    },
  };
}

export const mount = lesson({ numbers, says, picture, beside });
