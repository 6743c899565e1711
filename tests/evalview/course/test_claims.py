"""Claims met in print: every number that settles one, against exact arithmetic done apart."""

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from math import e, log, sqrt
from pathlib import Path
from string import Formatter

import pytest
from scipy import stats

from evalview.course import demonstrations
from evalview.course.claims import Claim, claims

F = Fraction
CLAIMS = list(claims())

TP, FN, FP, TN = 90, 210, 140, 9560
P, R = F(90, 230), F(90, 300)
Z2 = F(stats.norm.ppf(0.975)) ** 2
SPECIES = ((50, 0, 0), (0, 48, 2), (0, 14, 36))
"""The iris flowers of each species (rows) in each of three clusters of k-means (columns)."""


def f1(tp: int, fp: int, fn: int) -> Fraction:
    return F(2 * tp, 2 * tp + fp + fn)


def wilson(side: int, rows: int = 100) -> float:
    """Return an end of Wilson's interval at 95% where 8 rows of 10 are right."""
    root = sqrt(Z2) * sqrt(Z2 + 4 * rows * F(8, 10) * F(2, 10))
    return float((2 * F(8, 10) * rows + Z2 + side * F(root)) / (2 * (rows + Z2)))


FEW, MANY = (wilson(1, rows) - wilson(-1, rows) for rows in (50, 5000))


def entropy(sizes: tuple[int, ...]) -> float:
    return -sum(n / 150 * log(n / 150) for n in sizes if n)


OF_SPECIES, OF_CLUSTERS = entropy((50, 50, 50)), entropy((50, 62, 38))
SHARED = OF_SPECIES + OF_CLUSTERS - entropy(tuple(n for row in SPECIES for n in row))
HOMOGENEITY, COMPLETENESS, PURITY = SHARED / OF_SPECIES, SHARED / OF_CLUSTERS, F(134, 150)
VARIANCES = F(26, 30) * F(4, 30) / 30 + F(3, 4) * F(1, 4) / 5000
PRINTED = F(15, 100) * F(85, 100) / 30 + F(25, 100) * F(75, 100) / 5000

