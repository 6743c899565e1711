"""Which columns hold predictions, of which model, and of which class."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from evalcore.errors import EvalError, Offer
from evalcore.intake.profile import Profile
from evalcore.intake.wording import shorten
from evalcore.intake.words import (
    FILLER,
    FOLD,
    GROUP,
    ID,
    LABEL,
    MODEL,
    NEVER,
    PREDICTION,
    SCORE,
    WEIGHT,
    pieces,
    plain,
)

BETWEEN = ": "
"""Stands between the name of a table and that of its column, where several were joined."""

_SEPARATORS = " _.-:=/("


class Kind(Enum):
    """What a column of predictions holds."""

    LABEL = "label"
    SCORE = "score"
    PROBABILITY = "probability"
    NUMBER = "number"


@dataclass(frozen=True)
class Part:
    """One column of one model's predictions.

    Attributes:
        model: The model's name as the column tells it; "" if it tells none.
        of: For a probability: the class it is about.
        reason: Why the column is taken for this, one sentence.
        unit: Whether its values lie in [0, 1], as far as that is known.
    """

    column: str
    kind: Kind
    model: str
    reason: str
    of: str | None = None
    unit: bool = False


def named_parts(
    columns: Iterable[Profile], classes: Collection[str], *, numeric_truth: bool
) -> list[Part]:
    """Find the columns whose names say that they hold predictions."""
    ordered = sorted(classes, key=len, reverse=True)
    parts = (_part(column, ordered, numeric_truth=numeric_truth) for column in columns)
    found = [part for part in parts if part is not None]
    return _without_stray_classes(_numbered(found, classes), classes)


def _part(column: Profile, classes: Sequence[str], *, numeric_truth: bool) -> Part | None:
    if column.moment:
        return None
    owner, own = _owner(column.name)
    if not numeric_truth and (column.mostly_numeric or column.lists):
        about = _about_class(own, classes)
        if about is not None and not _labels_by_number(column, own, about[0]):
            of, rest = about
            model = " ".join(filter(None, (owner, rest)))
            return Part(column.name, Kind.PROBABILITY, model, f'named after the class "{of}"', of)
    words = pieces(own)
    kinds = {word.lower() for word in words}
    if kinds & NEVER:
        return None
    model = model_name(column.name)
    if kinds & SCORE and (column.mostly_numeric or column.lists):
        kind = Kind.NUMBER if numeric_truth else Kind.SCORE
        return Part(column.name, kind, model, "named like a score", unit=column.unit)
    labelled = kinds & LABEL and (numeric_truth or column.labels & set(classes))
    if kinds & PREDICTION or labelled or _numbered_model(words):
        kind = _kind_by_values(column, classes, numeric_truth=numeric_truth)
        told = {"label": "predicted label", "score": "prediction", "number": "prediction"}
        return Part(column.name, kind, model, f"named like a {told[kind.value]}")
    return None


def _numbered_model(words: Sequence[str]) -> bool:
    """Tell whether a column is called "model_A": a model by a name that is no column's."""
    return len(words) > 1 and words[0] == "model" and "_".join(words) not in MODEL


def _labels_by_number(column: Profile, own: str, of: str) -> bool:
    """Tell labels of a model called 1, as in "pred_1", from the probability of the class 1."""
    scored = own == of or {piece.lower() for piece in pieces(own)} & SCORE
    return not scored and column.whole and not column.unit


def _owner(name: str) -> tuple[str, str]:
    """Split "rf: score" into the table it is from and its own name."""
    owner, between, own = name.partition(BETWEEN)
    return (owner, own) if between else ("", name)


def _kind_by_values(column: Profile, classes: Sequence[str], *, numeric_truth: bool) -> Kind:
    if numeric_truth:
        return Kind.NUMBER
    if column.continuous and not column.holds_only(classes):
        return Kind.SCORE
    return Kind.LABEL


def model_name(column: str) -> str:
    """Return what is left of a column's name without the words for predictions.

    >>> model_name("logreg_score"), model_name("score_A"), model_name("y_pred")
    ('logreg', 'A', '')
    >>> model_name("naive_bayes_score")
    'naive bayes'
    >>> model_name("model_A")
    'model_A'
    >>> model_name("rf: y_score")
    'rf'
    """
    owner, own = _owner(column)
    if owner:
        return " ".join(filter(None, (owner, model_name(own))))
    words = pieces(column)
    if words[:1] == ("model",) and len(words) > 1 and not _spoken(words[1:]):
        return column
    kept = [word for word in words if word.lower() not in PREDICTION | LABEL | SCORE | FILLER]
    return " ".join(kept)


def speaks_of_prediction(column: str) -> bool:
    """Tell whether a column's name says that it holds predictions.

    >>> speaks_of_prediction("y_score"), speaks_of_prediction("model_A")
    (True, True)
    >>> speaks_of_prediction("income")
    False
    """
    words = pieces(_owner(column)[1])
    return bool({word.lower() for word in words} & (PREDICTION | SCORE)) or _numbered_model(words)


def _spoken(words: Iterable[str]) -> bool:
    return any(word.lower() in PREDICTION | LABEL | SCORE for word in words)


def _about_class(name: str, classes: Sequence[str]) -> tuple[str, str] | None:
    """Return the class a column is named after, and the model; longest class names go first."""
    bare = re.sub(r" \(column \d+\)'*$", "", name).strip()
    for exact in (True, False):
        told = bare if exact else bare.casefold()
        for of in classes:
            ending = of if exact else of.casefold()
            if told == ending and exact:
                return of, ""
            stem = told[: len(told) - len(ending)]
            if ending and told.endswith(ending) and stem and _names_probability(stem, of):
                return of, model_name(bare[: len(stem)].rstrip(_SEPARATORS))
    return None


