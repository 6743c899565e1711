// The finding in a sentence, and what to do here.

import { html, say } from "./dom.js";

const LEAD =
  "A row is flagged where its score is at least the threshold. Drag it and everything here " +
  "follows: lower it to miss less, raise it to disturb less.";

export function makeHeadline() {
  const title = html("h1", { class: "headline" });
  const lead = html("p", { class: "lead" }, LEAD);
  const spoken = html("p", { class: "spoken", role: "status" });
  return {
    nodes: [title, lead, spoken],
    move: ({ judgement }) => say(title, judgement.headline),
    settle: ({ judgement }) => say(spoken, judgement.headline),
  };
}
