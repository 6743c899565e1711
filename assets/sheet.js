// The sheet of an explained number stands at the lower edge of the window: its table gives way.

const SHARE = 0.58; // of the window's height is left above the sheet, see cards.css
const GAP = 12;
const shown = new WeakMap();

export default function ({ data, parentElement }) {
  const page = document.querySelector('[data-testid="stMain"]');
  const table = document.querySelector(`.st-key-${data.table}`);
  if (!page || !table || shown.get(parentElement) === data.number) return;
  shown.set(parentElement, data.number);
  const hidden = table.getBoundingClientRect().bottom + GAP - SHARE * window.innerHeight;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (hidden > 0) page.scrollBy({ top: hidden, behavior: still ? "auto" : "smooth" });
}
