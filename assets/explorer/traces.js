// The numbers behind a plotly figure as rows. No drawing here.

const ENTITIES = { lt: "<", gt: ">", quot: '"', "#x27": "'", "#39": "'", amp: "&" };

/** What stands in a figure as a text that plotly may take for markup, as it was meant. */
export const plain = (text) =>
  String(text ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\u2060/g, "")
    .replace(/&(lt|gt|quot|amp|#x27|#39);/g, (_, entity) => ENTITIES[entity]);

const named = (axis) => plain(axis?.title?.text);

/** The words above the vertical axis, which plotly knows as a note at its top. */
const above = ({ annotations = [] }) =>
  plain(annotations.find(({ x, y, yshift }) => x === 0 && y === 1 && yshift)?.text);

/** A heading, and one row for each point that is drawn; what has no name has none here. */
export function rowsOf({ _fullData, data, layout }) {
  const y = named(layout.yaxis) || above(layout) || "y";
  const head = ["drawn", named(layout.xaxis) || "x", y, "value"];
  const label = { x: labels(layout.xaxis), y: labels(layout.yaxis) };
  const shown = _fullData
    .map((full, at) => ({ ...full, name: plain(data[at]?.name) }))
    .filter(({ visible }) => visible !== false);
  const numbers = shown.filter((trace) => trace.type !== "heatmap");
  // Cells that can be clicked lie over their colours, and hold the numbers themselves.
  const isCovered = ({ type, z }) =>
    type === "heatmap" && numbers.some(({ customdata }) => customdata?.length === sizeOf(z));
  return [head, ...shown.filter((trace) => !isCovered(trace)).flatMap((t) => traceRows(t, label))];
}

/** From a place on an axis to what is written there. */
function labels({ tickvals, ticktext } = {}) {
  const texts = new Map(Array.from(tickvals ?? [], (place, at) => [place, ticktext?.[at]]));
  return (place) => {
    const text = texts.get(place) ?? place;
    return typeof text === "number" ? text : plain(text);
  };
}

const sizeOf = (grid) => grid.length * (grid[0]?.length ?? 0);

const traceRows = (trace, label) =>
  trace.type === "heatmap" ? gridRows(trace, label) : pointRows(trace, label);

function pointRows({ name, x, y, customdata }, label) {
  const size = Math.max(x?.length ?? 0, y?.length ?? 0);
  return Array.from({ length: size }, (_, at) => [
    name,
    label.x(x?.[at] ?? at),
    label.y(y?.[at] ?? at),
    typeof customdata?.[at] === "number" ? customdata[at] : "",
  ]);
}

/** The cells of a grid; what they are about is in their data, if they have any, else in colour. */
function gridRows({ name, x, y, z, customdata }, label) {
  return Array.from(z).flatMap((row, down) =>
    Array.from(row, (value, across) => [
      name,
      label.x(x?.[across] ?? across),
      label.y(y?.[down] ?? down),
      customdata?.[down]?.[across] ?? value,
    ]),
  );
}
