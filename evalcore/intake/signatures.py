"""How the file of a known tool is recognised, and what its columns mean."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from evalcore.errors import Notice
from evalcore.intake.model import Choices, Scale, Table
from evalcore.intake.profile import profile

Translate = Callable[[Table], Table]


def _as_it_is(table: Table) -> Table:
    return table


def _always(_: Table) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Signature:
    """The prediction file of one tool.

    Column names are regular expressions that match the whole name. Their groups have a meaning:
    `of` is the class that a probability is about, `model` the model, `target` the truth column.

    Attributes:
        tool: The tool's name.
        columns: Its columns in words, for the documentation.
        says: What the reader is told about the meaning of its columns, as part of a sentence.
        needs: Columns that must be there.
        lacks: Columns that must not be there.
        proof: Looks at values where names alone do not prove enough.
        translate: Rewrites cells that only this tool writes so into plain columns, before the
            roles below are looked up.
        truth: The truth column; None where the target of the predictions, or detection, tells it.
        scale: How the scores are to be read.
        rows: The id column; "" where no column is one, though its name says so.
    """

    tool: str
    columns: str
    says: str
    needs: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    proof: Callable[[Table], bool] = _always
    translate: Translate = _as_it_is
    truth: str | None = None
    label: str | None = None
    score: str | None = None
    probability: str | None = None
    prediction: str | None = None
    scale: Scale | None = None
    fold: str | None = None
    weight: str | None = None
    rows: str | None = None
    models: str | None = None

    def matches(self, table: Table) -> bool:
        """Tell whether a table was written by this tool."""
        return (
            all(_any_match(pattern, table) for pattern in self.needs)
            and not any(_any_match(pattern, table) for pattern in self.lacks)
            and self.proof(table)
        )

    def hints(self, table: Table) -> Choices:
        """Return the roles of the columns, as far as the tool settles them."""
        found = {
            role: list(_matches(pattern, table))
            for role, pattern in (
                ("label", self.label),
                ("score", self.score),
                ("prediction", self.prediction),
                ("probability", self.probability),
            )
        }
        targets = [m["target"] for many in found.values() for m in many if "target" in m]
        target = next((name for name in targets if name in table.columns), None)
        return Choices(
            truth=_column(self.truth, table) or target,
            labels=_by_model(found["label"]),
            scores=_by_model(found["score"]),
            predictions=_by_model(found["prediction"]),
            probabilities=_by_class(found["probability"]),
            scale=self.scale,
            fold=_column(self.fold, table),
            weight=_column(self.weight, table),
            id="" if self.rows == "" else _column(self.rows, table),
            model=_column(self.models, table),
        )


def _any_match(pattern: str, table: Table) -> bool:
    return any(map(re.compile(pattern).fullmatch, table.names))


def _column(pattern: str | None, table: Table) -> str | None:
    return next((found["column"] for found in _matches(pattern, table)), None)


def _matches(pattern: str | None, table: Table) -> Iterator[dict[str, str]]:
    """Yield the groups of every column that matches, with the column itself."""
    if not pattern:
        return
    for name in table.names:
        match = re.fullmatch(pattern, name)
        if match:
            groups = {key: value for key, value in match.groupdict().items() if value}
            yield {"column": name, **groups}


def _by_model(found: list[dict[str, str]]) -> Mapping[str, str] | None:
    models: dict[str, str] = {}
    for groups in found:
        models.setdefault(groups.get("model", ""), groups["column"])
    return models or None


def _by_class(found: list[dict[str, str]]) -> Mapping[str, Mapping[str, str]] | None:
    models: dict[str, dict[str, str]] = {}
    for groups in found:
        models.setdefault(groups.get("model", ""), {})[groups["of"]] = groups["column"]
    return models or None


def recognise(table: Table, signatures: tuple[Signature, ...]) -> Table:
    """Return the table with what the first fitting signature tells; else as it is."""
    for signature in signatures:
        if signature.matches(table):
            return _told(table, signature)
    return table


def _told(table: Table, signature: Signature) -> Table:
    known = replace(table, source=replace(table.source, tool=signature.tool))
    plain = signature.translate(known)
    hints = _with_numbers(overlay(plain.hints, signature.hints(plain)), plain)
    says = signature.says.replace("`", '"')
    notice = Notice("tool", f"{signature.tool} predictions; {says}.")
    return replace(plain, hints=hints, notices=(*plain.notices, notice))


def _with_numbers(hints: Choices, table: Table) -> Choices:
    """Take what a tool calls a prediction for a number where it, or the truth, is no label.

    Whole numbers may be many labels; a probability for each says that they are.
    """
    truth = [hints.truth] if hints.truth else []
    if hints.probabilities or not _any_continuous([*(hints.labels or {}).values(), *truth], table):
        return hints
    # The same holds for scores of a tool that has one name for both, if the truth is a number.
    scores = dict(hints.scores or {}) if _any_continuous(truth, table) else {}
    said = scores | dict(hints.labels or {})
    numbers = {m: column for m, column in said.items() if profile(table, column).numeric}
    labels = {m: c for m, c in (hints.labels or {}).items() if numbers.get(m) != c}
    return replace(
        hints,
        labels=labels or None,
        scores=None if scores else hints.scores,
        predictions={**(hints.predictions or {}), **numbers} or None,
    )


def _any_continuous(columns: Iterable[str], table: Table) -> bool:
    return any(profile(table, column).continuous for column in columns)


PREDICTIONS = ("labels", "scores", "predictions", "probabilities", "clusterings", "fold_scores")
"""The choices that name columns of predictions."""


def overlay(upper: Choices, lower: Choices) -> Choices:
    """Return the upper choices, with those of the lower where the upper leave a role open.

    Naming any prediction column settles them all: those of the lower are dropped then.
    """
    settled = any(getattr(upper, name) is not None for name in PREDICTIONS)
    taken = {}
    for name in Choices.__dataclass_fields__:
        open_role = getattr(upper, name) in (None, False) and not (settled and name in PREDICTIONS)
        taken[name] = getattr(lower if open_role else upper, name)
    return Choices(**taken)
