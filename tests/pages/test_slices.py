"""The page about slices: where a model does worse, the rows behind it, and groups side by side."""

from io import BytesIO

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.slices.rules import parse
from evalview import figures
from pages.session import selection
from pages.widgets.chart import Marks
from tests.pages.conftest import Opened
from tests.pages.hostile import HOSTILE
from tests.pages.test_values_overview import html


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


def test_equal_slices_are_not_called_weak(uploaded: Opened) -> None:
    at = uploaded("slices", "churn.csv", churn(weak=0.0))
    assert "No slice is shown to be worse than the rest" in html(at)
    assert "yes" not in set(at.dataframe[0].value["worse?"])


def test_a_slice_that_is_clicked_selects_its_rows(uploaded: Opened) -> None:
    content = churn()
    made = ec.slices(ec.read(content), by="region", max_columns=1)
    figure = figures.slices(made)
    marks = Marks(figure, "slices", selection.Selection("gbm"))
    confirmed = next(i for i, trace in enumerate(figure.data) if trace.name == "confirmed")
    (rule,) = marks._rules(figure.data[confirmed], {"point_index": 0})
    assert rule == selection.Label("column:region", "west")
    texts = selection.written(selection.Selection("gbm", (rule,)))
    at = uploaded("overview", "churn.csv", content, selected=list(texts))
    west = (pd.read_csv(BytesIO(content))["region"] == "west").sum()
    assert f"{west:,} rows with region = west" in html(at)


def test_dates_and_numbers_become_intervals_of_the_selection() -> None:
    low, high = selection.of_slice(parse("18 <= age < 25; joined < 2020-10-22"))
    assert low == selection.Interval("column:age", 18.0, 25.0, below=True)
    microseconds = np.datetime64("2020-10-22", "us").astype(np.int64)
    assert high == selection.Interval("column:joined", high=float(microseconds), below=True)


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
    assert "needs rows with predictions, and a column that plays no role" in "".join(
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
