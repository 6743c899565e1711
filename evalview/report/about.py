"""The parts of a report about itself: methods, glossary, data, reporting tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType

import numpy as np

from evalcore.comparison.catalog import TESTS
from evalcore.comparison.results import Comparison
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Estimate, Metric
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes
from evalcore.text import count, counted, joined
from evalread.dataset import Task
from evalview import sentences, text, words
from evalview.escape import visible
from evalview.explained import lookup
from evalview.explained.concepts import concepts
from evalview.report.blocks import Block, Cell, Paragraph, Table, Terms, cell
from evalview.report.material import Material, used
from evalview.report.private import notices

HERE = Path(__file__).parent

OPEN = "To be filled in."
"""What stands where the file cannot tell."""

CONCEPTS: Mapping[Task, tuple[str, ...]] = MappingProxyType(
    {
        Task.BINARY: ("confusion-matrix", "roc-curve", "precision-recall-curve"),
        Task.MULTICLASS: ("confusion-matrix",),
        Task.FOLDS: ("cross-validation",),
    }
)
"""Concepts that a report of a task speaks of, beside its metrics."""


def methods(told: Material) -> Iterator[Block]:
    """Say how rows were decided, how intervals were made and what tests ask."""
    if told.task in (Task.BINARY, Task.MULTICLASS) and told.evaluation is not None:
        yield Paragraph([_deciding(told)])
    made: dict[str, list[str]] = {}
    for metric, estimates in used(told):
        for one in estimates:
            if one.method is not None:
                made.setdefault(one.method, []).append(metric.name)
    if made:
        level = told.options.level
        yield Terms(
            {
                f"{level:.0%} interval of {joined(list(dict.fromkeys(names)), most=6)}": _sentence(
                    lookup.METHODS.get(method, method)
                )
                for method, names in made.items()
            }
        )
    if isinstance(told.found, Comparison):
        yield from _tests(told.found)
    yield Paragraph(
        [
            "An undefined number is shown as undefined, not as 0. Each interval is for one number "
            "separately; p values of several pairs are adjusted (Holm)."
        ]
    )


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}."


def _deciding(told: Material) -> str:
    way = told.way(told.leader)
    at = told.options.threshold_of(told.leader)
    if not way:
        return "There are no decisions."
    said = sentences.decided_by(way, told.dataset.classes, at)
    return f"Decisions: {said[:1].lower()}{said[1:]}"


def _tests(found: Comparison) -> Iterator[Block]:
    main = next((test for test in TESTS if test.key == found.primary), None)
    if main is None:
        return
    yield Paragraph(
        [
            f"The verdict rests on {main.name} and on the interval of the difference; both must "
            f"show it. {main.summary} {main.assumes} Source: {main.source.text}."
        ]
    )


def glossary(told: Material) -> Iterator[Block]:
    """Explain the metrics and concepts that the report speaks of."""
    meanings = {}
    for metric, _ in used(told):
        low, high = text.bound(metric.low), text.bound(metric.high)
        better = lookup.DIRECTIONS[metric.better]
        meanings[metric.name] = f"{metric.summary} From {low} to {high}; {better}."
    for key in CONCEPTS.get(told.task, ()):
        if key in concepts():
            meanings[concepts()[key].name] = concepts()[key].text
    meanings["Interval"] = (
        f"A range that contains the true value in {told.options.level:.0%} of files of this kind, "
        "if rows are independent draws from one population, or draws of whole groups where stated."
    )
    yield Terms(meanings)


def data(told: Material) -> Iterator[Block]:
    """Say what was read, by what, with which settings."""
    dataset, source, options = told.dataset, told.dataset.table.source, told.options
    facts = {
        "File": visible(source.name),
        "SHA-256": source.digest,
        "Format": source.tool or source.format,
        "Rows": f"{count(source.rows)}, of which {count(dataset.rows_used)} are used",
        "Task": told.task.value,
    }
    if dataset.roles.truth:
        facts["Truth"] = visible(dataset.roles.truth)
    if dataset.classes:
        facts["Classes"] = joined([visible(name) for name in dataset.classes], most=40)
    if dataset.roles.positive is not None:
        facts["Positive class"] = visible(dataset.roles.positive)
    for role in ("group", "fold", "weight", "date", "id"):
        if (column := getattr(dataset.roles, role)) is not None:
            facts[role.capitalize()] = visible(column)
    facts |= {
        "Level of intervals": f"{options.level:.0%}",
        "Resamples, seed": f"{options.resamples:,}, {options.seed}",
        "Smallest cell": "any" if told.wishes.rows else f"{told.wishes.min_cell} rows",
        "Made": told.wishes.date,
        "Versions": _versions(told),
    }
    rows = [[cell(name), cell(said)] for name, said in facts.items() if said]
    yield Table("What this report rests on", ["", ""], rows, is_text=True)


def _versions(told: Material) -> str:
    parts = [f"Evalboard {told.wishes.version}".strip(), f"Python {sys.version.split()[0]}"]
    return ", ".join([*parts, *(f"{name} {version(name)}" for name in ("numpy", "scipy"))])


# Reporting tables


@dataclass(frozen=True)
class Checklist:
    """What a guideline asks: items, each with its number, its text and the name of its answer."""

    key: str
    name: str
    source: str
    url: str
    items: tuple[tuple[str, str, str], ...]


@cache
def checklists() -> Mapping[str, Checklist]:
    """Return the guidelines by their keys."""
    told = (HERE / "checklists.txt").read_text("utf-8")
    found = {}
    for part in told.split("\n[")[1:]:
        head, *lines = part.splitlines()
        key, name, source, url = head.strip("[]").split(" | ")
        split = [tuple(field.strip() for field in line.split("|")) for line in lines if line]
        items = tuple((number, asks, answer) for number, asks, answer in split)
        found[key] = Checklist(key, name, source, url, items)
    return MappingProxyType(found)


def checklist(told: Material, key: str) -> Iterator[Block]:
    """Show a guideline, filled from the counts; what the file cannot tell is left open."""
    asked = checklists()[key]
    yield Paragraph([f"After {asked.source}, {asked.url}."], "note")
    rows = []
    for number, asks, answer in asked.items:
        said = _ANSWERS[answer](told) if answer else ""
        filled = cell(said) if said else Cell([OPEN], kind="open")
        rows.append([cell(number), cell(asks), filled])
    open_yet = sum(row[-1].kind == "open" for row in rows)
    caption = f"{len(rows) - open_yet} of {len(rows)} items are filled from the file."
    yield Table(caption, ["Item", "What it asks", "Answer"], rows, is_text=True)


def _source(told: Material) -> str:
    source = told.dataset.table.source
    rows = f"{count(source.rows)} rows, of which {count(told.dataset.rows_used)} are used"
    return f"Evaluation: {visible(source.name)}, SHA-256 {source.digest[:16]}…, {rows}."


def _preparation(told: Material) -> str:
    return f"Evaluation: {_notices(told)}" if _notices(told) else ""


def _notices(told: Material) -> str:
    return " ".join(visible(one.message) for one in told.dataset.notices)


def _outcome(told: Material) -> str:
    roles = told.dataset.roles
    if not roles.truth:
        return ""
    if roles.positive is None:
        return f"Column “{visible(roles.truth)}”. Definition and assessment: to be filled in."
    sought = words.class_of(roles.truth, roles.positive)
    return f"Column “{visible(roles.truth)}”, positive: {sought}. Assessment: to be filled in."


def _size(told: Material) -> str:
    return f"Evaluation: {count(told.dataset.rows_used)} rows; the file holds no calculation."


def _missing(told: Material) -> str:
    left = told.dataset.table.source.rows - told.dataset.rows_used
    found = told.found
    shared = ""
    if isinstance(found, Comparison) and sentences.on_common_rows(found):
        shared = f" Models are compared on the {counted(found.n, 'row')} that all of them have."
    if not left:
        return f"Evaluation: no row was left out.{shared}"
    return f"Evaluation: {counted(left, 'row')} left out.{shared} {_notices(told)}"


def _clusters(told: Material) -> str:
    unit = told.dataset.roles.unit
    return f"Intervals resample whole groups by “{visible(unit)}”." if unit else ""


CALIBRATION = ("calibration_in_the_large", "calibration_intercept", "calibration_slope")
"""What reporting guidelines ask of probabilities beside a score for them."""


def _numbers(told: Material) -> list[tuple[Metric, Estimate]]:
    """Return the numbers of the leading model that a table of items has."""
    made = [(metric, estimates[0]) for metric, estimates in used(told)]
    if told.evaluation is not None:
        found = told.evaluation.judged[told.leader].metrics.get("probability", {})
        made += [(find(key), found[key]) for key in CALIBRATION if key in found]
    return made


def _measures(told: Material) -> str:
    names = joined([metric.name for metric, _ in _numbers(told)], most=12)
    level = f"{told.options.level:.0%}"
    found = told.found
    if not isinstance(found, Comparison) or not found.primary:
        return f"{names}, with {level} intervals."
    test = next(test.name for test in TESTS if test.key == found.primary)
    return f"{names}, with {level} intervals. Models are compared by {test}."


def _imbalance(told: Material) -> str:
    share = _prevalence(told)
    return f"Evaluation: {share} of the rows are positive, as in the file." if share else ""


def _prevalence(told: Material) -> str:
    decided = None if told.evaluation is None else told.decided(told.leader)
    if decided is None or len(told.dataset.classes) != 2:
        return ""
    held = decided.confusion.binary()
    return text.percent(float(held.positives) / float(held.total)) if held.total else ""


def _output(told: Material) -> str:
    if told.evaluation is None or told.task is not Task.BINARY or not told.merged:
        return ""
    at = text.threshold(told.options.threshold_of(told.leader))
    return f"A score; positive when it is at least {at}. How it was chosen: to be filled in."


def _flow(told: Material) -> str:
    return f"{_events(told)} Flow: to be filled in." if _events(told) else ""


def _events(told: Material) -> str:
    decided = None if told.evaluation is None else told.decided(told.leader)
    if decided is None:
        return ""
    truth, matrix = told.dataset.roles.truth, decided.confusion
    held = zip(matrix.classes, matrix.counts.sum(axis=1).tolist(), strict=True)
    told_rows = [words.counted_rows(truth, label, rows) for label, rows in held]
    return f"{joined(told_rows, most=30)}{_units(told)}."


def _units(told: Material) -> str:
    """Return of how many patients, or whatever the rows belong to, those of each class are."""
    rows, name = told.tables[told.leader].rows, told.dataset.roles.unit
    if name is None or not isinstance(rows, BinaryOutcomes | ClassOutcomes) or rows.unit is None:
        return ""
    each = [len(np.unique(rows.unit[rows.truth == code])) for code in range(len(rows.classes))]
    called = [words.class_of(told.dataset.roles.truth, one) for one in rows.classes]
    listed = joined([f"{count(n)} for {of}" for n, of in zip(each, called, strict=True)], most=30)
    units = count(len(np.unique(rows.unit)))
    return f"; these are rows of {units} different “{visible(name)}” ({listed})"


def _performance(told: Material) -> str:
    if told.evaluation is None:
        return "" if not isinstance(told.found, Comparison) else "See the table of models."
    numbers = _numbers(told)
    parts = [
        f"{one.name} {text.with_interval(made) if made.defined else 'undefined'}"
        for one, made in numbers
    ]
    return f"{visible(told.leader)}: {', '.join(parts)}." if parts else ""


def _matrix(told: Material) -> str:
    decided = None if told.evaluation is None else told.decided(told.leader)
    if decided is None or len(decided.confusion.classes) != 2:
        return ""
    held = decided.confusion.binary()
    cells = {"found": held.tp, "missed": held.fn, "false alarms": held.fp, "passed": held.tn}
    return ", ".join(f"{count(float(rows))} {name}" for name, rows in cells.items()) + "."


def _models(told: Material) -> str:
    return f"Called {joined(list(map(visible, told.order)), most=10)}. Details: to be filled in."


def _limitations(told: Material) -> str:
    noted = () if told.evaluation is None else notices(told, told.evaluation.notices)
    return " ".join(visible(one.message) for one in noted if one.severity == "warning")


def _factors(told: Material) -> str:
    group = told.dataset.roles.group
    return f"The file has groups: “{visible(group)}”. Others: to be filled in." if group else ""


_ANSWERS: Mapping[str, Callable[[Material], str]] = MappingProxyType(
    {
        "evaluates": lambda told: "Evaluation on given predictions.",
        "source": _source,
        "preparation": _preparation,
        "outcome": _outcome,
        "size": _size,
        "missing": _missing,
        "clusters": _clusters,
        "measures": _measures,
        "imbalance": _imbalance,
        "output": _output,
        "code": lambda told: f"Evaluation: {_versions(told)}. Models: to be filled in.",
        "flow": _flow,
        "events": _events,
        "performance": _performance,
        "matrix": _matrix,
        "models": _models,
        "limitations": _limitations,
        "factors": _factors,
    }
)
"""What the file tells of an item; "" where it tells nothing here."""