EXACT: Mapping[str, Mapping[str, float | Fraction]] = {
    "accuracy-9640": {"wrong": 350, "accuracy": F(9650, 10_000)},
    "accuracy-is-weighted": {
        "recall": R, "specificity": F(TN, 9700), "accuracy": F(9650, 10_000),
        "positive": F(3, 100), "negative": F(97, 100),
        "mean": F(3, 100) * R + F(97, 100) * F(TN, 9700),
    },
    "majority-accuracy": {"accuracy": F(10_923, 11_183), "ill": F(260, 11_183)},
    "f1-is-jaccard": {"jaccard": F(TP, TP + FP + FN), "f1": f1(TP, FP, FN)},
    "f1-ignores-negatives": {
        "f1": f1(TP, FP, FN), "f1_more": f1(TP, FP, FN),
        "accuracy": F(9650, 10_000), "accuracy_more": F(99_650, 100_000),
    },
    "f-is-geometric": {
        "harmonic": F(24, 55), "geometric": sqrt(F(24, 100)), "arithmetic": F(55, 100),
    },
    "f1-of-rates": {"f1": F(24, 55)},
    "beta-favours-precision": {
        "f2": F(3, 5), "f2_swapped": F(12, 35), "f_half": F(12, 35), "f_half_swapped": F(3, 5),
    },
    "beta-is-squared": {
        "twice": 3 / (1 / P + 2 / R), "four_times": 5 / (1 / P + 4 / R), "f2": F(45, 143),
    },
    "fpr-is-discovery-rate": {"discovery": F(140, 230), "fpr": F(140, 9700)},
    "diagonal-is-precision": {"row": R, "recall": R, "precision": P},
    "rates-and-prevalence": {
        "recall": R, "recall_more": R, "specificity": F(TN, 9700),
        "specificity_more": F(TN, 9700), "precision": P, "precision_more": F(900, 1040),
    },
    "multi-label": {"classes": 3, "labels": 10},
    "micro-f1-is-accuracy": {
        "micro": F(6, 10), "accuracy": F(6, 10), "macro": (F(1, 2) + F(2, 3) + F(4, 7)) / 3,
    },
    "perfect-prediction-and-recall": {
        "recall": 1, "precision": F(3, 100), "f1": f1(300, 9700, 0),
    },
    "cost-follows-accuracy": {
        "accuracy_1": F(4, 5), "cost_1": 3910, "accuracy_2": F(9, 10), "cost_2": 4255,
    },
    "equal-costs": {
        "accuracy_1": F(4, 5), "cost_1": F(1, 5), "accuracy_2": F(9, 10), "cost_2": F(1, 10),
    },
    "auc-is-pairs": {
        "right": 13, "tied": 2, "pairs": 25, "share": F(14, 25), "auc": F(14, 25),
    },
    "tie-is-three-points": {
        "scores": 8, "points": 9, "auc": F(14, 25), "worst": F(13, 25), "best": F(15, 25),
    },
    "roc-above-diagonal": {"auc": F(14, 25), "tpr": F(3, 5), "fpr": F(4, 5)},
    "reversed-scores": {"auc": F(14, 25), "turned": F(11, 25)},
    "surest-only": {
        "precision_high": 1, "recall_high": F(2, 5), "f1_high": f1(2, 0, 3),
        "precision_low": F(1, 2), "recall_low": F(4, 5), "f1_low": f1(4, 4, 1),
    },
    "average-precision-shifted": {
        # Recall rises by 1/5 at the first, second, fourth, sixth and eighth threshold.
        "shifted": F(1, 5) * (1 + 1 + F(2, 3) + F(3, 7) + F(4, 9)),
        "ap": F(1, 5) * (1 + 1 + F(1, 2) + F(1, 2) + F(1, 2)),
        "trapezoid": F(1, 10)
        * (2 + 2 + (F(2, 3) + F(1, 2)) + (F(3, 7) + F(1, 2)) + (F(4, 9) + F(1, 2))),
    },
    "rounded-866": {"high": wilson(1)},
    "interval-without-z": {
        "printed_low": (160 + Z2 - F(sqrt(Z2 + 64))) / (2 * (100 + Z2)),
        "printed_high": (160 + Z2 + F(sqrt(Z2 + 64))) / (2 * (100 + Z2)),
        "low": wilson(-1), "high": wilson(1),
    },
    "t-two-sided": {
        "one_sided": stats.t.ppf(0.95, 9), "two_sided": stats.t.ppf(0.975, 9), "level": F(9, 10),
    },
    # Ten differences, 21 hundredths together and 73 squared.
    "t-divides-by-k": {"printed": 21 / sqrt(10 * F(73 - F(441, 10), 10)) , "t": F(63, 17)},
    "significant-population": {"p": 2 * stats.t.sf(63 / 17, 9), "better": 8, "folds": 10},
    "paired-on-two-sets": {
        "shared": 0, "error": sqrt(VARIANCES), "difference": F(26, 30) - F(3, 4),
        "low": -0.0472, "high": 0.1978,
    },
    "hundred-times-rows": {"few": FEW, "many": MANY, "times": FEW / MANY},
    "twenty-tests": {"none": F(19, 20) ** 20, "some": 1 - F(19, 20) ** 20},
    "variance-as-error": {
        "variance": F(343, 80_000), "error": sqrt(PRINTED), "z": 0.1 / sqrt(F(343, 80_000)),
    },
    "share-of-30": {"rows": F(51, 2), "lower": F(25, 30), "upper": F(26, 30)},
    "bootstrap-368": {
        "never": F(99, 100) ** 100, "once": F(99, 100) ** 99,
        "more": 1 - F(99, 100) ** 100 - F(99, 100) ** 99,
    },
    "bootstrap-632": {
        "ten": 1 - F(9, 10) ** 10, "hundred": 1 - F(99, 100) ** 100, "limit": 1 - 1 / e,
    },
    "mse-over-2n": {"half": F(3, 16), "mse": F(3, 8)},
    "mse-and-units": {"mae": F(1, 2), "mse": F(3, 8), "mae_cm": 50, "mse_cm": 3750},
    "pearson-and-line": {"pearson": 1, "mae": 1, "r2": F(-1, 5)},
    "sums-of-squares": {
        "rss": F(3, 2), "ess": F(567, 16), "both": F(591, 16), "tss": F(467, 16),
    },
    "sums-of-squares-fitted": {
        # Of a fitted line, explained / total is the squared correlation.
        "ess": F(467, 16) * F(255025, 262921), "rss": F(467, 16) * F(7896, 262921),
        "both": F(467, 16), "tss": F(467, 16),
    },
    "rand-is-accuracy": {"rand": F(3075 + 6756, 11_175), "accuracy": F(134, 150)},
    "purity-is-homogeneity": {"purity": PURITY, "homogeneity": HOMOGENEITY},
    "v-measure-of-purity": {
        "printed": 2 * float(PURITY) * COMPLETENESS / (float(PURITY) + COMPLETENESS),
        "v": 2 * HOMOGENEITY * COMPLETENESS / (HOMOGENEITY + COMPLETENESS),
    },
    "ari-denominator": {"printed": F(15058, 3851067048675), "ari": F(22587, 30931)},
    "purity-of-single-points": {"purity": 1, "ari": 0, "completeness": log(3) / log(150)},
    "minkowski-similarity": {"same": 0, "other": sqrt(13)},
}  # fmt: skip
"""What each demonstration shows, worked out from counts and rows that are typed here again."""

