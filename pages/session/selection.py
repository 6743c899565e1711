"""The rows that are selected on every page."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, NumericOutcomes
from evalcore.slices.columns import Mask
from evalread.dataset import Dataset, Task
from evalview import selections, sharing
from evalview.figures.lines import COLUMN
from evalview.selections import (
    OFF,
    ORDER,
    OUTCOMES,
    ROWS,
    Interval,
    Selection,
    are_among,
    read,
    written,
)
from pages.session import cache, computed, current, link

selected = cache.cached(entries=100)(selections.selected)
name = cache.cached(entries=100)(selections.name)


def fits(dataset: Dataset, texts: Sequence[str]) -> bool:
    """Whether the data have what an address selects."""
    found = read(texts)
    try:
        return found is not None and bool(selected(dataset, found))
    except EvalError:
        return False


def chosen(dataset: Dataset) -> Selection | None:
    """Return the selection that holds on every page; None where all rows are looked at."""
    texts = current.view().selected
    return read(texts) if texts and fits(dataset, texts) else None


def choose(selection: Selection | None) -> None:
    """Select rows for every page, or none."""
    current.change(replace(current.view(), selected=written(selection) if selection else ()))


def clear() -> None:
    """Look at all rows again; for a button's `on_click`."""
    choose(None)


def among(dataset: Dataset, model: str) -> Mask | None:
    """Return whether each row of a model is selected, by whichever model; None where all are."""
    picked = chosen(dataset)
    return None if picked is None else among_rows(dataset, model, picked)


def among_rows(dataset: Dataset, model: str, picked: Selection) -> Mask:
    """Return whether each row of a model is in a selection, by whichever model it was made."""
    return are_among(dataset, dataset.models[model], selected(dataset, picked).rows)


def within(dataset: Dataset, but: Collection[str] = ()) -> Dataset:
    """Return the data with the selected rows only; rules about one of `but` leave out none."""
    picked = chosen(dataset)
    rules = [] if picked is None else [rule for rule in picked.rules if rule.of not in but]
    return dataset if picked is None or not rules else restricted(dataset, picked.of(*rules))


def everything(dataset: Dataset | None) -> frozenset[str]:
    """Return all that rules may be about: a page that leaves out none of it shows all rows."""
    return OUTCOMES | {ORDER, ROWS} | columns(dataset)


def columns(dataset: Dataset | None) -> frozenset[str]:
    """Return what rules are called that are about a column of the file."""
    return frozenset(COLUMN + name for name in (() if dataset is None else dataset.table.names))


def is_by_outcome(dataset: Dataset) -> bool:
    """Whether rows are selected by their truth, or by what a model says of them."""
    picked = chosen(dataset)
    return picked is not None and any(rule.of in OUTCOMES for rule in picked.rules)


@cache.cached(entries=24)
def restricted(dataset: Dataset, selection: Selection) -> Dataset:
    """Return the data with the rows of a selection only; all of them where it holds none."""
    models = selections.restricted(dataset, selected(dataset, selection).rows)
    digest = cache.part_of(dataset.digest, written(selection))
    return replace(dataset, models=models, digest=digest) if models else dataset


def address(selection: Selection) -> dict[str, list[str]]:
    """Return the view as parameters for a link to a page, which then selects these rows.

    It is all that the page will write there: what is written later is a step of the way back.
    """
    wanted = looking_at(current.view(), written(selection))
    return {**current.address(wanted), link.SELECT: [sharing.YES]}


def looking_at(view: sharing.View, texts: tuple[str, ...]) -> sharing.View:
    """Return a view with rows selected, of the model and the decisions that they are of."""
    picked = selections.read(texts)
    if picked is not None:
        view = replace(view, model=picked.model, way=picked.way or view.way)
    return replace(view, selected=texts)


PAGE_OF_ROWS = "rows"
"""The address of the page that lists the rows of a selection."""

WORST = 0.05
"""Of predicted numbers, the share of the rows with the largest errors that count as misses."""


def misses(dataset: Dataset, model: str) -> Selection | None:
    """Return the rows that a model fails on: missed positives, wrong classes, the largest errors.

    None where it fails on none, or where nothing is predicted row by row.
    """
    failing = _failing(dataset, model)
    return next((each for each in failing if len(selected(dataset, each).rows)), None)


def _failing(dataset: Dataset, model: str) -> Iterator[Selection]:
    told = dataset.models.get(model)
    if isinstance(told, NumericOutcomes) and told.n:
        off = np.abs(told.prediction - told.truth)
        least = float(np.quantile(off, 1 - WORST, method="higher"))
        if least > 0:
            yield Selection(model, (Interval(OFF, least),))
    if isinstance(told, BinaryOutcomes | ClassOutcomes):
        at = current.threshold(dataset, model)
        way = current.way(computed.ways(dataset, model))
        by = Selection(model, way=way, threshold=at if way == "threshold" else None)
        if dataset.roles.task is Task.BINARY:
            negative, positive = told.classes
            yield by.cell(positive, negative)
        yield by.mistakes()
