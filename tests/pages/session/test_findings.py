"""Which model a page opens on: the one that leads, told from plain values."""

from importlib import import_module

import pytest

from evalcore.comparison.results import Comparison
from evalcore.comparison.spec import BACKWARDS
from evalread import loading
from evalread.dataset import Choices, Dataset
from pages.session import findings, store
from tests.pages.conftest import Opened

LABELS = b"truth,predicted_one,predicted_other\n" + b"a,b,a\nb,b,b\na,a,a\nb,b,b\na,a,a\n" * 10
LEFT_OUT = b"truth,p_score,q_score\n" + b"".join(
    b"%s,0.%d,%s\n" % (b"yn"[i % 2 :][:1], i, b"0.%d" % (99 - i) if i % 3 else b"")
    for i in range(10, 90)
)
BACKWARDS_A_LITTLE = b"truth,p_score,q_score\n" + b"".join(
    b"%s,%.3f,%.3f\n" % (b"yn"[i % 2 :][:1], 0.5 + 0.01 * (i % 7), 0.5 + 0.01 * (i % 5))
    for i in range(40)
)


def sample(key: str, choices: Choices | None = None) -> Dataset:
    files = store.files(store.SAMPLE_PREFIX + key)
    assert files
    return loading.load(files, choices or Choices())


def the_leader(dataset: Dataset) -> str | None:
    found = findings.leading(dataset)
    if not isinstance(found, Comparison) or found.doubt == BACKWARDS:
        return None
    return found.order[0]


@pytest.mark.parametrize("key", ["breast-cancer", "digits"])
def test_a_page_opens_on_the_model_that_leads(key: str) -> None:
    dataset = sample(key)
    assert len(dataset.models) > 1
    assert findings.first_to_show(dataset) == the_leader(dataset)


@pytest.mark.parametrize("content", [LABELS, LEFT_OUT, BACKWARDS_A_LITTLE])
@pytest.mark.parametrize("turned", [False, True])
def test_the_rows_that_models_share_tell_which_is_shown(content: bytes, turned: bool) -> None:
    dataset = loading.load([("a.csv", content)])
    assert len(dataset.models) == 2
    if turned:
        dataset = loading.load([("a.csv", content)], Choices(positive=dataset.classes[0]))
    assert findings.first_to_show(dataset) == the_leader(dataset)


def test_of_scores_that_all_run_backwards_for_sure_none_is_picked() -> None:
    dataset = sample("breast-cancer", Choices(positive="benign"))
    assert the_leader(dataset) is None
    assert findings.first_to_show(dataset) is None


@pytest.mark.parametrize("page", ["thresholds", "confusion", "costs", "calibration"])
def test_a_page_without_a_comparison_compares_nothing(
    page: str, loaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("compared")

    monkeypatch.setattr(import_module("evalcore.compare"), "verdict", refuse)
    at = loaded(page)
    assert not at.exception
