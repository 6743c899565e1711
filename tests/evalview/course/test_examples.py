"""Worked examples: every number to expect, against fractions worked out apart and golden values."""

import csv
import re
from fractions import Fraction
from math import inf, isnan, sqrt

import pytest
from scipy.stats import t

from evalview.course import examples
from evalview.course.examples import Example, numbers
from tests.evalcore.golden import entries

F = Fraction
EXAMPLES = examples.examples()
UNDEFINED = float("nan")

EXACT: dict[str, dict[str, list[float | F]]] = {
    "cancer-screening": {
        "Accuracy": [F(90 + 9560, 10_000)],
        "Recall": [F(90, 300)],
        "Specificity": [F(9560, 9700)],
        "Precision": [F(90, 230)],
        "F1 score": [F(2 * 90, 2 * 90 + 210 + 140)],
        "Balanced accuracy": [(F(90, 300) + F(9560, 9700)) / 2],
    },
    "buyers": {
        "Accuracy": [F(6954 + 2588, 10_000)],
        "Error rate": [F(46 + 412, 10_000)],
        "Recall": [F(6954, 7000)],
        "Specificity": [F(2588, 3000)],
        "Precision": [F(6954, 6954 + 412)],
        "F1 score": [F(2 * 6954, 2 * 6954 + 46 + 412)],
    },
    "rare-disease": {
        "Accuracy": [F(10_923, 10_923 + 260)],
        "Recall": [0],
        "Balanced accuracy": [F(1, 2)],
    },
    "rare-disease-test": {
        "Accuracy": [F(47 + 2950, 78 + 3277), F(3277, 78 + 3277)],
        "Recall": [F(47, 78), 0],
        "Precision": [F(47, 47 + 327), UNDEFINED],
        "Balanced accuracy": [(F(47, 78) + F(2950, 3277)) / 2, F(1, 2)],
    },
    "two-costs": {
        "Accuracy": [F(150 + 250, 500), F(250 + 200, 500)],
        "Total cost": [-150 + 100 * 40 + 60, -250 + 100 * 45 + 5],
        "Mean cost": [F(3910, 500), F(4255, 500)],
    },
    "ten-scored-rows": {"ROC AUC": [F(14, 25)], "Average precision": [F(7, 10)]},
    "accuracy-of-80": {f"On {n:,} rows": [F(8, 10)] for n in (50, 100, 500, 1000, 5000)},
    "rows-of-their-own": {
        "Accuracy": [F(26, 30), F(3750, 5000)],
        "Difference": [F(26, 30) - F(3, 4)],
    },
    "ten-folds": {
        "Mean accuracy": [F(799, 1000), F(82, 100)],
        # The differences are 21 hundredths together, 73 squared: t = 3 · 21 / sqrt(10 · 73 - 21²).
        # The correction divides by 1/10 + 1/9, the share of test to training rows, not by 1/10.
        "Paired t: t": [F(63, 17)],
        "Paired t: p": [2 * t.sf(63 / 17, 9)],
        "Corrected t: t": [63 / 17 * sqrt(F(9, 19))],
        "Corrected t: p": [2 * t.sf(63 / 17 * sqrt(F(9, 19)), 9)],
    },
    "four-numbers": {
        "Mean absolute error": [F(1, 2), F(3, 2), F(3, 2)],
        "Mean squared error": [F(3, 8), F(27, 8), F(51, 8)],
        "Root mean squared error": [sqrt(F(3, 8)), sqrt(F(27, 8)), sqrt(F(51, 8))],
        "Largest error": [1, 3, 5],
        "R squared": [F(443, 467), F(251, 467), F(59, 467)],
        "Pearson correlation": [
            sqrt(F(255025, 262921)),
            sqrt(F(34225, 38761)),
            sqrt(F(11881, 27553)),
        ],
    },
    "tied-ranks": {
        "Pearson correlation": [sqrt(F(11881, 27553))],
        "Spearman correlation": [sqrt(F(2, 5))],
        "Kendall’s tau-a": [F(4 - 1, 6)],
        "Kendall’s tau-b": [3 / sqrt(6 * 5)],
    },
    "four-ranks": {
        "Spearman correlation": [sqrt(F(2, 5))],
        "Kendall’s tau-a": [F(4 - 1, 6)],
        "Kendall’s tau-b": [3 / sqrt(6 * 5)],
        "R squared": [1 - F(7, 13)],
    },
    "three-classes": {
        "Accuracy": [F(6, 10)],
        "Macro precision": [(F(1, 2) + F(3, 4) + F(2, 4)) / 3],
        "Macro recall": [(F(1, 2) + F(3, 5) + F(2, 3)) / 3],
        "Macro F1 score": [(F(1, 2) + F(2, 3) + F(4, 7)) / 3],
        "Weighted F1 score": [(2 * F(1, 2) + 5 * F(2, 3) + 3 * F(4, 7)) / 10],
        "Cohen’s kappa": [(F(6, 10) - F(36, 100)) / (1 - F(36, 100))],
    },
    "flowers": {
        # 3,075 of 11,175 pairs together in both, 6,756 apart in both, 600 and 744 in one only.
        "Rand index": [F(3075 + 6756, 11_175)],
        "Adjusted Rand index": [F(22587, 30931)],
        "Purity": [F(50 + 48 + 36, 150)],
        "Homogeneity": [0.7514854],
        "Silhouette": [0.5528190],
    },
    "two-points": {
        "Order 1": [2 + 3],
        "Order 2": [sqrt(2**2 + 3**2)],
        "Order 3": [(2**3 + 3**3) ** (1 / 3)],
        "Order ∞": [3],
    },
}  # fmt: skip


