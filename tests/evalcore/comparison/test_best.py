"""The best of several models looks better than it is, and by how much."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from evalcore.compare import compare
from evalcore.comparison.power import DRAWS, corrected, normal_deviations, optimism
from evalcore.metrics.metric import Better, Estimate
from evalcore.options import Options
from evalread.loading import load


def highest_of(models):
    """Return the mean of the highest of so many standard normal numbers."""
    return quad(lambda x: x * models * norm.pdf(x) * norm.cdf(x) ** (models - 1), -9, 9)[0]


@pytest.mark.parametrize("models", [2, 5, 20])
def test_the_best_of_equal_models_is_too_good_by_the_mean_of_the_highest(models):
    less = optimism(np.zeros(models), normal_deviations(np.eye(models)), Better.HIGHER)

    assert less == pytest.approx(highest_of(models), abs=3 / DRAWS**0.5)


def test_of_errors_the_lowest_is_chosen():
    deviations = normal_deviations(np.eye(5))

    assert optimism(np.zeros(5), deviations, Better.LOWER) == pytest.approx(
        highest_of(5), abs=3 / DRAWS**0.5
    )


def test_a_model_that_always_leads_needs_no_correction():
    values = np.array([0.0, 0.0, 100.0])

    less = optimism(values, normal_deviations(np.eye(3)), Better.HIGHER)
    assert less < 0.01
    assert corrected("a", Estimate(100, 98, 102), less, Better.HIGHER, (0, 200)) is None


def test_models_that_err_alike_need_hardly_any():
    alike = np.full((5, 5), 0.99) + 0.01 * np.eye(5)

    assert optimism(np.zeros(5), normal_deviations(alike), Better.HIGHER) == pytest.approx(
        0.1 * highest_of(5), abs=0.02
    )


def test_value_and_interval_move_together_within_the_range():
    made = corrected("a", Estimate(0.05, 0.02, 0.10), 0.03, Better.HIGHER, (0, 1))

    assert (made.value, made.low, made.high) == pytest.approx((0.02, 0, 0.07))
    worse = corrected("a", Estimate(0.05, 0.02, 0.10), 0.03, Better.LOWER, (0, 1))
    assert (worse.value, worse.low, worse.high) == pytest.approx((0.08, 0.05, 0.13))


def guesses(models, n=120):
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=n)
    columns = [truth, *(np.where(rng.random(n) < 0.7, truth, 1 - truth) for _ in range(models))]
    head = ",".join(["truth", *(f"m{place}_label" for place in range(models))])
    rows = (",".join(map(str, row)) for row in zip(*columns, strict=True))
    return load([("f.csv", "\n".join([head, *rows]).encode())])


@pytest.mark.parametrize("metric", ["accuracy", "f1"])
def test_the_best_of_many_is_said_to_look_better_than_it_is(metric):
    made = compare(guesses(8), Options(resamples=300), metric=metric)

    (notice,) = [one for one in made.notices if one.code == "best-of-many"]
    assert "The best of 8 looks better than it is" in notice.message
    assert made.corrected.model == made.order[0]
    assert made.corrected.value < made.models[made.order[0]].value - 0.01


def test_a_clear_winner_is_left_as_it_is():
    text = "truth,a_label,b_label\n" + "y,y,n\nn,n,n\n" * 40

    assert compare(load([("f.csv", text.encode())]), Options()).corrected is None


def test_where_nothing_tells_how_values_vary_nothing_is_drawn():
    assert normal_deviations(np.array([[1.0, np.nan], [np.nan, 1.0]])) is None
