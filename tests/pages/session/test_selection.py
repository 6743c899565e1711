"""Selected rows: one kind of set for cells, bins and points; named, written, read, and counted."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as some
from streamlit.testing.v1 import AppTest

from evalread.dataset import Choices, Dataset
from evalread.loading import load
from evalview import sharing
from evalview.selections import (
    MOST_ROWS,
    Interval,
    Label,
    Picked,
    Selection,
    name,
    read,
    selected,
    written,
)
from pages.session import selection, store
from tests.pages.conftest import go, html

Opened = Callable[..., AppTest]
MODEL = "logistic regression"
MISSED = Selection(MODEL, way="labels").cell("malignant", "benign")


def sample(called: str) -> Dataset:
    files = store.files(store.SAMPLE_PREFIX + called)
    assert files is not None
    return load(files)


names = some.text(min_size=1, max_size=20)
numbers = some.floats(allow_nan=False, allow_infinity=False)
columns = names.map(lambda name: f"column:{name}")
rules = some.lists(
    some.builds(Interval, names, numbers, numbers, some.booleans())
    | some.builds(Label, some.sampled_from(["truth", "called", "wrong"]) | columns, names),
    max_size=4,
)
picked = some.sets(some.integers(1, 10**9), min_size=1, max_size=MOST_ROWS)
selections = some.builds(
    lambda rules, rows, **whose: Selection(rules=(*rules, *rows), **whose),
    rules,
    some.lists(picked.map(sorted).map(tuple).map(Picked), max_size=1),
    model=names,
    way=some.sampled_from([None, "labels", "threshold", "argmax"]),
    threshold=some.none() | numbers,
    label=some.none() | names,
)


@given(selections)
def test_an_address_holds_a_whole_selection_in_short_values(chosen: Selection) -> None:
    texts = written(chosen)
    assert read(texts) == chosen
    assert all(len(text) <= sharing.LONGEST for text in texts)


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
        ("model=a", "truth"),
        ("model=a", "within=score:0:1:above"),
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
    at = Selection(MODEL, way="threshold", threshold=0.9).cell("malignant", "benign")
    told = data.models[MODEL]
    rows = np.flatnonzero((told.truth == 1) & (told.score < 0.9)) + 1
    assert selected(data, at).rows.tolist() == rows.tolist()
    assert name(data, at) == f"{len(rows)} malignant rows called benign by {MODEL} at 0.9"


def test_intervals_hold_both_ends_and_may_be_open() -> None:
    data = load([("a.csv", b"truth,m_prediction\n" + b"1.5,2\n2.5,2\n9.5,8\n4.5,4.5\n" * 5)])
    model = next(iter(data.models))
    off = Selection(model, (Interval("size of error", 0.5, 0.5),))
    assert selected(data, off).rows.tolist()[:3] == [1, 2, 5]
    assert name(data, off) == "10 rows off by 0.5"
    low = Selection(model, (Interval("error", high=-1.5),))
    assert name(data, low) == "5 rows off by at most −1.5"
    few = Selection(model, (Picked((1, 7)), Interval("predicted", 2, 8)))
    assert selected(data, few).rows.tolist() == [1, 7]
    assert name(data, few) == "2 rows picked by hand and predicted 2 to 8"


PLACES = (
    "truth,m_score,region,age\n"
    + "yes,0.9,west,18\nno,0.2,east,25\nno,0.6,,30\nyes,0.4,west,\n" * 5
)


def test_a_slice_is_rules_over_free_columns() -> None:
    data = load([("a.csv", PLACES.encode())])
    model = next(iter(data.models))
    young = Interval("column:age", 18, 25, below=True)
    west = Selection(model, (Label("column:region", "west"), young))
    assert written(west)[1:] == ("column%3Aregion=west", "within=column%3Aage:18:25:below")
    assert selected(data, west).rows.tolist() == [1, 5, 9, 13, 17]
    assert name(data, west) == "5 rows with region = west and with “age” 18 to 25"
    unknown = Selection(model, (Label("column:region", ""),))
    assert selected(data, unknown).rows.tolist() == [3, 7, 11, 15, 19]
    assert name(data, unknown) == "5 rows with region missing"


def test_the_upper_end_of_a_bin_belongs_to_the_next_one() -> None:
    data = sample("breast-cancer")
    scores = data.models[MODEL].score
    edges = np.quantile(scores, [0, 0.25, 0.5, 1], method="higher")
    bins = [Interval("score", low, high, below=high < edges[-1]) for low, high in pairwise(edges)]
    rows = [selected(data, Selection(MODEL, (each,))).rows for each in bins]
    assert np.sort(np.concatenate(rows)).tolist() == list(range(1, 570))


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
    at.query_params["selected"] = list(written(Selection("naive bayes", way="labels").mistakes()))
    at.query_params["select"] = "yes"
    go(at, "confusion")
    assert at.query_params["shown"] in ("naive bayes", ["naive bayes"])
    assert "misclassified by naive bayes" in chips(at)[0]
    assert not at.warning
    at.button_group(key="model_picked").set_value("random forest").run()
    assert "select" not in at.query_params


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
    assert "not understood or not available" in at.warning[0].value.replace("\\", "")


def test_other_pages_hold_the_selected_rows_only(loaded: Opened) -> None:
    data = sample("breast-cancer")
    rows = Selection(MODEL, (Interval("row order", 1, 100),))
    kept = selection.restricted(data, rows)
    assert [told.rows.tolist() for told in kept.models.values()] == [list(range(1, 101))] * 3
    assert np.array_equal(kept.models[MODEL].score, data.models[MODEL].score[:100])
    assert kept.digest != data.digest
    at = loaded("confusion", selected=list(written(rows)))
    truth = data.models[MODEL].truth[:100]
    assert f"of {truth.sum()} malignant rows" in html(at)
    assert "They were selected by their results" not in captions(at)


def test_rows_picked_by_their_outcome_are_no_fair_sample_and_the_page_says_so(
    loaded: Opened,
) -> None:
    at = loaded("overview", selected=list(written(MISSED)))
    assert not at.exception
    assert "Only the selected rows count here" in captions(at)
    assert "of 47 malignant rows" in html(at)


def test_the_matrix_keeps_all_rows_where_one_of_its_cells_is_selected(loaded: Opened) -> None:
    at = loaded("confusion", selected=list(written(MISSED)))
    assert "finds 165 of 212 malignant rows" in html(at)
    assert "Only the selected rows count here" not in captions(at)


@pytest.mark.parametrize("page", ["overview", "thresholds", "costs", "calibration", "comparison"])
@pytest.mark.parametrize("chosen", [MISSED, Selection(MODEL, (Picked((3,)),))])
def test_no_page_fails_on_rows_of_one_class_or_on_one_row(
    page: str, chosen: Selection, loaded: Opened
) -> None:
    at = loaded(page, selected=list(written(chosen)))
    assert not at.exception
    assert "could not be shown" not in html(at)


@pytest.mark.parametrize("page", ["overview", "errors", "comparison"])
def test_no_page_fails_on_one_predicted_number(page: str, loaded: Opened) -> None:
    chosen = Selection("linear regression", (Interval("row order", 7, 7),))
    at = loaded(page, sample="diabetes", selected=list(written(chosen)))
    assert not at.exception
    assert "could not be shown" not in html(at)


def captions(at: AppTest) -> str:
    return "\n".join(caption.value for caption in at.caption)
