// The curves of score tables and all that is said of them, as plain data. No drawing here.
//
// Places on a plot are [x, y] from [0, 0] at the bottom left to [1, 1]. A line is what a curve has
// for one model: `point` says in the units of the axes where a decision lies, `place` where that
// stands on the plot. What else is drawn is a shape; see drawShape in chart.js.

import { countsAtRow, estimate, placeOf, shortAt, slopeOf } from "./scores.js";
import { are, count, minus, number, percent, roughly, rowsOf } from "./words.js";

/** @typedef {import("./scores.js").Counts} Counts */
/** @typedef {[number, number]} Point */

/**
 * @typedef {object} Line
 * @property {object} model whose table it is drawn from
 * @property {string} name
 * @property {string} color
 * @property {string} dash
 * @property {(counts: Counts, threshold: number) => Point} point
 * @property {(point: Point) => Point} place
 * @property {Float64Array} x where each row of the table stands
 * @property {Float64Array} y
 */

/**
 * What a curve is drawn from: its lines, the chosen model last where there is one for each.
 * @typedef {{data: object, model: object, lines: Line[], negative: string, positive: string}} Scene
 */

/**
 * @typedef {object} Curve
 * @property {string} key for the address
 * @property {string} name for people
 * @property {string[]} columns for its CSV
 * @property {(data: object, model: object) => string} missing why there is none; "" if there is
 * @property {(counts: Counts, threshold: number) => Point} [point] the same for every model
 * @property {(data: object, model: object) => object[]} [lines] where they are not one per model
 * @property {(scene: Scene) => object} words title, subtitle, both axes and a note
 * @property {(scene: Scene) => object[]} under the shapes below the lines
 * @property {(row: object) => string} hover what pointing at a row of the table says
 * @property {(scene: Scene) => object | null} [moving] a line that follows the threshold
 * @property {(scene: Scene) => object} [ticks] where the axes are not shares
 * @property {Point} [origin] the first point, before any row is flagged
 * @property {boolean} [stepped] whether the line is one of steps
 * @property {boolean} [byThreshold] whether the axis below is that of the scores
 */

// Lines

const itself = (point) => point;

/** The scene of a curve; it has no lines where the chosen model has none. */
export function sceneOf(curve, data, model) {
  const [negative, positive] = data.classes;
  const { lines = linePerModel } = curve;
  const drawn = curve.missing(data, model) ? [] : lines(data, model, curve);
  const exists = (line) => !curve.missing(data, line.model);
  return { data, model, negative, positive, lines: drawn.filter(exists).map(traced) };
}

/** One line for each model; the chosen one last, so that it lies on top. */
const linePerModel = ({ models }, chosen, { point, place }) =>
  [...models.filter((model) => model !== chosen), chosen].map((model) => {
    const { label: name, color, dash } = model;
    return { model, name, color, dash, point, place };
  });

/** A line with the place of each row of its table. */
function traced(line) {
  const { model, point, place = itself } = line;
  const rows = model.table.threshold.length;
  const [x, y] = [new Float64Array(rows), new Float64Array(rows)];
  for (let row = 0; row < rows; row += 1) {
    [x[row], y[row]] = place(point(countsAtRow(model.table, row), model.table.threshold[row]));
  }
  return { ...line, place, x, y };
}

/** The numbers of a line at a row of its table. */
export const pointAt = ({ model: { table }, point }, row) =>
  point(countsAtRow(table, row), table.threshold[row]);

/** What pointing at a row of a line says. */
export function hoverText(curve, { negative, positive }, line, row) {
  const { spoken, table } = line.model;
  const at = `At ${minus(shortAt(table, row))}, ${spoken}`;
  const [x, y] = pointAt(line, row);
  return curve.hover({ at, x, y, line, row, negative, positive });
}

/** The rows of the table of a curve's numbers, a heading first. */
export const tableOf = ({ columns }, lines) => [
  ["line", "score", ...columns, "tp", "fp", "fn", "tn"],
  ...lines.flatMap((line) =>
    Array.from(line.model.table.threshold, (score, row) => {
      const { tp, fp, fn, tn } = countsAtRow(line.model.table, row);
      return [line.name, score, ...pointAt(line, row), tp, fp, fn, tn];
    }),
  ),
];