def _names_probability(stem: str, of: str) -> bool:
    """Tell whether "prob_", "p" (of a number), "logreg_p_" ... stand before the class."""
    if stem[-1] not in _SEPARATORS:
        return stem.lower() in ("p", "prob", "proba") and of.isdigit()
    words = [word.lower() for word in pieces(stem.rstrip(_SEPARATORS))]
    return any(word in SCORE | PREDICTION for word in words)


def _numbered(parts: list[Part], classes: Collection[str]) -> list[Part]:
    """Take "score_1" beside "score_2" for models where 1 is a class and 2 is none."""
    stems: dict[str, set[str]] = {}
    for part in parts:
        stem, number = _split_number(part.column)
        stems.setdefault(stem, set()).add(number)
    changed = []
    for part in parts:
        stem, number = _split_number(part.column)
        numbers = stems[stem]
        models = len(numbers & set(classes)) == 1 and len(numbers) > 1
        if part.kind is Kind.PROBABILITY and part.of == number and models:
            part = Part(part.column, Kind.SCORE, number, "named like a score", unit=part.unit)
        changed.append(part)
    return changed


def _split_number(column: str) -> tuple[str, str]:
    match = re.fullmatch(r"(.*[ _.-])(\d+)", column)
    return (match[1], match[2]) if match else (column, "")


def _without_stray_classes(parts: list[Part], classes: Collection[str]) -> list[Part]:
    """Drop columns that only happen to be called like a class: one alone, with no other word."""
    bare = [part for part in parts if part.kind is Kind.PROBABILITY and part.column == part.of]
    if len(bare) == 1 and len(classes) > 1 and len(parts) > 1:
        return [part for part in parts if part not in bare]
    return parts


def ambiguous(role: str, choice: str, names: Sequence[str]) -> EvalError:
    """Return the question which of several columns plays a role, with the answers to it."""
    told = " or ".join(f'"{shorten(name)}"' for name in names[:6])
    more = f" (or one of {len(names) - 6} others)" if len(names) > 6 else ""
    return EvalError(
        "ambiguous",
        f"The {role} could be {told}{more}. Choose which column it is.",
        offers=[Offer(f'"{shorten(name)}" is the {role}', choice, name) for name in names[:6]],
    )


def parts_by_value(
    columns: Sequence[Profile], classes: Collection[str], *, numeric_truth: bool
) -> list[Part]:
    """Find predictions in a file whose column names tell nothing.

    Raises:
        EvalError: "ambiguous" where several columns of numbers could be the prediction.
    """
    if numeric_truth:
        numbers = [column for column in columns if column.numeric and not _aside(column)]
        return _only(numbers, Kind.NUMBER, "prediction", "predictions")
    # Names, not profiles: comparing profiles with each other takes long in a wide table.
    labels = {c.name for c in columns if c.holds_only(classes) and not c.constant}
    scores = [c for c in columns if c.numeric and c.name not in labels and not _aside(c)]
    in_unit = {column.name for column in scores if column.unit}
    if in_unit or labels:
        return [
            Part(column.name, Kind.SCORE, column.name, "its values lie between 0 and 1")
            if column.name in in_unit
            else Part(column.name, Kind.LABEL, column.name, "its values are classes of the truth")
            for column in columns
            if column.name in in_unit or column.name in labels
        ]
    return _only(scores, Kind.SCORE, "score", "scores")


def _only(columns: Sequence[Profile], kind: Kind, role: str, choice: str) -> list[Part]:
    """Take the one column of numbers there is; several may as well be features."""
    if len(columns) > 1:
        raise ambiguous(role, choice, [column.name for column in columns])
    reason = "the one column of numbers beside the truth"
    return [Part(column.name, kind, column.name, reason) for column in columns]


def _aside(column: Profile) -> bool:
    words = {word.lower() for word in pieces(column.name)}
    aside = ID | FOLD | WEIGHT | GROUP | NEVER
    return bool(words & NEVER) or plain(column.name) in aside or column.counting or column.constant


def by_model(parts: Sequence[Part], unnamed: str = "model") -> Mapping[str, list[Part]]:
    """Group the columns that belong to one model; nameless ones are told apart as far as one can.

    A nameless label, score and set of class probabilities are one model; two nameless scores are
    two models, each called like its column. What has no name at all is called `unnamed`.
    """
    groups: dict[str, list[Part]] = {}
    for part in parts:
        groups.setdefault(part.model, []).append(part)
    nameless = groups.pop("", [])
    if nameless:
        groups |= _nameless(nameless, unnamed)
    place = {part.column: place for place, part in enumerate(parts)}
    return dict(sorted(groups.items(), key=lambda item: min(place[p.column] for p in item[1])))


def _nameless(parts: Sequence[Part], called: str) -> dict[str, list[Part]]:
    leads = [part for part in parts if part.kind in (Kind.SCORE, Kind.NUMBER)]
    chances = [part for part in parts if part.kind is Kind.PROBABILITY]
    labels = [part for part in parts if part.kind is Kind.LABEL]
    groups = {lead.column: [lead] for lead in leads}
    if chances:
        groups[_common_name(chances) or called] = list(chances)
    if len(labels) == 1 and len(groups) == 1:
        next(iter(groups.values())).append(labels[0])
    else:
        groups |= {label.column: [label] for label in labels}
    return groups


def _common_name(chances: Sequence[Part]) -> str:
    """Name a model after the one column, or after what its probability columns have in common."""
    if len(chances) == 1:
        return chances[0].column
    stems = {pieces(part.column.removesuffix(part.of or "")) for part in chances}
    stem = "_".join(next(iter(stems))) if len(stems) == 1 else ""
    return stem if model_name(stem) else ""
