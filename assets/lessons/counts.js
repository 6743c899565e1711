// Tables of counts: what was typed or pasted, checked, and the rates that follow. No drawing here.

import { count } from "../explorer/words.js";
import { sum } from "./sums.js";

/** The largest count: sums of 144 such cells are still exact. */
export const LARGEST = 1e12;

/** More classes than these do not fit beside each other. */
export const FEWEST = 2;
export const MOST = 12;

/** What so many classes are called before they get names, as in evalview/course/typed.py. */
const plainNames = (classes) =>
  classes === 2
    ? ["positive", "negative"]
    : Array.from({ length: classes }, (_, at) => String.fromCharCode(65 + at));

/** What classes are called: as typed, joined by "_", where that names each of so many. */
export function namesOf(classes, typed = "") {
  const names = typed.split("_");
  return names.length === classes ? names : plainNames(classes);
}

/** The longest name of a class, in letters. */
export const LONGEST_NAME = 30;

/**
 * The names of classes with one changed, joined by "_"; "" where they are as they were before.
 * @returns {{names: string} | {problem: string}}
 */
export function renamed(names, at, text) {
  const clean = text.replace(/[_~\s]+/g, " ").trim().slice(0, LONGEST_NAME);
  if (!clean) return { problem: "Each class has a name." };
  const all = names.map((name, place) => (place === at ? clean : name));
  if (new Set(all).size < all.length) return { problem: `Two classes are named “${clean}”.` };
  const joined = all.join("_");
  return { names: joined === plainNames(all.length).join("_") ? "" : joined };
}

/** How data that are these counts are called in an address. */
export const tokenOf = (cells, names = "") =>
  [`counts-${cells.join("_")}`, ...(names ? names.split("_") : [])].join("~");

// From text to counts

/**
 * The count that a cell says, or what is wrong with it.
 * @param {string} text
 * @returns {{count: number} | {problem: string}}
 */
export function readCount(text) {
  const plain = text.trim().replace("\u2212", "-");
  const digits = plain.replace(/(?<=\d)[,\u2009\u00a0\u202f '’](?=\d{3}(\D|$))/g, "");
  const shown = `“${plain.length > 20 ? `${plain.slice(0, 20)}…` : plain}”`;
  if (!plain) return { problem: "A cell is empty. Type 0 where there are no rows." };
  if (/^[\d.,]+\s*%$/.test(plain)) return { problem: `${shown} is a share. Type how many rows.` };
  if (!/^-?\d+(\.\d+)?(e\+?\d+)?$/i.test(digits)) {
    return { problem: `${shown} is not a number. Type a whole number of rows, 0 or more.` };
  }
  const value = Number(digits);
  if (value < 0) return { problem: `${shown} is below 0. Counts of rows are 0 or more.` };
  if (!Number.isInteger(value)) return { problem: `${shown} is not whole. Count whole rows.` };
  if (value > LARGEST) {
    return { problem: `${shown} is too large. A cell has at most ${count(LARGEST)} rows here.` };
  }
  return { count: value };
}

/**
 * The counts of a table that was pasted, without names of rows and columns, or what is wrong.
 * @returns {{cells: number[]} | {problem: string}}
 */
export function readTable(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const mark = ["\t", ";", "|", ","].find((one) => lines.some((line) => line.includes(one)));
  let rows = lines.map((line) => line.trim().split(mark ?? /\s+/).map((cell) => cell.trim()));
  const isName = (cell) => !/^[-\u2212]?\d/.test(cell);
  if (rows.length > 1 && rows[0].every(isName)) rows = rows.slice(1);
  if (rows.length && rows.every(([first]) => isName(first))) rows = rows.map((row) => row.slice(1));
  const wide = rows[0]?.length ?? 0;
  const isSquare = rows.length === wide && rows.every((row) => row.length === wide);
  if (!isSquare || wide < FEWEST || wide > MOST) return { problem: shapeOf(rows) };
  const read = rows.flat().map(readCount);
  return read.find(({ problem }) => problem) ?? { cells: read.map((one) => one.count) };
}

function shapeOf(rows) {
  const wide = [...new Set(rows.map((row) => row.length))];
  const found = wide.length > 1 ? "rows of different lengths" : `${rows.length} × ${wide[0] ?? 0}`;
  return `The counts have the shape ${found}. A matrix has as many rows as columns, 2 to 12.`;
}

// From counts to rates

/** The mean of one rate over classes, those weighted by how large they are; NaN if one is. */
const mean = (classes, of, weight = () => 1) =>
  sum(classes.map((one) => weight(one) * of(one))) / sum(classes.map(weight));

/** One class against all others. */
function against(cells, size, at) {
  const tp = cells[at * size + at];
  const row = sum(cells.slice(at * size, (at + 1) * size));
  const column = sum(cells.filter((_, place) => place % size === at));
  const [fn, fp] = [row - tp, column - tp];
  return { ...ratesOf({ tp, fn, fp, tn: sum(cells) - row - fp }), truly: row };
}

/** The rates of four cells; NaN where nothing can be divided. */
export function ratesOf({ tp, fn, fp, tn }, beta = 1) {
  const n = tp + fn + fp + tn;
  const [precision, recall] = [tp / (tp + fp), tp / (tp + fn)];
  const specificity = tn / (tn + fp);
  const squared = beta * beta;
  const f = ((1 + squared) * tp) / ((1 + squared) * tp + squared * fn + fp);
  return {
    tp, fn, fp, tn, n, precision, recall, specificity, beta, squared, f,
    // The same from precision and recall: undefined where one of these is.
    byRates: ((1 + squared) * precision * recall) / (squared * precision + recall),
    fpr: 1 - specificity,
    balanced: (recall + specificity) / 2,
    positives: tp + fn,
    negatives: fp + tn,
    flagged: tp + fp,
    passed: fn + tn,
    prevalence: (tp + fn) / n,
    always: Math.max(tp + fn, fp + tn) / n,
  };
}

/**
 * Everything that a matrix says; the rates are those of its first class against all others.
 * @param {{cells: number[], beta: number}} state rows true, columns called, row by row
 */
export function matrixOf({ cells, beta = 1, names = "" }) {
  const size = Math.round(Math.sqrt(cells.length));
  const classes = namesOf(size, names).map((name, at) => ({ name, ...against(cells, size, at) }));
  const [{ tp, fn, fp, tn }] = classes;
  const right = sum(classes.map((one) => one.tp));
  const n = sum(cells);
  return {
    ...ratesOf({ tp, fn, fp, tn }, beta),
    size, classes, right, n, cells,
    named: names.split("_").length === size ? names : "",
    wrong: n - right,
    accuracy: right / n,
    error: (n - right) / n,
    macroPrecision: mean(classes, ({ precision }) => precision),
    macroRecall: mean(classes, ({ recall }) => recall),
    macroF: mean(classes, ({ f }) => f),
    weightedPrecision: mean(classes, ({ precision }) => precision, ({ truly }) => truly),
    weightedRecall: mean(classes, ({ recall }) => recall, ({ truly }) => truly),
    weightedF: mean(classes, ({ f }) => f, ({ truly }) => truly),
  };
}
