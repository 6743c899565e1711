// The search over everything (Ctrl+K), the sheet of keys (?) and the mode to present (p).

/** More results than this are not looked through. */
const SHOWN = 40;

const KEYS = [
  ["Ctrl + K or /", "search metrics, figures, concepts, pages, lessons, models, classes and columns"],
  ["1 to 9", "go to a section of the sidebar, from the top"],
  ["[ and ]", "go to the tab before and after"],
  ["p", "present: one figure a screen"],
  ["← and →", "while presenting: the figure before and after"],
  ["Esc", "leave what is open, or the mode to present"],
  ["Tab", "go to the next button, box or figure"],
  ["?", "this sheet"],
];

const RUNS = "data-test-script-state";
const PHONE = 768;

let state = null;

export default function ({ data, parentElement, setTriggerValue }) {
  if (!state) state = makeState();
  Object.assign(state, { data, tell: setTriggerValue });
  showPlaces(parentElement);
  present(isPresented());
}

/** What lives as long as the document: dialogs, and listeners to keys and to changes. */
function makeState() {
  const host = element("div", { class: "palette-root" });
  document.querySelector(".stApp").append(host);
  const root = host.attachShadow({ mode: "open" });
  const made = { root, search: makeSearch(), keys: makeKeys(), count: element("p") };
  Object.assign(made, { at: 0, shown: new Set() });
  made.count.className = "count";
  root.append(made.search.dialog, made.keys, made.count);
  document.addEventListener("keydown", onKey, true);
  // The explorer draws its figures in a tree of its own, which is not observed.
  document.addEventListener("figures", () => markSlide());
  let waiting = 0;
  new MutationObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(markSlide, 60);
  }).observe(document.querySelector(".stApp"), {
    childList: true,
    subtree: true,
    attributeFilter: [RUNS],
  });
  return made;
}

/** An element; its attributes and children are plain text, never markup. */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function showPlaces(parent) {
  if (!state.root.querySelector("style")) {
    // The style of the component serves the dialogs, too.
    const style = parent.querySelector("style") ?? parent.getRootNode().querySelector("style");
    if (style) state.root.prepend(style.cloneNode(true));
  }
  if (parent.querySelector(".places")) return;
  const place = (className, label, key, act) => {
    const hint = element("kbd", { "aria-hidden": "true" }, key);
    const node = element("button", { type: "button", class: className }, label, hint);
    node.onclick = act;
    return node;
  };
  parent.append(
    element(
      "div",
      { class: "places" },
      place("search", "Search", "Ctrl K", () => state.search.open()),
      place("present", "Present", "p", () => state.tell("present", !state.data.present)),
      place("help", "Keys", "?", () => state.keys.showModal()),
    ),
  );
}

// Search

/** Words in lower case without accents or marks, by which names are compared. */
export const plain = (text) =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^\p{L}\p{N}+]+/gu, " ")
    .trim();

/**
 * The entries that hold every word, the best first; all where nothing is asked for.
 * @param {{kind: string, label: string, hint: string, also: string}[]} entries
 */
export function find(entries, asked) {
  const wanted = plain(asked);
  if (!wanted) return entries.slice(0, SHOWN);
  const words = wanted.split(" ");
  const ranked = [];
  for (const entry of entries) {
    const rank = rankOf(entry, wanted, words);
    if (rank < 5) ranked.push([rank, entry]);
  }
  return ranked
    .sort(([one], [other]) => one - other)
    .slice(0, SHOWN)
    .map(([, entry]) => entry);
}

function rankOf({ label, hint, also }, wanted, words) {
  const [name, more] = [plain(label), plain(also)];
  if (name === wanted) return 0;
  if (also.split(", ").some((other) => plain(other) === wanted)) return 1;
  if (name.startsWith(wanted)) return 2;
  const begins = (text) => words.every((word) => ` ${text}`.includes(` ${word}`));
  if (begins(`${name} ${more}`)) return 3;
  return begins(`${name} ${more} ${plain(hint)}`) ? 4 : 5;
}

