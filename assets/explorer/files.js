// Files made in the browser, without a server: text, pictures, tables.

const SCALE = 2;

/** Let the reader save a file. */
export function save(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The picture of an SVG text as a PNG blob, two pixels for each. */
export const pngOf = async (text, { width, height }) => {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * width;
  canvas.height = SCALE * height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
};

/** Rows of cells as CSV; a spreadsheet takes none of them for a formula. */
export const csvOf = (rows) => `${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;

function cell(value) {
  if (typeof value === "number") return Number.isNaN(value) ? "" : String(value);
  const text = /^[\s]*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A name that every file system takes. */
export const fileName = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60) || "figure";
