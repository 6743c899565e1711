"""The overview of predicted numbers: every number that evalcore gives, and the rows behind it."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.evaluate import evaluate
from evalcore.metrics.catalog import by_key
from evalcore.options import Options
from evalread.loading import load
from evalview.text import decimals, low_dash_high, number, size, with_interval
from pages.session import store
from tests.pages.conftest import OPEN, html
from tests.pages.hostile import HOSTILE

Opened = Callable[..., AppTest]


def tables(at: AppTest) -> str:
    shown = b" ".join(t.proto.arrow_data.styler.display_values for t in at.dataframe)
    return shown.decode(errors="replace")


@cache
def sample():
    return load([("diabetes.csv", (store.SAMPLES / "diabetes.csv").read_bytes())])


def test_the_cards_show_the_numbers_of_evalcore(loaded: Opened) -> None:
    at = loaded("overview", **OPEN, sample="diabetes")
    assert not at.exception
    known = evaluate(sample(), Options()).models["linear regression"].values
    shown = html(at)
    for key in ("mae", "rmse", "medae", "bias", "r2", "max_error"):
        assert f">{number(known[key].value, decimals(known[key]))}<" in shown, key


def test_the_first_screen_says_how_far_off_predictions_are(loaded: Opened) -> None:
    shown = html(loaded("overview", sample="diabetes"))
    error = np.abs(sample().models["linear regression"].prediction - truth())
    within = f"{np.quantile(error, 0.9, method='inverted_cdf'):.3g}"
    assert f"9 of 10 within {within}; on average 0.112 too low" in shown
    assert f"<td>{within}</td>" in shown


@pytest.mark.parametrize(
    ("metric", "head"), [("rmse", "RMSE"), ("mae", "mean error"), ("r2", "R²"), ("pearson", "")]
)
def test_what_the_verdict_rests_on_stands_first_in_the_table(
    loaded: Opened, metric: str, head: str
) -> None:
    at = loaded("overview", sample="diabetes", metric=metric)
    shown, name = html(at), head or by_key()[metric].name
    assert shown.index(f">{name}</th>") < shown.index(">typical error</th>")
    for model in evaluate(sample(), Options()).models.values():
        assert f"<td>{size(model.values[metric].value)}</td>" in shown


def test_what_is_in_the_table_anyway_stands_there_once(loaded: Opened) -> None:
    shown = html(loaded("overview", sample="diabetes", metric="medae"))
    assert f">{by_key()['medae'].name}</th>" not in shown
    assert ">RMSE</th>" not in shown


TWO = b"actual,pred_a,pred_b,side\n" + b"1.5,2.0,1.0,left\n4.5,4.0,6.0,right\n" * 9


@pytest.mark.parametrize(("page", "box"), [("overview", "metric"), ("slices", "sliced-by")])
def test_nothing_is_judged_by_bias_which_is_better_neither_high_nor_low(
    uploaded: Opened, page: str, box: str
) -> None:
    at = uploaded(page, "f.csv", TWO, **{box: "bias"})
    assert at.selectbox(key=box).value in ("rmse", "mae")
    assert not {"Bias", "bias"} & {*at.selectbox(key=box).options}
    assert "bias" in at.warning[0].value


def test_biases_are_still_compared(uploaded: Opened) -> None:
    at = uploaded("comparison", "f.csv", TWO, metric="bias")
    assert not at.exception
    assert at.selectbox(key="metric").value == "bias"


def truth():
    return sample().models["linear regression"].truth


def test_the_table_holds_every_model_with_its_intervals(loaded: Opened) -> None:
    shown = tables(loaded("overview", **OPEN, sample="diabetes"))
    for model in evaluate(sample(), Options()).models.values():
        assert with_interval(model.values["mae"], low_dash_high) in shown


def test_cards_follow_the_model_of_the_address(loaded: Opened) -> None:
    shown = html(loaded("overview", **OPEN, sample="diabetes", shown="random forest"))
    error = evaluate(sample(), Options()).models["random forest"].values["mae"]
    assert f">{number(error.value, decimals(error))}<" in shown


def test_pictures_are_small_and_described(loaded: Opened) -> None:
    charts = loaded("overview", **OPEN, sample="diabetes").get("plotly_chart")
    assert len(charts) == 2
    for chart in charts:
        assert len(chart.proto.spec) <= 64 * 1024
        assert len(chart.proto.alt) > 20


def test_every_number_opens_into_its_formula(loaded: Opened) -> None:
    at = loaded("overview", **OPEN, sample="diabetes")
    assert len(at.latex) >= 6
    assert any(".values['rmse'].value" in code.value for code in at.code)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("one row", b"truth,a_prediction\n1.5,2.5\n"),
        ("constant truth", b"truth,a_prediction\n" + b"1.5,2.5\n1.5,1.25\n" * 9),
        ("perfect", b"truth,a_prediction\n" + b"1.5,1.5\n2.5,2.5\n" * 9),
        ("twins", b"truth,a_prediction,b_prediction\n" + b"1.5,1.4,1.4\n2.5,2.7,2.7\n" * 9),
        ("huge", b"truth,a_prediction\n" + b"1.5e200,1.5\n-2.5e200,2.5\n" * 9),
        ("zeros", b"truth,a_prediction\n" + b"0,1.5\n0.5,2.5\n" * 9),
    ],
)
def test_little_and_odd_data_give_a_page_with_reasons(
    uploaded: Opened, name: str, content: bytes
) -> None:
    at = uploaded("overview", f"{name}.csv", content, task="regression", **OPEN)
    assert not at.exception
    assert ">nan<" not in html(at).lower()
    assert "<h1" in html(at)


def test_names_that_look_like_markup_are_read_as_text(uploaded: Opened) -> None:
    for name in HOSTILE[:4]:
        quoted = '"' + name.replace('"', '""') + '"'
        content = f"truth,{quoted}\n" + "1.5,2.5\n2.5,1.0\n4.5,2.75\n" * 9
        at = uploaded(
            "overview", "f.csv", content.encode(), task="regression", truth="truth", **OPEN
        )
        assert not at.exception
        shown = [
            element.value for kind in ("html", "markdown", "caption") for element in at.get(kind)
        ]
        assert not any("<img" in text for text in shown)


@pytest.mark.parametrize("page", ["overview", "errors"])
def test_a_row_that_makes_up_most_of_the_squared_error_is_named(
    uploaded: Opened, page: str
) -> None:
    rows = [f"{place},{place + 1},{place + 2}" for place in range(19)] + ["50,60,54"]
    text = "\n".join(["truth,pred_a,pred_b", *rows])
    shown = html(uploaded(page, "f.csv", text.encode(), task="regression"))
    said = "Row 20 decides which model has the lowest RMSE: “b” with it, “a” without it"
    assert said in shown.replace("&quot;", '"').replace('"b"', "“b”").replace('"a"', "“a”")
    assert "Row 20 makes up 84% of the squared error" in shown
