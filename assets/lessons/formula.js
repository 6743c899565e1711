// Formulas with live numbers, from a line of plain text to MathML.
//
// [a // b] is a fraction, √(a) a root, a_b and a^b are lower and upper marks, with brackets where
// they have several characters; {name} is a number of the stage, {name:4} the same to 4 decimals,
// {name%} as a percentage, {name,} as a count. What else is letters is words, except single
// letters.

import { html, say } from "../explorer/dom.js";
import { count, minus, number, percent } from "../explorer/words.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";

const element = (tag, ...children) => {
  const node = document.createElementNS(MATHML, tag);
  node.append(...children);
  return node;
};

// Within a word "-" is a hyphen: mid-p, but k-1 and n-k.
const INNER = String.raw`(?:[\p{L}\p{M}\d'’]|(?<=\p{L}{2})-(?=\p{L})|-(?=\p{L}{2}))*`;

// Before a word, "a" is a word as well.
const ARTICLE = String.raw`a(?= \p{L}{2})`;

const TOKENS = [
  String.raw`\[|//|\]|√\(|[_^]\(|[_^]|\{[^}]*\}|\(|\)`,
  // A letter; or a word and those that follow it; F1 is a word.
  String.raw`(?!${ARTICLE})\p{L}\p{M}?(?![\p{L}\d'’]|-\p{L}{2})`,
  String.raw`(?:${ARTICLE}|\p{L}${INNER})(?: (?:${ARTICLE}|\p{L}[\p{L}\d]${INNER}))*`,
  String.raw`[\d.,]*\d(?:%|\+(?=\s))?|\s+|.`,
];
const TOKEN = new RegExp(TOKENS.join("|"), "gu");

/**
 * A line as elements that can break where it says "=", and a function that fills in its numbers.
 * @param {string} line
 * @returns {{nodes: Element[], fill: (values: Record<string, unknown>) => void}}
 */
export function formula(line) {
  const live = [];
  const nodes = partsOf(line).map((part) => {
    const math = element("math", row(parse(part, live)));
    // Fractions as large as what stands beside them; a sign at the beginning is none of a number.
    math.setAttribute("displaystyle", "true");
    const [first] = math.querySelectorAll(":scope > mo, :scope > mrow > mo:first-child");
    first?.setAttribute("form", "infix");
    return math;
  });
  return { nodes, fill: filling(live) };
}

const filling = (live) => (values) => {
  for (const { node, name, form } of live) say(node, writtenNumber(values[name], form));
};

/**
 * A sentence with numbers of the stage, as nodes, and a function that fills in these.
 * @param {string} text
 */
export function sentence(text) {
  const live = [];
  const nodes = text.split(/(\{[^}]*\})/).filter(Boolean).map((piece) => {
    if (!piece.startsWith("{")) return piece;
    const node = html("span", { class: "live" });
    live.push({ node, ...askedIn(piece) });
    return node;
  });
  return { nodes, fill: filling(live), isLive: live.length > 0 };
}

/** Which number a piece such as "{name:4}" asks for, and how it is written. */
function askedIn(piece) {
  const [, name, form] = /^\{([^:%,]*)(.*)\}$/.exec(piece);
  return { name, form };
}

/** A line in parts between which it may break outside brackets: before signs and behind commas. */
function partsOf(line) {
  const parts = [""];
  for (const piece of line.split(/(?<=\s)(?=[=≈<≤>≥+-]\s)|(?<=[,;] )/u)) {
    const last = parts.at(-1);
    if (last && last.split(/[([]/).length === last.split(/[)\]]/).length) parts.push(piece);
    else parts.push(parts.pop() + piece);
  }
  return parts;
}

function parse(text, live) {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;

  /** Everything up to one of some tokens, which is taken, too. */
  function until(...ends) {
    const found = [];
    while (at < tokens.length && !ends.includes(tokens[at])) next(found);
    at += 1;
    return found;
  }

  function next(found) {
    const token = tokens[at++];
    if (token === "[") {
      const above = until("//");
      found.push(element("mfrac", row(above), row(until("]"))));
    } else if (token === "√(") found.push(element("msqrt", row(until(")"))));
    else if ("_^".includes(token[0])) {
      const mark = token.length > 1 ? row(until(")")) : leaf(tokens[at++], live);
      const base = found.pop() ?? element("mrow");
      found.push(element(token[0] === "_" ? "msub" : "msup", base, mark));
    } else if (token in CLOSING) found.push(enclosed(token, until(CLOSING[token])));
    else if (token.trim()) found.push(leaf(token, live));
  }

  return until();
}

/** What stands between two of these belongs together, and a mark behind it stands at all of it. */
const CLOSING = { "(": ")", "|": "|" };

const enclosed = (open, nodes) => row([operator(open), ...nodes, operator(CLOSING[open])]);

const row = (nodes) => (nodes.length === 1 ? nodes[0] : element("mrow", ...nodes));

/** A sign; words stand close to brackets and commas. */
const operator = (text) => classed(element("mo", text), CLOSE[text]);

const CLOSE = { "(": "opens", ")": "shuts", ",": "shuts", ";": "shuts", ":": "shuts" };

function classed(node, name) {
  if (name) node.setAttribute("class", name);
  return node;
}

function leaf(token, live) {
  if (token.startsWith("{")) return liveNumber(token, live);
  if (/^\p{L}/u.test(token)) return word(token);
  if (/\d/.test(token)) return element("mn", token);
  return operator(token === "-" ? "\u2212" : token);
}

/**
 * A letter stands in italics, words and Greek capitals upright; text ("mtext") has no room beside a
 * sign.
 */
function word(text) {
  const node = element("mi", text);
  if (/^[Α-Ω]$/u.test(text)) node.setAttribute("mathvariant", "normal");
  return classed(node, /^\p{L}\p{M}?$/u.test(text) ? "" : "word");
}

/** A number of the stage, which is filled in later, again and again. */
function liveNumber(token, live) {
  const node = classed(element("mn"), "live");
  live.push({ node, ...askedIn(token) });
  return node;
}

/** A number as a formula shows it; text as it is. */
export function writtenNumber(value, form = "") {
  if (typeof value !== "number") return String(value);
  if (Number.isNaN(value)) return "undefined";
  if (!Number.isFinite(value)) return value < 0 ? "\u2212∞" : "∞";
  if (form.startsWith(":")) return minus(value.toFixed(Number(form.slice(1))));
  if (form === "%") return percent(value);
  if (form === "," || Number.isInteger(value)) return signed(count, value);
  return signed(number, value);
}

const signed = (write, value) => (value < 0 ? `\u2212${write(-value)}` : write(value));

/** A difference of two shares in percentage points. */
export const points = (share) => minus((100 * share).toFixed(1));
