// Everything that is said at one threshold, as plain data. No drawing here.

import { estimate } from "./metrics.js";
import { countsAt, countsFrom, isKnown } from "./tables.js";
import { IN_WORDS, number, headline, percent } from "./words.js";

/**
 * What one model does at one threshold.
 * @typedef {object} Judgement
 * @property {import("./tables.js").Counts} counts
 * @property {boolean} exact false while only the server knows the counts at this very threshold
 * @property {string} threshold the threshold as it is shown
 * @property {string} flagged the share of rows that are flagged
 * @property {string} headline
 * @property {Card[]} cards
 */

/**
 * One metric as it is shown; `words` are its counts, or why it is undefined.
 * @typedef {{value: number, low?: number, high?: number, text: string, interval: string,
 *   words: string}} Card
 */

const NOTHING = { intervals: {} };

/** @returns {Judgement} */
export function judge(board, model, threshold) {
  const counts = countsOf(board, model, threshold);
  const isThere = threshold === board.thresholds[model.position];
  const { intervals } = isThere ? board.at[model.position] : NOTHING;
  const names = { threshold: String(threshold), model: model.spoken, positive: board.classes[1] };
  return {
    counts,
    exact: model.whole || isThere || isKnown(model.table, threshold),
    threshold: String(threshold),
    flagged: flaggedShare(counts),
    headline: headline(counts, names),
    cards: board.cards.map((card) => judgeCard(board, card, counts, intervals[card.key])),
  };
}

/** The counts of a model; at the server's threshold those that the server sent. */
export function countsOf(board, { table, position }, threshold) {
  if (threshold !== board.thresholds[position]) return countsAt(table, threshold);
  const { tp, fp } = board.at[position];
  return countsFrom(table, tp, fp);
}

function flaggedShare({ tp, fp, fn, tn }) {
  return `${percent((tp + fp) / (tp + fp + fn + tn))} flagged`;
}

/** A card; `ends` are the ends of its interval where the server has sent them. */
function judgeCard(board, card, counts, ends) {
  const { value, ...formula } = estimate(card.key, counts, board.z);
  if (Number.isNaN(value)) return undefinedCard(card);
  const [low, high] = ends ?? [formula.low, formula.high];
  return {
    value,
    low,
    high,
    text: number(value),
    interval: `${number(low)} – ${number(high)}`,
    words: IN_WORDS[card.key](counts, board.classes),
  };
}

const undefinedCard = ({ undefined_when: reason }) => ({
  value: NaN,
  text: "undefined",
  interval: "",
  words: reason,
});
