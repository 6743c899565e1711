// Numbers drawn at random from a seed: the same seed draws the same numbers.

/**
 * A function that draws numbers from 0 to 1, by Tommy Ettinger's mulberry32.
 * @param {number} seed
 */
export function uniforms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A function that draws standard normal numbers (Box and Muller). */
export function normals(seed) {
  const draw = uniforms(seed);
  return () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

/** So many of `rows` rows, in random order, each as likely as any other (Fisher and Yates). */
export function dealt(draw, rows, many) {
  const order = Array.from({ length: rows }, (_, at) => at);
  for (let at = 0; at < many; at += 1) {
    const other = at + Math.floor((rows - at) * draw());
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order.slice(0, many);
}

/** Another seed than this one; the next draw of a lesson. */
export const nextSeed = (seed, high) => (seed % high) + 1;
