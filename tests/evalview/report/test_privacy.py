"""What a report gives away of single rows: nothing that fewer rows than the smallest cell share."""

import base64
import itertools
import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from evalboard.reporting import as_json
from evalcore.slices.columns import chosen
from evalcore.tables.scores import ScoreTable
from evalview.report import contents, counts, formats
from evalview.sharing import Use
from tests.evalview.report import made

FEWEST = 5


@st.composite
def tables(draw: st.DrawFn) -> ScoreTable:
    n = draw(st.integers(1, 200))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    truth = (rng.random(n) < draw(st.sampled_from([0.02, 0.3, 0.9]))).astype(np.int8)
    score = rng.random(n).round(draw(st.sampled_from([1, 2, 8])))
    return ScoreTable.from_scores(truth, score)


@given(tables(), st.lists(st.floats(0, 1), max_size=4), st.integers(1, 20))
@settings(deadline=None)
def test_cells_are_empty_or_hold_enough_rows_where_no_threshold_is_in_use(
    table: ScoreTable, wished: list[float], fewest: int
) -> None:
    found = counts.merged(table, fewest, [], wished)
    cells = np.concatenate(found.table.steps())
    few = min(table.positives or np.inf, table.negatives or np.inf)
    assert ((cells == 0) | (cells >= min(fewest, few))).all()
    for at in found.kept:
        assert found.table.at(at) == table.at(at)


@given(tables(), st.floats(-0.1, 1.1))
@settings(deadline=None)
def test_counts_at_the_threshold_in_use_are_exact_and_thresholds_are_no_scores_of_rows(
    table: ScoreTable, at: float
) -> None:
    found = counts.merged(table, FEWEST, [at], [])
    assert found.table.at(at) == table.at(at)
    for row, threshold in enumerate(found.table.threshold.tolist()):
        exact = table.at(threshold)
        assert (exact.tp, exact.fp) == (found.table.tp[row], found.table.fp[row])


def columns(encoded: dict[str, Any]) -> np.ndarray:
    ((kind, held),) = encoded.items()
    return np.frombuffer(base64.b64decode(held), {"f8": "<f8", "u4": "<u4", "u1": "u1"}[kind])


def steps(page: str) -> list[tuple[float, int, int]]:
    """Read from a report what its explorer knows: threshold, positives and negatives from there."""
    block = re.search(r'id="explored">(.*?)</script>', page, re.DOTALL)
    assert block
    table = json.loads(block[1])["models"][0]["table"]
    names = ("threshold", "tp", "fp")
    return list(zip(*(columns(table[name]).tolist() for name in names), strict=True))


def candidates(
    before: list[tuple[float, int, int]],
    after: list[tuple[float, int, int]],
    truth: np.ndarray,
    score: np.ndarray,
) -> np.ndarray:
    """Return which rows of the larger file may be the one that the other lacks.

    At a threshold of both reports the counts differ by that row, or they do not; between two such
    thresholds nothing is known. This is all that two reports tell of it: that a row lies above a
    threshold, or below.
    """
    could = _by_common(before, after, truth, score)
    for one, other, larger in ((before, after, True), (after, before, False)):
        known = {at for at, *_ in other}
        for at, *held in (row for row in one if row[0] not in known):
            low = max((row for row in other if row[0] > at), default=(np.inf, 0, 0), key=_reach)
            high = min(
                (row for row in other if row[0] < at), default=(-np.inf, 1e9, 1e9), key=_reach
            )
            for kind, rows in ((1, held[0]), (0, held[1])):
                place = 2 - kind
                # The larger file has one row more; what exceeds the bounds is that row.
                if larger and rows > high[place]:
                    could &= (score >= at) & (truth == kind)
                if not larger and rows < low[place]:
                    could &= (score >= low[0]) & (truth == kind)
    return could


def _reach(row: tuple[float, int, int]) -> int:
    return row[1] + row[2]


def _by_common(
    before: list[tuple[float, int, int]],
    after: list[tuple[float, int, int]],
    truth: np.ndarray,
    score: np.ndarray,
) -> np.ndarray:
    could = np.ones(len(truth), dtype=bool)
    whole = {at: (tp, fp) for at, tp, fp in before}
    for at, tp, fp in after:
        if at in whole:
            more = (whole[at][0] - tp, whole[at][1] - fp)
            above = score >= at
            if more == (0, 0):
                could &= ~above
            elif more == (1, 0):
                could &= above & (truth == 1)
            else:
                could &= above & (truth == 0)
    return could


@pytest.mark.parametrize("seed", range(6))
def test_two_reports_that_differ_by_a_row_leave_enough_rows_that_it_may_be(seed: int) -> None:
    data = made.scored(600, share=0.4, seed=seed)
    truth, score = (data["truth"] == "fraud").astype(int), data["model 0"]
    whole = steps(made.page_of(made.of(data)))
    rng = np.random.default_rng(seed)
    for row in rng.choice(600, 4, replace=False).tolist():
        left = {name: np.delete(column, row) for name, column in data.items()}
        found = candidates(whole, steps(made.page_of(made.of(left))), truth, score)
        assert found[row]
        assert found.sum() >= FEWEST


