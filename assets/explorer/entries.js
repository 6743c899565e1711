// The entries of a figure's menu.

import { csvOf, pngOf, save } from "./files.js";

/**
 * The entries of a menu; `code` gives the Python, or nothing.
 * @param {{name: (ending: string) => string, picture: () => object, rows: () => unknown[][],
 *   code: () => string | undefined}} parts
 */
export function entries({ name, picture, rows, code }) {
  const toPng = async ({ text, size }) => save(name("png"), "image/png", await pngOf(text, size));
  return [
    {
      name: "PNG",
      title: "Picture in points",
      take: () => toPng(picture()),
    },
    {
      name: "SVG",
      title: "Picture in lines, which stays sharp",
      take: () => save(name("svg"), "image/svg+xml", picture().text),
    },
    {
      name: "Data (CSV)",
      title: "Every point that is drawn",
      take: () => save(name("csv"), "text/csv", csvOf(rows())),
    },
    {
      name: "Python",
      title: "The lines that draw this figure from the same file",
      take: () => save(name("py"), "text/x-python", code()),
    },
  ].filter((entry) => entry.name !== "Python" || code());
}
