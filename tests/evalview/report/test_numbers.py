"""Every number of a report is one of its JSON, which is that of `evaluate` and of `compare`."""

from dataclasses import replace

import pytest

from evalboard import serialise
from evalcore.compare import compare
from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.slices.slicing import Asked, slices
from tests.evalview.report import made

DATA = dict(made.generated())


def held_against_the_json(told: made.Material) -> None:
    found, shown = made.json_of(told), made.marked(made.page_of(told))
    assert shown
    wrong = [(key, said) for key, said in shown if not made.agrees(said, made.at(found, key))]
    assert wrong == []


@pytest.mark.parametrize("name", made.SAMPLES)
def test_every_number_of_a_sample_is_that_of_the_json(name: str) -> None:
    held_against_the_json(made.sample(name))


@pytest.mark.parametrize("name", DATA)
def test_every_number_of_made_data_is_that_of_the_json(name: str) -> None:
    held_against_the_json(made.of(DATA[name]))


@pytest.mark.parametrize("by", [(), ("region",), ("age", "region")], ids=str)
def test_every_number_of_slices_is_that_of_the_json(by: tuple[str, ...]) -> None:
    told = made.of(made.sliced(900), by=by, sections=("slices",))
    held_against_the_json(told)
    shown = made.json_of(told)["slices"]
    asked = Asked(by or None, model=told.leader, max_columns=1 if by else 2)
    whole = {one.text: one for one in slices(told.dataset, asked, told.options).slices}
    assert shown["slices"]
    for one in shown["slices"]:
        same = whole[one["rule"]]
        assert one["n"] == same.n
        assert one["value"] == pytest.approx(same.found.value.value, rel=1e-3)
        assert one["confirmed"] == same.confirmed
    assert any("west" in one["rule"] and one["confirmed"] for one in shown["slices"]) or by == ()


@pytest.mark.parametrize("name", made.SAMPLES)
def test_with_rows_the_json_is_that_of_evaluate_and_compare(name: str) -> None:
    told = made.sample(name)
    open_ = replace(told, wishes=replace(told.wishes, rows=True))
    found = made.json_of(open_)
    try:
        compared = serialise.comparison(compare(told.dataset, told.options))
    except EvalError:
        compared = None
    assert found.pop("comparison", None) == compared
    if told.dataset.fold_scores is None:
        assert found == serialise.evaluation(evaluate(told.dataset, told.options))


def test_what_is_not_shown_of_few_rows_is_null_in_the_json() -> None:
    matrix = made.json_of(made.sample("digits"))["models"]["naive bayes"]["confusion"]["labels"]
    held = [
        cell for at, row in enumerate(matrix["counts"]) for to, cell in enumerate(row) if to != at
    ]
    assert None in held
    assert all(cell is None or cell == 0 or cell >= 5 for cell in held)
