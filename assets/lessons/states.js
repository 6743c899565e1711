// The state of a lesson: what its settings stand at, and the same as the text of an address.

/**
 * Something that can be moved, as the lesson's file declares it.
 * @typedef {object} Setting
 * @property {string} key
 * @property {(number|string)[]} start
 * @property {number} low
 * @property {number} high
 * @property {number} step 0 where steps are shares of the value
 * @property {string[]} options
 * @property {string} label
 * @property {string} form
 * @property {boolean} isList
 */

/** @typedef {Record<string, number | string | number[]>} State */

/** @param {Setting[]} settings @returns {State} */
export const startOf = (settings) =>
  Object.fromEntries(settings.map(({ key, start, isList }) => [key, isList ? start : start[0]]));

/** What differs from the start, as text: key~value~key~value, lists joined by "_". */
export function textOf(state, settings) {
  const start = startOf(settings);
  const parts = settings
    .map(({ key }) => [key, written(state[key])])
    .filter(([key, text]) => text !== written(start[key]));
  return parts.flat().join("~");
}

/** The state that a text says, as far as the settings know it; else as at the start. */
export function stateOf(text, settings) {
  const state = startOf(settings);
  const parts = text ? text.split("~") : [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const setting = settings.find(({ key }) => key === parts[at]);
    if (setting) state[setting.key] = read(setting, parts[at + 1]);
  }
  return state;
}

function read({ options, isList, form }, text) {
  if (options.length || form === "words") return text;
  const values = text.split("_").map(Number);
  return isList ? values : values[0];
}

const written = (value) => (Array.isArray(value) ? value : [value]).map(short).join("_");

/** A value in as few characters as tell it to ten digits. */
function short(value) {
  if (typeof value === "string") return value;
  return String(Number(value.toPrecision(10))).replace("e+", "e");
}

/** A value moved into the range of its setting. */
export const within = ({ low, high }, value) => Math.min(high, Math.max(low, value));

/** The value at a place of a slider, from 0 to 1, and the place of a value. */
export const scaleOf = ({ low, high, step, form }) =>
  step
    ? {
        steps: Math.round((high - low) / step),
        valueAt: (at) => Number((low + at * step).toPrecision(10)),
        placeOf: (value) => Math.round((value - low) / step),
      }
    : {
        steps: SHARES,
        valueAt: (at) => rounded(low * (high / low) ** (at / SHARES), form),
        placeOf: (value) => Math.round((SHARES * Math.log(value / low)) / Math.log(high / low)),
      };

/** Places of a slider whose steps are shares of the value. */
const SHARES = 120;

/** Two digits, or three where the first is a 1, so that no step is lost; counts are whole. */
const rounded = (value, form) => {
  const digits = String(value.toExponential()).startsWith("1") ? 3 : 2;
  const short = Number(value.toPrecision(digits));
  return form === "count" ? Math.round(short) : short;
};
