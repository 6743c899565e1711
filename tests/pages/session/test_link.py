"""A view survives being written to an address and read back, whatever the names in it."""

import ast
from dataclasses import fields
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given, strategies as st

from evalread.dataset import NO_CHOICES, SCHEMA, Choices, FeatureKind, Scale, Task
from evalread.rewriting import only_shaping
from evalview.sharing import OWN, Use, View, from_params, left_out, to_params
from pages.session import clusterings

NAMES = st.text(min_size=1, max_size=12) | st.sampled_from(["a=b", "a:b", "%3D", "=", ":", "ü&?#"])
OPEN = st.none()
COLUMNS = st.dictionaries(st.text(max_size=8) | NAMES, NAMES, max_size=3)
CHOICES = st.builds(
    Choices,
    task=OPEN | st.sampled_from(Task),
    truth=OPEN | NAMES,
    labels=OPEN | COLUMNS,
    scores=OPEN | COLUMNS,
    probabilities=OPEN | st.dictionaries(NAMES, st.dictionaries(NAMES, NAMES, min_size=1)),
    features=OPEN | st.lists(NAMES, max_size=3).map(tuple),
    fold=OPEN | st.just("") | NAMES,
    positive=OPEN | NAMES,
    scale=OPEN | st.sampled_from(Scale),
    feature_kind=OPEN | st.sampled_from(FeatureKind),
    reverse=st.booleans(),
    order=OPEN | st.lists(NAMES, min_size=1, max_size=3).map(tuple),
    merge_spellings=st.booleans(),
    own_rows=st.booleans(),
    separator=OPEN | st.sampled_from(",;\t|"),
)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
USES = st.builds(
    Use,
    costs=OPEN | st.lists(OPEN | FINITE, min_size=2, max_size=9).map(tuple),
    shares=OPEN | st.lists(FINITE, min_size=1, max_size=9).map(tuple),
    prevalence=OPEN | FINITE,
    volume=OPEN | FINITE,
)
VIEWS = st.builds(
    View,
    data=OPEN | NAMES,
    choices=CHOICES,
    model=OPEN | NAMES,
    threshold=OPEN | FINITE,
    way=OPEN | st.sampled_from(["labels", "threshold", "argmax"]),
    use=USES,
)


@given(VIEWS)
def test_a_view_comes_back_from_its_address(view: View) -> None:
    query = urlencode(to_params(view), doseq=True)
    assert from_params(parse_qs(query, keep_blank_values=True)) == view


@given(VIEWS)
def test_an_address_holds_only_the_parameters_of_a_view(view: View) -> None:
    assert to_params(view).keys() <= OWN


@given(st.dictionaries(st.sampled_from(sorted(OWN)), st.lists(st.text(max_size=20), max_size=3)))
def test_any_address_can_be_read(params: dict[str, list[str]]) -> None:
    view = from_params(params)
    assert from_params(to_params(view)) == view


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "0,5", "<b>", ""])
def test_a_threshold_that_is_no_number_is_dropped(text: str) -> None:
    assert from_params({"threshold": [text]}).threshold is None


@given(USES, st.integers(0, 30))
def test_what_fits_classes_goes_on_to_fit_them(use: Use, classes: int) -> None:
    fitting = use.fitting(classes)
    assert fitting.fitting(classes) == fitting
    if classes > 20 or classes < 2:
        assert fitting.costs is fitting.shares is None
    if fitting.costs is not None and None in fitting.costs:
        assert (classes, fitting.costs.index(None), fitting.costs.count(None)) == (2, 2, 1)


def test_unknown_words_and_endless_values_are_dropped() -> None:
    params = {"task": ["ranking"], "scale": ["dB"], "truth": ["y" * 5000], "score": ["no equals"]}
    assert from_params(params).choices == NO_CHOICES


def test_an_empty_address_is_an_empty_view() -> None:
    assert from_params({}) == View()
    assert to_params(View()) == {}


def test_columns_are_written_as_on_the_command_line() -> None:
    choices = Choices(scores={"rf": "p_rf"}, probabilities={"rf": {"yes": "p_yes"}}, positive="yes")
    assert to_params(View("k", choices, threshold=0.3)) == {
        "data": ["k"],
        "score": ["rf=p_rf"],
        "prob": ["rf:yes=p_yes"],
        "positive": ["yes"],
        "threshold": ["0.3"],
    }


def test_none_of_the_columns_is_not_the_same_as_left_open() -> None:
    chosen = from_params({"label": [""], "fold": [""]}).choices
    assert chosen.labels == {}
    assert chosen.fold == ""
    assert chosen.scores is None


def test_only_what_decides_which_cells_there_are_is_kept() -> None:
    assert only_shaping(Choices(truth="y", separator=";")) == Choices(separator=";")


def test_every_choice_has_its_place_in_the_address() -> None:
    assert [one.field for one in SCHEMA] == [field.name for field in fields(Choices)]
    assert len({one.key for one in SCHEMA} & OWN) == len(SCHEMA)


@given(VIEWS)
def test_of_a_view_nothing_is_left_out(view: View) -> None:
    assert left_out(to_params(view), view) == []


def test_what_an_address_asks_for_in_vain_is_named() -> None:
    params = {"data": ["x"], "threshold": ["abc"], "shown": ["model z"], "metric": ["own box"]}
    lost = left_out(params, View(data="x"))
    assert lost == [("threshold", "abc"), ("shown", "model z")]


def test_no_box_of_a_page_takes_a_parameter_of_the_view() -> None:
    boxes = {clusterings.CLUSTER}
    for file in (Path(__file__).parents[3] / "pages").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                given = {word.arg: word.value for word in node.keywords}
                if isinstance(key := given.get("key"), ast.Constant) and (
                    "bind" in given or getattr(node.func, "id", "") == "list_box"
                ):
                    boxes.add(key.value)
    assert len(boxes) > 10
    assert not boxes & OWN