// Geometry

/** The corners of a line as it is drawn, where it is defined. */
export function cornersOf({ stepped, byThreshold, origin }, line) {
  const all = points(line);
  if (byThreshold) return held(all);
  return [...(origin ? [origin] : []), ...(stepped ? steps(all) : all)];
}

const points = ({ x, y }) =>
  Array.from(x, (each, row) => [each, y[row]]).filter(([px, py]) => !Number.isNaN(px + py));

/** Corners of steps: each y holds from the x before it. */
const steps = (all) =>
  all.flatMap(([x, y], at) => [
    [at ? all[at - 1][0] : 0, y],
    [x, y],
  ]);

/** Corners of what falls from score to score: each y holds down to the next lower score. */
export const held = (all) =>
  all.flatMap(([x, y], at) => [...(at ? [[x, all[at - 1][1]]] : []), [x, y]]);

/** The row of a line nearest to a place, and how far; along the threshold x alone finds it. */
export function nearest({ byThreshold }, { x, y }, [px, py]) {
  const away = byThreshold
    ? (row) => Math.abs(x[row] - px)
    : (row) => Math.hypot(x[row] - px, y[row] - py);
  let best = { row: -1, distance: Infinity };
  for (let row = 0; row < x.length; row += 1) {
    const distance = away(row);
    if (distance < best.distance) best = { row, distance };
  }
  return byThreshold && best.row >= 0 ? { ...best, distance: Math.abs(y[best.row] - py) } : best;
}

/** The corners of the upper hull of points whose x rises; Andrew (1979). */
export function hull(all) {
  const corners = [];
  for (const [x, y] of all) {
    while (corners.length > 1) {
      const [[x1, y1], [x2, y2]] = corners.slice(-2);
      if ((y2 - y1) * (x - x2) > (y - y2) * (x2 - x1)) break;
      corners.pop();
    }
    corners.push([x, y]);
  }
  return corners;
}

/** The ends, inside the unit square, of the line of a slope through a point. */
export function across([x, y], slope) {
  if (slope === Infinity) return [[x, 0], [x, 1]];
  const at = (height) => x + (height - y) / slope;
  const left = slope > 0 ? Math.max(0, at(0)) : 0;
  const right = slope > 0 ? Math.min(1, at(1)) : 1;
  return [left, right].map((each) => [each, y + slope * (each - x)]);
}

// The normal distribution

const MIDDLE = [
  [3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
    45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727],
  [1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
    21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610],
];
const SHOULDER = [
  [1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550,
    3.64784832476320460504, 1.27045825245236838258, 0.241780725177450611770,
    0.0227238449892691845833, 7.74545014278341407640e-4],
  [1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
    0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4,
    1.05075007164441684324e-9],
];

const polynomial = (terms, x) => terms.reduceRight((sum, term) => sum * x + term, 0);
const quotient = ([above, below], x) => polynomial(above, x) / polynomial(below, x);

/** The normal quantile of p in [1e-10, 1 - 1e-10]; Wichura (1988), Applied Statistics 37. */
export function probit(p) {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * quotient(MIDDLE, 0.180625 - q * q);
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p)));
  return Math.sign(q) * quotient(SHOULDER, r - 1.6);
}

// Shapes

const reference = (from, to) => ({ shape: "segment", kind: "reference", ends: [from, to] });
const note = (text, at) => ({ shape: "note", text, at });
const box = (corners, kind, color) => ({ shape: "box", kind, corners, color });
const area = (corners, kind, color) => ({ shape: "area", kind, corners, color });
const path = (corners, kind, color) => ({ shape: "path", kind, corners, color });

// What curves say alike

const needsPositives = ({ classes: [, positive] }, { table }) =>
  table.positives ? "" : `There are no ${rowsOf(positive)}, so there is nothing to find.`;

