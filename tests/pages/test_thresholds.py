"""The thresholds page on the server: what the explorer is fed with, and what it may answer."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.metrics.decisions import PRECISION
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset
from evalview import selections
from evalview.explorer.payload import CARDS, MODELS_AT_MOST
from evalview.text import interval, number, shortest_threshold
from evalview.words import class_of as words_of
from pages.models import thresholds
from pages.session import computed, current, selection
from tests.pages.conftest import go, words

Opened = Callable[..., AppTest]


@pytest.fixture
def fed() -> Iterator[list[tuple[Dataset, dict[str, Any]]]]:
    """Everything that the explorer was fed with, beside its data set."""
    seen: list[tuple[Dataset, dict[str, Any]]] = []
    original = thresholds.data

    def watched(dataset: Dataset, *rest: Any) -> dict[str, Any]:
        seen.append((dataset, original(dataset, *rest)))
        return seen[-1][1]

    with patch.object(thresholds, "data", watched):
        yield seen


def many(models: int, rows: int = 40) -> bytes:
    """Return a file with a truth and many scores."""
    header = ",".join(["truth", *(f"score_{at}" for at in range(models))])
    lines = [
        ",".join(
            ["fraud" if row % 4 == 0 else "honest"]
            + [f"{((row * (at + 7)) % 41) / 41:.4f}" for at in range(models)]
        )
        for row in range(rows)
    ]
    return "\n".join([header, *lines]).encode()


def test_without_data_it_says_so(empty: Opened) -> None:
    at = empty("thresholds")
    assert not at.exception
    assert "No predictions yet" in words(at)


@pytest.mark.parametrize(("miss", "percent"), [(20, None), (10, 1.0), (20, 37.0)])
def test_the_cheapest_threshold_is_that_of_the_tab_about_costs(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]], miss: float, percent: float | None
) -> None:
    said = {"costs": f"0,1,{miss},0"} | ({} if percent is None else {"prevalence": f"{percent:g}"})
    at = loaded("thresholds", **said)
    assert not at.exception
    assert "not understood" not in " ".join(element.value for element in at.warning)
    [(dataset, data)] = fed
    for place, (name, model) in enumerate(dataset.models.items()):
        truth, ranked = model.truth, sorted(set(model.score.tolist()), reverse=True)
        share = truth.mean() if percent is None else percent / 100
        costs = [
            miss * share * (model.score < at)[truth == 1].mean()
            + (1 - share) * (model.score >= at)[truth == 0].mean()
            for at in ranked
        ]
        table = ScoreTable.from_scores(truth, model.score)
        cheapest = data["costs"]["cheapest"][place]["threshold"]
        assert cheapest == shortest_threshold(table, ranked[int(np.argmin(costs))])
        assert f"The cheapest threshold of {name} is {cheapest:g}" in words(
            loaded("costs", shown=name, **said)
        )


def test_no_threshold_is_the_cheapest_before_a_miss_has_a_cost(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]]
) -> None:
    loaded("thresholds")
    [(_, data)] = fed
    assert {each["threshold"] for each in data["costs"]["cheapest"]} == {None}
    said = words(loaded("costs"))
    assert "the cost of missing malignant" in said
    assert "cheapest threshold of" not in said


@pytest.mark.parametrize("tab", ["thresholds", "costs"])
def test_costs_share_and_volume_go_from_tab_to_tab(loaded: Opened, tab: str) -> None:
    said = {"costs": "0,2,7,0", "prevalence": "3", "volume": "500"}
    at = loaded(tab, **said)
    for name in said:
        at.query_params.pop(name)
    go(at, "costs" if tab == "thresholds" else "thresholds")
    assert not at.exception
    for name, text in said.items():
        assert at.query_params[name] == text


def test_costs_typed_beside_the_slider_lead_to_the_cheapest_threshold(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]]
) -> None:
    said = {"fn": 10, "fp": 1, "share": 1, "volume": 20000}
    at = _answered(loaded, {"model": "random forest", "threshold": 0.5, "said": said})
    assert at.query_params["costs"] == "0,1,10,0"
    assert at.query_params["prevalence"] == "1"
    assert at.query_params["volume"] == "20000"
    (_, data) = fed[-1]
    place = [model["name"] for model in data["models"]].index("random forest")
    cheapest = data["costs"]["cheapest"][place]["threshold"]
    assert data["thresholds"][place] == cheapest == float(at.query_params["threshold"])


@pytest.mark.parametrize(
    "said", [{"fn": "x"}, {"fn": True}, {"fn": float("nan")}, {"fn": 1e300}, {}]
)
def test_costs_that_are_none_change_nothing(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]], said: dict[str, Any]
) -> None:
    at = _answered(loaded, {"threshold": 0.5, "said": said})
    assert not {"costs", "prevalence", "volume"} & set(at.query_params)
    assert fed[-1][1]["costs"]["fn"] is None


def test_a_bar_of_the_histogram_selects_its_rows(loaded: Opened) -> None:
    with patch.object(selection, "choose") as choose:
        _answered(loaded, {"model": "naive bayes", "rows": [0.2, 0.25, True]})
    rows = selections.Interval("score", 0.2, 0.25, below=True)
    choose.assert_called_once_with(selections.Selection("naive bayes", (rows,)))


@pytest.mark.parametrize("rows", [[0.2], [0.2, "0.3", True], "0.2", {"low": 0}, [0.1, 0.2, 1]])
def test_no_rows_are_selected_by_ends_that_make_no_sense(loaded: Opened, rows: Any) -> None:
    with patch.object(selection, "choose") as choose:
        _answered(loaded, {"rows": rows})
    choose.assert_not_called()


def _answered(loaded: Opened, choice: dict[str, Any]) -> AppTest:
    """Open the page as after an answer of the browser."""
    original = thresholds.threshold_explorer

    def answered(*given: Any) -> None:
        thresholds.take(choice)
        original(*given)

    with patch.object(thresholds, "threshold_explorer", answered):
        at = loaded("thresholds")
    assert not at.exception
    return at


def test_with_data_it_is_fed_with_what_evalcore_says_at_the_threshold(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]]
) -> None:
    at = loaded("thresholds", threshold="0.3")
    assert not at.exception
    [(dataset, data)] = fed
    assert set(data["thresholds"]) == {0.3}
    assert [model["name"] for model in data["models"]] == list(dataset.models)
    for name, said in zip(dataset.models, data["at"], strict=True):
        decided = computed.decisions(dataset, name, 0.3)["threshold"]
        counts = decided.confusion.binary()
        assert (said["tp"], said["fp"]) == (counts.tp, counts.fp)
        assert said["intervals"] == {"f1": [decided.metrics["f1"].low, decided.metrics["f1"].high]}
    json.dumps(data, allow_nan=False)


def test_every_number_stands_below_with_its_interval_for_each_model(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]]
) -> None:
    shown = words(loaded("thresholds", threshold="0.3"))
    [(dataset, _)] = fed
    for name in dataset.models:
        metrics = computed.decisions(dataset, name, 0.3)["threshold"].metrics
        assert f'<th scope="col" title="{name}">{name}</th>' in shown
        for metric in CARDS:
            value, ends = number(metrics[metric.key].value), interval(metrics[metric.key])
            assert f"{value} <small>{ends}</small>" in re.sub(r"</?[ab]\b[^>]*>", "", shown)


def test_what_is_undefined_says_why(loaded: Opened) -> None:
    shown = words(loaded("thresholds", threshold="7"))
    reason = f'<small class="eb-why">{PRECISION.undefined_when}</small>'
    assert f"<td>undefined {reason}</td>" in shown


def test_labels_are_held_against_the_threshold_of_the_file_and_not_against_a_chosen_one(
    loaded: Opened, uploaded: Opened
) -> None:
    assert "disagree with score" not in words(loaded("thresholds", threshold="0.2"))
    other = b"truth,pred,score\nyes,yes,0.9\nno,no,0.2\nyes,yes,0.313812\nno,no,0.291134\n"
    for chosen in ({}, {"threshold": "0.25"}):
        said = words(uploaded("thresholds", "f.csv", other, **chosen))
        assert "disagree with score &gt;= 0.5 on 1 of 4 rows" in said
        assert "They agree with any threshold above 0.292 and up to 0.313." in said
    assert "disagree" not in words(uploaded("thresholds", "f.csv", other, threshold="0.3"))


def test_of_many_models_ten_are_shown_with_the_chosen_one_among_them(
    uploaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]]
) -> None:
    at = uploaded("thresholds", "many.csv", many(13), shown="12")
    assert not at.exception
    [(dataset, data)] = fed
    assert len(dataset.models) == 13
    names = [model["name"] for model in data["models"]]
    assert len(names) == MODELS_AT_MOST
    assert data["chosen"] == names[-1] == "12"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"truth,score\nfraud,0.5\nhonest,0.5\nfraud,0.5\n", "constant"),
        (b"truth,score\nfraud,0.5\nfraud,0.4\nfraud,0.1\n", "one class"),
        (b"truth,score\nfraud,1e300\nhonest,-1e300\nfraud,3\nhonest,2\n", "huge"),
        (b"truth,score\nfraud,0.9\nhonest,0.2\nfraud,0.4\n", "three rows"),
    ],
)
def test_hard_data_are_shown_all_the_same(content: bytes, name: str, uploaded: Opened) -> None:
    at = uploaded("thresholds", f"{name}.csv", content)
    assert not at.exception
    assert "could not be shown" not in words(at)


def test_of_several_classes_one_is_explored_against_all_others(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]]
) -> None:
    at = loaded("thresholds", sample="digits", threshold="0.25", **{"class": "8"})
    assert not at.exception
    [(dataset, data)] = fed
    assert data["classes"] == ["other", words_of(dataset.roles.truth, "8")]
    [eight] = [code for code, label in enumerate(dataset.classes) if label == "8"]
    for name, said in zip(dataset.models, data["at"], strict=True):
        outcomes = dataset.models[name]
        flagged, true = outcomes.probabilities[:, eight] >= 0.25, outcomes.truth == eight
        assert (said["tp"], said["fp"]) == ((flagged & true).sum(), (flagged & ~true).sum())


def test_of_several_classes_those_picked_are_drawn_with_the_averages_picked(
    loaded: Opened,
) -> None:
    chosen = {"classes": ["8", "3"], "averages": ["macro average", "micro"]}
    at = loaded("thresholds", sample="digits", **chosen)
    assert not at.exception
    spec = json.loads(at.get("plotly_chart")[0].proto.spec)
    named = {trace.get("name") for trace in spec["data"]} - {None}
    assert named == {"8", "3", "macro average", "micro"}


def test_each_model_may_keep_a_threshold_of_its_own(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]]
) -> None:
    at = loaded("thresholds", threshold="0.3", **{"own-threshold": "naive bayes=0.7"})
    assert not at.exception
    [(dataset, data)] = fed
    at_own = dict(zip(dataset.models, data["thresholds"], strict=True))
    assert data["own"]
    assert at_own == {name: 0.7 if name == "naive bayes" else 0.3 for name in dataset.models}
    for name, said in zip(dataset.models, data["at"], strict=True):
        counts = computed.tables(dataset)[name].scores.at(at_own[name])
        assert (said["tp"], said["fp"]) == (counts.tp, counts.fp)
    assert "at each model's own threshold" in words(at).replace("&#x27;", "'")


def test_the_address_says_what_is_drawn(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]]
) -> None:
    loaded("thresholds", curves="lift,roc,nonsense", lines="none")
    [(_, data)] = fed
    assert data["drawn"]["curves"] == ["roc", "lift"]
    assert data["drawn"]["lines"] == []
    assert data["drawn"]["metrics"] == ["recall", "precision", "f1"]


@pytest.mark.parametrize(
    ("choice", "threshold", "model"),
    [
        ({"model": "random forest", "threshold": 0.25}, 0.25, "random forest"),
        ({"model": "logistic regression", "threshold": 1}, 1.0, "logistic regression"),
        ({"model": "nobody", "threshold": float("nan")}, 0.5, "logistic regression"),
        ({"model": ["x"], "threshold": "0.3"}, 0.5, "logistic regression"),
        ({"threshold": True}, 0.5, "logistic regression"),
        ({}, 0.5, "logistic regression"),
    ],
)
def test_what_the_browser_answers_is_taken_only_if_it_makes_sense(
    choice: dict[str, Any], threshold: float, model: str, loaded: Opened
) -> None:
    reached: list[tuple[float, str]] = []
    original = thresholds.data

    def data(dataset: Dataset, *rest: Any) -> dict[str, Any]:
        thresholds.take(choice)
        reached.append((current.threshold(dataset), current.model(dataset)))
        return original(dataset, *rest)

    with patch.object(thresholds, "data", data):
        at = loaded("thresholds")
    assert not at.exception
    assert reached == [(threshold, model)]


def test_it_is_said_that_the_threshold_decides_and_not_the_labels(
    loaded: Opened, uploaded: Opened
) -> None:
    assert "not by the file’s own labels" in words(loaded("thresholds"))
    scores = b"truth,m_score\n" + b"no,0.2\nyes,0.9\n" * 10
    assert "own labels" not in words(uploaded("thresholds", "f.csv", scores))


def test_scores_of_selected_rows_are_marked_until_all_rows_are_looked_at(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]]
) -> None:
    missed = ["model=logistic regression", "decided=labels", "truth=malignant", "called=benign"]
    at = loaded("thresholds", selected=missed, shown="naive bayes")
    dataset, told = fed[-1]
    rows = dataset.models["logistic regression"]
    wrong = (rows.truth == 1) & (rows.label == 0)
    marked = told["selected"]
    assert (marked["model"], marked["rows"]) == ("naive bayes", "47 selected rows")
    assert marked["scores"] == np.unique(dataset.models["naive bayes"].score[wrong]).tolist()
    at.button(key="clear-selected").click().run()
    assert fed[-1][1]["selected"] is None


def test_notices_are_about_numbers_that_the_page_shows(loaded: Opened) -> None:
    told = "are too narrow: Precision in the first 10."
    assert told in words(loaded("overview"))
    assert "too narrow" not in words(loaded("thresholds"))
    assert "too narrow: Recall" in words(loaded("thresholds", threshold="2"))
