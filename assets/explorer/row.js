// The plots that are chosen, and the matrix in the room that they leave.

/** @param {Element} row the element that holds them */
export function makeRow(row, plots, matrix) {
  return {
    draw({ board }) {
      const shown = plots.filter(({ isShown }) => isShown(board));
      const nodes = [...shown, matrix].flatMap((each) => each.nodes);
      const isThere = (node, at) => row.children[at] === node;
      const isSame = row.children.length === nodes.length && nodes.every(isThere);
      if (!isSame) row.replaceChildren(...nodes);
      row.style.setProperty("--rest-of-3", 3 - (shown.length % 3));
      row.style.setProperty("--rest-of-2", 2 - (shown.length % 2));
    },
  };
}