function makeSearch() {
  const list = element("ul", { role: "listbox", id: "found", "aria-label": "Results" });
  const none = element("p", { class: "none", role: "status" }, "Nothing has this name.");
  const input = element("input", {
    type: "text",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Search",
    "aria-controls": "found",
    "aria-expanded": "true",
    placeholder: "Metric, figure, concept, page, lesson, model, class or column",
  });
  const dialog = element("dialog", { "aria-label": "Search" }, input, list, none);
  let [found, at] = [[], 0];

  function look() {
    found = find(state.data.entries, input.value);
    list.replaceChildren(...found.map(makeOption));
    none.hidden = found.length > 0;
    list.hidden = !found.length;
    choose(0);
  }

  function makeOption(entry, place) {
    const parts = [
      element("span", {}, entry.label),
      element("span", { class: "kind" }, entry.kind),
      ...(entry.hint ? [element("span", { class: "hint" }, entry.hint)] : []),
    ];
    const node = element("li", { role: "option", id: `found-${place}` }, ...parts);
    node.onclick = () => go(place);
    return node;
  }

  function choose(place) {
    at = Math.min(Math.max(0, place), Math.max(0, found.length - 1));
    [...list.children].forEach((node, one) => node.setAttribute("aria-selected", one === at));
    if (found.length) input.setAttribute("aria-activedescendant", `found-${at}`);
    else input.removeAttribute("aria-activedescendant");
    list.children[at]?.scrollIntoView({ block: "nearest" });
  }

  function go(place) {
    if (!found[place]) return;
    dialog.close();
    state.tell("go", found[place].at);
  }

  const moves = {
    ArrowDown: () => choose(at + 1),
    ArrowUp: () => choose(at - 1),
    PageDown: () => choose(at + 8),
    PageUp: () => choose(at - 8),
    Enter: () => go(at),
  };
  input.oninput = look;
  dialog.onkeydown = (event) => {
    if (event.isComposing || !moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  };
  closeOutside(dialog);
  return {
    dialog,
    open() {
      if (dialog.open) return;
      input.value = "";
      dialog.showModal();
      look();
      input.focus();
    },
  };
}

function makeKeys() {
  const rows = KEYS.flatMap(([key, says]) => [element("dt", {}, key), element("dd", {}, says)]);
  const close = element("button", { type: "button" }, "Close");
  const inner = element("div", { class: "keys" });
  inner.append(element("h2", {}, "Keys"), element("dl", {}, ...rows), close);
  const dialog = element("dialog", { "aria-label": "Keys" }, inner);
  close.onclick = () => dialog.close();
  closeOutside(dialog);
  return dialog;
}

/** A click on what lies behind a dialog closes it. */
function closeOutside(dialog) {
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
}

// Keys

function onKey(event) {
  const isK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
  if (isK && !event.altKey) return act(event, () => state.search.open());
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (state.search.dialog.open || state.keys.open) return;
  const action = actionOf(event.key);
  if (action && !isTaken(event)) act(event, action);
}

function act(event, action) {
  event.preventDefault();
  event.stopPropagation();
  action();
}

function actionOf(key) {
  const isPresenting = state.data.present;
  const actions = {
    "/": () => state.search.open(),
    "?": () => state.keys.showModal(),
    p: () => state.tell("present", !isPresenting),
    "[": () => turnTab(-1),
    "]": () => turnTab(1),
    ...(isPresenting && {
      Escape: () => state.tell("present", false),
      ArrowRight: () => turnSlide(1),
      ArrowLeft: () => turnSlide(-1),
    }),
  };
  if (/^[1-9]$/.test(key)) return () => links(".st-key-sections")[Number(key) - 1]?.click();
  return actions[key];
}

/** Where arrow keys go from one choice to the next. */
const CHOICES = "[role='radiogroup'], [role='slider'], [role='listbox'], .lesson, .bins";

/** Whether what has the focus needs the key itself: a table, a box for text, arrows in a choice. */
function isTaken(event) {
  const node = event.composedPath()[0];
  if (!(node instanceof Element)) return false;
  if (node.matches("textarea, select, [contenteditable='true']")) return true;
  if (node.closest("[data-testid='stDataFrame']")) return true; // typing begins in its cells
  if (event.key.startsWith("Arrow") && node.closest(CHOICES)) return true;
  if (!node.matches("input")) return false;
  return !["radio", "checkbox", "range"].includes(node.type) || event.key.startsWith("Arrow");
}

const links = (place) => [...document.querySelectorAll(`${place} a`)];

function turnTab(step) {
  const tabs = links(".st-key-tabs");
  const here = tabs.findIndex((tab) => tab.getAttribute("aria-current") === "page");
  tabs[here + step]?.click();
}

// Presenting: one figure a screen

const EXPLORER = ".st-key-threshold_explorer";
const SLIDES = [
  '[class*="st-key-figure-"], [class*="st-key-cards-"], [class*="st-key-slide"]',
  EXPLORER,
].join();

/** The explorer, in its own tree. */
const explorer = () =>
  document
    .querySelector(`${EXPLORER} [data-testid="stBidiComponentIsolated"]`)
    ?.shadowRoot?.querySelector(".explorer");

/** What is shown one by one: all that belongs to one screen. The explorer is on several. */
function slides() {
  const all = [...document.querySelectorAll(`[data-testid="stMain"] :is(${SLIDES})`)];
  const outer = all.filter((one) => !all.some((other) => other !== one && other.contains(one)));
  return outer.flatMap((one) => {
    if (!one.matches(EXPLORER)) return [[one]];
    const figures = explorer()?.querySelectorAll(".figures > .figure") ?? [];
    return [...figures].map((figure) => [one, figure]);
  });
}

/** Whether one figure has the screen: a phone has no room for it, and no keys to leave it. */
const isPresented = () => Boolean(state?.data?.present) && window.innerWidth > PHONE;

function present(isPresenting) {
  const { classList } = document.querySelector(".stApp");
  // Who presents begins with the headline, however far the page was scrolled.
  if (isPresenting && !classList.contains("presenting")) {
    document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
  }
  classList.toggle("presenting", isPresenting);
  markSlide();
}

function turnSlide(step) {
  state.at = Math.min(Math.max(0, state.at + step), Math.max(0, slides().length - 1));
  markSlide();
}

function markSlide() {
  const isPresenting = isPresented();
  const all = isPresenting ? slides() : [];
  explorer()?.classList.toggle("presented", isPresenting);
  if (state.page !== state.data.page) Object.assign(state, { page: state.data.page, at: 0 });
  const at = Math.min(state.at, Math.max(0, all.length - 1));
  const shown = new Set(all[at]);
  for (const one of state.shown) if (!shown.has(one)) one.classList.remove("slide-shown");
  for (const one of shown) one.classList.add("slide-shown");
  state.shown = shown;
  const said = all.length > 1 ? `${at + 1} of ${all.length}  ← →` : "";
  if (state.count.textContent !== said) state.count.textContent = said;
  const isComplete = document.querySelector(".stApp").getAttribute(RUNS) === "notRunning";
  if (isComplete) document.body.classList.remove("opens-presenting");
}
