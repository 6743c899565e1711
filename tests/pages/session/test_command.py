"""The command shown gives the view's numbers when it is pasted into a shell."""

import shlex

import pytest

from evalboard import arguments
from evalread.dataset import SCHEMA, Choice, Choices, Kind, Scale
from evalview.sharing import View, from_params, to_params
from pages.data import command

START = ["evalboard", "evaluate"]


def words(view: View, name: str = "p.csv") -> list[str]:
    return shlex.split(command([name], view))


def test_nothing_settled_needs_no_options() -> None:
    assert words(View("token")) == [*START, "p.csv"]


def test_what_was_settled_becomes_options() -> None:
    choices = Choices(truth="y", scores={"rf": "p"}, scale=Scale.LOGIT, reverse=True)
    found = words(View("token", choices, threshold=0.25))
    assert found == [
        *(*START, "p.csv", "--truth", "y", "--score", "rf=p", "--score-scale", "logit"),
        *("--reverse-score", "--threshold", "0.25"),
    ]


@pytest.mark.parametrize("name", ["a b.csv", "$(reboot).csv", "'; true; '.csv", "`x`", "a\nb"])
def test_a_hostile_file_name_stays_one_word(name: str) -> None:
    assert words(View(), name) == [*START, name]


def test_what_starts_with_a_dash_is_no_option() -> None:
    assert words(View("k", Choices(positive="-1")), "-x.csv") == [
        *START,
        "./-x.csv",
        "--positive=-1",
    ]


def test_names_are_not_escaped_as_they_are_in_an_address() -> None:
    assert "--score" in words(View("k", Choices(scores={"50%": "p:1"})))
    assert "50%=p:1" in words(View("k", Choices(scores={"50%": "p:1"})))


# A value of each kind; a choice that is added to the schema is tried with the one of its kind.
VALUES = {
    Kind.TEXT: "a=b: c",
    Kind.FLAG: True,
    Kind.TEXTS: ("-low", "a=b"),
    Kind.BY_MODEL: {"m": "a=b"},
    Kind.BY_CLASS: {"m": {"yes": "p", "no": "1-p"}},
}


@pytest.mark.parametrize("one", SCHEMA, ids=lambda one: one.field)
def test_every_choice_is_an_option_a_parameter_and_explained(one: Choice) -> None:
    value = next(iter(one.words)) if one.words else VALUES[one.kind]
    choices = Choices(**{one.field: value})
    given = arguments.parser().parse_args(words(View("k", choices))[1:])
    assert arguments.choices(given) == choices
    assert from_params(to_params(View("k", choices))).choices == choices
    assert one.told


def test_order_and_merged_spellings_are_read_back_as_they_were() -> None:
    choices = Choices(order=("-low", "a=b", "high"), merge_spellings=True, reverse=True)
    given = arguments.parser().parse_args(words(View("k", choices))[1:])
    assert arguments.choices(given) == choices
