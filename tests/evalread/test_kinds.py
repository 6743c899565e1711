"""Files of other tasks are named; a file that only looks like one is not."""

import pytest

from evalcore.errors import EvalError
from evalread.dataset import NO_CHOICES, Choices
from evalread.detection.kinds import KINDS, FileKind, refuse_other_kinds
from evalread.detection.profile import profiles
from evalread.loading import read

from .files import csv, refused

IDS = [kind.found.__name__.strip("_<>") for kind in KINDS]


def kind_of(head: str, choices: Choices = NO_CHOICES) -> EvalError | None:
    """Return the refusal of a file with this head; None where it is no file of another kind."""
    table = read(*csv(head.replace(";", "\n") + "\n"))
    try:
        refuse_other_kinds(table, profiles(table), choices)
    except EvalError as error:
        return error
    return None


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_an_example_of_a_kind_is_named_so(kind: FileKind) -> None:
    error = kind_of(kind.example)
    assert error is not None
    assert error.code == kind.code
    assert error.message.startswith(kind.says.partition("{0}")[0])
    assert error.message.endswith(kind.remedy)


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_what_looks_like_a_kind_is_not_taken_for_it(kind: FileKind) -> None:
    error = kind_of(kind.counter)
    assert error is None or not error.message.startswith(kind.says.partition("{0}")[0])


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_who_names_the_truth_is_not_stopped(kind: FileKind) -> None:
    name = kind.example.split(";")[0].split(",")[0]
    assert kind_of(kind.example, Choices(truth=name)) is None


OFFERING = [kind for kind in KINDS if kind.truths != (0, 0)]


@pytest.mark.parametrize("kind", OFFERING, ids=lambda kind: kind.found.__name__)
def test_what_can_be_judged_by_itself_is_offered_and_read(kind: FileKind) -> None:
    error = kind_of(kind.example)
    assert error is not None
    for offer in error.offers:
        assert offer.choice == "truth"
        assert kind_of(kind.example, Choices(truth=str(offer.value))) is None


def test_a_refusal_names_the_columns_that_tell_the_kind() -> None:
    error = refused("model,acc_mean,acc_std\na,0.8,0.01\nb,0.9,0.02\n")
    assert error.code == "finished-metrics"
    assert '"acc_mean", "acc_std"' in error.message
