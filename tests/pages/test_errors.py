"""The page about errors: what it says, along what, and the rows behind it."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalview.conclusions import normal_shares
from evalview.text import number, percent
from tests.pages.conftest import WHOLE, html
from tests.pages.hostile import HOSTILE
from tests.pages.test_values_overview import Opened, sample


def captions(at: AppTest) -> str:
    """Return what captions say, without the marks that keep text from being Markdown."""
    said = "\n".join(caption.value for caption in at.caption)
    return said.replace("\\", "").replace("\u2060", "")


def figures(at: AppTest) -> str:
    return " ".join(chart.proto.alt for chart in at.get("plotly_chart"))


def largest_errors(at: AppTest) -> pd.DataFrame:
    return next(frame.value for frame in at.dataframe if "error" in frame.value)


def test_the_largest_error_leads_its_table(loaded: Opened) -> None:
    at = loaded("errors", sample="diabetes", **WHOLE)
    error = largest_errors(at)["error"].abs().to_numpy()
    assert (np.diff(error) <= 0).all()
    told = sample().models["linear regression"]
    assert error[0] == np.abs(told.prediction - told.truth).max()


def test_the_headline_and_the_pictures_say_how_far_off_it_is(loaded: Opened) -> None:
    at = loaded("errors", sample="diabetes", shown="random forest")
    told = sample().models["random forest"]
    off = np.abs(told.prediction - told.truth)
    assert f"Half of the predictions of random forest are within {np.median(off):.3g}" in html(at)
    worst = np.sort(off**2)[::-1]
    share = worst[:22].sum() + 0.1 * worst[22]  # 5% of 442 rows are 22.1
    assert f"make up {share / worst.sum():.1%} of the squared error" in html(at)
    assert f"within {np.quantile(off, 0.9, method='inverted_cdf'):.3g}" in figures(at)


def test_pictures_are_small_and_described(loaded: Opened) -> None:
    charts = loaded("errors", sample="diabetes").get("plotly_chart")
    assert len(charts) == 7
    for chart in charts:
        assert len(chart.proto.spec) <= 64 * 1024
        assert len(chart.proto.alt) > 20


def test_errors_are_looked_at_along_what_the_address_names(loaded: Opened) -> None:
    along = loaded("errors", sample="diabetes", along="actual")
    assert "too high at the low end, too low at the high end" in figures(along)
    assert "for any good model" in captions(along)


COLUMNS = "day,size,note,truth,a_prediction\n" + "".join(
    f"2026-01-{k % 28 + 1:02},{'' if k == 3 else k % 7},n{k},{k},{k + (k % 7) - 3}\n"
    for k in range(60)
)


def test_numbers_and_dates_of_the_file_are_offered_and_words_are_not(uploaded: Opened) -> None:
    at = uploaded("errors", "f.csv", COLUMNS.encode(), task="regression", truth="truth")
    offered = next(box for box in at.selectbox if box.label == "Errors along").options
    assert offered == ["predicted", "actual", "row order", "day", "size"]


def test_a_trend_along_a_column_is_found_and_rows_without_it_are_counted(uploaded: Opened) -> None:
    address = {"task": "regression", "truth": "truth", "along": "size"}
    at = uploaded("errors", "f.csv", COLUMNS.encode(), **address)
    assert "Left out: 1 row without a number" in captions(at)
    assert "Errors of 59 rows against the column “size”" in figures(at)
    dated = uploaded("errors", "f.csv", COLUMNS.encode(), **(address | {"along": "day"}))
    assert not dated.exception
    assert "Mean errors in groups by the column “day”" in figures(dated)


def test_the_sums_of_squares_add_up_for_least_squares_on_its_own_rows(uploaded: Opened) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    y = x + rng.normal(size=50)
    said = np.polyval(np.polyfit(x, y, 1), x)
    rows = "\n".join(f"{a!r},{b!r}" for a, b in zip(y.tolist(), said.tolist(), strict=True))
    at = uploaded("errors", "f.csv", f"truth,m_prediction\n{rows}\n".encode(), task="regression")
    assert "Here TSS = ESS + RSS" in captions(at)


def test_each_sum_of_squares_is_the_one_its_row_describes(loaded: Opened) -> None:
    at = loaded("errors", sample="diabetes", shown="random forest")
    table = next(frame.value for frame in at.dataframe if "sum of squares" in frame.value)
    told = sample().models["random forest"]
    y, f, mean = told.truth, told.prediction, told.truth.mean()
    by_name = {
        "TSS, total": ("actual minus mean of actual", y - mean),
        "ESS, explained": ("predicted minus mean of actual", f - mean),
        "RSS, residual": ("actual minus predicted", y - f),
    }
    assert table["sum of squares"].tolist() == list(by_name)
    for (of_what, gaps), row in zip(by_name.values(), table.itertuples(index=False), strict=True):
        total = float((gaps**2).sum())
        assert row[1:] == (of_what, number(total), percent(total / ((y - mean) ** 2).sum()))
    r2 = 1 - ((y - f) ** 2).sum() / ((y - mean) ** 2).sum()
    assert f"R² is {number(r2)}" in captions(at)


def test_normal_errors_have_these_tails() -> None:
    errors = np.sort(np.random.default_rng(0).normal(size=200_000) ** 2)[::-1]
    share = errors[:10_000].sum() / errors.sum()
    assert float(normal_shares((0.05,)).rstrip("%")) == pytest.approx(100 * share, abs=0.5)


@pytest.mark.parametrize(
    "rows",
    [
        "1.5,2.5\n",
        "1.5,2.5\n1.5,1.25\n" * 9,
        "1.5,1.5\n2.5,2.5\n" * 9,
        "1.5e200,1.5\n-2.5e200,2.5\n" * 9,
        "0,1.5\n0.5,1.5\n" * 9,
    ],
    ids=["one row", "constant truth", "perfect", "huge", "constant prediction"],
)
@pytest.mark.parametrize("along", ["predicted", "row order"])
def test_little_and_odd_data_give_a_page_with_reasons(
    uploaded: Opened, rows: str, along: str
) -> None:
    content = f"truth,a_prediction\n{rows}".encode()
    at = uploaded("errors", "f.csv", content, task="regression", along=along)
    assert not at.exception
    assert ">nan<" not in html(at).lower()
    assert "nan" not in figures(at)


def test_names_that_look_like_markup_are_read_as_text(uploaded: Opened) -> None:
    for name in HOSTILE[:4]:
        quoted = '"' + name.replace('"', '""') + '"'
        content = f"truth,a_prediction,{quoted}\n" + "1.5,2.5,1\n2.5,1.0,2\n4.5,2.75,3\n" * 9
        address = {"task": "regression", "truth": "truth", "along": name}
        at = uploaded("errors", "f.csv", content.encode(), **address)
        assert not at.exception
        assert "<img" not in captions(at) + html(at)


def test_another_kind_of_data_is_told_what_the_page_needs(loaded: Opened) -> None:
    at = loaded("errors", sample="iris")
    assert not at.exception
    assert "predicted numbers and the true ones" in html(at) + captions(at) + " ".join(
        text.value for text in at.markdown
    )


def test_selected_rows_are_listed_by_their_errors_and_ringed(loaded: Opened) -> None:
    misses = ["model=linear regression", "within=size of error:100:"]
    at = loaded("errors", sample="diabetes", selected=misses, **WHOLE)
    told = sample().models["linear regression"]
    off = np.abs(told.prediction - told.truth)
    assert len(largest_errors(at)) == (off >= 100).sum()
    assert f"{(off >= 100).sum()} rows off by at least 100 (linear regression)" in html(at)
    clouds = [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]
    ringed = [c for c in clouds if any("selected" in t.get("hovertemplate", "") for t in c["data"])]
    assert len(ringed) == 3
    other = loaded("errors", sample="diabetes", selected=misses, shown="random forest", **WHOLE)
    assert len(largest_errors(other)) == (off >= 100).sum()


def test_the_title_of_groups_says_by_how_much_predictions_are_off(loaded: Opened) -> None:
    said = figures(loaded("errors", sample="diabetes", shown="linear regression"))
    assert re.search(r"Predictions (between \S+ and \S+ are \S+|are) too (low|high)", said)
    assert " says " not in said


def test_nothing_selected_among_the_rows_of_a_model_is_said(loaded: Opened) -> None:
    nobody = ["model=linear regression", "within=size of error:1e9:"]
    at = loaded("errors", sample="diabetes", selected=nobody)
    assert not at.exception
    assert "There are no such rows" in captions(at)
