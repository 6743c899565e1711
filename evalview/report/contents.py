"""The sections of a report: what each is called, which data fill it, and the whole document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from evalcore.errors import EvalError
from evalcore.text import counted
from evalread.dataset import Dataset, Task
from evalview import escape
from evalview.report import about, others, sections
from evalview.report.blocks import Block, Document, Paragraph, Section, Typed
from evalview.report.material import Material, finds_slices

CLASSES = (Task.BINARY, Task.MULTICLASS)


@dataclass(frozen=True)
class Part:
    """A section that a report may have.

    Attributes:
        title: Its heading.
        make: Its blocks from the material; none where the data turn out to have nothing for it.
        tasks: The tasks whose data it can show; empty for all.
        usual: Whether a report has it unless its sections are named.
        lacks: Completes "The data have no ..." where a section that is asked for stays empty.
    """

    title: str
    make: Callable[[Material], Iterator[Block]]
    tasks: Sequence[Task] = ()
    usual: bool = True
    lacks: str = "numbers of this kind"


PARTS: Mapping[str, Part] = MappingProxyType(
    {
        "summary": Part("Summary", sections.summary),
        "threshold": Part(
            "Threshold", sections.threshold, (Task.BINARY,), lacks="scores of a yes-or-no question"
        ),
        "errors": Part(
            "Errors", sections.errors, (*CLASSES, Task.REGRESSION), lacks="predicted classes"
        ),
        "probabilities": Part(
            "Probabilities", sections.probabilities, (Task.BINARY,), lacks="probabilities"
        ),
        "compare": Part("Comparison", sections.comparison, lacks="second model"),
        "tests": Part("Tests", sections.tests, lacks="second model"),
        "clusters": Part("Clusters", others.clusters, (Task.CLUSTERING,), lacks="clusters"),
        "groups": Part(
            "Groups",
            others.groups,
            (Task.CORRECT,),
            lacks="items in groups, such as questions by subject",
        ),
        "slices": Part(
            "Slices",
            others.slices,
            (*CLASSES, Task.REGRESSION, Task.CORRECT),
            usual=False,
            lacks="column without a role, by which to slice the rows",
        ),
        "rows": Part("Single rows", others.rows, (), lacks="rows that may be shown (--rows)"),
        "methods": Part("Methods", about.methods),
        "glossary": Part("Glossary", about.glossary),
        "data": Part("Data and settings", about.data),
        "card": Part("Model card", lambda told: about.checklist(told, "card"), usual=False),
        "tripod": Part(
            "TRIPOD+AI",
            lambda told: about.checklist(told, "tripod"),
            (*CLASSES, Task.REGRESSION),
            usual=False,
            lacks="predictions",
        ),
        "stard": Part(
            "STARD 2015",
            lambda told: about.checklist(told, "stard"),
            (Task.BINARY,),
            usual=False,
            lacks="yes-or-no question",
        ),
    }
)
"""Every section by its key, in the usual order."""


def fitting(dataset: Dataset) -> list[str]:
    """Return the sections that data of this task can fill."""
    task = dataset.roles.task
    several = sections.needs_several(dataset)
    return [
        key
        for key, part in PARTS.items()
        if (not part.tasks or task in part.tasks)
        and (several or key not in ("compare", "tests"))
        and (dataset.free or key != "slices")
    ]


def usual(dataset: Dataset, *, rows: bool = True, slices: bool | None = None) -> list[str]:
    """Return the sections of a report for which none are named.

    `rows` tells whether those are among them, `slices` too; None: where they are found at once.
    """
    asked = {"rows": rows, "slices": finds_slices(dataset) if slices is None else slices}
    return [key for key in fitting(dataset) if asked.get(key, PARTS[key].usual)]


def known(keys: Sequence[str]) -> tuple[str, ...]:
    """Return keys of sections, each once.

    Raises:
        EvalError: "usage": there is no such section.
    """
    for key in keys:
        if key not in PARTS:
            raise EvalError("usage", f'There is no section "{key}". There are: {", ".join(PARTS)}.')
    return tuple(dict.fromkeys(keys))


def document(told: Material) -> Document:
    """Return the report; a section that is asked for and stays empty says why.

    Raises:
        EvalError: There is no such section, or a column that is named makes no slices.
    """
    wishes, dataset = told.wishes, told.dataset
    beside = dict(wishes.beside)
    verdict, besides = told.headline
    made = []
    for key in known(wishes.sections) or _asked(told):
        part = PARTS[key]
        fits = not part.tasks or told.task in part.tasks
        blocks = list(part.make(told)) if fits else []
        if not blocks and key in wishes.sections:
            blocks = [Paragraph([f"The data have no {part.lacks}."], "note")]
        if beside.get(key):
            blocks = [Typed(beside[key]), *blocks]
        if blocks:
            made.append(Section(key, part.title, blocks))
    source = dataset.table.source
    facts = [besides, told.without_costs, f"{source.rows:,} rows", _sizes(dataset)]
    if not dataset.clusterings:
        facts.append(f"{told.options.level:.0%} intervals")
    return Document(
        title=wishes.title or f"Evaluation of {escape.visible(source.name)}",
        verdict=verdict,
        facts=" · ".join(filter(None, facts)),
        sections=made,
        made=f"Made by Evalboard {wishes.version} on {wishes.date}".replace("  ", " "),
        notes=wishes.notes,
    )


def _asked(told: Material) -> Sequence[str]:
    """Return the sections where none are named: the usual ones, and those that are spoken of."""
    beside = (key for key, _ in told.wishes.beside)
    wanted = {*usual(told.dataset, slices=told.has_slices), *beside}
    wanted |= {"slices"} if told.wishes.by else set()
    return [key for key in PARTS if key in wanted]


def _sizes(dataset: Dataset) -> str:
    scored = () if dataset.fold_scores is None else dataset.fold_scores.models
    if dataset.clusterings:
        return counted(len(dataset.clusterings), "clustering")
    return counted(len(dataset.models) or len(scored), "model")