NEWCOMBE = ("paired-on-two-sets", "low"), ("paired-on-two-sets", "high")
"""Checked elsewhere to the last digit; here four digits."""


@pytest.mark.parametrize("key", CLAIMS)
def test_a_demonstration_shows_exact_numbers(key: str) -> None:
    found = demonstrations.numbers(key)
    assert EXACT[key].keys() <= found.keys()
    for name, value in EXACT[key].items():
        within = 1e-3 if (key, name) in NEWCOMBE else 1e-12
        assert float(found[name]) == pytest.approx(float(value), rel=within, abs=1e-14), name


@pytest.mark.parametrize("key", CLAIMS)
def test_every_number_that_is_shown_is_checked(key: str) -> None:
    one: Claim = claims()[key]
    parts = (text for pair in one.shown for text in pair)
    named = {name for text in parts for _, name, _, _ in Formatter().parse(text) if name}
    assert named <= EXACT[key].keys()
    assert named, "a claim is settled by numbers that are worked out"


@pytest.mark.parametrize("key", CLAIMS)
def test_a_claim_is_short_and_types_no_result(key: str) -> None:
    one = claims()[key]
    assert 15 <= len(one.text) <= 160
    assert one.text.endswith(".")
    assert 40 <= len(one.because) <= 280
    assert all(len(row["number"]) <= 70 for row in one.rows())
    assert not re.search(r"\d", "".join(written.split("{")[0] for _, written in one.shown))


def test_every_claim_is_settled_and_every_demonstration_is_of_a_claim() -> None:
    assert demonstrations.keys() == set(claims()) == set(EXACT)


def test_true_claims_are_mixed_in_so_that_guessing_is_worth_it() -> None:
    answers = [one.answer for one in claims().values()]
    assert 0.2 <= sum(answers) / len(answers) <= 0.4
    falses = "".join(str(int(answer)) for answer in answers).split("1")
    assert max(map(len, falses)) <= 9, "nowhere is false right for long"


def test_every_misprint_of_the_golden_list_is_a_claim_and_false() -> None:
    listed = json.loads(Path("tests/golden/textbook_claims.json").read_text("utf-8"))
    assert len(listed) == 13
    for entry in listed:
        assert "WRONG" in entry["verdict"]
        for key in entry["keys"]:
            assert not claims()[key].answer
