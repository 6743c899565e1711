"""The page about slices: where a model does worse, the rows behind it, and groups side by side."""

import time
from collections.abc import Iterator
from io import BytesIO
from threading import Event

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from evalcore.options import Options
from evalcore.slices.columns import parse
from evalcore.slices.slicing import Asked, slices, usual_metric
from evalcore.work import NO_PROGRESS, Progress
from evalread.dataset import Dataset
from evalview import figures, selections
from pages.models import slices as page
from pages.session import computed
from pages.widgets.chart import Marks
from pages.widgets.progress import _words
from tests.pages.conftest import Opened, grouped, html
from tests.pages.hostile import HOSTILE


@pytest.fixture(autouse=True, scope="module")
def _patience() -> Iterator[None]:
    """The page waits for the search, however busy the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "PATIENCE", 60.0)
        yield


def churn(
    n: int = 3000, *, weak: float = 0.45, regions: tuple[str, ...] = ("north", "west")
) -> bytes:
    """Return a file whose model is right in 90% of the rows, but less often in the last region."""
    rng = np.random.default_rng(7)
    region = rng.choice(regions, n)
    truth = rng.random(n) < 0.4
    right = rng.random(n) < np.where(region == regions[-1], 0.9 - weak, 0.9)
    frame = pd.DataFrame(
        {
            "churned": np.where(truth, "yes", "no"),
            "gbm": np.where(truth == right, 0.8, 0.2) + rng.uniform(-0.1, 0.1, n),
            "region": region,
            "age": rng.integers(18, 80, n),
        }
    )
    return frame.to_csv(index=False).encode()


def test_the_weakest_slice_is_the_headline(uploaded: Opened) -> None:
    at = uploaded("slices", "churn.csv", churn())
    assert not at.exception
    assert "gbm is weakest where region = west: accuracy 0.4" in html(at)
    table = at.dataframe[0].value
    made = ec.slices(ec.read(churn()), by=["region", "age"], max_columns=1)
    assert list(table["slice"]) == [one.text for one in made.slices]
    assert table["worse?"][0] == "yes"
    assert "1 weak spot confirmed of" in "".join(one.value for one in at.markdown)


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc"])
def test_errors_are_counted_where_decisions_are_judged_not_where_scores_rank(
    uploaded: Opened, metric: str
) -> None:
    at = uploaded("slices", "f.csv", churn(), **{"sliced-by": metric})
    assert (" of the errors. Adjusted for" in html(at)) == (metric == "accuracy")
    assert "% of the rows" in html(at)


def test_equal_slices_are_not_called_weak(uploaded: Opened) -> None:
    at = uploaded("slices", "churn.csv", churn(weak=0.0))
    assert "No slice is shown to be worse than the rest" in html(at)
    assert "yes" not in set(at.dataframe[0].value["worse?"])


def test_a_slice_that_is_clicked_selects_its_rows(uploaded: Opened) -> None:
    content = churn()
    made = ec.slices(ec.read(content), by="region", max_columns=1)
    figure = figures.slices(made)
    marks = Marks(figure, "slices", selections.Selection("gbm"))
    confirmed = next(i for i, trace in enumerate(figure.data) if trace.name == "confirmed")
    (rule,) = marks._rules(figure.data[confirmed], {"point_index": 0})
    assert rule == selections.Label("column:region", "west")
    texts = selections.written(selections.Selection("gbm", (rule,)))
    at = uploaded("overview", "churn.csv", content, selected=list(texts))
    west = (pd.read_csv(BytesIO(content))["region"] == "west").sum()
    assert f"{west:,} rows with region = west" in html(at)


def test_dates_and_numbers_become_intervals_of_the_selection() -> None:
    low, high = selections.of_slice(parse("18 <= age < 25; joined < 2020-10-22"))
    assert low == selections.Interval("column:age", 18.0, 25.0, below=True)
    microseconds = np.datetime64("2020-10-22", "us").astype(np.int64)
    assert high == selections.Interval("column:joined", high=float(microseconds), below=True)


def test_groups_are_shown_side_by_side(uploaded: Opened) -> None:
    at = uploaded("slices", "churn.csv", churn())
    rates = next(frame.value for frame in at.dataframe if "recall" in frame.value)
    assert list(rates["group"]) == ["region = north", "region = west"]
    assert "recall (equal opportunity)" in html(at)


@pytest.mark.parametrize("regions", [HOSTILE[:2], ("a", "b" * 300)])
def test_hostile_values_stay_text(uploaded: Opened, regions: tuple[str, str]) -> None:
    at = uploaded("slices", "churn.csv", churn(600, regions=regions))
    assert not at.exception
    assert "<script" not in html(at)


def test_without_a_free_column_the_page_says_what_it_needs(uploaded: Opened) -> None:
    bare = pd.read_csv(BytesIO(churn(200)))[["churned", "gbm"]]
    at = uploaded("slices", "f.csv", bare.to_csv(index=False).encode())
    assert not at.exception
    assert "needs rows with predictions, and a column without a role" in "".join(
        one.value for one in at.markdown
    )


def test_regression_and_several_classes_have_slices(uploaded: Opened) -> None:
    rng = np.random.default_rng(0)
    kind, truth = rng.choice(["a", "b"], 400), rng.normal(size=400)
    numbers = pd.DataFrame(
        {
            "actual": truth,
            "predicted": truth + rng.normal(size=400) * (1 + 3 * (kind == "b")),
            "kind": kind,
        }
    )
    at = uploaded("slices", "n.csv", numbers.to_csv(index=False).encode())
    assert "is weakest where kind = b: mean absolute error" in html(at)
    classes = rng.choice(["x", "y", "z"], 400)
    said = np.where((rng.random(400) < 0.5) & (kind == "b"), "x", classes)
    several = pd.DataFrame({"truth": classes, "said": said, "kind": kind})
    at = uploaded("slices", "c.csv", several.to_csv(index=False).encode())
    assert "is weakest where kind = b: accuracy" in html(at)


def test_the_search_goes_on_beside_the_page_and_can_be_stopped_and_begun_anew(
    uploaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, begun = Event(), Event()

    def held(dataset: Dataset, asked: Asked, options: Options, progress: Progress = NO_PROGRESS):
        if asked.by is None:
            begun.set()
            progress.report(0.25)
            while not gate.wait(0.005):
                progress.check()
        return slices(dataset, asked, options, progress)

    monkeypatch.setattr(page, "slices", held)
    monkeypatch.setattr(page, "PATIENCE", 0.0)
    at = uploaded("slices", "churn.csv", churn(900))
    assert not at.exception
    assert begun.wait(20)
    assert len(at.dataframe[0].value) > 2  # the slices of columns stand meanwhile
    at.run()
    assert "25% of the slices searched" in str([bar.proto for bar in at.get("progress")])
    next(button for button in at.button if button.label == "Stop").click().run()
    assert "The search was stopped." in [caption.value for caption in at.caption]
    gate.set()
    monkeypatch.setattr(page, "PATIENCE", 60.0)
    next(button for button in at.button if button.label == "Search").click().run()
    assert "weak spot" in "".join(one.value for one in at.markdown)
    computed.requests.clear()


def test_rare_positives_are_first_judged_by_how_many_are_found() -> None:
    rows = pd.DataFrame({"truth": ["yes"] * 5 + ["no"] * 95, "m_label": ["no"] * 100, "g": 1})
    assert usual_metric(ec.read(rows)) == "recall"
    rows["truth"] = ["yes"] * 15 + ["no"] * 85
    assert usual_metric(ec.read(rows)) == "accuracy"


def by_threshold(at: AppTest) -> pd.DataFrame:
    return next(one.value for one in at.dataframe if {"rows", "threshold"} <= {*one.value})


def test_the_curve_of_a_slice_stands_beside_that_of_the_rest(uploaded: Opened) -> None:
    content = churn()
    at = uploaded("slices", "churn.csv", content, curves="true", **{"curve-of": "region = west"})
    assert not at.exception
    frame = pd.read_csv(BytesIO(content))
    west = frame[frame["region"] == "west"]
    area = ec.metric("roc_auc")(west["churned"], west["gbm"], positive="yes")
    (roc,) = [chart for chart in at.get("plotly_chart") if "ROC AUC" in chart.proto.alt]
    assert f"in the slice {area:.3f}" in roc.proto.alt
    table = by_threshold(at)
    assert table["rows"].tolist() == ["in the slice", "the rest"]
    found = np.mean(west["gbm"][west["churned"] == "yes"] >= 0.5)
    assert table["recall"][0].startswith(f"{found:.3f}")
    each = uploaded("slices", "churn.csv", content, curves="true", **{"slice-threshold": "each"})
    recalls = by_threshold(each)["recall"]
    assert abs(float(recalls[0][:5]) - float(recalls[1][:5])) < 0.02


BAD = {
    "distinct": [f"id{k}" for k in range(300)],
    "constant": ["x"] * 300,
    "missing": [""] * 300,
    "dates": [f"2026-{k % 12 + 1:02}-01" for k in range(300)],
    "twin": ["p" if k % 2 else "q" for k in range(300)],
    "twin too": ["1" if k % 2 else "2" for k in range(300)],
    HOSTILE[0]: [HOSTILE[k % 3] for k in range(300)],
    "one row": ["rare"] + ["often"] * 299,
    "no positive": ["none" if k % 3 == 0 else "some" for k in range(300)],
}


@pytest.mark.parametrize("metric", ["accuracy", "recall", "roc_auc"])
def test_columns_that_make_no_good_slices_give_a_page(uploaded: Opened, metric: str) -> None:
    truth = ["no" if k % 3 == 0 else "yes" if k % 5 else "no" for k in range(300)]
    score = [round(0.1 + (k * 7 % 80) / 100, 2) for k in range(300)]
    frame = pd.DataFrame({"truth": truth, "m_score": score, **BAD})
    at = uploaded(
        "slices", "f.csv", frame.to_csv(index=False).encode(),
        by=[*BAD][1:], curves="true", **{"sliced-by": metric},
    )  # fmt: skip
    assert not at.exception
    assert "<script" not in html(at)
    listed = at.dataframe[0].value
    assert "too few rows" in set(listed["worse?"])


def test_only_models_that_give_what_the_metric_needs_are_judged(uploaded: Opened) -> None:
    frame = pd.read_csv(BytesIO(churn(400)))
    frame["rules_label"] = np.where(frame["age"] > 50, "yes", "no")
    content = frame.rename(columns={"gbm": "gbm_score"}).to_csv(index=False).encode()
    for metric, able, other in (("roc_auc", "gbm", "rules"), ("accuracy", "rules", "gbm")):
        for shown in ("rules", "gbm"):
            at = uploaded("slices", "f.csv", content, shown=shown, **{"sliced-by": metric})
            assert not at.error, [one.value for one in at.error]
            said = [one.value for one in at.caption if "these models do not give" in one.value]
            assert len(said) == 1
            assert f'"{other}"' in said[0].replace("\\", "")
            assert other not in at.dataframe[0].value.columns
            assert f"{able} is weakest" in html(at) or "No slice" in html(at)


def test_a_link_that_names_no_column_to_slice_by_says_so(uploaded: Opened) -> None:
    at = uploaded("slices", "churn.csv", churn(400), by="nothere")
    assert 'by "nothere"' in at.warning[0].value.replace("\\", "").replace("\u2060", "")
    assert at.multiselect(key="by").value == ["region", "age"]


def test_periods_are_no_groups_to_be_treated_equally(uploaded: Opened) -> None:
    at = uploaded("slices", "f.csv", grouped())
    assert not at.exception
    (box,) = [one for one in at.selectbox if one.label == "Groups of"]
    assert box.options == ["region"]
    assert "In 2 columns and their pairs: slices that look weak" in html(at)


def test_a_search_that_is_all_but_done_is_not_said_to_take_no_time() -> None:
    now = time.monotonic()
    for share, said in ((0.999, ">99% of it; nearly ready"), (0.5, "50% of it; about 10 s left")):
        assert _words(computed.RequestProgress(share, now - 10), "of it") == said
