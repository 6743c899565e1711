"""Columns beside truth and predictions: fold, weight, group, id; and those that are no role."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evalcore.intake.assignment import CHOSEN, Confidence, Reason
from evalcore.intake.chosen import chosen_columns
from evalcore.intake.model import Choices
from evalcore.intake.profile import Profile
from evalcore.intake.words import COUNT, FOLD, GROUP, ID, NEVER, TRUTH, WEIGHT, pieces, plain

_FEW = 50

_FOLD = Reason("named like a fold, and its values repeat", Confidence.SURE)
_WEIGHT = Reason("named like a weight", Confidence.LIKELY)
_COUNT = Reason("whole numbers named like a count, beside columns of labels", Confidence.LIKELY)
_GROUP = Reason("named like a group, with few distinct values", Confidence.LIKELY)
_ID = Reason("named like an id", Confidence.LIKELY)
_SURE_ID = Reason("named like an id, and no value repeats", Confidence.SURE)


@dataclass(frozen=True)
class SideRoles:
    """The side columns, and why.

    Attributes:
        aside: Columns that never are truth or prediction; those with a role among them.
        reasons: Column -> why it has its role.
    """

    fold: str | None
    weight: str | None
    group: str | None
    id: str | None
    aside: frozenset[str]
    reasons: Mapping[str, Reason]


def side_roles(columns: Mapping[str, Profile], choices: Choices) -> SideRoles:
    """Find fold, weight, group and id; what is chosen is kept."""
    used = chosen_columns(choices)
    free = {name: column for name, column in columns.items() if name not in used}
    reasons: dict[str, Reason] = {}

    def role(chosen: str | None, fits: Callable[[Profile], bool], told: Reason) -> str | None:
        if chosen is not None:  # an empty text says: no column at all
            reasons.update({chosen: CHOSEN} if chosen else {})
            return chosen or None
        for name, column in free.items():
            if name not in reasons and fits(column):
                reasons[name] = told
                return name
        return None

    fold = role(choices.fold, _is_fold, _FOLD)
    weight = role(choices.weight, _is_weight, _WEIGHT)
    if weight is None and choices.weight is None:
        weight = role(None, lambda column: _is_count(column, columns), _COUNT)
    group = role(choices.group, _is_group, _GROUP)
    row = role(choices.id, lambda column: _is_id(column) and column.unique, _SURE_ID)
    row = row or role(choices.id, lambda column: _is_id(column) and not _repeats(column), _ID)
    aside = {name for name, column in free.items() if _is_id(column) or _never(column)}
    return SideRoles(fold, weight, group, row, frozenset(aside | set(reasons)), reasons)


def _is_fold(column: Profile) -> bool:
    return plain(column.name) in FOLD and column.distinct > 1 and not column.unique


def _is_weight(column: Profile) -> bool:
    return plain(column.name) in WEIGHT and column.numeric


def _is_count(column: Profile, columns: Mapping[str, Profile]) -> bool:
    """Tell whether the file is a table of counts: whole numbers beside columns of labels only."""
    if plain(column.name) not in COUNT or not column.whole or column.low < 0 or column.counting:
        return False
    others = [other for other in columns.values() if other.name != column.name]
    return len(others) > 1 and all(
        o.labels and o.distinct <= _FEW and not o.continuous for o in others
    )


def _is_group(column: Profile) -> bool:
    words = [word.lower() for word in pieces(column.name)]
    named = plain(column.name) in GROUP or (len(words) > 1 and words[0] in GROUP)
    return named and 1 < column.distinct <= _FEW and not column.continuous


def _is_id(column: Profile) -> bool:
    name, words = column.name.strip().lower(), plain(column.name)
    if words in ID or name in ("unnamed: 0", "inst#") or words.endswith("_id"):
        return not (column.numeric and not column.whole)
    return name == "column 1" and (column.counting or column.unique) and not column.continuous


def _repeats(column: Profile) -> bool:
    """Tell whether few values stand in many rows, as in a class that is written as a number."""
    return column.distinct <= _FEW and column.distinct * 2 < column.present


def _never(column: Profile) -> bool:
    words = {word.lower() for word in pieces(column.name)}
    return column.moment or (bool(words & NEVER) and plain(column.name) not in TRUTH)
