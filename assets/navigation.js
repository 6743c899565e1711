// What the links of the sidebar lack: to say which page is shown, and to give way on a phone; and
// what the drop zone is.

const PHONE = 768;
const ZONE = '[data-testid="stFileUploaderDropzone"][role="presentation"]';
const RUNS = "data-test-script-state";

/** What is shown, and whether its tab was brought into view; lives as long as the document. */
let state = null;

export default function ({ data }) {
  const sidebar = document.querySelector('[data-testid="stSidebar"]');
  if (!sidebar) return;
  state ??= watch();
  const { page, tab } = state;
  if (page !== data.page || tab !== data.tab) Object.assign(state, data, { isBrought: false });
  complete();
  if (page && page !== data.page && window.innerWidth <= PHONE) fold(sidebar);
}

/** Complete whatever is drawn from now on: links may come long after the script of their page. */
function watch() {
  let waiting = 0;
  const look = () => {
    waiting = 0;
    complete();
  };
  new MutationObserver(() => (waiting ||= setTimeout(look, 60))).observe(
    document.querySelector(".stApp"),
    { childList: true, subtree: true, attributeFilter: [RUNS] },
  );
  return {};
}

function complete() {
  const sidebar = document.querySelector('[data-testid="stSidebar"]');
  if (sidebar) mark(sidebar, state.page);
  const tabs = document.querySelector(".st-key-tabs");
  if (tabs) {
    mark(tabs, state.tab);
    const tab = tabs.querySelector("[aria-current]");
    if (tab && !state.isBrought) {
      bring(tabs, tab);
      // From then on the tabs stay where the reader scrolls them.
      state.isBrought = document.querySelector(".stApp").getAttribute(RUNS) === "notRunning";
    }
  }
  // Streamlit calls the zone a mere picture, and names it all the same.
  for (const zone of document.querySelectorAll(ZONE)) zone.setAttribute("role", "group");
}

function mark(links, title) {
  for (const link of links.querySelectorAll("a")) {
    if (link.textContent.trim() === title) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Scroll a row of tabs, of which a phone shows some, to one of them. */
function bring(tabs, tab) {
  const [outer, inner] = [tabs, tab].map((one) => one.getBoundingClientRect());
  tabs.scrollLeft += Math.max(0, inner.right - outer.right);
}

function fold(sidebar) {
  // The button that unfolds it is there only while it is folded.
  if (document.querySelector('[data-testid="stExpandSidebarButton"]')) return;
  sidebar.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}
