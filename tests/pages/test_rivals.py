"""Bootstrap, cross-validation and leaderboard: for every kind of data, and for odd ones."""

from collections.abc import Callable
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

Opened = Callable[..., AppTest]


def html(at: AppTest) -> str:
    shown = (element.value for element in at.get("html") if "<style" not in element.value)
    return unescape("\n".join(shown))


@pytest.mark.parametrize(
    ("page", "sample", "charts"),
    [
        ("bootstrap", "breast_cancer", 2),
        ("bootstrap", "digits", 2),
        ("bootstrap", "diabetes", 2),
        ("cross_validation", "breast_cancer", 3),
        ("cross_validation", "diabetes", 2),
        ("cross_validation", "folds", 2),
        ("leaderboard", "breast_cancer", 4),
        ("leaderboard", "digits", 2),
        ("leaderboard", "folds", 3),
    ],
)
def test_every_page_is_filled(loaded: Opened, page: str, sample: str, charts: int) -> None:
    at = loaded(page, sample=sample)
    assert not at.exception
    assert not at.error
    assert "<h1" in html(at)
    assert len(at.get("plotly_chart")) == charts
