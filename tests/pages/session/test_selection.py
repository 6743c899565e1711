"""Selected rows: one kind of set for cells, bins and points; named, written, read, and counted."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as some
from streamlit.testing.v1 import AppTest

from evalread.dataset import Choices, Dataset
from evalread.loading import load
from pages.session import link, selection, store
from pages.session.selection import Interval, Selection, name, read, selected, written
from tests.pages.conftest import go

Opened = Callable[..., AppTest]
MODEL = "logistic regression"
MISSED = Selection(MODEL, way="labels", truth="malignant", called="benign")


def sample(called: str) -> Dataset:
    files = store.files(store.SAMPLE_PREFIX + called)
    assert files is not None
    return load(files)


names = some.text(min_size=1, max_size=20)
numbers = some.floats(allow_nan=False, allow_infinity=False)
selections = some.builds(
    Selection,
    names,
    way=some.sampled_from([None, "labels", "threshold", "argmax"]),
    threshold=some.none() | numbers,
    truth=some.none() | names,
    called=some.none() | names,
    wrong=some.booleans(),
    label=some.none() | names,
    within=some.lists(some.builds(Interval, names, numbers, numbers), max_size=3).map(tuple),
    rows=some.sets(some.integers(1, 10**9), max_size=selection.MOST_ROWS).map(sorted).map(tuple),
)


@given(selections)
def test_an_address_holds_a_whole_selection_in_short_values(chosen: Selection) -> None:
    texts = written(chosen)
    assert read(texts) == chosen
    assert all(len(text) <= link.LONGEST for text in texts)


@given(some.lists(some.text(max_size=30), max_size=4))
def test_whatever_an_address_says_is_a_selection_or_none(texts: list[str]) -> None:
    found = read([f"{key}{text}" for key in ("", "rows=", "within=", "model=") for text in texts])
    assert found is None or isinstance(found, Selection)


@pytest.mark.parametrize(
    "texts",
    [
        (),
        ("truth=benign",),
        ("model=a", "model=b"),
        ("model=a", "colour=red"),
        ("model=a", "decided=by lot"),
        ("model=a", "threshold=high"),
        ("model=a", "within=score:low:high"),
        ("model=a", "rows=1-999999999999"),
        ("model=a", "rows=x"),
    ],
)
def test_what_is_no_selection_is_none(texts: tuple[str, ...]) -> None:
    assert read(texts) is None


def test_a_cell_is_a_set_of_rows_with_a_name() -> None:
    data = sample("breast-cancer")
    assert selected(data, MISSED).total == 47
    assert name(data, MISSED) == f"47 malignant rows called benign by {MODEL}"


def test_a_threshold_stands_in_the_name_and_decides() -> None:
    data = sample("breast-cancer")
    at = Selection(MODEL, way="threshold", threshold=0.9, truth="malignant", called="benign")
    told = data.models[MODEL]
    rows = np.flatnonzero((told.truth == 1) & (told.score < 0.9)) + 1
    assert selected(data, at).rows.tolist() == rows.tolist()
    assert name(data, at) == f"{len(rows)} malignant rows called benign by {MODEL} at 0.9"


def test_intervals_hold_both_ends_and_may_be_open() -> None:
    data = load([("a.csv", b"truth,m_prediction\n" + b"1.5,2\n2.5,2\n9.5,8\n4.5,4.5\n" * 5)])
    model = next(iter(data.models))
    off = Selection(model, within=(Interval("size of error", 0.5, 0.5),))
    assert selected(data, off).rows.tolist()[:3] == [1, 2, 5]
    assert name(data, off) == "10 rows off by 0.5"
    low = Selection(model, within=(Interval("error", high=-1.5),))
    assert name(data, low) == "5 rows off by at most −1.5"
    few = Selection(model, rows=(1, 7), within=(Interval("predicted", 2, 8),))
    assert selected(data, few).rows.tolist() == [1, 7]
    assert name(data, few) == "2 picked rows predicted 2 to 8"


def test_a_class_that_says_nothing_stands_beside_its_column() -> None:
    rows = b"churned,m_label\n" + b"yes,no\nno,no\nyes,yes\n" * 9
    data = load([("a.csv", rows)])
    missed = selection.misses(data, next(iter(data.models)))
    assert missed is not None
    assert name(data, missed) == "9 rows with churned = yes called “no”"


def test_rows_of_weight_zero_are_not_selected_and_weights_are_summed() -> None:
    rows = b"truth,m_label,weight\n" + b"ill,well,2\nill,well,0\nwell,well,1\nill,ill,1\n" * 9
    data = load([("a.csv", rows)], Choices(weight="weight"))
    missed = selection.misses(data, next(iter(data.models)))
    assert missed is not None
    found = selected(data, missed)
    assert (len(found.rows), found.total) == (9, 18)


@pytest.mark.parametrize(
    ("called", "model", "says"),
    [
        ("breast-cancer", MODEL, "47 malignant rows called benign"),
        ("digits", None, "rows misclassified by"),
        ("diabetes", "linear regression", "rows off by at least"),
    ],
)
def test_the_misses_of_a_model_are_a_selection(called: str, model: str | None, says: str) -> None:
    data = sample(called)
    missed = selection.misses(data, model or next(iter(data.models)))
    assert missed is not None
    assert says in name(data, missed)


def test_nothing_is_missed_where_all_is_right_or_nothing_is_predicted() -> None:
    right = load([("a.csv", b"truth,m_label\n" + b"yes,yes\nno,no\n" * 9)])
    assert selection.misses(right, next(iter(right.models))) is None
    clusters = sample("iris")
    assert selection.misses(clusters, next(iter(clusters.clusterings))) is None


def chips(at: AppTest) -> list[str]:
    """Return the names of selected rows above a page."""
    links = [each.proto.label for each in at.get("page_link")]
    plain = [label.replace("\\", "").replace("\u2060", "") for label in links]
    return [label for label in plain if " rows " in label and label[0].isdigit()]


def test_selected_rows_are_named_on_every_page_until_they_are_cleared(loaded: Opened) -> None:
    at = loaded("overview", selected=list(written(MISSED)))
    assert chips(at) == [f"47 malignant rows called benign by {MODEL}"]
    go(at, "thresholds")
    assert len(chips(at)) == 1
    assert at.query_params["selected"] == list(written(MISSED))
    at.button(key="clear-selected").click().run()
    assert chips(at) == []
    assert "selected" not in at.query_params


def test_a_link_selects_rows_and_looks_at_their_model_and_decisions(loaded: Opened) -> None:
    at = loaded("overview")
    at.query_params["select"] = list(written(Selection("naive bayes", way="labels", wrong=True)))
    go(at, "confusion")
    assert "select" not in at.query_params
    assert at.query_params["shown"] in ("naive bayes", ["naive bayes"])
    assert "misclassified by naive bayes" in chips(at)[0]


@pytest.mark.parametrize(
    "texts",
    [
        ["model=nobody", "wrong=yes"],
        [f"model={MODEL}", "truth=unheard-of"],
        [f"model={MODEL}", "within=predicted:1:2"],
        [f"model={MODEL}", "within=column%3Anowhere:1:2"],
        ["nonsense"],
    ],
)
def test_what_the_data_do_not_have_is_not_selected_and_told(
    texts: list[str], loaded: Opened
) -> None:
    at = loaded("overview", selected=texts)
    assert not at.exception
    assert chips(at) == []
    assert "which is not understood or not there" in at.warning[0].value
