// Polynomials by least squares, of all degrees at once, from points alone. No drawing here.

/**
 * Polynomials that are orthogonal over points x (Forsythe 1957), so that each degree adds one term
 * and none changes; far better conditioned than powers of x.
 * @param {number[]} x
 * @param {number} most the highest degree, below the number of points
 */
export function basisOf(x, most) {
  const rows = [x.map(() => 1)];
  const [shifts, scales] = [[], []];
  for (let degree = 1; degree <= most; degree += 1) {
    const last = rows[degree - 1];
    const size = dot(last, last);
    shifts.push(x.reduce((all, at, place) => all + at * last[place] ** 2, 0) / size);
    scales.push(degree > 1 ? size / dot(rows[degree - 2], rows[degree - 2]) : 0);
    rows.push(x.map((at, place) => step(at, place, rows, shifts, scales)));
  }
  /** The polynomials at any other point. */
  const at = (point) => {
    const values = [[1]];
    for (let degree = 1; degree <= most; degree += 1) {
      values.push([step(point, 0, values, shifts, scales)]);
    }
    return values.map(([value]) => value);
  };
  return { rows, at };
}

/** The next polynomial at a point: (x - shift) times the last, less scale times the one before. */
function step(x, place, rows, shifts, scales) {
  const degree = rows.length;
  const before = degree > 1 ? scales[degree - 1] * rows[degree - 2][place] : 0;
  return (x - shifts[degree - 1]) * rows[degree - 1][place] - before;
}

const dot = (one, other) => one.reduce((all, value, at) => all + value * other[at], 0);

/** The coefficients of the terms that come nearest to y. */
export const fitted = ({ rows }, y) => rows.map((row) => dot(row, y) / dot(row, row));

/** The value of a fit of some degree where the polynomials have these values. */
export const valueOf = (coefficients, values, degree) =>
  coefficients.slice(0, degree + 1).reduce((all, one, at) => all + one * values[at], 0);

/** The mean of squared differences. */
export const meanSquare = (one, other) =>
  one.reduce((all, value, at) => all + (value - other[at]) ** 2, 0) / one.length;