function needsBoth(data, model) {
  const [negative] = data.classes;
  const noAlarm = `There are no ${rowsOf(negative)}, so no alarm can be false.`;
  return needsPositives(data, model) || (model.table.negatives ? "" : noAlarm);
}

function withInterval({ value, low, high, why }) {
  if (value === null) return `is undefined: ${why}`;
  return low === null ? number(value) : `${number(value)} (${number(low)} to ${number(high)})`;
}

// ROC: how much of the class is found against how much else is flagged

const ROC = {
  key: "roc",
  name: "ROC",
  columns: ["false positive rate", "true positive rate"],
  origin: [0, 0],
  missing: needsBoth,
  point: ({ tp, fp, fn, tn }) => [fp / (fp + tn), tp / (tp + fn)],

  words: ({ data, model, negative, positive }) => ({
    title: `Finding ${rowsOf(positive)} against false alarms`,
    subtitle: "ROC curve",
    above: `share of ${rowsOf(positive)} found`,
    below: `share of ${rowsOf(negative)} flagged`,
    note: rocNotes(data, model).join(" "),
  }),

  under({ data, model, lines }) {
    const { band, partial, ties, color } = model;
    return [
      ...(has(data, "partial") ? [box([0, 0, partial.to, 1], "partial")] : []),
      ...(has(data, "band") && band ? [bandOf(band, color)] : []),
      ...(ties ? ties.boxes.map((corners) => box(corners, "tied", color)) : []),
      reference([0, 0], [1, 1]),
      ...(has(data, "hull") ? [path(hull([[0, 0], ...points(lines.at(-1))]), "hull", color)] : []),
    ];
  },

  /** Where every point costs as much as the one where the threshold stands. */
  moving({ data: { costs, drawn }, model }) {
    const slope = slopeOf(costs, model.table);
    if (!has({ drawn }, "cost") || slope === null) return null;
    return { kind: "extra", ends: ({ result }) => across(ROC.point(result.counts), slope) };
  },

  hover({ at, x, y, negative, positive }) {
    const flags = `flags ${percent(x)} of ${rowsOf(negative)}`;
    return `${at} finds ${percent(y)} of ${rowsOf(positive)}, ${flags}`;
  },
};

const has = ({ drawn }, key) => drawn.lines.includes(key);

function bandOf({ low, high }, color) {
  const at = (edge) => edge.map((y, step) => [step / (edge.length - 1), y]);
  return area([...at(low), ...at(high).reverse()], "band", color);
}

const rocNotes = (data, model) =>
  [
    `ROC AUC ${withInterval(model.auc)}.`,
    has(data, "band") && aboutBand(data, model),
    model.ties && aboutTies(data, model.ties),
    has(data, "hull") && "Dotted: the convex hull, reached by mixing two thresholds.",
    has(data, "cost") && aboutCost(data, model),
    has(data, "partial") && aboutPartial(model),
  ].filter(Boolean);

function aboutBand({ level }, { band, spoken }) {
  if (!band) return `No band: ${spoken} has too few rows of one class.`;
  const method = `${band.method}, ${count(band.resamples)} resamples`;
  return `Shaded: the whole curve lies there with ${100 * level}% confidence (${method}).`;
}

function aboutTies({ classes: [negative, positive] }, { share, low, high }) {
  const auc = `ROC AUC between ${number(low)} and ${number(high)}`;
  const who = `${percent(share)} of rows share a score with a row of the other class`;
  return `Ties: ${who}; sorting ${positive} and ${negative} inside them gives ${auc} (boxes).`;
}

function aboutCost({ costs }, { table }) {
  const isOpen = !costs || costs.fn === null;
  const why = isOpen ? "no costs are given" : "with these costs, finding a case saves nothing";
  if (slopeOf(costs, table) === null) return `No line of equal cost: ${why}.`;
  return "Dashed: the same cost as here; above it is cheaper.";
}

function aboutPartial({ partial, spoken }) {
  const upTo = percent(partial.to);
  return `Partial AUC of ${spoken} up to ${upTo} flagged, rescaled: ${withInterval(partial)}.`;
}

