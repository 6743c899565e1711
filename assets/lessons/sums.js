// Sums over lists of numbers. No drawing here.

/** The whole numbers below n. */
export const below = (n) => Array.from({ length: n }, (_, at) => at);

export const sum = (values) => values.reduce((all, one) => all + one, 0);

/** NaN where there is nothing. */
export const mean = (values) => sum(values) / values.length;

/** The sum of products of two lists' distances from their means. */
export function crossed(one, other) {
  const [middle, second] = [mean(one), mean(other)];
  return sum(one.map((value, at) => (value - middle) * (other[at] - second)));
}

/** The standard deviation of a sample; NaN for fewer than two values. */
export const deviation = (values) => Math.sqrt(crossed(values, values) / (values.length - 1));

/** Every pair of places of a list of n, the first before the second. */
export const pairsOf = (n) =>
  below(n).flatMap((one) => below(n - one - 1).map((at) => [one, one + at + 1]));
