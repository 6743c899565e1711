"""The comparison: the answer of evalcore, its tests and its reasons, for every kind of data."""

from collections.abc import Callable
from functools import cache
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.compare import compare
from evalcore.comparison.catalog import TESTS
from evalcore.metrics.catalog import by_key
from evalcore.options import Options
from evalread.loading import load
from evalview import headlines
from pages.session import store
from pages.widgets import comparing, tables
from pages.widgets.comparing import OFFERED
from tests.pages import conftest
from tests.pages.conftest import grouped, words

Opened = Callable[..., AppTest]
NAMES = {test.key: test.name for test in TESTS}


def html(at: AppTest) -> str:
    return unescape(conftest.html(at))


@cache
def compared(sample: str, metric: str | None = None):
    name = f"{sample}.csv"
    dataset = load([(name, (store.SAMPLES / name).read_bytes())])
    return compare(dataset, Options(), metric=metric)


@pytest.mark.parametrize("sample", ["breast_cancer", "digits", "diabetes"])
def test_the_headline_and_the_tests_are_those_of_evalcore(loaded: Opened, sample: str) -> None:
    at, made = loaded("comparison", sample=sample), compared(sample)
    assert not at.exception
    assert comparing.reasons(made)[0] in html(at)
    main, others = (table.value for table in at.dataframe)
    assert f"The test: {NAMES[made.primary]}" in html(at)
    assert len(main) == len(made.differences)
    of_rows = {test.key for test in TESTS if test.designs & comparing.OF_ROWS}
    assert len(main) + len(others) == sum(one.test in of_rows for one in made.tests)
    for refusal in made.not_applicable:
        assert (f"<b>{NAMES[refusal.test]}</b>" in html(at)) == (refusal.test in of_rows)


def test_p_values_stand_beside_the_ones_adjusted_for_the_pairs(loaded: Opened) -> None:
    shown = loaded("comparison").dataframe[0].value
    made = compared("breast_cancer")
    for found in made.tests[:3]:
        one, other = sorted((found.first, found.second), key=made.order.index)
        row = shown[shown["models"] == f"{one} − {other}"].iloc[0]
        assert float(row["p"]) == pytest.approx(found.finding.p_value)
        assert float(row["adjusted p"]) == pytest.approx(found.p_adjusted)


def test_every_metric_that_is_offered_is_known_and_can_be_compared(loaded: Opened) -> None:
    for keys in OFFERED.values():
        assert set(keys) <= set(by_key())
    for sample, metric in (("diabetes", "mae"), ("digits", "f1"), ("breast_cancer", "brier")):
        at = loaded("comparison", sample=sample).selectbox(key="metric").set_value(metric).run()
        assert not at.exception
        assert not at.error
        assert comparing.reasons(compared(sample, metric))[0] in html(at)


def test_picking_a_metric_changes_the_answer(loaded: Opened) -> None:
    at = loaded("comparison", sample="diabetes")
    at.selectbox(key="metric").set_value("mae").run()
    assert "mean absolute error" in html(at)


def test_pictures_show_models_and_pairs(loaded: Opened) -> None:
    charts = loaded("comparison").get("plotly_chart")
    assert len(charts) == 2
    for chart in charts:
        assert len(chart.proto.spec) <= 64 * 1024
        assert len(chart.proto.alt) > 20


def test_it_says_how_many_rows_would_settle_it(loaded: Opened) -> None:
    needed = compared("breast_cancer").sample_size.rows_needed
    about = f"about {float(f'{needed:.2g}'):,.0f} rows would be needed."
    assert about in html(loaded("comparison"))


def test_one_model_has_nothing_to_be_compared_with(uploaded: Opened) -> None:
    at = uploaded("comparison", "f.csv", b"truth,a_label\n" + b"yes,yes\nno,no\n" * 5)
    assert not at.exception
    assert "at least two models" in words(at)


@pytest.mark.parametrize(
    "content",
    [
        b"truth,a_label,b_label\n" + b"y,y,y\nn,n,n\n" * 9,
        b"truth,a_score,b_score\ny,0.5,0.4\nn,0.1,0.4\n",
        b"truth,a_score,b_score\n" + b"y,0.5,\nn,0.1,\ny,,0.4\nn,,0.2\n" * 5,
        b"truth,<img src=x>_label,[x](y)_label\n" + b"y,n,y\nn,n,n\n" * 9,
    ],
)
def test_odd_models_give_an_answer_or_a_reason(uploaded: Opened, content: bytes) -> None:
    at = uploaded("comparison", "f.csv", content)
    assert not at.exception
    assert not any("<img src" in element.value for element in at.get("html"))
    assert "<h1" in html(at) or at.error


