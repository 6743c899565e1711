"""The pages that `contents.txt` declares, in reading order, and which data can fill each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st
from streamlit.navigation.page import Page

from evalcore.evaluation.condense import MOST_FOLDS
from evalcore.outcomes import BinaryOutcomes, Measurable, Points
from evalread.attributes import date_columns
from evalread.dataset import Dataset, Task
from evalread.detection.scores import prediction_bounds
from evalview.course import lessons
from evalview.text import Paragraph, paragraphs
from pages.session import current


@dataclass(frozen=True)
class Entry:
    """A page.

    Attributes:
        name: Its address, and the name of its module.
        room: The package that its module stands in, below `pages`; "" for none.
        title: Its name for people.
        section: What it is a tab of: pages of one section share a link in the sidebar, but for
            lessons, each of which has its own.
        answers: The question it answers, one line.
        shows: Figures and numbers that a search finds it by, separated by ", ".
        needs: Completes "This page needs ..."; empty if it needs no data.
        fills: Whether a data set has what the page shows.
        instead: The name of the page that shows it where it has nothing of its own to show, but
            that page has; it makes an old address work.
        also: Other addresses that lead to it, such as those that people type.
        brings_rows: Whether it shows rows of its own unless those of the file are asked for; it
            then says itself whose they are.
        module: The name of its module where that is not its address.
        given: What its module is told to show.
        listed: Whether the sidebar has a link to it where its section is that of lessons.
        offered: Whether this server has the page at all.
    """

    name: str
    room: str
    title: str
    section: str
    answers: str
    shows: str = ""
    needs: str = ""
    fills: Callable[[Dataset], bool] = lambda dataset: True
    instead: str = ""
    also: tuple[str, ...] = ()
    brings_rows: bool = False
    module: str = ""
    given: tuple[str, ...] = ()
    listed: bool = True
    offered: Callable[[], bool] = lambda: True

    @property
    def page(self) -> Page:
        """The page as Streamlit knows it."""
        return self.at(self.name)

    def at(self, address: str) -> Page:
        """Return the page as Streamlit knows it at an address."""
        return st.Page(
            self.run,
            title=self.title,
            url_path=address,
            default=address == "start",
            help=self.answers,
        )

    def run(self) -> None:
        """Show the page, or the one in its place; a module is imported when it is first shown."""
        entry = shown(self, current.dataset())
        parts = ("pages", entry.room, entry.module or entry.name)
        import_module(".".join(filter(None, parts))).page(*entry.given)

    def fits(self, dataset: Dataset | None) -> bool:
        """Whether the page has something to show."""
        if self.needs and (dataset is None or not self.fills(dataset)):
            return False
        return self.offered()


def page(name: str) -> Page:
    """Return the page with this address."""
    return next(entry.page for entry in CONTENTS if entry.name == name)


def shown(entry: Entry, dataset: Dataset | None) -> Entry:
    """Return the page that an address shows: its own, or the one that took its place."""
    other = next((other for other in CONTENTS if other.name == entry.instead), None)
    if other is None or entry.fits(dataset):
        return entry
    if entry.fills is is_part_of_another:
        return shown(other, dataset)
    return other if other.fits(dataset) else entry


def links(fitting: Sequence[Entry]) -> list[Entry]:
    """Return what the sidebar lists of the pages that fit: the first tab of each section.

    Of lessons it lists the page that leads to all of them.
    """
    firsts = {entry.section: entry for entry in reversed(fitting) if entry.section != LESSONS}
    listed = (entry for entry in fitting if firsts.get(entry.section) is entry)
    return [*listed, *(entry for entry in fitting if entry.section == LESSONS and entry.listed)]


def tabs(fitting: Sequence[Entry], here: Entry) -> list[Entry]:
    """Return the pages of a section that fit, of which one is shown; [] without another."""
    side_by_side = [one for one in fitting if one.section == here.section != LESSONS]
    return side_by_side if len(side_by_side) > 1 and here in side_by_side else []


def called(entry: Entry) -> str:
    """Return what a page is called outside its section.

    >>> called(next(entry for entry in CONTENTS if entry.name == "bootstrap"))
    'Compare: Bootstrap'
    """
    alone = entry.section in (LESSONS, "Start", entry.title)
    return entry.title if alone else f"{entry.section}: {entry.title}"


def first_page(task: Task) -> Page:
    """Return the page on which results of this kind of question begin."""
    return page("cross_validation" if task is Task.FOLDS else "overview")


CLASSES = (Task.BINARY, Task.MULTICLASS)
JUDGED = (*CLASSES, Task.REGRESSION, Task.CLUSTERING, Task.CORRECT)


def has_classes(dataset: Dataset) -> bool:
    """Whether classes are predicted."""
    return dataset.roles.task in CLASSES


def has_models(dataset: Dataset) -> bool:
    """Whether rows are judged."""
    return bool(dataset.models) and dataset.fold_scores is None


def has_rows(dataset: Dataset) -> bool:
    """Whether rows are judged, which can be listed."""
    return has_models(dataset) and dataset.table.counted is None


def has_several(dataset: Dataset) -> bool:
    """Whether there are models to compare, by rows or by folds."""
    scored = dataset.fold_scores
    return len(dataset.models if scored is None else scored.models) > 1


def has_folds(dataset: Dataset) -> bool:
    """Whether there are models judged on few enough folds."""
    folded = dataset.fold is not None and 2 <= len(dataset.fold.names) <= MOST_FOLDS
    scored = dataset.fold_scores is not None and has_several(dataset)
    return scored or (folded and bool(dataset.models))


def has_scores(dataset: Dataset) -> bool:
    """Whether a model scores rows, for a yes-or-no question or for classes."""
    return any(outcomes.scored for outcomes in dataset.models.values())


def has_class_scores(dataset: Dataset) -> bool:
    """Whether a model gives the probability of each of several classes."""
    return dataset.roles.task is Task.MULTICLASS and has_scores(dataset)


def has_probabilities(dataset: Dataset) -> bool:
    """Whether a model gives probabilities."""
    two = (one for one in dataset.models.values() if isinstance(one, BinaryOutcomes))
    return has_class_scores(dataset) or any(one.probability for one in two)


def has_clusters(kind: Any, dataset: Dataset) -> bool:
    """Whether there are clusters of points of this kind."""
    return any(isinstance(found, kind) for found in dataset.clusterings.values())


def is_part_of_another(_: Dataset) -> bool:
    """No data set has what a page shows that has become a part of another one."""
    return False


FILLS: Mapping[str, Callable[[Dataset], bool]] = MappingProxyType(
    {
        "results": lambda data: data.roles.task in JUDGED,
        "scores": has_scores,
        "classes": has_classes,
        "numbers": lambda data: data.roles.task is Task.REGRESSION,
        "slices": lambda data: has_models(data) and bool(data.free),
        "rows": has_rows,
        "stated": lambda data: bool(
            data.roles.task is Task.REGRESSION and prediction_bounds(data.table.names, data.roles)
        ),
        "probabilities": has_probabilities,
        "several models": lambda data: len(data.models) > 1,
        "folds": has_folds,
        "several models or scores": has_several,
        "models": has_models,
        "dates": lambda data: has_rows(data) and bool(data.roles.date or date_columns(data)),
        "a part of another page": is_part_of_another,
        "measurable": partial(has_clusters, Measurable),
        "partners": lambda data: len(data.clusterings) + (data.true_class is not None) > 1,
        "several clusterings": lambda data: len(data.clusterings) > 1,
        "points": partial(has_clusters, Points),
    }
)
"""Whether a data set has what a page shows, in the words of `contents.txt`."""


LESSONS = "Lessons"
"""The section of pages that bring rows of their own."""


def has_sources() -> bool:
    """Whether this server's settings file names data to be counted where it is stored."""
    from evalread.engines.sources import settings_path

    return settings_path().is_file()


