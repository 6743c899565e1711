"""Comparing models from counts of each by itself and of each pair, against the rows themselves."""

from pathlib import Path

import numpy as np
import pytest

from evalcore.compare import compare, verdict
from evalcore.comparison.results import Comparison
from evalcore.options import Options
from evalread.counts.files import as_bytes
from evalread.counts.making import counts_of
from evalread.dataset import Dataset
from evalread.loading import load

SAMPLES = Path("assets/samples")
OPTIONS = Options(resamples=500)


def read(name: str, most: int) -> tuple[Dataset, Dataset]:
    """Return the rows of a sample, and its counts in blocks of at most so many cells."""
    rows = load([(name, (SAMPLES / name).read_bytes())])
    counts = load([("c.parquet", as_bytes(counts_of(rows, most=most)))])
    assert counts.table.counted is not None
    assert len(counts.table.counted.blocks) == 6
    return rows, counts


@pytest.fixture(scope="module")
def breast_cancer() -> tuple[Dataset, Dataset]:
    return read("breast_cancer.csv", 568)


DRAWN = np.random.default_rng(0).integers(0, (10, 4, 4, 5, 5), (2000, 5)).tolist()
NUMBERS = "y,pred_a,pred_b\n" + "".join(
    f"{10 + y},{10 + y + a / 2 + c / 900:.4f},{10 + y + b * 0.6 + d / 900:.4f}\n"
    for y, a, b, c, d in DRAWN
)
"""Numbers whose third decimals and further ones get lost where two models stand side by side."""


def p_values(made: Comparison, *names: str) -> list[float]:
    return [one.finding.p_value for one in made.tests if one.test in names]


def test_decisions_are_compared_to_the_last_digit(breast_cancer: tuple[Dataset, Dataset]) -> None:
    rows, counts = (compare(data, OPTIONS, metric="accuracy") for data in breast_cancer)
    exact = ("mcnemar_mid_p", "mcnemar_exact", "mcnemar_chi2", "mcnemar_chi2_corrected")
    assert len(p_values(rows, *exact)) == 12
    assert p_values(counts, *exact) == pytest.approx(p_values(rows, *exact), rel=1e-12)
    assert counts.n == rows.n == 569
    assert counts.design is rows.design
    assert counts.summary == rows.summary
    assert [vars(one) for one in counts.differences] == [vars(one) for one in rows.differences]
    assert counts.corrected is not None
    assert rows.corrected is not None
    assert counts.corrected.value == pytest.approx(rows.corrected.value, rel=1e-9)
    (why,) = (one.why for one in counts.not_applicable if one.test == "cochran_q")
    assert "two at a time" in why
    assert not any(one.test == "cochran_q" for one in rows.not_applicable)


def test_areas_have_their_own_values_and_a_covariance_of_rounded_scores(
    breast_cancer: tuple[Dataset, Dataset],
) -> None:
    rows, counts = (compare(data, OPTIONS, metric="roc_auc") for data in breast_cancer)
    for name, of_rows in rows.models.items():
        of_counts = counts.models[name]
        assert of_counts.value == pytest.approx(of_rows.value, rel=1e-12)
        assert (of_counts.low, of_counts.high) == pytest.approx((of_rows.low, of_rows.high))
    for one, other in zip(rows.differences, counts.differences, strict=True):
        assert other.difference == pytest.approx(one.difference, rel=1e-9)
        assert one.high is not None
        assert one.low is not None
        assert (other.low, other.high) == pytest.approx(
            (one.low, one.high), abs=(one.high - one.low) / 50
        )
    assert p_values(counts, "delong") == pytest.approx(p_values(rows, "delong"), abs=0.01)


def test_numbers_keep_their_own_errors_and_the_spread_of_rounded_ones() -> None:
    rows = load([("numbers.csv", NUMBERS.encode())])
    made = counts_of(rows, most=300)
    assert [bool(block.digits) for block in made.blocks] == [False, False, True]
    counts = load([("c.parquet", as_bytes(made))])
    for metric in ("rmse", "mae"):
        one, other = (compare(data, OPTIONS, metric=metric) for data in (rows, counts))
        for first, second in zip(one.differences, other.differences, strict=True):
            assert second.difference == pytest.approx(first.difference, rel=1e-9)
            assert (second.low, second.high) == pytest.approx((first.low, first.high), rel=0.01)
        found = p_values(other, "diebold_mariano")
        assert found == pytest.approx(p_values(one, "diebold_mariano"), abs=0.02)


def test_the_verdict_is_that_of_the_whole_comparison(
    breast_cancer: tuple[Dataset, Dataset],
) -> None:
    for metric in ("accuracy", "roc_auc"):
        counts = breast_cancer[1]
        assert verdict(counts, OPTIONS, metric=metric).summary == (
            compare(counts, OPTIONS, metric=metric).summary
        )
