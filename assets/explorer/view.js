// What is to be seen at one choice, from the payload of the explorer. No drawing here.

import {
  cheapestAt,
  countsAt,
  countsFrom,
  decodeTable,
  estimate,
  isKnown,
  makeAxis,
  placeOf,
  rowsAtOrAbove,
  shortAt,
} from "./scores.js";
import { IN_WORDS, day, doubt, headline, number, percent } from "./words.js";

/**
 * What can be chosen, all of it at once.
 * @typedef {object} Choice
 * @property {number} position of the chosen model
 * @property {number[]} thresholds one for each model
 * @property {boolean} own whether each model keeps its own; if not, all are the same
 * @property {{curves: string[], lines: string[], metrics: string[]}} drawn what is to be seen
 */

/** The payload with its tables decoded and the place of each row on the slider. */
export const decode = (payload) => ({
  ...payload,
  models: payload.models.map((model, position) => {
    const table = decodeTable(model.table);
    return { ...model, position, table, axis: makeAxis(table, model.axis) };
  }),
});

/** The same data with what the server says at the thresholds that it has reached. */
export const withAnswer = (data, { thresholds, own, drawn, chosen, at, costs, selected, code }) =>
  ({ ...data, thresholds, own, drawn, chosen, at, costs, selected, code });

/** All that the parts of the explorer show at one choice. */
export function viewOf(data, { position, thresholds, own, drawn }) {
  const model = data.models[position];
  const threshold = thresholds[position];
  return {
    data: { ...data, own, drawn },
    model,
    threshold,
    thresholds,
    place: placeOf(model, threshold),
    result: resultAt(data, model, threshold),
  };
}

/** How many thresholds are tried to see how long texts become. */
const TRIED = 60;

/** What is to be seen at thresholds all along the slider, and beyond its upper end. */
export function statesOf({ data, model }) {
  const rows = model.table.threshold.length;
  const step = Math.max(1, Math.floor(rows / TRIED));
  const tried = Array.from({ length: Math.ceil(rows / step) }, (_, at) => at * step);
  const scores = tried.map((row) => shortAt(model.table, row));
  return [...scores, Infinity].map((threshold) => resultAt(data, model, threshold));
}

/** The data with what is said of costs, and the cheapest threshold of each model that follows. */
export function priced(data, said) {
  const share = said.share === null ? null : said.share / 100;
  const costs = { ...data.costs, ...said, fp: said.fp ?? 1, share, volume: said.volume ?? 1000 };
  const cheapest = data.models.map(({ table }) => ({
    threshold: cheapestAt(table, costs),
    why: "Lowest cost on these rows, among the thresholds shown here.",
  }));
  return { ...data, costs: { ...costs, cheapest } };
}

// Choices

/** The choice at which the server stands. */
export function choiceOf({ models, chosen, thresholds, own, drawn }) {
  const position = Math.max(0, models.map(({ name }) => name).indexOf(chosen));
  return { position, thresholds, own, drawn };
}

/** The threshold of the chosen model. */
export const thresholdOf = ({ position, thresholds }) => thresholds[position];

/** The choice with the chosen model's threshold moved; all move unless each has its own. */
export function moved(choice, threshold) {
  const { position, thresholds, own } = choice;
  const move = (each, at) => (own && at !== position ? each : threshold);
  return { ...choice, thresholds: thresholds.map(move) };
}

/** The lowest score of the table that is not below the threshold; its highest where all are. */
export function scoreFrom({ models }, { position }, threshold) {
  const { table } = models[position];
  return shortAt(table, Math.max(0, rowsAtOrAbove(table, threshold) - 1));
}

/** What the owner of the explorer is told of a choice; `holds` says which data are here. */
export const answerOf = ({ key, models }, choice) => ({
  model: models[choice.position].name,
  threshold: thresholdOf(choice),
  own: choice.own,
  drawn: choice.drawn,
  holds: key,
});

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether two choices differ in their thresholds at most, so that nothing needs to be redrawn. */
export const looksLike = (one, other) =>
  isSame({ ...one, thresholds: [] }, { ...other, thresholds: [] });

/** Whether the costs have changed, or the rows that are selected. */
export const isToldAnew = (before, { costs, selected }) =>
  !isSame([before.costs, before.selected], [costs, selected]);

/**
 * The choices that the server was told and has not answered yet. `send` returns whether a choice is
 * news to it, `receive` whether its choice is to be followed: late answers must not pull the handle
 * back; only a choice that it reached by itself (undo, another page) is followed.
 */
export function makePending() {
  let sent = [];
  let latest = null;
  return {
    send(choice) {
      const last = sent.at(-1) ?? latest;
      if (last && isSame(last, choice)) return false;
      sent.push(choice);
      return true;
    },
    receive(choice) {
      const answered = sent.findIndex((each) => isSame(each, choice)) + 1;
      const follow = !answered && !(latest && isSame(latest, choice));
      sent = follow ? [] : sent.slice(answered);
      latest = choice;
      return follow;
    },
  };
}

// Results

/**
 * What one model does at one threshold.
 * @typedef {object} Result
 * @property {import("./scores.js").Counts} counts
 * @property {boolean} exact false while only the server knows the counts at this very threshold
 * @property {string} threshold the threshold as it is shown
 * @property {string} flagged the share of rows that are flagged
 * @property {string} headline
 * @property {string} doubt how sure that is, and what to do
 * @property {Card[]} cards
 * @property {string} day what a day brings; "" where nobody says
 */

/**
 * One metric as it is shown; `words` are its counts, or why it is undefined.
 * @typedef {{value: number, low?: number, high?: number, text: string, interval: string,
 *   words: string}} Card
 */

/** @returns {Result} */
function resultAt(data, model, threshold) {
  const counts = countsOf(data, model, threshold);
  const isAnswered = threshold === data.thresholds[model.position];
  const intervals = isAnswered ? data.at[model.position].intervals : {};
  const names = { threshold: String(threshold), model: model.spoken, positive: data.classes[1] };
  const cards = data.cards.map((card) => cardOf(data, model, card, counts, intervals[card.key]));
  const found = cards[data.cards.findIndex(({ key }) => key === "recall")];
  return {
    counts,
    exact: model.whole || isAnswered || isKnown(model.table, threshold),
    threshold: String(threshold),
    flagged: flaggedShare(counts),
    headline: headline(counts, names),
    doubt: doubt(found, data),
    cards,
    day: data.costs ? day(counts, data.costs) : "",
  };
}

/** The counts of a model; at the server's threshold those that the server sent. */
export function countsOf(data, { table, position }, threshold) {
  if (threshold !== data.thresholds[position]) return countsAt(table, threshold);
  const { tp, fp } = data.at[position];
  return countsFrom(table, tp, fp);
}

function flaggedShare({ tp, fp, fn, tn }) {
  return `${percent((tp + fp) / (tp + fp + fn + tn))} flagged`;
}

/** A card; `ends` are the ends of its interval where the server has sent them. */
function cardOf(data, { z }, { key, undefined_when: reason }, counts, ends) {
  const { value, ...formula } = estimate(key, counts, z);
  if (Number.isNaN(value)) return { value, text: number(value), interval: "", words: reason };
  const [low, high] = ends ?? [formula.low, formula.high];
  return {
    value,
    low,
    high,
    text: number(value),
    interval: `${number(low)} – ${number(high)}`,
    words: IN_WORDS[key](counts, data.classes),
  };
}
