"""Results are computed once per data set and settings, and never shared between different ones."""

import pytest

from dev import ROOT
from evalread import loading
from evalread.dataset import Choices, Dataset
from pages.session import cache, computed

CONTENT = b"truth,score\n" + b"".join(b"%s,0.%d\n" % (b"yn"[i % 2 :][:1], i) for i in range(10, 60))


@pytest.fixture
def dataset() -> Dataset:
    return loading.load([("a.csv", CONTENT)])


def test_a_second_question_gets_the_same_answer_object(dataset: Dataset) -> None:
    again = loading.load([("a.csv", CONTENT)])
    assert computed.tables(again) is computed.tables(dataset)
    assert computed.ranking(again, "score") is computed.ranking(dataset, "score")
    first, second = (computed.decisions(d, "score", 0.3)["threshold"] for d in (dataset, again))
    assert second is first


def test_other_settings_are_other_answers(dataset: Dataset) -> None:
    low, high = (computed.decisions(dataset, "score", t)["threshold"] for t in (0.2, 0.5))
    assert low.confusion.binary().predicted_positive > high.confusion.binary().predicted_positive


def test_another_positive_class_is_another_data_set(dataset: Dataset) -> None:
    names = set(dataset.classes)
    other = (names - {dataset.roles.positive}).pop()
    turned = loading.load([("a.csv", CONTENT)], Choices(positive=other))
    assert computed.tables(turned) is not computed.tables(dataset)


def test_results_are_forgotten_on_request(dataset: Dataset) -> None:
    before = computed.tables(dataset)
    cache.forget(dataset.digest)
    assert computed.tables(dataset) is not before


@pytest.mark.parametrize("sample", ["breast_cancer", "digits"])
def test_the_ways_of_deciding_are_those_that_have_decisions(sample: str) -> None:
    content = (ROOT / "assets" / "samples" / f"{sample}.csv").read_bytes()
    data = loading.load([("a.csv", content)])
    for model in data.models:
        assert computed.ways(data, model) == list(computed.decisions(data, model, 0.5))