def test_where_p_and_interval_disagree_the_headline_says_so_and_nothing_is_coloured(
    uploaded: Opened,
) -> None:
    file = Path(__file__).parents[1] / "cases/224_p_and_interval_disagree.csv"
    at = uploaded("comparison", file.name, file.read_bytes())
    shown = html(at)
    assert "Test and interval must both show a difference; only the" in shown
    assert "; the interval does not confirm it</h1>" in shown


@pytest.mark.parametrize("sample", ["breast_cancer", "digits", "diabetes"])
def test_a_statistic_is_positive_where_the_first_has_the_higher_value(
    loaded: Opened, sample: str
) -> None:
    at, made = loaded("comparison", sample=sample), compared(sample)
    signed = {test.name for test in TESTS if test.signed}
    for table in at.dataframe:
        for row in table.value.itertuples():
            statistic = getattr(row, "statistic", None)
            if (
                getattr(row, "test", NAMES[made.primary]) in signed
                and "−" in row.models
                and statistic
            ):
                one, other = row.models.split(" − ")
                gap = made.models[one].value - made.models[other].value
                assert float(statistic) * gap >= 0, row


@pytest.mark.parametrize("page", ["comparison", "bootstrap", "cross_validation", "leaderboard"])
@pytest.mark.parametrize("sample", ["breast_cancer", "diabetes"])
def test_the_verdict_is_left_to_the_summary(loaded: Opened, page: str, sample: str) -> None:
    shown = html(loaded(page, sample=sample))
    for verdict in ("too close to call", "clearly better", "probably better", "than both others"):
        assert verdict not in shown


def test_tests_that_do_not_apply_name_the_metric_in_words(loaded: Opened) -> None:
    shown = html(loaded("comparison"))
    assert "It compares accuracy, not ROC AUC." in shown
    assert "roc_auc" not in shown


def test_the_old_address_of_the_bootstrap_opens_that_part_of_the_page(loaded: Opened) -> None:
    at = loaded("bootstrap", interval="bca")
    assert not at.exception
    assert [chart.key for chart in at.get("plotly_chart")][-1] == "resampled-differences"
    assert at.selectbox(key="interval").value == "bca"
    assert "resampled" not in [chart.key for chart in loaded("comparison").get("plotly_chart")]


def test_no_part_of_the_answer_is_lost_between_headline_and_line_below() -> None:
    for sample in ("breast_cancer", "digits", "diabetes"):
        made = compared(sample)
        said = "".join(headlines.finding(made)).casefold()
        plain = (
            made.summary.casefold()
            .replace("-", "−")
            .replace("mid−p", "mid-p")
            .replace("d−m", "d-m")
        )
        kept = [letter for letter in plain if letter not in ":;. "]
        assert [letter for letter in said if letter not in ":;. "] == kept


def test_the_tests_used_say_below_the_table_what_they_ask_and_assume(loaded: Opened) -> None:
    at, made = loaded("comparison"), compared("breast_cancer")
    assert f"The test: {NAMES[made.primary]}" in html(at)
    told = next(e for e in at.expander if e.label == "Other tests")
    items = told.get("html")[0].value
    assert "<b>Paired bootstrap</b>: Would other rows" in items
    assert "<b>McNemar (exact)</b> does not apply" in items
    assert NAMES[made.primary] not in items


def test_a_column_has_room_for_its_longest_text_and_never_more_than_a_phone() -> None:
    narrow = tables.roomy(pd.Series(["<0.001"], name="p"))["width"]
    wide = tables.roomy(pd.Series(["McNemar (chi-squared)"], name="test"))["width"]
    assert 7 * len("<0.001") < narrow < wide
    widest = tables.roomy(pd.Series(["x" * 3000], name="test"))["width"]
    assert widest == tables.LINE < 390


def test_what_is_missing_is_blank_and_a_small_p_keeps_its_sign() -> None:
    assert str(comparing._p(float("nan"))) == ""
    assert str(comparing._p(0.00001)) == "<0.001"


def test_it_is_said_of_what_the_resamples_are(uploaded: Opened, loaded: Opened) -> None:
    at = uploaded("comparison", "f.csv", grouped(), bootstrap="true")
    assert not at.exception
    assert any("would other groups of this kind show" in part.label for part in at.expander)
    assert "resamples of whole groups (customer\\_id), seed 0" in words(at)
    at = loaded("comparison", sample="diabetes", bootstrap="true")
    assert "resamples of rows, seed 0" in words(at)
