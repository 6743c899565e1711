"""The search for weak slices: it finds what is there, and confirms nothing where nothing is."""

from threading import Event

import numpy as np
import pytest

from evalcore.errors import EvalError
from evalcore.outcomes import BinaryOutcomes, NumericOutcomes
from evalcore.slices.columns import Column, text_of
from evalcore.slices.search import halves, mask_of, overlap, rule_of, search
from evalcore.work import Progress
from tests.evalcore.slices.made import binary, measured, planted


def test_halves_share_no_row_and_have_the_same_truth():
    outcomes = binary(1001, seed=2)
    first, second = halves(outcomes, 7)
    assert np.array_equal(np.sort(np.concatenate([first, second])), np.arange(1001))
    assert abs(len(first) - len(second)) == 1
    assert abs(int(outcomes.truth[first].sum()) - int(outcomes.truth[second].sum())) <= 2
    assert np.array_equal(halves(outcomes, 7)[0], first)
    assert not np.array_equal(halves(outcomes, 8)[0], first)


def test_rows_of_a_group_are_in_one_half():
    outcomes = binary(300, unit=np.repeat(np.arange(30), 10))
    first, second = halves(outcomes, 0)
    assert not set(outcomes.unit[first]) & set(outcomes.unit[second])


def test_a_weak_slice_of_two_columns_is_found_and_confirmed_with_a_short_rule():
    rows, raw, weak = planted(20_000, seed=1)
    columns = [Column.of(name, values) for name, values in raw.items()]
    found = search(measured(rows, "accuracy"), columns)
    best = found.judged[0]
    assert best.p_adjusted < 0.01
    assert best.against.difference.value < -0.05
    assert overlap(mask_of(best.levels, columns), weak) > 0.8
    assert text_of(rule_of(best.levels, columns)).startswith("c0 = west; x1 < ")
    assert found.searched > 5000
    assert len(found.judged) <= 20


def test_the_rows_that_found_a_slice_have_no_say_in_its_value():
    rows, raw, _ = planted(4000, seed=5, drop=0.0)
    columns = [Column.of(name, values) for name, values in raw.items()]
    measure = measured(rows, "accuracy")
    found = search(measure, columns, seed=3)
    parts = halves(rows, 3)
    for one in found.judged:
        judge = parts[1 - one.half]
        mask = mask_of(one.levels, columns)[judge]
        right = (rows.label == rows.truth)[judge]
        assert one.against.value.value == pytest.approx(right[mask].mean())
        assert one.against.rest.value == pytest.approx(right[~mask].mean())


def test_a_slice_within_a_weak_one_is_not_told_again():
    rng = np.random.default_rng(0)
    region = rng.choice(["west", "east", "north", "south"], 8000)
    columns = [Column.of("region", region), Column.of("code", np.where(region == "west", "W", "-"))]
    columns += [Column.of(f"x{place}", rng.normal(size=8000)) for place in range(4)]
    wrong = rng.random(8000) < np.where(region == "west", 0.3, 0.1)
    truth = rng.integers(0, 2, 8000).astype(np.int8)
    label = np.where(wrong, 1 - truth, truth).astype(np.int8)
    rows = BinaryOutcomes(classes=("no", "yes"), truth=truth, label=label)
    found = search(measured(rows, "accuracy"), columns)
    confirmed = [
        one for one in found.judged if one.p_adjusted <= 0.05 and one.against.difference.value < 0
    ]
    [one] = confirmed
    assert text_of(rule_of(one.levels, columns)) in ("region = west", "code = W")
    assert any(
        text_of(rule_of(same, columns)) in ("region = west", "code = W") for same in one.same
    )


def test_errors_of_predicted_numbers_are_searched_where_they_are_larger():
    rng = np.random.default_rng(4)
    group = rng.choice(list("abcdefgh"), 5000)
    truth = rng.normal(size=5000)
    noise = rng.normal(size=5000) * np.where(group == "c", 2.0, 1.0)
    rows = NumericOutcomes(truth=truth, prediction=truth + noise)
    columns = [Column.of("group", group), Column.of("x", rng.normal(size=5000))]
    for key in ("mae", "rmse", "mse"):
        found = search(measured(rows, key), columns)
        assert text_of(rule_of(found.judged[0].levels, columns)) == "group = c"
        assert found.judged[0].p_adjusted < 1e-6


def test_a_search_reports_and_stops():
    rows, raw, _ = planted(1000)
    columns = [Column.of(name, values) for name, values in raw.items()]
    shares: list[float] = []
    search(measured(rows, "accuracy"), columns, progress=Progress(shares.append))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    stop = Event()
    stop.set()
    with pytest.raises(EvalError, match="stopped"):
        search(measured(rows, "accuracy"), columns, progress=Progress(cancel=stop))


@pytest.mark.slow
@pytest.mark.parametrize(("drop", "least", "most"), [(0.1, 0.9, 1.0), (0.0, 0.0, 0.05)])
def test_a_planted_slice_is_confirmed_and_none_where_there_is_none(
    drop: float, least: float, most: float
):
    confirmed = 0
    for seed in range(60):
        rows, raw, weak = planted(20_000, seed, drop=drop)
        columns = [Column.of(name, values) for name, values in raw.items()]
        found = search(measured(rows, "accuracy"), columns, seed=seed)
        confirmed += any(
            one.p_adjusted <= 0.05
            and one.against.difference.value < 0
            and (not drop or overlap(mask_of(one.levels, columns), weak) > 0.5)
            for one in found.judged
        )
    # Of 60 files 95% hold no more than 7 where the chance is 5%, nor fewer than 50 at 90%.
    assert least * 60 - 5 <= confirmed <= most * 60 + 4 or drop
