// The fonts of the page, written into a picture: it then looks the same wherever it is opened.

/** The families that pictures are written in, with what stands in where they are missing. */
export const SERIF = '"Source Serif 4", Georgia, serif';
export const SANS = '"Inter", "Helvetica Neue", Arial, sans-serif';
const FAMILIES = ["Source Serif 4", "Inter"];

const loaded = new Map();

/** The style sheet of the parts of the fonts that a text needs; "" where the page has none. */
export async function fontsFor(text) {
  const codes = [...new Set(text)].map((letter) => letter.codePointAt(0));
  const needed = facesOf(document).filter(({ ranges }) => codes.some((code) => isIn(ranges, code)));
  const rules = await Promise.all(needed.map(ruleOf));
  return rules.join("\n");
}

/** The faces that the style sheets of a page name; sheets from elsewhere may not be read. */
function facesOf({ styleSheets, baseURI }) {
  const rules = [...styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules];
    } catch {
      return [];
    }
  });
  return rules
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .map(({ style }) => {
      const said = (name) => style.getPropertyValue(name);
      const [, address] = /url\("?([^")]+)"?\)/.exec(said("src")) ?? [];
      const family = said("font-family").replace(/["']/g, "");
      const range = said("unicode-range") || "U+0-10FFFF";
      const weight = said("font-weight") || "400";
      const url = address && new URL(address, baseURI).href;
      return { family, weight, range, ranges: rangesOf(range), url };
    })
    .filter(({ family, url }) => url && FAMILIES.includes(family));
}

/** "U+0-FF, U+131" as pairs of first and last. */
const rangesOf = (text) =>
  text.split(",").map((part) => {
    const [first, last = first] = part.trim().replace(/^u\+/i, "").split("-");
    return [parseInt(first, 16), parseInt(last, 16)];
  });

const isIn = (ranges, code) => ranges.some(([first, last]) => code >= first && code <= last);

async function ruleOf({ family, weight, range, url }) {
  if (!loaded.has(url)) loaded.set(url, dataOf(url));
  const data = await loaded.get(url);
  const about = `font-family: "${family}"; font-weight: ${weight}; unicode-range: ${range};`;
  return data && `@font-face { ${about} src: url("${data}") format("woff2"); }`;
}

/** A file of the page's own server, which the browser has already, as a data address. */
async function dataOf(url) {
  if (url.startsWith("data:")) return url;
  try {
    const blob = await (await fetch(url)).blob();
    return await new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.readAsDataURL(blob);
    });
  } catch {
    return "";
  }
}

const measuring = document.createElement("canvas").getContext("2d");

/** How wide a text is, in pixels. */
export function widthOf(text, { family, size, weight }) {
  measuring.font = `${weight} ${size}px ${family}`;
  return measuring.measureText(text).width;
}