def test_a_report_holds_no_score_of_a_row_and_no_list_of_rows() -> None:
    data = made.scored(600, seed=3)
    told = made.of(data)
    page, found = made.page_of(told), json.dumps(made.json_of(told))
    thresholds = {at for at, *_ in steps(page)}
    assert not thresholds & set(data["model 0"].tolist())
    for score in data["model 0"].tolist():
        assert repr(score) not in page
        assert repr(score) not in found
    assert all(not one["rows"] for one in made.json_of(told)["notices"])


def test_single_rows_are_shown_only_where_they_are_asked_for() -> None:
    data = made.scored(300)
    worst = "gets most wrong"
    assert worst not in made.page_of(made.of(data, sections=("rows",)))
    assert worst in made.page_of(made.of(data, sections=("rows",), rows=True))


def slices_of(told: made.Material) -> list[tuple[str, int, float]]:
    """Read from the JSON of a report its slices: the rule, the rows and the value."""
    found = made.json_of(told)["slices"]["slices"]
    return [(one["rule"], one["n"], one["value"]) for one in found]


@st.composite
def grouped(draw: st.DrawFn) -> dict[str, Any]:
    n, seed = draw(st.integers(60, 400)), draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    share = draw(st.sampled_from([0.02, 0.2, 0.5]))
    sizes = np.array(draw(st.lists(st.integers(1, 200), min_size=2, max_size=8)), float)
    truth = np.array(["no", "yes"])[rng.integers(0, 2, n)]
    wrong = rng.random(n) < share
    said = np.where(wrong, np.where(truth == "no", "yes", "no"), truth)
    region = rng.choice([f"r{k}" for k in range(len(sizes))], n, p=sizes / sizes.sum())
    region[:2], truth[:2], said[:2] = ["r0", "r1"], ["no", "yes"], ["no", "yes"]
    return {"truth": truth, "pred_a": said, "region": region}


def test_a_row_that_decides_the_error_is_not_told_of() -> None:
    truth = [float(at % 7) for at in range(39)] + [5e6]
    data = {"truth": truth, "a_pred": [at + 1 for at in truth[:39]] + [3.0]}
    data["b_pred"] = [at + 2 for at in truth[:39]] + [4.0]
    sections = ("summary", "card", "compare", "data")
    told, open_told = (made.of(data, rows=rows, sections=sections) for rows in (False, True))
    for shown, known in ((told, False), (open_told, True)):
        said = [formats.markdown(contents.document(shown)), json.dumps(as_json(shown))]
        for text in said:
            assert ("Row 40 makes up" in text) == known
            assert ("5e+06" in text) == known
            assert ("One row alone makes up more than half" in text) != known


@given(grouped())
@settings(deadline=None, max_examples=40)
def test_slices_and_all_that_are_left_out_hold_no_few_rows(data: dict[str, Any]) -> None:
    shown = slices_of(made.of(data, by=("region",), sections=("slices",)))
    wrong = data["truth"] != data["pred_a"]
    left = np.ones(len(wrong), bool)
    for rule, n, value in shown:
        inside = data["region"] == rule.removeprefix("region = ")
        left &= ~inside
        assert n == inside.sum()
        assert value == pytest.approx(1 - wrong[inside].mean(), rel=1e-3)
        assert enough(wrong[inside])
    assert enough(wrong[left]) or not shown


def enough(wrong: np.ndarray) -> bool:
    return all(rows == 0 or rows >= FEWEST for rows in (wrong.sum(), (~wrong).sum()))


def test_weak_slices_of_crossed_columns_hold_no_few_rows() -> None:
    data = made.sliced(900, seed=2)
    told = made.of(data, sections=("slices",))
    found = told.slices
    assert found is not None
    assert found.slices
    wrong = (data["score"] >= 0.5) != (data["truth"] == "yes")
    for one in found.slices:
        inside = chosen(one.rule, told.dataset.columns)
        assert enough(wrong[inside])
        assert enough(wrong[~inside])
    assert {name for one in found.slices for name in one.models} == {told.leader}


@pytest.mark.parametrize("seed", range(4))
def test_slices_of_two_reports_tell_only_which_large_slice_a_row_is_in(seed: int) -> None:
    data = made.sliced(400, seed)
    row = int(np.random.default_rng(seed).integers(400))
    less = {name: np.delete(column, row) for name, column in data.items()}
    wishes = {"by": ("region",), "sections": ("slices",)}
    before, after = (
        {rule: n for rule, n, _ in slices_of(made.of(each, **wishes))} for each in (data, less)
    )
    changed = [rule for rule in before if rule in after and before[rule] != after[rule]]
    assert changed in ([], [f"region = {data['region'][row]}"])
    wrong = (data["score"] >= 0.5) != (data["truth"] == "yes")
    may_be = data["region"] == data["region"][row] if changed else np.ones(400, bool)
    assert (wrong[may_be] == wrong[row]).sum() >= FEWEST


