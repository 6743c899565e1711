"""Which of several models is judged where none is named: one rule, in Python and on the pages."""

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.compare import compare, leader, to_judge
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes
from evalcore.predictions import Predictions
from evalcore.slices.rows import listed
from pages.session import findings

LEADS = '"second" is judged: it leads by ROC AUC.'
BACKWARDS = '"first" is judged: no model leads, since all scores run backwards, and it comes first.'


def frame(n: int = 400, turn: int = 1) -> pd.DataFrame:
    """Return two models, of which the second ranks better, or is less wrong if it is turned."""
    rng = np.random.default_rng(0)
    truth = np.arange(n) % 2
    day = np.datetime64("2024-01-01") + np.arange(n) // 10
    scores = {
        name: 1 / (1 + np.exp(-turn * (rng.normal(size=n) + pull * (truth - 0.5))))
        for name, pull in (("first_score", 1.0), ("second_score", 3.0))
    }
    side = np.where(np.arange(n) // 2 % 2, "left", "right")
    return pd.DataFrame({"truth": truth, **scores, "side": side, "day": day.astype(str)})


def read(table: pd.DataFrame) -> Predictions:
    return ec.read(table, truth="truth")


ASKED = {
    "slices": lambda data, **named: ec.slices(data, by="side", **named),
    "over time": lambda data, **named: ec.over_time(data, date="day", **named),
    "shift": lambda data, **named: ec.shift(data, data, **named),
    "rows": lambda data, model=None: listed(data, "loss", Options(), model),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_the_model_that_leads_is_judged_and_the_notice_says_why(asked) -> None:
    data = read(frame())
    made = asked(data)
    assert made.model == "second" == compare(data, Options()).order[0]
    assert findings.first_to_show(data) == "second"
    assert LEADS in [one.message for one in made.notices]
    named = asked(data, model="first")
    assert named.model == "first"
    assert "judged-model" not in {one.code for one in named.notices}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_of_scores_that_surely_run_backwards_none_leads_and_the_first_is_judged(asked) -> None:
    data = read(frame(turn=-1))
    assert compare(data, Options()).doubt == "all scores run backwards"
    assert (findings.first_to_show(data), leader(data, data.models)[0]) == (None, None)
    made = asked(data)
    assert made.model == "first"
    assert BACKWARDS in [one.message for one in made.notices]


def test_a_file_without_labels_is_judged_by_the_model_that_led_in_the_earlier_one() -> None:
    whole = frame()
    made = ec.shift(whole, whole.drop(columns="truth"), truth="truth")
    assert (made.model, made.notices[0].message) == ("second", LEADS)
    lacking = whole.drop(columns=["truth", "second_score"])
    assert ec.shift(whole, lacking, truth="truth").model == "first"


def test_where_the_one_that_leads_lacks_the_metric_the_next_that_has_it_is_judged() -> None:
    data = read(frame())
    assert to_judge(data, None, ["first"]) == ("first", ())
    third = frame().assign(third_score=lambda table: table["second_score"] + 0.1 * table["truth"])
    data = read(third[["truth", "first_score", "second_score", "third_score"]])
    assert leader(data, data.models)[0] == "third"
    assert to_judge(data, None, ["first", "second"])[0] == "second"
    assert findings.first_to_show(data, ["first", "second"]) == "second"


def test_of_predicted_numbers_the_one_with_the_least_squared_error_leads() -> None:
    numbers = {"actual": [1.5, 2.5, 4.5], "pred_a": [3.0, 2.0, 4.0], "pred_b": [1.0, 2.0, 4.0]}
    data = ec.read(pd.DataFrame(numbers))
    name, why = leader(data, data.models)
    assert (name, findings.first_to_show(data)) == ("b", "b")
    assert why == "it leads by root mean squared error"
    assert compare(data, Options()).order[0] == "b"


def test_where_models_share_no_row_none_leads_and_the_first_is_judged() -> None:
    def on(*rows: int) -> BinaryOutcomes:
        score = np.array([0.2, 0.9])
        return BinaryOutcomes(
            classes=("no", "yes"), truth=np.array([0, 1], np.int8), score=score, rows=np.array(rows)
        )

    models = {"a": on(1, 2), "b": on(2, 3), "c": on(3, 4)}
    data = Predictions(digest="", classes=("no", "yes"), models=models)
    name, (told,) = to_judge(data, None, data.models)
    assert (name, leader(data, data.models)[0]) == ("a", None)
    assert told.message == '"a" is judged: no model leads, and it comes first.'
