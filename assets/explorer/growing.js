// A curve that grows by whole moves, in counts. No drawing here.

/**
 * The corners of the curve, from the start on.
 * @param {{up: number, right: number, pairs: number}[]} steps
 * @returns {{tp: number, fp: number, pairs: number}[]}
 */
export function growing(steps) {
  const corners = [{ tp: 0, fp: 0, pairs: 0 }];
  for (const { up, right, pairs } of steps) {
    const { tp, fp } = corners.at(-1);
    corners.push({ tp: tp + up, fp: fp + right, pairs });
  }
  return corners;
}

/** The corners up to a step, which need not be whole: 2.5 is halfway from 2 to 3. */
export function cornersUpTo(corners, step) {
  const whole = Math.floor(step);
  const reached = corners.slice(0, whole + 1);
  if (whole === step) return reached;
  const [from, to] = [corners[whole], corners[whole + 1]];
  const between = (key) => from[key] + (step - whole) * (to[key] - from[key]);
  return [...reached, { tp: between("tp"), fp: between("fp") }];
}

/** Where the curve first reaches a count of one axis; on a diagonal between its corners. */
export function crossing(corners, count, along, other) {
  const at = corners.findIndex((corner) => corner[along] >= count);
  if (at < 1) return at < 0 ? null : corners[0][other];
  const [from, to] = [corners[at - 1], corners[at]];
  const part = (count - from[along]) / (to[along] - from[along]);
  return from[other] + part * (to[other] - from[other]);
}

/**
 * The lines that part the area below the curve into rectangles, each from one point [fp, tp] to
 * another.
 */
export function partings(corners) {
  const end = corners.at(-1);
  const upright = counts(end.fp).map((fp) => {
    const top = Math.max(...corners.filter((corner) => corner.fp === fp).map(({ tp }) => tp), -1);
    return [[fp, 0], [fp, top < 0 ? crossing(corners, fp, "fp", "tp") : top]];
  });
  const level = counts(end.tp).map((tp) => [
    [crossing(corners, tp, "tp", "fp"), tp],
    [end.fp, tp],
  ]);
  return [...upright, ...level];
}

const counts = (most) => Array.from({ length: Math.floor(most) }, (_, at) => at + 1);