@st.composite
def counted(draw: st.DrawFn) -> np.ndarray:
    shape = draw(st.tuples(st.integers(3, 6), st.integers(3, 6)))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    return rng.poisson(draw(st.sampled_from([0.5, 2, 8, 30])), shape) * (rng.random(shape) < 0.7)


@given(counted())
@settings(deadline=None)
def test_sums_of_rows_and_columns_tell_of_no_small_cell(table: np.ndarray) -> None:
    hidden = counts.hidden_cells(table, FEWEST, diagonal=False)
    assert not ((table > 0) & (table < FEWEST) & ~hidden).any()
    unknown = hidden.copy()
    while True:  # whoever knows all but one cell of a line knows that one
        alone = [(*cell,) for cell in np.argwhere(unknown) if lone(unknown, *cell)]
        small = [cell for cell in alone if 0 < table[cell] < FEWEST]
        assert not small or np.count_nonzero(table) < 4
        if not alone:
            return
        for cell in alone:
            unknown[cell] = False


def lone(unknown: np.ndarray, row: int, column: int) -> bool:
    return min(unknown[row].sum(), unknown[:, column].sum()) == 1


@given(st.integers(3, 7), st.integers(0, 10_000))
@settings(deadline=None)
def test_errors_of_few_rows_are_hidden_and_right_decisions_shown(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.poisson(3, (size, size)) + np.diag(rng.poisson(30, size))
    hidden = counts.hidden_cells(table, FEWEST, diagonal=True)
    errors = ~np.eye(size, dtype=bool)
    assert not hidden[~errors].any()
    assert hidden[errors & (table > 0) & (table < FEWEST)].all()
    assert 1 not in {*hidden.sum(axis=0).tolist(), *hidden.sum(axis=1).tolist()}


def test_with_nothing_small_every_cell_is_shown() -> None:
    table = np.array([[0, 50, 0], [9, 0, 9], [7, 0, 7]])
    assert not counts.hidden_cells(table, FEWEST, diagonal=False).any()


def test_sizes_of_clusters_do_not_tell_how_many_of_a_class_are_in_one() -> None:
    found = made.json_of(made.sample("iris"))["clusterings"]["ward_k3"]["contingency"]["counts"]
    shown = np.array(found, dtype=float)
    unknown = np.isnan(shown)
    assert unknown.any()
    assert 1 not in {*unknown.sum(axis=0).tolist(), *unknown.sum(axis=1).tolist()}


@given(st.integers(3, 6), st.integers(0, 10_000), st.sampled_from(["row", "column", "cell"]))
@settings(deadline=None)
def test_what_decisions_cost_tells_no_more_than_the_cells_shown_and_their_sums(
    size: int, seed: int, alike: str
) -> None:
    rng = np.random.default_rng(seed)
    table = rng.poisson(3, (size, size)) + np.diag(rng.poisson(30, size))
    hidden = counts.hidden_cells(table, FEWEST, diagonal=True)
    costs = rng.integers(0, 9, (size, size)).astype(float)
    if alike == "row":
        costs[hidden] = np.broadcast_to(costs[:, :1], costs.shape)[hidden]
    elif alike == "column":
        costs[hidden] = np.broadcast_to(costs[:1], costs.shape)[hidden]
    known = counts.known_by_sums(hidden, costs, by_rows_alone=False)
    assert known or alike == "cell"
    if known:
        for other in _same_sums(table, hidden):
            assert (other * costs).sum() == (table * costs).sum()
            assert (other * costs**2).sum() == (table * costs**2).sum()
    if alike == "row":
        assert counts.known_by_sums(hidden, costs, by_rows_alone=True)


def _same_sums(table: np.ndarray, hidden: np.ndarray) -> list[np.ndarray]:
    """Return tables with the same sums and cells shown: rows are moved between hidden cells."""
    found, size = [], len(table)
    for i, k in itertools.combinations(range(size), 2):
        for j, m in itertools.combinations(range(size), 2):
            corners = [(i, j), (k, m), (i, m), (k, j)]
            if all(hidden[at] for at in corners):
                other = table.copy()
                for at, by in zip(corners, (1, 1, -1, -1), strict=True):
                    other[at] += by
                found.append(other)
    return found


def test_a_mean_cost_that_would_tell_of_few_rows_is_left_out_everywhere() -> None:
    telling = np.zeros((3, 3))
    telling[0, 2] = 1  # the mean cost would be the count of one cell
    data = made.labelled(900, ("a", "b", "c"))
    few = np.flatnonzero(data["truth"] == "a")
    for name in ("pred_model_0", "pred_model_1"):
        data[name][few] = "a"
        data[name][few[:3]], data[name][few[3:12]] = "c", "b"
    use = Use(costs=tuple(telling.ravel().tolist()))
    told = made.of(data, sections=("errors",), use=use)
    assert {*told.mean_costs.values()} == {None}
    page, found = made.page_of(told), json.dumps(made.json_of(told))
    assert "mean_cost" not in page + found
    assert "total_cost" not in page + found
    assert "are not shown: they would tell what a · hides." in page
    open_ = made.of(data, sections=("errors",), use=use, rows=True)
    assert open_.mean_costs["0"].value == pytest.approx(3 / 900)
