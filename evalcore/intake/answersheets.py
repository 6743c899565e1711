"""Files that call truth and prediction alike, as submissions and their solution do."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evalcore.intake.joinedhints import Member, predicted_columns
from evalcore.intake.model import NO_CHOICES, Choices, Table
from evalcore.intake.modelnames import speaks_of_prediction
from evalcore.intake.onehot import decoded, is_one_hot
from evalcore.intake.profile import profile
from evalcore.intake.words import TRUTH, pieces, plain

_SOLUTION = frozenset({"solution", "truth", "gold", "answers", "labels", "actual", "reference"})
NAMED_FILES = "truth-file"
"""Code of the notice that the names of the files told which has the truth."""

_SUBMISSION = frozenset({"submission", "submissions"})


def is_solution(member: Member) -> bool:
    """Tell whether a table is called like the truth."""
    words = {piece.lower() for piece in pieces(member.name)}
    return bool(words & _SOLUTION) or plain(member.name) in TRUTH


def is_submission(member: Member) -> bool:
    """Tell whether a table is called like predictions."""
    words = {piece.lower() for piece in pieces(member.name)}
    return bool(words & _SUBMISSION) or speaks_of_prediction(member.name)


def shared_columns(members: Sequence[Member], key: str | None) -> list[str]:
    """Return the columns that every table has, beside the id."""
    first, *others = members
    names = (name for name in first.table.names if name != key)
    return [name for name in names if all(name in other.table.columns for other in others)]


def with_one_truth(members: Sequence[Member], key: str | None) -> list[Member]:
    """Read the first table's columns per class, shared by all others, as one column of truth."""
    lead, *others = members
    classes = shared_columns(members, key)
    if len(classes) < 2 or "truth" in lead.table.columns or not is_one_hot(lead.table, classes):
        return list(members)
    columns = dict(zip(classes, classes, strict=True))
    return [Member(lead.name, decoded(lead.table, "truth", columns)), *others]


def sole_target(members: Sequence[Member], key: str | None) -> str | None:
    """Return the one column that all tables share where the first alone is called the truth."""
    lead, *others = members
    told = is_solution(lead) and not any(map(is_solution, others))
    left = not is_submission(lead) and all(map(is_submission, others))
    shared = shared_columns(members, key)
    if not (told or left) or len(shared) != 1:
        return None
    known = any(predicted_columns(member.table) for member in members)
    return None if known or plain(shared[0]) in TRUTH else shared[0]


def target_hints(
    table: Table, members: Sequence[Member], target: str, renamed: Sequence[Mapping[str, str]]
) -> Choices:
    """Return the roles of a target that the first table knows and the others predict."""
    truth = profile(table, target)
    named = zip(members[1:], renamed[1:], strict=True)
    said = {member.name: called[target] for member, called in named}
    if truth.continuous:
        return replace(NO_CHOICES, truth=target, predictions=said)
    scores = {m: c for m, c in said.items() if profile(table, c).continuous}
    labels = {m: c for m, c in said.items() if m not in scores}
    return replace(NO_CHOICES, truth=target, labels=labels or None, scores=scores or None)
