"""Models with rows of their own, on the pages that show or compare them."""

from collections.abc import Callable
from html import unescape

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.compare import compare
from evalcore.options import Options
from evalread.loading import load
from pages.session import store
from pages.widgets import comparing
from tests.pages.conftest import words

Opened = Callable[..., AppTest]


def one_test(n: int, noise: float, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.4).astype(int)
    score = 1 / (1 + np.exp(-(2 * truth - 1 + noise * rng.normal(size=n))))
    return pd.DataFrame({"y_true": truth, "y_pred": (score > 0.5) * 1, "y_score": score.round(4)})


NORTH, SOUTH = one_test(60, 0.8, 1), one_test(90, 2.5, 2)
LONG = pd.concat([NORTH.assign(model="north"), SOUTH.assign(model="south")])
CSV = LONG.to_csv(index=False).encode()


def shown(at: AppTest) -> str:
    return unescape(words(at))


def test_the_comparison_rests_on_independent_samples(uploaded: Opened) -> None:
    at = uploaded("comparison", "long.csv", CSV)
    made = compare(load([("long.csv", CSV)]), Options())

    assert not at.exception
    assert comparing.reasons(made)[0] in shown(at)
    assert "each is judged on its own rows" in shown(at)
    assert "The test: DeLong" in shown(at)
    at.selectbox(key="metric").set_value("accuracy").run()
    assert "The test: Two-proportion z" in shown(at)
    assert "McNemar (exact)" in shown(at)


@pytest.mark.parametrize(
    "page", ["overview", "confusion", "thresholds", "calibration", "bootstrap", "leaderboard"]
)
def test_every_page_shows_them(uploaded: Opened, page: str) -> None:
    at = uploaded(page, "long.csv", CSV)
    assert not at.exception
    assert "north" in shown(at) + " ".join(str(box.options) for box in at.selectbox)


def test_the_data_page_says_so_and_takes_it_back(uploaded: Opened) -> None:
    at = uploaded("data", "long.csv", CSV)
    assert "150 rows: 2 models, judged against" in shown(at)
    assert "models are compared as independent samples" in shown(at)
    (undo,) = [one for one in at.button if "describes the rows" in one.label]
    undo.click().run()
    assert "150 rows: 1 model, judged against" in shown(at)


def test_columns_are_chosen_once_for_all_models(uploaded: Opened) -> None:
    at = uploaded("data", "long.csv", CSV)
    (label,) = [box for box in at.selectbox if box.label == "Label" and box.value == "y_pred"]
    label.set_value("")
    next(one for one in at.button if one.label == "Use these columns").click().run()
    assert not at.exception
    assert "150 rows: 2 models, judged against" in shown(at)
    assert "Score of south" in shown(at)
    assert "Label of south" not in shown(at)


def test_an_open_case_is_a_question_with_an_answer_to_click(empty: Opened) -> None:
    files = [
        (f"{name}.csv", NORTH.sample(frac=1, random_state=seed).to_csv(index=False).encode())
        for seed, name in enumerate("ab")
    ]
    at = empty("data", data=store.keep(files))
    assert "What you can do" in shown(at)
    assert "The files are parts of one test" in shown(at)
    at.button(key="answer-0").click().run()
    assert not at.exception
    assert "120 rows: 2 models, judged against" in shown(at)
    assert "--own-rows" in shown(at)


def test_only_a_column_can_be_left_aside(uploaded: Opened) -> None:
    again = NORTH.sample(frac=1, random_state=0).assign(model="south")
    both = pd.concat([NORTH.assign(model="north"), again]).drop(columns="y_score")
    at = uploaded("data", "long.csv", both.to_csv(index=False).encode())
    assert "may have been tested on the same examples" in shown(at)
    assert not [one.label for one in at.button if one.label == "Ignore the column"][1:]
    at.button(key="answer-1").click().run()
    assert "120 rows: 1 model, judged against" in shown(at)
