"""A view as an address: everything that was chosen, in words that can be read and edited."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from math import isfinite
from types import MappingProxyType
from typing import Any, TypeVar, get_args
from urllib.parse import unquote

from evalcore.evaluation.decided import Way
from evalcore.intake.model import NO_CHOICES, Choices, FeatureKind, Scale, Task

Params = Mapping[str, Sequence[str]]
"""Parameter name -> its values, as in an address."""

LONGEST = 1000
"""Characters of a value; longer ones are dropped."""

SHAPING = ("model", "id", "sheet", "encoding", "separator", "decimal", "thousands")
"""Choices that decide which cells there are, before any column has a meaning."""

TEXTS = tuple(field.name for field in fields(Choices) if field.type == str | None)
"""Choices that are one text each."""

COLUMN_BY_MODEL = MappingProxyType(
    {
        "labels": "label",
        "scores": "score",
        "predictions": "prediction",
        "clusterings": "cluster",
        "fold_scores": "fold-score",
    }
)


def _option(field: str) -> str:
    """Return what the command line calls a choice."""
    return field.replace("_", "-")


OWN = frozenset(
    {"data", "task", "scale", "reverse", "prob", "feature", "order", "merge-spellings", "shown"}
    | {"threshold", "own-threshold", "decided", "feature-kind"}
    | {*map(_option, TEXTS), *COLUMN_BY_MODEL.values()}
)
"""The parameters that belong to a view; a page may have others of its own."""

NONE = [""]
"""How an address says "none of them", where saying nothing would mean "as detected"."""

E = TypeVar("E", bound=Enum)
T = TypeVar("T")


@dataclass(frozen=True)
class View:
    """What someone looks at.

    Attributes:
        data: The token of the data; None if there is none.
        choices: What the user settled about the columns; detected where left open.
        model: The chosen model; None for the first.
        threshold: The chosen threshold; None for the usual one.
        own: The thresholds of single models, where each keeps its own; None if all share one.
        way: How decisions are made; None for the usual way.
    """

    data: str | None = None
    choices: Choices = NO_CHOICES
    model: str | None = None
    threshold: float | None = None
    own: Mapping[str, float] | None = None
    way: Way | None = None


def to_params(view: View) -> dict[str, list[str]]:
    """Write a view as parameters; what is left open is left out."""
    threshold = None if view.threshold is None else repr(view.threshold)
    singles = {"data": view.data, "shown": view.model, "threshold": threshold}
    singles["decided"] = view.way
    written = {name: [text] for name, text in singles.items() if text is not None}
    if view.own is not None:
        pairs = [f"{quoted(model)}={threshold!r}" for model, threshold in view.own.items()]
        written["own-threshold"] = pairs or NONE
    return written | choices_to_params(view.choices)


def from_params(params: Params) -> View:
    """Read a view from parameters; what cannot be understood is dropped."""
    kept = {
        name: [text for text in texts if len(text) <= LONGEST] for name, texts in params.items()
    }
    return View(
        data=_first(kept, "data"),
        choices=_choices(kept),
        model=_first(kept, "shown"),
        threshold=_number(_first(kept, "threshold")),
        own=_own(kept.get("own-threshold", ())),
        way=_way(_first(kept, "decided")),
    )


def left_out(params: Params, view: View) -> list[tuple[str, str]]:
    """Return names and values that an address asks for and a view does not hold."""
    held = to_params(view)
    return [
        (name, text)
        for name, texts in params.items()
        if name in OWN and name not in held
        for text in texts
        if text
    ]


def quoted(name: str) -> str:
    """Escape the marks that separate the parts of a value, and no others."""
    return name.replace("%", "%25").replace("=", "%3D").replace(":", "%3A")


def choices_to_params(
    choices: Choices, quote: Callable[[str], str] = quoted
) -> dict[str, list[str]]:
    """Write choices as parameters, named like the options of the command line."""
    singles: dict[str, str | None] = {_option(name): getattr(choices, name) for name in TEXTS}
    singles["task"] = choices.task and choices.task.value
    singles["scale"] = choices.scale and choices.scale.value
    singles["feature-kind"] = choices.feature_kind and choices.feature_kind.value
    singles["reverse"] = "yes" if choices.reverse else None
    singles["merge-spellings"] = "yes" if choices.merge_spellings else None
    written = {name: [text] for name, text in singles.items() if text is not None}
    for field, name in COLUMN_BY_MODEL.items():
        if (columns := getattr(choices, field)) is not None:
            pairs = [f"{quote(model)}={column}" for model, column in columns.items()]
            written[name] = pairs or NONE
    if choices.probabilities is not None:
        written["prob"] = [
            f"{quote(model)}:{quote(label)}={column}"
            for model, columns in choices.probabilities.items()
            for label, column in columns.items()
        ] or NONE
    several = {"feature": choices.features, "order": choices.order}
    for name, words in several.items():
        if words is not None:
            written[name] = list(words) or NONE
    return written


def only_shaping(choices: Choices) -> Choices:
    """Keep what decides which cells there are; leave everything else open."""
    return Choices(**{name: getattr(choices, name) for name in SHAPING})


def _choices(params: Params) -> Choices:
    settled: dict[str, Any] = {name: _first(params, _option(name)) for name in TEXTS}
    for field, name in COLUMN_BY_MODEL.items():
        settled[field] = _columns_by_model(params.get(name, ()))
    return Choices(
        **settled,
        task=_member(Task, _first(params, "task")),
        scale=_member(Scale, _first(params, "scale")),
        feature_kind=_member(FeatureKind, _first(params, "feature-kind")),
        reverse=_first(params, "reverse") == "yes",
        merge_spellings=_first(params, "merge-spellings") == "yes",
        probabilities=_columns_by_class(params.get("prob", ())),
        features=_words(params.get("feature", ())),
        order=_words(params.get("order", ())) or None,
    )


def _columns_by_model(texts: Sequence[str]) -> Mapping[str, str] | None:
    pairs = [text.split("=", 1) for text in texts if "=" in text]
    return {unquote(model): column for model, column in pairs} or _none(texts, {})


def _own(texts: Sequence[str]) -> Mapping[str, float] | None:
    found = {name: _number(text) for name, text in (_columns_by_model(texts) or {}).items()}
    known = {name: threshold for name, threshold in found.items() if threshold is not None}
    return known or _none(texts, {})


def _columns_by_class(texts: Sequence[str]) -> Mapping[str, Mapping[str, str]] | None:
    found: dict[str, dict[str, str]] = {}
    for text in texts:
        owner, _, column = text.partition("=")
        model, colon, label = owner.partition(":")
        if colon and column:
            found.setdefault(unquote(model), {})[unquote(label)] = column
    return found or _none(texts, {})


def _words(texts: Sequence[str]) -> tuple[str, ...] | None:
    return tuple(text for text in texts if text) or _none(texts, ())


def _none(texts: Sequence[str], nothing: T) -> T | None:
    """Tell "none of them, please" from "as detected"."""
    return nothing if list(texts) == NONE else None


def _first(params: Params, name: str) -> str | None:
    return next(iter(params.get(name, ())), None)


def _way(text: str | None) -> Way | None:
    ways: tuple[Way, ...] = get_args(Way)
    return next((way for way in ways if way == text), None)


def _member(kind: type[E], text: str | None) -> E | None:
    return next((member for member in kind if member.value == text), None)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if isfinite(number) else None
