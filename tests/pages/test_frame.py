"""Every page, empty and with data; links that name what is not there; what is listed when."""

from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from pages.contents import CONTENTS
from pages.session import store
from tests.pages.conftest import go, words

Opened = Callable[..., AppTest]
PAGES = [entry.name for entry in CONTENTS]
LESSONS = [entry.name for entry in CONTENTS if entry.brings_rows]
WAYS = [entry.title for entry in CONTENTS if entry.section == "Lessons" and entry.listed]
SAMPLES = [sample.key for sample in store.samples()]
FIRST, *MORE = SAMPLES


def listed(at: AppTest) -> list[str]:
    return [link.proto.label for link in at.sidebar.get("page_link")][1:]


def has_headline(at: AppTest) -> bool:
    return bool([*at.title, *at.header]) or "<h1" in words(at)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_what_to_do_when_there_is_no_data(empty: Opened, page: str) -> None:
    at = empty(page)
    assert not at.exception
    assert not at.error
    assert has_headline(at)
    if page not in ("start", *LESSONS):
        assert "Drop a file of predictions" in words(at)


# Of the other samples `test_strings.py` opens every page that they fill.
@pytest.mark.parametrize(
    "sample", [FIRST, *(pytest.param(sample, marks=pytest.mark.slow) for sample in MORE)]
)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_with_every_sample(loaded: Opened, page: str, sample: str) -> None:
    at = loaded(page, sample=sample)
    assert not at.exception
    assert not at.error
    below_the_bar = list(at.main.children.values())[0 if page == "start" else 1 :]
    assert below_the_bar


def headline(at: AppTest) -> str:
    return words(at).partition("<h1")[2].partition("</h1>")[0]


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        (address, entry.name)
        for entry in CONTENTS
        for address in entry.also
        if entry.name != "start"
    ],
)
def test_an_address_that_people_type_leads_to_its_page(
    loaded: Opened, typed: str, page: str
) -> None:
    assert words(loaded(typed)) == words(loaded(page))


def test_errors_are_those_of_classes_or_of_numbers(loaded: Opened) -> None:
    assert headline(loaded("errors")) == headline(loaded("confusion"))
    numbers = headline(loaded("confusion", sample="diabetes"))
    assert numbers == headline(loaded("errors", sample="diabetes"))


def test_only_pages_that_the_data_can_fill_are_listed(empty: Opened, loaded: Opened) -> None:
    assert listed(empty("data")) == ["Open a file", "Data", *WAYS]
    assert "Threshold" in listed(loaded("data"))
    assert "Threshold" not in listed(loaded("data", sample="diabetes"))
    assert "Compare" in listed(loaded("data", sample="diabetes"))
    assert "Compare" not in listed(loaded("data", sample="iris"))
    assert "Summary" not in listed(loaded("data", sample="folds"))


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_way_to_the_lessons_is_listed_whatever_is_open(
    empty: Opened, loaded: Opened, sample: str
) -> None:
    assert {"Lessons", "Planning", "Glossary"} <= set(WAYS)
    assert listed(empty("data"))[-len(WAYS) :] == WAYS
    assert listed(loaded("data", sample=sample))[-len(WAYS) :] == WAYS


def test_a_page_that_the_data_cannot_fill_says_what_it_needs(loaded: Opened) -> None:
    at = loaded("thresholds", sample="diabetes")
    assert not at.exception
    assert "This page needs a yes-or-no question" in words(at)


@pytest.mark.parametrize("token", ["gone", "sample-nothing", "../../etc/passwd", "<script>"])
def test_a_link_to_data_that_are_gone_says_so(empty: Opened, token: str) -> None:
    at = empty("data", data=token)
    assert not at.exception
    assert "no longer here" in at.error[0].value


def test_a_link_that_names_unknown_columns_is_followed_without_them(loaded: Opened) -> None:
    at = loaded("data", truth="no such column", shown="no such model")
    assert "no such column" in at.error[0].value
    assert "truth" not in at.query_params
    assert "shown" not in at.query_params
    assert "malignant" in words(at)


@pytest.mark.parametrize("threshold", ["nan", "1e999", "<b>", "0,5"])
def test_a_hostile_threshold_is_cleaned_from_the_address(loaded: Opened, threshold: str) -> None:
    at = loaded("data", threshold=threshold)
    assert not at.exception
    assert "threshold" not in at.query_params


def test_a_parameter_that_is_not_the_views_is_left_to_its_page(loaded: Opened) -> None:
    at = loaded("calibration", bins="20", cell="3", positive="benign")
    assert at.query_params["bins"] == "20"
    assert at.query_params["positive"] == "benign"
    assert "cell" not in at.query_params


def test_the_view_goes_along_to_another_page(loaded: Opened) -> None:
    at = loaded("data", threshold="0.25", positive="benign")
    del at.query_params["threshold"]
    go(at, "start")
    assert at.query_params["threshold"] == "0.25"
    assert at.query_params["data"] == "sample-breast-cancer"


SAID = {"costs": "0,1,10,0", "prevalence": "3", "volume": "500", "threshold": "0.0861"}


@pytest.mark.parametrize("page", [page for page in PAGES if page not in LESSONS[1:]])
def test_a_refresh_of_any_page_and_the_links_from_it_lose_no_costs(
    loaded: Opened, page: str
) -> None:
    at = loaded(page, **SAID)
    assert {name: at.query_params.get(name) for name in SAID} == SAID
    ways = [parse_qs(link.proto.query_string) for link in at.get("page_link")]
    own = [way for way in ways if way.get("threshold") == [SAID["threshold"]]]
    assert own
    for way in own:
        assert way["costs"] == [SAID["costs"]]
        assert (way["prevalence"], way["volume"]) == (["3"], ["500"])


def test_costs_typed_on_one_page_stand_in_the_address_of_the_next(loaded: Opened) -> None:
    at = loaded("costs")
    at.number_input(key="prevalence").set_value(7.0).run()
    at.number_input(key="volume").set_value(300).run()
    for name in ("prevalence", "volume"):
        at.query_params.pop(name)
    for page in ("overview", "report", "slices", "rows"):
        go(at, page)
        assert (at.query_params["prevalence"], at.query_params["volume"]) == ("7", "300")


def test_costs_are_of_the_classes_that_they_were_given_for(loaded: Opened) -> None:
    at = loaded("data", **SAID)
    at.radio[0].set_value("benign").run()
    assert at.query_params["positive"] == "benign"
    assert not {"costs", "prevalence"} & set(at.query_params)
    assert at.query_params["volume"] == "500"


def test_what_a_link_asks_for_in_vain_is_said_once(loaded: Opened) -> None:
    at = loaded("thresholds", threshold="abc", shown="no such model")
    (told,) = at.warning
    assert "threshold" in told.value
    assert "no such model" in told.value.replace("\\", "").replace("\u2060", "")
    assert not at.run().warning


@pytest.mark.parametrize(
    ("page", "address"),
    [
        ("costs", {"volume": "inf"}),
        ("calibration", {"bins": "inf"}),
        ("confusion", {"cells": ""}),
        ("roc_steps", {"most": ""}),
    ],
)
def test_what_no_box_can_take_leaves_the_page_whole(
    loaded: Opened, page: str, address: dict[str, str]
) -> None:
    assert not loaded(page, **address).exception


def test_a_number_without_end_in_the_address_of_clusterings(loaded: Opened) -> None:
    assert not loaded("grouping", sample="iris", clusters="inf").exception
