"""The page that says how many rows an evaluation takes."""

import pytest

from evalcore.plan import Expected, plan
from tests.pages.conftest import Opened, words


def test_the_headline_is_what_the_plan_says(empty: Opened) -> None:
    at = empty("planning")
    assert not at.exception
    rows = plan(Expected("accuracy", 0.85), difference=0.03).rows_for_difference
    assert f"To show a true difference of 0.03 in 8 of 10 files takes {rows:,} rows" in words(at)


def test_more_models_and_groups_take_more_rows(empty: Opened) -> None:
    at = empty("planning").number_input(key="plan-models").set_value(5.0).run()
    assert "allowing for 10 pairs" in words(at)
    at.number_input(key="plan-group").set_value(10.0).run()
    at.number_input(key="plan-within").set_value(0.2).run()
    assert "in groups of 10 take 2.8 times as many" in words(at)


@pytest.mark.parametrize("metric", ["roc_auc", "recall", "precision", "mae", "brier", "log_loss"])
def test_every_metric_asks_for_what_it_needs(metric: str, empty: Opened) -> None:
    at = empty("planning").selectbox(key="plan-metric").set_value(metric).run()
    assert not at.exception
    assert "To show a true difference of 0.03" in words(at)


def test_a_difference_out_of_reach_is_refused_in_a_sentence(empty: Opened) -> None:
    at = empty("planning").number_input(key="plan-difference").set_value(5.0).run()
    assert not at.exception
    assert "No second model can differ" in words(at)
    at.number_input(key="plan-difference").set_value(0.05).run()
    assert "To show a true difference of 0.05" in words(at)


def test_few_rows_show_nothing_and_say_so(empty: Opened) -> None:
    at = empty("planning").number_input(key="plan-rows").set_value(3.0).run()
    assert not at.exception
    assert "With 3 rows no difference between two models would show" in words(at)
