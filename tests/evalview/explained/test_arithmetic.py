"""A formula is worked out as on paper, and the last line is the number."""

import math
import re

import pytest
from hypothesis import given, strategies as st

from evalcore.metrics.catalog import METRICS, by_key
from evalcore.tables.confusion import BinaryCounts
from evalview.explained.arithmetic import NotArithmeticError, parse, result, steps
from evalview.explained.of_matrices import of_counts

COUNTS = {"TP": 165, "FP": 5, "FN": 47, "TN": 352}
OF_COUNTS = [m for m in METRICS if m.needs is BinaryCounts and m.key != "accuracy_p_value"]
every = pytest.mark.parametrize("metric", OF_COUNTS, ids=lambda metric: metric.key)


def written(formula: str, values: dict[str, float] = COUNTS) -> list[str]:
    return [step.latex for step in steps(formula, values)]


def test_a_fraction_is_worked_out_line_by_line():
    assert written(by_key()["f1"].formula) == [
        r"\frac{2 \cdot 165}{2 \cdot 165 + 5 + 47}",
        r"\frac{330}{330 + 5 + 47}",
        r"\frac{330}{382}",
        "0.863874",
    ]


def test_brackets_stand_where_they_are_needed_and_nowhere_else():
    assert written("(TP - FN) (FP + 1) - (FP - 2) / 2")[0] == (
        r"\left(165 - 47\right) \cdot \left(5 + 1\right) - \left(5 - 2\right) / 2"
    )
    assert written("-FP + (FN)")[0] == "-5 + 47"


def test_a_negative_number_is_never_taken_for_a_difference():
    assert written(r"2 \cdot (FP - FN)")[1] == r"2 \cdot \left(-42\right)"
    assert written(r"TP + (FP - FN)")[1] == "165 - 42"


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        (r"\sqrt{TP + 4}", 13),
        (r"\max(FP, FN, 3) / 2", 23.5),
        (r"\left(FP - 2\right)^2", 9),
        (r"2 FP^{2}", 50),
        (r"\tfrac{1}{2} FP", 2.5),
        (r"1 - FP \cdot 2 - 3", -12),
        (r"TP / FP / 3", 11),
    ],
)
def test_every_operation_gives_what_it_should(formula: str, value: float):
    assert result(formula, COUNTS) == value


def test_nothing_by_nothing_is_undefined_and_something_by_nothing_is_infinite():
    nothing = {"TP": 0.0, "FP": 0.0, "FN": 3.0}
    assert written(r"\frac{TP}{TP + FP}", nothing)[-1] == r"\text{undefined}"
    assert written(r"\frac{FN}{TP + FP}", nothing)[-1] == r"\infty"
    assert math.isnan(result(r"1 - \frac{TP}{FP}", nothing))


@pytest.mark.parametrize("value", [1e-7, -2.5e-12, 1.5e20])
def test_very_small_and_large_numbers_are_powers_of_ten(value: float):
    assert re.fullmatch(r"-?\d\.?\d* \\cdot 10\^\{-?\d+\}", written("x", {"x": value})[0])


def test_large_numbers_are_written_out_and_very_large_ones_are_not():
    assert written("x", {"x": 1336618.62}) == [r"1{,}336{,}619"]
    assert written("x", {"x": 2.5e15}) == [r"2.5 \cdot 10^{15}"]


def test_a_rounded_number_says_so():
    assert [step.rounded for step in steps("x", {"x": 1336618.62})] == [True]
    assert [step.rounded for step in steps(r"\frac{TP}{3}", {"TP": 1})] == [False, True]
    assert [step.rounded for step in steps(r"\frac{TP}{4}", {"TP": 1})] == [False, False]


@pytest.mark.parametrize(
    "formula", ["", r"\sum_i x_i", "TP +", "(TP", "TP)", r"\frac{TP}", "XY", r"\alpha", "TP = FP"]
)
def test_what_is_no_arithmetic_is_refused(formula: str):
    with pytest.raises(NotArithmeticError):
        parse(formula, COUNTS)


@every
@given(cells=st.lists(st.integers(0, 10**6), min_size=4, max_size=4))
def test_the_formula_of_a_count_metric_gives_its_number(metric, cells):
    counts = BinaryCounts(*cells)
    working = of_counts(metric, counts)
    assert working is not None
    assert working.result == pytest.approx(float(metric(counts)), rel=1e-9, abs=1e-9, nan_ok=True)


@every
def test_no_name_is_left_and_no_two_numbers_stand_side_by_side(metric):
    for line in written(metric.formula):
        assert not re.search(r"(?<![A-Za-z\\])(TP|FP|FN|TN)(?![A-Za-z_])", line)
        assert not re.search(r"\d\s+\d", line)
