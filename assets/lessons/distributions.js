// The normal, Student's t, beta and binomial distributions. Tests hold them against scipy's.

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the gamma function, for x > 0 (Lanczos, g = 7). */
export function lnGamma(x) {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lnGamma(1 - x);
  const base = x + 6.5;
  const sum = LANCZOS.reduce((all, c, at) => all + c / (x + at), 0.99999999999980993);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

export const normalDensity = (x) => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);

/** The share of a standard normal distribution below x. */
export function normalCdf(x) {
  if (Number.isNaN(x)) return NaN;
  if (Math.abs(x) > 39) return x < 0 ? 0 : 1;
  const tail = 0.5 * upperGamma(0.5, 0.5 * x * x);
  return x < 0 ? tail : 1 - tail;
}

/** The regularised upper incomplete gamma function. */
function upperGamma(a, x) {
  if (x === 0) return 1;
  const front = Math.exp(a * Math.log(x) - x - lnGamma(a));
  if (x < a + 1) {
    let [term, sum] = [1 / a, 1 / a];
    for (let n = 1; n < 300 && term > sum * 1e-17; n += 1) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - front * sum;
  }
  return front * fraction((n) => [n * (a - n), x + 2 * n + 1 - a], x + 1 - a);
}

/** 1 / (first + a1 / (b1 + a2 / (b2 + …))), by the method of Lentz. */
function fraction(terms, first) {
  const tiny = 1e-300;
  let c = 1 / tiny;
  let d = 1 / first;
  let value = d;
  for (let n = 1; n < 1000; n += 1) {
    const [a, b] = terms(n);
    d = 1 / (a * d + b || tiny);
    c = b + a / c || tiny;
    value *= c * d;
    if (Math.abs(c * d - 1) < 1e-16) break;
  }
  return value;
}

/** The share of a beta distribution below x: the regularised incomplete beta function. */
export function betaCdf(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // Beyond its middle the other tail is worked out: the fraction is fast only below.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const front = Math.exp(
    lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  const terms = (n) => {
    const m = n >> 1;
    const even = (m * (b - m) * x) / ((a + n - 1) * (a + n));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + n - 1) * (a + n));
    return [n % 2 ? odd : even, 1];
  };
  return (front / a) * fraction(terms, 1);
}

/** The share of Student's t distribution below t. */
export function tCdf(t, df) {
  const tail = 0.5 * betaCdf(df / (df + t * t), df / 2, 0.5);
  return t > 0 ? 1 - tail : tail;
}

export const binomialPmf = (k, n, p) => {
  if (p <= 0 || p >= 1) return Number(k === (p <= 0 ? 0 : n));
  const ways = lnGamma(n + 1) - lnGamma(k + 1) - lnGamma(n - k + 1);
  return Math.exp(ways + k * Math.log(p) + (n - k) * Math.log1p(-p));
};

/** Where a rising function reaches a value, between two ends. */
export function solve(rising, value, low, high) {
  for (let at = 0; at < 200; at += 1) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (rising(middle) < value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The quantile of the standard normal distribution; exact symmetry about a half. */
export const normalQuantile = (p) =>
  p > 0.5 ? -normalQuantile(1 - p) : solve(normalCdf, p, -39, 0);

export const tQuantile = (p, df) =>
  p < 0.5 ? -tQuantile(1 - p, df) : solve((t) => tCdf(t, df), p, 0, 1e7);

export const betaQuantile = (p, a, b) => solve((x) => betaCdf(x, a, b), p, 0, 1);

/** The interval of Wilson (1927): the shares that a z test would not reject. */
export function wilson(right, n, z) {
  const share = right / n;
  const [whole, middle] = [1 + z ** 2 / n, share + z ** 2 / (2 * n)];
  const half = z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n * n));
  return [(middle - half) / whole, (middle + half) / whole];
}