// Precision and recall: how many alerts are real, as more of the class is found

const EQUAL_F1 = [0.2, 0.4, 0.6, 0.8];
const F1_PIECES = 24;

const PRECISION_RECALL = {
  key: "precision-recall",
  name: "precision-recall",
  columns: ["recall", "precision"],
  // Average precision is the area under steps: each precision holds from the recall before it.
  stepped: true,
  missing: needsPositives,
  point: ({ tp, fp, fn }) => [tp / (tp + fn), tp / (tp + fp)],

  words: ({ model, positive }) => ({
    title: `How many flagged rows ${are(positive)}`,
    subtitle: "Precision against recall",
    above: `share of flagged rows that ${are(positive)} (precision)`,
    below: `share of ${rowsOf(positive)} found (recall)`,
    note: `Average precision, the area below these steps: ${withInterval(model.ap)}.`,
  }),

  under({ data, model }) {
    const prevalence = prevalenceOf(model);
    return [
      ...(has(data, "f1") ? EQUAL_F1.flatMap(equalF1) : []),
      reference([0, prevalence], [1, prevalence]),
      note(`flagging every row: ${percent(prevalence)}`, [0, prevalence]),
    ];
  },

  hover: ({ at, x, y, positive }) =>
    `${at} finds ${percent(x)} of ${rowsOf(positive)}; ` +
    `${percent(y)} of flagged rows ${are(positive)}`,
};

const prevalenceOf = ({ table: { positives, negatives } }) => positives / (positives + negatives);

/** The points of one F1, from the lowest recall that has it to recall 1. */
function equalF1(f1) {
  const lowest = f1 / (2 - f1);
  const all = Array.from({ length: F1_PIECES + 1 }, (_, piece) => {
    const recall = lowest + ((1 - lowest) * piece) / F1_PIECES;
    return [recall, Math.min(1, (f1 * recall) / (2 * recall - f1))];
  });
  return [path(all, "extra"), note(`F1 ${f1}`, [0.85, f1 / (2 - f1) + 0.01])];
}

// Cumulative gain and lift: what the highest-scored share of the rows holds

const GAIN = {
  key: "gain",
  name: "cumulative gain",
  columns: ["share flagged", "share of positives found"],
  origin: [0, 0],
  missing: needsPositives,
  point: ({ tp, fp, fn, tn }) => [(tp + fp) / (tp + fp + fn + tn), tp / (tp + fn)],

  words: ({ positive }) => ({
    title: `How early ${rowsOf(positive)} are found`,
    subtitle: "Cumulative gain: rows taken from the highest score down",
    above: `share of ${rowsOf(positive)} found`,
    below: "share of all rows flagged",
    note: "Dotted: a perfect order. Dashed: a random one.",
  }),

  under: ({ model }) => [
    reference([0, 0], [1, 1]),
    path([[0, 0], [prevalenceOf(model), 1], [1, 1]], "hull", model.color),
  ],

  hover: ({ at, x, y, positive }) =>
    `${at} finds ${percent(y)} of ${rowsOf(positive)} in ${percent(x)} of rows`,
};

const LIFT = {
  key: "lift",
  name: "lift",
  columns: ["share flagged", "lift"],
  missing: needsPositives,

  point(counts) {
    const [share, recall] = GAIN.point(counts);
    return [share, recall / share];
  },

  lines(data, chosen) {
    const lines = linePerModel(data, chosen, LIFT);
    const top = highest(lines);
    return lines.map((line) => ({ ...line, top, place: ([share, times]) => [share, times / top] }));
  },

  ticks({ lines: [{ top }] }) {
    const step = roundStep(top / 4);
    const times = Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step);
    return { y: times.map((each) => [each / top, `${roughly(each)}×`]) };
  },

  words: ({ positive }) => ({
    title: `How many times more ${rowsOf(positive)} than by chance`,
    subtitle: "Lift: rows taken from the highest score down",
    above: `${rowsOf(positive)} among those flagged, times their share in all rows`,
    below: "share of all rows flagged",
    note: "At the far left the line rests on few rows and is rough.",
  }),

  under: ({ lines: [{ top }] }) => [reference([0, 1 / top], [1, 1 / top])],

  hover({ at, x, y, line, row, positive }) {
    const { tp, fp } = line.model.table;
    const flags = `flags ${percent(x)} (${count(tp[row] + fp[row])} rows)`;
    return `${at} ${flags}, ${number(y)} times as many ${rowsOf(positive)} as by chance`;
  },
};

