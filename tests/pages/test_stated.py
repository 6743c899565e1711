"""The page about stated intervals: what they hold, which columns they are, odd files."""

import numpy as np
import pytest
from scipy import stats

from evalview import figures
from evalview.figures.errors import ErrorGroups
from tests.pages.conftest import html
from tests.pages.test_clusterings import captions
from tests.pages.test_silhouettes import figures as figures_of
from tests.pages.test_values_overview import Opened

N = 400


def file(header: str, *reach: float, scale: float = 1.0) -> bytes:
    """A file of truth, prediction, and columns so many standard deviations away from it."""
    rng = np.random.default_rng(1)
    centre = rng.normal(10, 3, N)
    truth = centre + scale * rng.normal(size=N)
    rows = np.column_stack([truth, centre, *(centre + away for away in reach)])
    body = "\n".join(",".join(f"{value:.6f}" for value in row) for row in rows)
    return f"{header}\n{body}\n".encode()


NINETY = stats.norm.ppf(0.95)


def test_quantiles_that_keep_their_promise_are_not_contradicted(uploaded: Opened) -> None:
    at = uploaded("stated", "f.csv", file("y,q50,q05,q95", -NINETY, NINETY))
    assert not at.exception
    assert "The 90% interval of the model covers" in html(at)
    assert "do not contradict its stated share" in html(at)
    assert "fit, as far" in figures_of(at)
    assert "interval score" in captions(at)


def test_too_narrow_intervals_are_told(uploaded: Opened) -> None:
    content = file("y,prediction,lower,upper", -1.0, 1.0)
    at = uploaded("stated", "f.csv", content, promised="0.9")
    assert not at.exception
    assert "The interval of the model covers" in html(at)
    assert "Its share is not in the file: 90% is assumed" in html(at)
    assert at.dataframe[0].value["should hold"].tolist() == ["90% (assumed)"]
    assert "covers less than stated" in html(at)
    table = at.dataframe[0].value
    held = float(table["holds"][0].split("%")[0])
    assert held == pytest.approx(100 * (2 * stats.norm.cdf(1) - 1), abs=6)


def test_each_model_has_its_own_interval(uploaded: Opened) -> None:
    content = file("truth,gbm,gbm_lower,gbm_upper,rf,rf_lower,rf_upper", -2, 2, 0.5, -1.5, 2.5)
    at = uploaded("stated", "f.csv", content, shown="rf")
    assert not at.exception
    assert "interval of rf covers" in html(at)
    assert at.dataframe[0].value["interval"].tolist() == [
        "gbm_lower to gbm_upper",
        "rf_lower to rf_upper",
    ]


def test_crossed_quantiles_are_warned_of(uploaded: Opened) -> None:
    at = uploaded("stated", "f.csv", file("y,q50,q05,q95", 1.0, 2.0))
    assert f"{N} rows have a higher quantile below" in at.warning[0].value


def test_blank_ends_are_left_out_and_no_row_is_said(uploaded: Opened) -> None:
    blank = "y,prediction,lower,upper\n" + "".join(f"{k}.5,{k},,{k + 1}\n" for k in range(30))
    at = uploaded("stated", "f.csv", blank.encode(), task="regression", truth="y")
    assert not at.exception
    assert "No row of the model has both ends of its interval" in html(at)
    assert "contradict" not in html(at)
    assert "fit, as far" not in figures_of(at)
    assert "strays" not in figures_of(at)
    (row,) = at.dataframe[0].value.to_dict("records")
    assert {row["holds"], row["mean width"], row["interval score"]} == {"undefined"}


def test_the_page_about_the_data_lists_the_columns_round_a_prediction(uploaded: Opened) -> None:
    content = file("y,prediction,lower,upper", -1.0, 1.0)
    said = html(uploaded("data", "f.csv", content))
    assert "Interval of prediction" in said
    assert "named like an interval end or a quantile of the prediction" in said


def test_one_row_has_a_width_without_an_interval(uploaded: Opened) -> None:
    blank = "y,prediction,lower,upper\n" + "1.5,2.5,1,3\n" + "2.5,2.25,,\n" * 9
    at = uploaded("stated", "f.csv", blank.encode(), task="regression", truth="y")
    assert not at.exception
    assert at.dataframe[0].value["mean width"].tolist() == ["2"]
    assert "nan" not in html(at) + captions(at)


def test_shares_in_the_names_of_ends_are_promises(uploaded: Opened) -> None:
    header = "y,arima,arima-lo-95,arima-hi-95,arima-lo-80,arima-hi-80"
    wide, narrow = stats.norm.ppf([0.975, 0.9])
    at = uploaded("stated", "f.csv", file(header, -wide, wide, -narrow, narrow))
    assert not at.exception
    assert "The 95% interval of arima covers" in html(at)
    assert at.dataframe[0].value["should hold"].tolist() == ["95%", "80%"]
    assert not any(box.label == "Share it should cover" for box in at.number_input)


def test_files_without_intervals_are_told_what_is_needed(loaded: Opened) -> None:
    at = loaded("stated", sample="diabetes")
    assert not at.exception
    shown = html(at) + captions(at) + " ".join(text.value for text in at.markdown)
    assert "quantiles or both ends of an interval" in shown


def test_the_group_that_falls_short_is_named() -> None:
    by = np.arange(1000.0)
    held = np.where(by < 100, 0.0, 1.0)
    groups = ErrorGroups.from_values(by, held)
    assert figures.coverage_title(groups, 0.9) == "Where 0 to 99 is predicted, it holds 0%"
    ample = ErrorGroups.from_values(by, np.ones(1000))
    assert "wider than necessary" in figures.coverage_title(ample, 0.9)