OFFERED: Mapping[str, Callable[[], bool]] = MappingProxyType({"sources": has_sources})
"""Whether this server has a page, in the words of the same file."""


def _lesson(one: lessons.Lesson) -> Entry:
    return Entry(
        one.key,
        "lessons",
        one.title,
        LESSONS,
        one.question,
        brings_rows=True,
        module="lesson" if one.stage else "",
        given=(one.key,) if one.stage else (),
        listed=False,
    )


def _entry(part: Paragraph) -> Entry:
    """Return a page as the file declares it."""
    name, room, title, section = part.head.split(" | ")
    told: dict[str, Any] = dict(part.fields)
    for key, known in (("fills", FILLS), ("offered", OFFERED)):
        if key in told:
            told[key] = known[told[key]]
    for key in ("given", "also"):
        told[key] = tuple(told.get(key, "").split())
    for key in ("brings_rows", "listed"):
        if key in told:
            told[key] = told[key] == "yes"
    return Entry(name, room.strip("-"), title, section, **told)


def _every() -> Iterator[Entry]:
    """Yield every page in reading order; lessons stand where the file has their name."""
    for part in paragraphs(Path(__file__).with_suffix(".txt")):
        if part.head == "lessons":
            yield from map(_lesson, lessons.lessons().values())
        else:
            yield _entry(part)


CONTENTS = tuple(_every())
