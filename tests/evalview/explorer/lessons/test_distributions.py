"""Distributions, draws and formulas in the browser, held against scipy's and worked examples."""

import numpy as np
import pytest
from scipy import stats

from tests.evalview.explorer.lessons.staging import Load

pytestmark = pytest.mark.browser


def _all(load: Load, module: str, call: str, rows: list[list[float]]) -> np.ndarray:
    return np.array(load(module).evaluate(f"(rows) => rows.map((row) => {call}(...row))", rows))


def test_the_normal_distribution_is_scipys(module: Load) -> None:
    x = np.concatenate([np.linspace(-8, 8, 161), [-30, 30, 0]])
    found = _all(module, "distributions", "normalCdf", [[v] for v in x.tolist()])
    np.testing.assert_allclose(found, stats.norm.cdf(x), rtol=1e-12, atol=1e-300)
    p = np.array([1e-9, 0.001, 0.025, 0.2, 0.5, 0.8, 0.95, 0.975, 0.995])
    found = _all(module, "distributions", "normalQuantile", [[v] for v in p.tolist()])
    np.testing.assert_allclose(found, stats.norm.ppf(p), rtol=1e-9, atol=1e-12)


def test_students_t_is_scipys(module: Load) -> None:
    rows = [[t, df] for t in (-6.0, -2.262, -0.5, 0.0, 0.1, 1.96, 9.0) for df in (1, 2, 9, 29, 4e5)]
    found = _all(module, "distributions", "tCdf", rows)
    np.testing.assert_allclose(found, [stats.t.cdf(t, df) for t, df in rows], rtol=1e-9)
    rows = [[p, df] for p in (0.005, 0.1, 0.5, 0.9, 0.95, 0.975, 0.995) for df in (1, 4, 9, 1000)]
    found = _all(module, "distributions", "tQuantile", rows)
    expected = [stats.t.ppf(p, df) for p, df in rows]
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-9)


def test_binomial_and_beta_are_scipys(module: Load) -> None:
    rows = [[k, n, p] for n in (1, 20, 1000) for k in (0, n // 2, n) for p in (0.0, 0.1, 0.8, 1.0)]
    found = _all(module, "distributions", "binomialPmf", rows)
    np.testing.assert_allclose(
        found, [stats.binom.pmf(*row) for row in rows], rtol=1e-9, atol=1e-300
    )
    rows = [[p, a, b] for p in (0.025, 0.5, 0.975) for a, b in ((1, 20), (17, 5), (801, 200))]
    found = _all(module, "distributions", "betaQuantile", rows)
    np.testing.assert_allclose(found, [stats.beta.ppf(*row) for row in rows], rtol=1e-9)


def test_a_seed_draws_the_same_numbers_and_they_are_normal(module: Load) -> None:
    call = "(seed) => { const draw = normals(seed); return Array.from({ length: 20000 }, draw); }"
    page = module("random")
    first, again, other = (np.array(page.evaluate(call, seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert abs(np.corrcoef(first, other)[0, 1]) < 0.03
    assert stats.kstest(first, "norm").pvalue > 0.01


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("a = [{x} // {n,}] + b^2", "a = 0.500 12,000 + b 2"),
        ("t_(k-1) = √({x:4}) ≈ {y%}", "t k−1 = 0.5000 ≈ 25.0%"),
        ("false positive rate = {z}", "false positive rate = undefined"),
        ("-{m}", "−−2"),
        ("{text}", "<b>"),
    ],
)
def test_a_formula_shows_its_numbers(line: str, shown: str, module: Load) -> None:
    values = "{ x: 0.5, n: 12000, y: 0.25, z: NaN, m: -2, text: '<b>' }"
    call = f"""(line) => {{
        const {{ nodes, fill }} = formula(line);
        fill({values});
        return nodes.map((node) => node.textContent).join(" ");
    }}"""
    found = module("formula").evaluate(call, line)
    assert "".join(found.split()) == "".join(shown.split())