/** The largest of 1, 2 and 5 times a power of ten that is at most so much. */
function roundStep(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * [5, 2, 1].find((each) => each * power <= most);
}

/** The largest y of all lines, 1 where there is none. */
function highest(lines) {
  const all = lines.flatMap((line) => [...traced(line).y]).filter((each) => !Number.isNaN(each));
  return Math.max(1, ...all);
}

// Curves along the threshold, which stands on the axis below as on the slider

const byScore = (model) => ([threshold, y]) => [placeOf(model, threshold), y];

const scoreTicks = ({ axis: { low, high } }) => [
  [0, roughly(low)],
  [1, roughly(high)],
];

const thresholdAxis = ({ axis }) => `threshold${axis.kind === "rank" ? " (by rank)" : ""}`;

const upright = () => ({ kind: "upright", ends: ({ place }) => [[place, 0], [place, 1]] });

// Kolmogorov-Smirnov: the distributions of the scores of both classes, and the gap between them

const KS = {
  key: "ks",
  name: "Kolmogorov-Smirnov",
  columns: ["threshold", "share of its class that scores lower"],
  missing: needsBoth,
  byThreshold: true,
  moving: upright,

  lines({ classes: [negative, positive] }, model) {
    const line = (name, color, lower) => ({
      model,
      name,
      color,
      dash: "solid",
      point: (counts, threshold) => [threshold, lower(counts)],
      place: byScore(model),
    });
    return [
      line(negative, "var(--negative)", ({ fp, tn }) => tn / (fp + tn)),
      line(positive, "var(--positive)", ({ tp, fn }) => fn / (tp + fn)),
    ];
  },

  ticks: ({ model }) => ({ x: scoreTicks(model) }),

  words({ model, lines, negative, positive }) {
    const { at, gap } = widestGap(lines);
    const ks = Number.isNaN(gap) ? "KS is undefined" : `KS ${percent(gap)}, at ${roughly(at)}`;
    return {
      title: `How far apart ${rowsOf(positive)} and ${rowsOf(negative)} score`,
      subtitle: `Distributions of the scores of ${model.spoken}. ${ks}`,
      above: "share of the class that scores lower",
      below: thresholdAxis(model),
      note: "Dotted: where the two are furthest apart. Found and judged on the same rows.",
    };
  },

  under({ lines }) {
    const { ends } = widestGap(lines);
    return [path(ends, "hull", "var(--ink)")];
  },

  hover: ({ at, y, line }) => `${at} leaves ${percent(y)} of ${rowsOf(line.name)} below`,
};

/** Where two distributions are furthest apart, and by how much; NaN where there are none. */
function widestGap([negative, positive]) {
  if (!negative?.y.length) return { gap: NaN };
  const gaps = positive.y.map((each, row) => Math.abs(negative.y[row] - each));
  const row = gaps.reduce((best, gap, at) => (gap > gaps[best] ? at : best), 0);
  const [low, high] = [negative.y[row], positive.y[row]].sort((one, other) => one - other);
  const x = positive.x[row];
  return { at: positive.model.table.threshold[row], gap: gaps[row], ends: [[x, low], [x, high]] };
}

// Detection error trade-off: both kinds of error, on scales that make normal scores a line

const LOWEST_RATE = 0.001;
const RATES = [0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99];

const HALF = -probit(LOWEST_RATE);

/** Where a rate stands; those beyond the ends stand at the ends. */
const placeRate = (rate) =>
  0.5 + probit(Math.min(1 - LOWEST_RATE, Math.max(LOWEST_RATE, rate))) / (2 * HALF);

