"""The thresholds page on the server: what the explorer is fed with, and what it may answer."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.intake.model import Dataset
from evalcore.metrics.rates import PRECISION
from pages.explorer.payload import CARDS, MODELS_AT_MOST, Style
from pages.figures.words import interval, number
from pages.session import computed, current, explored
from tests.pages.conftest import words

Opened = Callable[..., AppTest]
Styles = Mapping[str, Style]


@pytest.fixture
def fed() -> Iterator[list[tuple[Dataset, dict[str, Any]]]]:
    """Everything that the explorer was fed with, beside its data set."""
    seen: list[tuple[Dataset, dict[str, Any]]] = []
    original = explored.data

    def watched(dataset: Dataset, styles: Styles) -> dict[str, Any]:
        seen.append((dataset, original(dataset, styles)))
        return seen[-1][1]

    with patch.object(explored, "data", watched):
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


def test_with_data_it_is_fed_with_what_evalcore_says_at_the_threshold(
    loaded: Opened, fed: list[tuple[Dataset, dict[str, Any]]]
) -> None:
    at = loaded("thresholds", threshold="0.3")
    assert not at.exception
    [(dataset, data)] = fed
    assert data["threshold"] == 0.3
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
        assert f'<th scope="col">{name}</th>' in shown
        for metric in CARDS:
            value, ends = number(metrics[metric.key].value), interval(metrics[metric.key])
            assert f"{value} <small>{ends}</small>" in shown.replace("<b>", "").replace("</b>", "")


def test_what_is_undefined_says_why(loaded: Opened) -> None:
    shown = words(loaded("thresholds", threshold="7"))
    assert f'<td title="{PRECISION.undefined_when}">undefined <small></small></td>' in shown


def test_labels_of_the_file_that_disagree_are_told_with_the_threshold_they_agree_with(
    loaded: Opened,
) -> None:
    said = words(loaded("thresholds", threshold="0.2"))
    assert "disagree with score" in said
    assert "They agree with any threshold above" in said


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
    assert "could not be drawn" not in words(at)


def test_several_classes_are_sent_to_the_pages_that_fit_them(loaded: Opened) -> None:
    at = loaded("thresholds", sample="digits")
    assert not at.exception
    assert "a yes-or-no question" in words(at)


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
    original = explored.data

    def data(dataset: Dataset, styles: Styles) -> dict[str, Any]:
        explored.take(choice)
        reached.append((current.threshold(dataset), current.model(dataset)))
        return original(dataset, styles)

    with patch.object(explored, "data", data):
        at = loaded("thresholds")
    assert not at.exception
    assert reached == [(threshold, model)]
