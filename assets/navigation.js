// What the links of the sidebar lack: to say which page is shown, and to give way on a phone; and
// what the drop zone is.

const PHONE = 768;
const ZONE = '[data-testid="stFileUploaderDropzone"][role="presentation"]';

export default function ({ data }) {
  const sidebar = document.querySelector('[data-testid="stSidebar"]');
  if (!sidebar) return;
  const before = sidebar.dataset.page;
  sidebar.dataset.page = data.page;
  // The links of the new page may be drawn a moment after this runs.
  setTimeout(() => {
    mark(sidebar, data.page);
    const tabs = document.querySelector(".st-key-tabs");
    if (tabs) {
      mark(tabs, data.tab);
      bring(tabs, tabs.querySelector("[aria-current]"));
    }
    // Streamlit calls the zone a mere picture, and names it all the same.
    for (const zone of document.querySelectorAll(ZONE)) zone.setAttribute("role", "group");
  }, 300);
  if (before && before !== data.page && window.innerWidth <= PHONE) fold(sidebar);
}

function mark(links, title) {
  for (const link of links.querySelectorAll("a")) {
    if (link.textContent.trim() === title) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Scroll a row of tabs, of which a phone shows some, to one of them. */
function bring(tabs, tab) {
  const [outer, inner] = [tabs, tab ?? tabs].map((one) => one.getBoundingClientRect());
  tabs.scrollLeft += Math.max(0, inner.right - outer.right);
}

function fold(sidebar) {
  // The button that unfolds it is there only while it is folded.
  if (document.querySelector('[data-testid="stExpandSidebarButton"]')) return;
  sidebar.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}