CELLS = [(key, called) for key, asked in EXACT.items() for called in asked]


@pytest.mark.parametrize("key", list(EXAMPLES))
def test_a_worked_example_shows_the_numbers_that_are_checked(key: str) -> None:
    assert list(numbers(key)) == list(EXACT[key])


@pytest.mark.parametrize(("key", "called"), CELLS)
def test_a_number_to_expect_equals_its_fraction(key: str, called: str) -> None:
    found = [one.value for one in numbers(key)[called].values()]
    expected = [float(one) for one in EXACT[key][called]]
    # Six digits are told of what no fraction is equal to.
    exact = all(isinstance(one, F | int) for one in EXACT[key][called])
    near = pytest.approx(expected, rel=1e-12 if exact else 2e-4, nan_ok=True)
    assert found == near


@pytest.mark.parametrize("key", list(EXAMPLES))
def test_every_value_lies_within_its_interval(key: str) -> None:
    for found in numbers(key).values():
        for one in found.values():
            assert isnan(one.value) or (one.low is None) is (one.high is None)
            low, high = (-inf if one.low is None else one.low), (one.high or inf)
            assert isnan(one.value) or low <= one.value <= high


def test_the_intervals_of_a_textbook_are_wilsons() -> None:
    (golden,) = entries(id="textbook.e")
    for rows, found in numbers("accuracy-of-80").items():
        (one,) = found.values()
        golden.check({rows.split()[1].replace(",", ""): {"z_exact": [one.low, one.high]}})


def columns(key: str) -> dict[str, list[str]]:
    """Return the columns of an example's file, as they are written."""
    file = examples.path(key)
    assert file is not None
    head, *rows = csv.reader(file.read_text().splitlines())
    return dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))


@pytest.mark.parametrize(
    ("key", "entry", "column"),
    [
        ("four-numbers", "h.1", "first_prediction"),
        ("four-numbers", "h.2", "second_prediction"),
        ("four-numbers", "h.3", "tied_prediction"),
        ("four-ranks", "h.4", "prediction"),
        ("three-classes", "i.first_is_truth", "prediction"),
    ],
)
def test_files_hold_the_rows_of_textbooks(key: str, entry: str, column: str) -> None:
    (golden,) = entries(id=f"textbook.{entry}")
    told = {name: list(map(float, cells)) for name, cells in columns(key).items()}
    assert (told["truth"], told[column]) == (golden.params["truth"], golden.params["pred"])


@pytest.mark.parametrize(
    ("key", "entry"),
    [("buyers", "a"), ("cancer-screening", "b"), ("rare-disease-test", "d.rows_actual")],
)
def test_files_hold_the_counts_of_textbooks(key: str, entry: str) -> None:
    (golden,) = entries(id=f"textbook.{entry}")
    cells = ("tp", "fn", "fp", "tn")
    assert list(map(int, columns(key)["n"])) == [golden.params[cell] for cell in cells]


def test_no_key_and_no_file_is_used_twice() -> None:
    files = [one.file for one in EXAMPLES.values() if one.file]
    assert len(set(files)) == len(files)
    folder = examples.SAMPLES / examples.OWN
    assert sorted(files) == sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("key", list(EXAMPLES))
def test_a_worked_example_says_little_and_types_no_result(key: str) -> None:
    one: Example = EXAMPLES[key]
    assert 40 <= len(one.shows) <= 260
    assert not re.search(r"(?<!\d)0\.\d", one.shows), "results are worked out, not typed"