const DET = {
  key: "det",
  name: "DET",
  columns: ["false positive rate", "false negative rate"],
  missing: needsBoth,
  point: ({ tp, fp, fn, tn }) => [fp / (fp + tn), fn / (tp + fn)],
  place: ([x, y]) => [placeRate(x), placeRate(y)],

  ticks() {
    const ticks = RATES.map((rate) => [placeRate(rate), `${Number((100 * rate).toPrecision(2))}%`]);
    return { x: ticks, y: ticks };
  },

  words: ({ negative, positive }) => ({
    title: "Misses against false alarms",
    subtitle: "Detection error trade-off, on normal scales; lower left is better",
    above: `share of ${rowsOf(positive)} missed`,
    below: `share of ${rowsOf(negative)} flagged`,
    note: "Rates beyond 0.1% and 99.9% are drawn at the edges.",
  }),

  under: () => [reference([0, 1], [1, 0])],

  hover({ at, x, y, negative, positive }) {
    const flags = `flags ${percent(x)} of ${rowsOf(negative)}`;
    return `${at} misses ${percent(y)} of ${rowsOf(positive)}, ${flags}`;
  },
};

// Metrics against the threshold, each with its band where a formula gives one

const METRICS = {
  key: "metrics",
  name: "metrics by threshold",
  columns: ["threshold", "value"],
  byThreshold: true,
  moving: upright,

  missing({ drawn }, { table }) {
    if (!table.threshold.length) return "There are no rows.";
    return drawn.metrics.length ? "" : "Choose a metric under “curves and lines”.";
  },

  lines({ metrics, drawn }, model) {
    const lines = metrics.filter(({ key }) => drawn.metrics.includes(key)).map((metric) => ({
      ...metric,
      model,
      point: (counts, threshold) => [threshold, estimate(metric.key, counts, model.z).value],
    }));
    // A correlation may be negative somewhere; then the axis begins at -1.
    const bottom = lines.some((line) => traced(line).y.some((value) => value < 0)) ? -1 : 0;
    const place = ([threshold, value]) =>
      [placeOf(model, threshold), (value - bottom) / (1 - bottom)];
    return lines.map((line) => ({ ...line, bottom, place }));
  },

  ticks({ model, lines: [{ bottom }] }) {
    const y = [0, 0.25, 0.5, 0.75, 1].map((place) => [place, minus(2 * place - 1)]);
    return { x: scoreTicks(model), ...(bottom < 0 && { y }) };
  },

  words: ({ data, model }) => ({
    title: "What each threshold gives",
    subtitle: `Metrics of ${model.spoken} at every threshold`,
    above: "",
    below: thresholdAxis(model),
    note:
      `Shaded: ${100 * data.level}% intervals (Wilson; for F1 through the Jaccard index), ` +
      "each for its own threshold, not for the best of many.",
  }),

  under: ({ lines }) => lines.map(metricBand),

  hover: ({ at, y, line }) => `${at}: ${line.name} ${number(y)}`,
};

function metricBand({ model: { table, z }, key, color, place, x }) {
  const ends = Array.from(table.threshold, (_, row) => ({
    row,
    ...estimate(key, countsAtRow(table, row), z),
  })).filter(({ low }) => low !== undefined);
  const edge = (end) => held(ends.map((each) => [x[each.row], place([0, each[end]])[1]]));
  return area([...edge("low"), ...edge("high").reverse()], "band", color);
}

/** The curves that can be shown, in reading order, by the keys of evalview/explorer/drawn.py. */
export const CURVES = [ROC, PRECISION_RECALL, GAIN, LIFT, KS, DET, METRICS];

/** What may be drawn besides the curves; `on` is the curve that it is drawn on. */
export const EXTRAS = [
  { key: "band", name: "confidence band", on: "roc" },
  { key: "hull", name: "convex hull", on: "roc" },
  { key: "cost", name: "equal cost", on: "roc" },
  { key: "partial", name: "partial area", on: "roc" },
  { key: "f1", name: "equal F1", on: "precision-recall" },
];
