// Numbers and sentences, as they are shown. No drawing here.
//
// Numbers look as they do in evalview/words.py; a test holds the two together.

/** @typedef {import("./scores.js").Counts} Counts */

/** A metric between 0 and 1, never rounder than it is. */
export function number(value) {
  if (Number.isNaN(value)) return "undefined";
  if (value > 0 && value < 0.0005) return "<0.001";
  const text = fixed(value, 3);
  return value < 1 && text === "1.000" ? ">0.999" : text;
}

/** A share as a percentage, never rounder than it is. */
export function percent(share) {
  if (Number.isNaN(share)) return "undefined";
  if (share === 0 || share === 1) return `${100 * share}%`;
  if (share < 0.0005) return "<0.1%";
  return share >= 0.9995 ? ">99.9%" : `${fixed(100 * share, 1)}%`;
}

/** A number of rows; four digits where weights make it fractional. */
export function count(rows) {
  const [whole, decimals] = String(Number(fixed(rows, 2))).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return decimals ? `${grouped}.${decimals}` : grouped;
}

/** toFixed, but exact halves go to the even digit, as they do in Python. */
function fixed(value, digits) {
  // A binary fraction lies halfway only if it is an odd number of halves of that power of two.
  if (Math.abs((value * 2 ** (digits + 1)) % 2) !== 1) return value.toFixed(digits);
  const below = Math.floor(value * 10 ** digits);
  return ((below + Math.abs(below % 2)) / 10 ** digits).toFixed(digits);
}

/** A score in three digits, where nothing is decided by it. */
export const roughly = (score) => minus(Number(score.toPrecision(3)));

/** A number in all its digits, with a true minus sign. */
export const minus = (value) => String(value).replace("-", "\u2212");

/** Class names that do not read as a property of rows. */
const BARE = new Set(["yes", "no", "true", "false"]);

/** Whether a class name can stand in a sentence as a word. */
const isWord = (label) =>
  /^\p{L}[\p{L}\u200e_ -]{2,}$/u.test(label) && !BARE.has(label.toLowerCase());

/** Whether a class is named by what is true of its rows: "churned = yes". */
const isCondition = (label) => label.includes(" = ");

/** "fraud rows", "rows with churned = yes", or "rows of class “1”". */
export const rowsOf = (label) =>
  isWord(label) ? `${label} rows` : `rows ${isCondition(label) ? `with ${label}` : of(label)}`;

/** "are fraud", "have churned = yes", or "are of class “1”". */
export function are(label) {
  if (isCondition(label)) return `have ${label}`;
  return `are ${isWord(label) ? label : of(label)}`;
}

const of = (label) => `of ${label.startsWith("class “") ? label : `class “${label}”`}`;

/** "9 of 10", as people say it; the counts themselves where rounding would hide something. */
export function outOf(part, whole) {
  if (part === whole) return `all ${count(whole)}`;
  if (part === 0) return `none of ${count(whole)}`;
  for (const scale of [10, 100]) {
    const rounded = Math.round((scale * part) / whole);
    if (whole > 2 * scale && rounded > 0 && rounded < scale) return `${rounded} of ${scale}`;
  }
  return `${count(part)} of ${count(whole)}`;
}

/**
 * The finding at one threshold, in a sentence.
 * @param {Counts} counts
 * @param {{threshold: string, model: string, positive: string}} names
 */
export function headline(counts, { threshold, model, positive }) {
  return `At ${minus(threshold)}, ${model} ${whatItDoes(counts, positive)}`;
}

/**
 * How sure the share that is found is, and what the threshold does.
 * @param {{low?: number, high?: number}} found
 * @param {{classes: string[], level: number}} data
 */
export function doubt({ low, high } = {}, { classes: [, positive], level }) {
  const [from, to] = [low, high].map((end) => `${fixed(100 * end, 0)}%`);
  const share = from === to ? `about ${to}` : `${from} to ${to}`;
  const sure = `Of all ${rowsOf(positive)} of this kind it would find ${share}`;
  const told = low === undefined ? "" : `${sure} (${fixed(100 * level, 0)}% interval). `;
  return `${told}Lower the threshold to miss fewer, raise it for fewer false alarms.`;
}

/** A number of cases to expect, which are whole. */
export const cases = (number) => (number > 0 && number < 0.5 ? "<1" : whole(number));

/** What is paid, in the digits that can be used. */
export const money = (cost) =>
  Math.abs(cost) < 10 ? minus(Number(cost.toPrecision(3))) : minus(whole(cost));

const whole = (value) => count(Number(fixed(value, 0)));

/**
 * What a day brings, in a sentence.
 * @param {Counts} counts
 * @param {{tn: number, fp: number, fn: ?number, tp: number, share: ?number,
 *   volume: number}} costs of each outcome, with the share of positives where one is told
 */
export function day({ tp, fp, fn, tn }, costs) {
  const share = costs.share ?? (tp + fn) / (tp + fp + fn + tn);
  const [found, flagged] = [tp / (tp + fn), fp / (fp + tn)];
  if (Number.isNaN(found + flagged)) return "";
  const each = [share * found, share * (1 - found), (1 - share) * flagged];
  const [right, missed, wrong] = each.map((part) => part * costs.volume);
  const alerts = `${cases(right + wrong)} alerts, ${cases(missed)} missed`;
  const rest = (1 - share) * costs.volume - wrong;
  const { tn: passed, fp: alarm, fn: miss, tp: find } = costs;
  const paid = right * find + missed * miss + wrong * alarm + rest * passed;
  const cost = miss === null ? "" : `, cost ${money(paid)}`;
  return `A day brings ${alerts}${cost}`;
}

function whatItDoes({ tp, fp, fn }, positive) {
  const [positives, flagged] = [tp + fn, tp + fp];
  if (positives === 0) return `flags ${count(flagged)} rows; there are no ${rowsOf(positive)}`;
  if (flagged === 0) return `flags nothing and misses all ${count(positives)} ${rowsOf(positive)}`;
  const found = `finds ${outOf(tp, positives)} ${rowsOf(positive)}`;
  return `${found}; ${outOf(tp, flagged)} flagged ${are(positive)}`;
}

/**
 * What stands under the number of each metric: its counts, in words.
 * @type {Record<string, (counts: Counts, classes: string[]) => string>}
 */
export const IN_WORDS = {
  precision: ({ tp, fp }, [, positive]) =>
    `${count(tp)} of ${count(tp + fp)} flagged ${are(positive)}`,
  recall: ({ tp, fn }, [, positive]) =>
    `${count(tp)} of ${count(tp + fn)} ${rowsOf(positive)} found`,
  specificity: ({ tn, fp }, [negative]) =>
    `${count(tn)} of ${count(tn + fp)} ${rowsOf(negative)} correctly passed`,
  f1: () => "harmonic mean of precision and recall",
  accuracy: alwaysTheSame,
};

function alwaysTheSame({ tp, fp, fn, tn }, [negative, positive]) {
  const [positives, negatives] = [tp + fn, fp + tn];
  const share = Math.max(positives, negatives) / (positives + negatives);
  return `${percent(share)} by always saying ${positives > negatives ? positive : negative}`;
}
