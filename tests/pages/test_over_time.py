"""Over time: a metric by day, week or month, and whether a change is flagged."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.session import store
from tests.pages.conftest import html, open_page, words
from tests.pages.hostile import HOSTILE


def dated(n: int = 1500, drop: float = 0.0, days: int = 140) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    day = np.sort(rng.integers(0, days, n))
    truth = rng.integers(0, 2, n)
    right = rng.random(n) < np.where(day < 90, 0.9, 0.9 - drop)
    return pd.DataFrame(
        {
            "when": (np.datetime64("2024-01-01") + day).astype(str),
            "truth": np.where(truth == 1, "yes", "no"),
            "m_pred": np.where(right == (truth == 1), "yes", "no"),
        }
    )


def opened(frame: pd.DataFrame, **address: str) -> AppTest:
    token = store.keep([("dated.csv", frame.to_csv(index=False).encode())])
    return open_page("over_time", data=token, **address)


def test_a_change_is_said_with_its_week_and_drawn() -> None:
    at = opened(dated(drop=0.2))
    assert not at.exception
    said = html(at)
    assert "Accuracy is lower since the week of 2024-0" in said
    assert "Accuracy of m by week" in said
    assert "Share of positives by week" in said
    assert "Only changes of the metric are flagged" in words(at)
    assert "; dotted: the reference, 0." in words(at)


def test_without_a_change_that_is_said() -> None:
    at = opened(dated(), every="month", looks="24")
    assert not at.exception
    assert "Accuracy: no change is flagged" in html(at)
    assert "looks (up to 24 are allowed for)" in html(at)
    assert "planned" not in html(at)


def test_the_sample_shows_a_change_of_one_of_its_models() -> None:
    at = open_page("over_time", data="sample-messages")
    assert not at.exception
    assert "is lower since the week of 2024-04-15" in html(at)


@pytest.mark.parametrize("rows", [1, 2, 30])
def test_few_rows_are_a_sentence_and_no_failure(rows: int) -> None:
    at = opened(dated().head(rows))
    assert not at.exception


def test_hostile_names_of_columns_run_no_script() -> None:
    frame = dated(300).rename(columns={"when": HOSTILE[0]})
    frame["other"] = frame[HOSTILE[0]]
    at = opened(frame)
    assert not at.exception
    assert "<script" not in html(at)


def test_a_file_without_dates_is_told_what_the_page_needs() -> None:
    at = opened(dated().drop(columns="when"))
    assert not at.exception
    assert "a column of dates" in words(at) + html(at)
