"""Two periods: a later file beside the one looked at, with labels or without."""

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evalview import sharing
from pages.session import current, store
from tests.pages.conftest import Opened, html, open_page, words
from tests.pages.hostile import HOSTILE


def month(seed: int, n: int = 600, *, up: float = 0.0, wrong: float = 0.0) -> pd.DataFrame:
    """Return rows whose probabilities are right but in a share of rows, and higher by `up`."""
    rng = np.random.default_rng(seed)
    chance = np.clip(rng.beta(0.6, 0.8, n) + up, 0, 1)
    truth = (rng.random(n) < chance) ^ (rng.random(n) < wrong)
    return pd.DataFrame({"truth": np.where(truth, "yes", "no"), "m_score": chance.round(4)})


def opened(later: pd.DataFrame | bytes, **address: str) -> AppTest:
    content = later if isinstance(later, bytes) else later.to_csv(index=False).encode()
    tokens = [
        store.keep([("old.csv", month(0).to_csv(index=False).encode())]),
        store.keep([("new.csv", content)]),
    ]
    return open_page("later", data=tokens[0], later=tokens[1], **address)


def test_at_first_a_later_file_is_asked_for(loaded: Opened) -> None:
    at = loaded("later")
    assert not at.exception
    assert "What changed since these rows were collected?" in html(at)
    assert at.get("file_uploader")


def test_the_surest_change_leads_all_that_was_compared() -> None:
    at = opened(month(1, wrong=0.25))
    assert not at.exception
    assert " fell from 0." in html(at) or " rose from 0." in html(at)
    assert "600 rows earlier, 600 rows later" in html(at)
    table = at.dataframe[0].value
    assert table["what"].tolist() == [
        "share of class “yes”", "Recall", "Precision", "Accuracy", "ROC AUC", "Brier score",
    ]  # fmt: skip
    assert "<0.001" in set(table["p"])
    assert "Kolmogorov" in words(at)


def test_equal_months_show_no_change() -> None:
    assert "No change in the metrics of m is shown" in html(opened(month(5)))


def test_other_scores_alone_are_said() -> None:
    said = html(opened(month(2, up=0.2)))
    assert "Later scores of m tend to be higher" in said
    assert "The distributions of scores differ by up to" in words(opened(month(2, up=0.2)))


def test_without_labels_what_is_expected_stands_beside_the_promise_kept_before() -> None:
    at = opened(month(1).drop(columns="truth"))
    assert not at.exception
    said = html(at)
    assert "Without labels, the estimated accuracy of m is 0." in said
    assert "This assumes that probabilities are calibrated on these rows too" in said
    assert "Did such estimates hold in the earlier file?" in said
    assert "p" not in at.dataframe[0].value


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"a,b\n1,2\n", "no column"),
        (b"", "empty"),
        (b"truth,m_score\n", "row"),
        (b"truth,m_score\nyes,0.5\n", ""),
        (("truth,m_score," + '"' + HOSTILE[0] + '"\nyes,0.5,x\nno,0.2,y\n').encode(), ""),
    ],
)
def test_a_file_that_does_not_fit_is_a_sentence_and_no_failure(content: bytes, told: str) -> None:
    at = opened(content)
    assert not at.exception
    assert told in " ".join([words(at), *(one.value for one in at.error)])
    assert "<script" not in html(at)


def test_a_token_that_nobody_knows_is_left_out() -> None:
    token = store.keep([("old.csv", month(0).to_csv(index=False).encode())])
    at = open_page("later", data=token, later="nothing")
    assert not at.exception
    assert at.get("file_uploader")


def test_a_file_dropped_in_a_run_that_is_cut_short_is_kept_by_the_next_one(
    loaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as first:
        first.setattr(current, "keep_beside", lambda files: st.stop())
        at = loaded("later")
        at.get("file_uploader")[0].upload("new.csv", month(1).to_csv(index=False).encode())
        at.run()
    assert "later" not in at.query_params
    assert at.run().query_params["later"]


def test_a_later_file_goes_with_the_data_that_it_was_given_beside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = store.keep([("old.csv", b"truth,m_score\nyes,0.5\n")])
    monkeypatch.setitem(st.session_state, current.VIEW, sharing.View(data=first))
    second = current.keep_beside([("new.csv", b"truth,m_score\nyes,0.5\n")])
    current.close(first)
    assert store.files(second) is None


def test_numbers_are_compared_by_their_errors() -> None:
    rng = np.random.default_rng(0)
    files = []
    for spread in (1.0, 3.0):
        truth = rng.normal(size=300)
        said = pd.DataFrame({"actual": truth, "predicted": truth + spread * rng.normal(size=300)})
        files.append(store.keep([("n.csv", said.to_csv(index=False).encode())]))
    at = open_page("later", data=files[0], later=files[1])
    assert not at.exception
    assert " rose from " in html(at)
    assert at.dataframe[0].value["what"].tolist()[0] == "mean of the truth"


def test_each_of_several_classes_has_a_table_of_its_own() -> None:
    def animals(right: int) -> bytes:
        truth = ["cat", "dog", "owl"] * 20
        said = [one if at < right else "cat" for at, one in enumerate(truth)]
        return pd.DataFrame({"truth": truth, "m_label": said}).to_csv(index=False).encode()

    tokens = [store.keep([("a.csv", animals(right))]) for right in (60, 30)]
    at = open_page("later", data=tokens[0], later=tokens[1])
    assert not at.exception
    table = at.dataframe[1].value.set_index("what")
    assert len(table) == 6
    assert table.loc["Recall of dog", "later"].startswith("0.500")
    assert "adjusted for these 6 numbers" in html(at)
