// The curves that can be shown, in reading order, and the lines that can be added to them.

import { DET } from "./det.js";
import { GAIN, LIFT } from "./gain.js";
import { KS } from "./ks.js";
import { METRICS } from "./metric_curves.js";
import { PRECISION_RECALL } from "./precision_recall.js";
import { ROC } from "./roc.js";

export const FIGURES = [ROC, PRECISION_RECALL, GAIN, LIFT, KS, DET, METRICS];

/**
 * What may be drawn besides the curves; `on` is the figure that it is drawn on.
 * The keys are those of pages/explorer/drawn.py.
 */
export const EXTRAS = [
  { key: "band", name: "confidence band", on: "roc" },
  { key: "hull", name: "convex hull", on: "roc" },
  { key: "cost", name: "equal cost", on: "roc" },
  { key: "partial", name: "partial area", on: "roc" },
  { key: "f1", name: "equal F1", on: "precision-recall" },
];
