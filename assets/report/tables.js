// Tables to copy: as Markdown, as LaTeX, and for Word. Text of the data stays text in each of them.

// Marks that keep text in its order on the screen, and that keep formulas of a spreadsheet apart.
const IN_ORDER = /\u200e/g;
const JOINER = "\u2060";

/** The caption and the rows of a table as plain text; the head is empty where it has none. */
function cellsOf(table) {
  const text = (node) => node.textContent.replace(IN_ORDER, "").trim();
  const rows = [...table.rows].map((row) => [...row.cells].map(text));
  const isText = table.classList.contains("texts");
  const head = table.tHead ? rows.shift() : rows[0].map(() => "");
  return { caption: table.caption ? text(table.caption) : "", head, rows, isText };
}

/** Markdown that shows a text and nothing else. */
function marked(text) {
  const shown = text
    .replace(/[\\`*_[\]<>|~$&#{}]/g, "\\$&")
    .trim()
    .replace(/(?<=www)(?=\.)|(?<=[a-z]:)(?=\/\/)|(?<=@)/gi, JOINER);
  if (/^\d+[.)](\s|$)/.test(shown)) return shown.replace(/^(\d+)/, "$1\\");
  return shown.replace(/^(\u2060?)(?=[-+=])/, "$1\\");
}

function markdownOf({ caption, head, rows, isText }) {
  const line = (cells) => `| ${cells.map((cell) => marked(cell) || " ").join(" | ")} |`;
  const align = head.map((_, at) => (at && !isText ? "---:" : "---"));
  const lines = [line(head), `| ${align.join(" | ")} |`, ...rows.map(line)];
  return [...(caption ? [marked(caption), ""] : []), ...lines].join("\n");
}

const IN_LATEX = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "\\char34{}",
  "`": "\\textasciigrave{}",
  "−": "$-$",
  "≥": "$\\geq$",
  "≤": "$\\leq$",
  "⟨": "$\\langle$",
  "⟩": "$\\rangle$",
};

/** LaTeX that sets a text: no command, no argument of `\\`, no dash or quote of several marks. */
function latex(text) {
  return text
    .replaceAll(JOINER, "")
    .replace(/[{}$&#_%]|[\\~^<>|"`−≥≤⟨⟩]|[[\]*]|([-,'])(?=\1)/g, (mark) => {
      if (mark in IN_LATEX) return IN_LATEX[mark];
      if ("[]*".includes(mark)) return `{${mark}}`;
      return "-,'".includes(mark) ? `${mark}{}` : `\\${mark}`;
    });
}

function latexOf({ caption, head, rows, isText }) {
  const line = (cells) => `${cells.map(latex).join(" & ")} \\\\`;
  return [
    "\\begin{table}",
    ...(caption ? [`\\caption{${latex(caption)}}`] : []),
    `\\begin{tabular}{${head.map((_, at) => (at && !isText ? "r" : "l")).join("")}}`,
    "\\hline",
    ...(head.some(Boolean) ? [line(head), "\\hline"] : []),
    ...rows.map(line),
    "\\hline",
    "\\end{tabular}",
    "\\end{table}",
  ].join("\n");
}

const IN_HTML = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const html = (text) => text.replace(/[&<>"]/g, (mark) => IN_HTML[mark]);

/** A table as Word takes it: each border and each side is said where it stands. */
function wordOf({ caption, head, rows, isText }) {
  const line = (name, cells, edge) => {
    const side = (at) => (at && !isText ? "right" : "left");
    const style = (at) => `text-align:${side(at)};padding:2pt 6pt;border-bottom:${edge}`;
    const made = cells.map((cell, at) => `<${name} style="${style(at)}">${html(cell)}</${name}>`);
    return `<tr>${made.join("")}</tr>`;
  };
  return [
    '<table style="border-collapse:collapse;font-family:sans-serif;font-size:10pt">',
    caption ? `<caption style="text-align:left">${html(caption)}</caption>` : "",
    head.some(Boolean) ? line("th", head, "1pt solid #000000") : "",
    ...rows.map((cells) => line("td", cells, "0.5pt solid #999999")),
    "</table>",
  ].join("");
}

const tabbed = ({ head, rows }) => [head, ...rows].map((row) => row.join("\t")).join("\n");

const FORMATS = {
  Markdown: (cells) => ({ "text/plain": markdownOf(cells) }),
  LaTeX: (cells) => ({ "text/plain": latexOf(cells) }),
  Word: (cells) => ({ "text/html": wordOf(cells), "text/plain": tabbed(cells) }),
};

/** Put texts by their kinds where a paste finds them; works in a file and in a frame, too. */
function copied(table, texts) {
  const put = (event) => {
    for (const [kind, text] of Object.entries(texts)) event.clipboardData.setData(kind, text);
    event.preventDefault();
  };
  // A browser copies only where something is selected.
  getSelection().selectAllChildren(table);
  document.addEventListener("copy", put, { once: true });
  const done = document.execCommand("copy");
  document.removeEventListener("copy", put);
  getSelection().removeAllRanges();
  return done;
}

function addButtons(place) {
  const table = place.querySelector("table");
  const line = document.createElement("p");
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  line.className = "copy";
  line.append("Copy as ");
  for (const [name, write] of Object.entries(FORMATS)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.setAttribute("aria-label", `${name}: ${table.caption?.textContent ?? "table"}`);
    button.addEventListener("click", () => {
      const done = copied(table, write(cellsOf(table)));
      said.textContent = done ? `Copied as ${name}.` : "The browser does not let this be copied.";
    });
    line.append(button, " ");
  }
  line.append(said);
  place.append(line);
}

document.querySelectorAll(".table").forEach(addButtons);
