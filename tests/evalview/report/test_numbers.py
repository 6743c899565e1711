"""Every number of a report is one of its JSON, which is that of `evaluate` and of `compare`."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evalboard import serialise
from evalboard.further import with_metrics
from evalcore.compare import compare
from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.metrics.decisions import mean_cost
from evalcore.options import Options
from evalcore.slices.slicing import Asked, slices
from evalview.report import contents, formats
from evalview.sharing import Use
from pages.session import costs
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


THREE = made.labelled(900, ("a", "b", "c"))
PRICES = np.array([[0, 1, 1], [5, 0, 5], [2.5, 2.5, -1]])


def priced(rows: bool = False, **use: Any) -> made.Material:
    return made.of(THREE, sections=("errors", "glossary"), use=Use(**use), rows=rows)


def by_hand(told: made.Material, name: str, shares: Any = None) -> float:
    truth, called = THREE["truth"], THREE[f"pred_model_{name}"]
    cells = np.array([[np.mean((truth == t) & (called == c)) for c in "abc"] for t in "abc"])
    if shares is not None:
        cells *= (np.array(shares) / sum(shares) / cells.sum(axis=1))[:, np.newaxis]
    return float((cells * PRICES).sum())


@pytest.mark.parametrize("shares", [None, (3, 2, 5)], ids=str)
def test_the_mean_cost_of_several_classes_is_that_of_the_page_and_of_evaluate(shares: Any) -> None:
    told = priced(costs=tuple(PRICES.ravel().tolist()), shares=shares)
    held_against_the_json(told)
    for name, cost in told.mean_costs.items():
        assert cost is not None
        assert cost.value == pytest.approx(by_hand(told, name, shares))
        assert cost.low < cost.value < cost.high
        page = costs._decided(
            told.dataset, name, ("labels", 0.5), tuple(PRICES.ravel().tolist()), shares
        )
        usual = made.gather(told.dataset, Options(), told.wishes).mean_costs[name]
        assert (page.cost, page.interval.low, page.interval.high) == (
            usual.value,
            usual.low,
            usual.high,
        )
        metrics = made.json_of(told)["models"][name]["metrics"]["labels"]
        assert metrics["mean_cost"]["value"] == pytest.approx(cost.value, rel=1e-3)
        rows = len(THREE["truth"])
        assert metrics["total_cost"]["value"] == pytest.approx(rows * cost.value, rel=1e-3)
        assert metrics["total_cost"]["high"] == pytest.approx(rows * cost.high, rel=1e-3)
        if shares is None:
            prices = {"mean_cost": mean_cost(PRICES)}
            own = with_metrics(evaluate(told.dataset, told.options), prices).models[name]
            found = own.decisions["labels"].metrics["mean_cost"]
            assert (cost.value, cost.low, cost.high) == (found.value, found.low, found.high)
            assert (cost.method, cost.level) == (found.method, found.level)
    text = formats.markdown(contents.document(told), "x")
    assert "Mean cost of a decision, 95% intervals in brackets" in text
    assert "| b | 5 | 0 | 5 |" in text
    assert ("for these shares of the classes: a: 30.0%, b: 20.0% and c: 50.0%" in text) is (
        shares is not None
    )


def test_the_total_cost_is_that_of_the_cases_that_are_said() -> None:
    told = priced(costs=tuple(PRICES.ravel().tolist()), volume=5000)
    held_against_the_json(told)
    assert told.total_costs["0"].value == pytest.approx(5000 * by_hand(told, "0"))
    assert "| Model | Mean cost | Total of 5,000 cases |" in formats.markdown(
        contents.document(told), "x"
    )


def test_where_shares_alone_are_said_every_mistake_costs_one() -> None:
    told = priced(shares=(1, 1, 1))
    balanced = told.evaluation.models["0"].decisions["labels"].metrics["balanced_accuracy"]
    assert told.mean_costs["0"].value == pytest.approx(1 - balanced.value)


def test_where_nothing_is_said_of_costs_the_report_has_none() -> None:
    text = formats.markdown(contents.document(priced()), "x")
    assert "ean cost" not in text
    assert "ost of a decision" not in text
