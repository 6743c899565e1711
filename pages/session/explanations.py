"""What explains a number: its working, the Python that gives or draws it, and what is offered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import NamedTuple

import streamlit as st

from evalcore.errors import Offer
from evalcore.metrics.metric import Estimate, Metric
from evalcore.metrics.probability import ECE, SPIEGELHALTER_P
from evalcore.options import Options
from evalcore.results import Estimates
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.reliability import ReliabilityTable
from evalread.dataset import THRESHOLD, Choices, Dataset, Table, Task, apply_offer
from evalread.previews import Preview, preview
from evalview import sharing
from evalview.explained import arithmetic, snippets, workings
from evalview.explained.of_matrices import of_average, of_class
from evalview.explained.of_scores import of_bins
from evalview.sharing import CLASSES_AT_MOST, choices_to_params
from pages.session import computed, costs, current, link
from pages.session.cache import cached

PARAMETER = "metric"
PICKED = "metric_picked"


def name(shown: Sequence[str], known: Collection[str]) -> str:
    """Return the name in the address if it is among those shown, else the first of these.

    Not every name that is `known` need be shown.
    """
    asked = link.one(PARAMETER)
    if asked and asked not in known:
        link.refuse(PARAMETER, asked)
        del st.query_params[PARAMETER]
    chosen = asked if asked in shown else shown[0]
    st.session_state[PICKED] = chosen
    return chosen


def look_up() -> None:
    """Look up what was picked; for the list's `on_change`."""
    st.query_params[PARAMETER] = st.session_state[PICKED]


def address(metric: str, model: str | None = None) -> dict[str, list[str]]:
    """Return the view as parameters for a link to the glossary, looking up a number of a model.

    Of the model looked at, where none is named.
    """
    view = current.view() if model is None else replace(current.view(), model=model)
    return {**sharing.to_params(view), PARAMETER: [metric]}


def groups(dataset: Dataset, model: str) -> Mapping[str, Estimates]:
    """Return every number of a model that no way of deciding changes, by the group it is in."""
    return {
        "ranking": computed.ranking(dataset, model),
        "probability": computed.probability(dataset, model),
        "values": {
            **computed.values(dataset, model),
            **computed.rank_correlations(dataset, model),
        },
        "items": computed.items(dataset, model),
    }


DRAWN_AS = {"map": ("axes", "spread"), "error-groups": ("along", "predicted")}
"""Figures that a box changes: the box, and what it must say for the code to draw the same."""


def code_of(key: str) -> str:
    """Return the Python that draws a figure; "" where there is none."""
    dataset = current.dataset()
    # The code draws all rows of the file.
    if dataset is None or key not in snippets.DRAWINGS or current.view().selected:
        return ""
    if key in DRAWN_AS:
        box, usual = DRAWN_AS[key]
        if st.session_state.get(box, usual) != usual:
            return ""
    scored = dataset.fold_scores
    model = current.model(dataset) if scored is None else scored.models[0]
    has_classes = dataset.roles.task in (Task.BINARY, Task.MULTICLASS)
    found = computed.tables(dataset).get(model)
    place = snippets.Place(
        files=tuple(current.file_names()),
        choices=current.view().choices,
        model=model,
        group="",
        way=_way(dataset, model) if has_classes else "",
        threshold=current.threshold(dataset, model),
        classes=len(dataset.classes),
        costs=_costs(dataset) if has_classes else (),
        label=_label(dataset),
        prevalence=current.use(dataset).share(found.scores if found else None),
        shares=_shares(dataset),
        metric=st.session_state.get("metric"),
    )
    return snippets.drawing_code(key, place)


def threshold_of(key: str, dataset: Dataset, model: str) -> float | None:
    """Return the threshold at which a figure is drawn; None where it shows none."""
    drawing = snippets.DRAWINGS.get(key)
    is_decided = key != "matrix" or _way(dataset, model) == "threshold"
    if drawing is None or not {"model", "threshold"} <= {*drawing.looked_at} or not is_decided:
        return None
    return current.threshold(dataset, model) if dataset.roles.task is Task.BINARY else None


def _costs(dataset: Dataset) -> tuple[float, ...]:
    """Return what decisions cost; () before that is said."""
    if len(dataset.classes) > CLASSES_AT_MOST:
        return ()
    given = tuple(costs.COSTS.now(dataset).ravel().tolist())
    return () if any(isnan(cost) for cost in given) else given


def _shares(dataset: Dataset) -> tuple[float, ...] | None:
    if dataset.roles.task is not Task.MULTICLASS:
        return None
    given = costs.shares(dataset)
    return None if given is None else tuple(given.tolist())


def _way(dataset: Dataset, model: str) -> str:
    ways = computed.ways(dataset, model)
    return current.way(ways) if ways else ""


def _label(dataset: Dataset) -> str:
    """Return the class that is set against all others."""
    picked = st.session_state.get("class")
    return picked if picked in dataset.classes else next(iter(dataset.classes), "")


ROUNDING = 1e-5
"""Probabilities that sum to 1 but for so much are taken to do so, as scikit-learn takes them."""


class Part(NamedTuple):
    """Where a number of a class, or an average over classes, is found.

    Attributes:
        model: Whose it is.
        where: "ranking" or, say, "decisions.labels".
        name: The class, or the name of the average.
    """

    model: str
    where: str
    name: str


def working(
    dataset: Dataset, model: str, where: str, metric: Metric, estimate: Estimate
) -> arithmetic.Working | None:
    """Return how a number is worked out; `where` is its group, "ranking" or "decisions.labels"."""
    if "." in where:
        return workings.of_decisions(metric, _confusion(dataset, model, where))
    return _working_of_tables(dataset, model, metric, estimate)


@cached(entries=400)
def _working_of_tables(
    dataset: Dataset, model: str, metric: Metric, estimate: Estimate
) -> arithmetic.Working | None:
    return workings.of_tables(metric, estimate, computed.tables(dataset)[model])


def clustering_working(
    dataset: Dataset, name: str, metric: Metric, estimate: Estimate
) -> arithmetic.Working | None:
    """Return how a number of a clustering is worked out."""
    return workings.of_clustering(metric, estimate, computed.clustering(dataset, name))


def average_working(dataset: Dataset, part: Part, metric: Metric) -> arithmetic.Working | None:
    """Return how a mean over classes is worked out."""
    return of_average(metric, _confusion(dataset, part.model, part.where), part.name)


def class_working(
    dataset: Dataset, part: Part, metric: Metric, estimate: Estimate
) -> arithmetic.Working | None:
    """Return how a number of one class against all others is worked out."""
    code = dataset.classes.index(part.name)
    if part.where != "ranking":
        return of_class(metric, _confusion(dataset, part.model, part.where), code)
    scores = computed.tables(dataset)[part.model].class_scores
    table = None if scores is None else scores.one_vs_rest[code]
    return None if table is None else workings.of_scores(metric, estimate, table)


def calibration_working(
    dataset: Dataset, part: Part, metric: Metric, estimate: Estimate, options: Options
) -> arithmetic.Working | None:
    """Return how a number of a class's probabilities is worked out; None of adjusted p values.

    `part.name` is "" for the likeliest class of each row.
    """
    scores = computed.tables(dataset)[part.model].class_scores
    if scores is None or not estimate.defined or metric.key == SPIEGELHALTER_P.key:
        return None
    each = dict(zip(scores.classes, scores.one_vs_rest, strict=True))
    table = each[part.name] if part.name else scores.top_label
    if table is None:
        return None
    if metric is ECE:
        return of_bins(ReliabilityTable.from_scores(table, options.bins, options.binning))
    return workings.of_scores(metric, estimate, table)


def _confusion(dataset: Dataset, model: str, where: str) -> ConfusionMatrix:
    ways = computed.decisions(dataset, model, current.threshold(dataset, model))
    return next(made.confusion for way, made in ways.items() if where == f"decisions.{way}")


def place(dataset: Dataset, model: str, where: str, part: str = "") -> snippets.Place:
    """Return where the numbers of a group are found; `part` as `Place` has it."""
    group, _, way = where.partition(".")
    scores = computed.tables(dataset)[model].class_scores
    return snippets.Place(
        files=tuple(current.file_names()),
        choices=current.view().choices,
        model=model,
        group=group,
        way=way,
        threshold=current.threshold(dataset, model),
        classes=len(dataset.classes),
        weighted=dataset.models[model].weight is not None,
        sums=scores is None or scores.largest_gap < ROUNDING,
        part=part,
    )


def clustering_place(dataset: Dataset, name: str, group: str) -> snippets.Place:
    """Return where the numbers of a clustering are found; `group` is "points" or "agreement"."""
    return snippets.Place(
        files=tuple(current.file_names()),
        choices=current.view().choices,
        model=name,
        group=group,
        threshold=current.threshold(dataset),
        classes=0,
        among="clusterings",
    )


def take_offer(offer: Offer) -> None:
    """Settle what an offer proposes; a step that can be undone."""
    dataset = current.dataset()
    if offer.choice != THRESHOLD:
        roles = None if dataset is None else dataset.roles
        current.set_choices(apply_offer(offer, current.view().choices, roles))
    elif dataset is not None:
        at = float(str(offer.value))
        current.explore(dataset, current.model(dataset), at, own=False)


def changes(offer: Offer) -> bool:
    """Return whether taking an offer would change anything: what is settled needs no button."""
    now, dataset = current.view().choices, current.dataset()
    roles = None if dataset is None else dataset.roles
    return offer.choice == THRESHOLD or apply_offer(offer, now, roles) != now


def previews(table: Table, offers: Sequence[Offer]) -> list[Preview | None]:
    """Return what each answer leads to; None where the table is too wide to be looked at twice."""
    now = current.view()
    digest = repr((now.data, choices_to_params(now.choices)))
    return [_preview(_Read(digest, table, now.choices), offer) for offer in offers]


@dataclass(frozen=True, eq=False)
class _Read:
    """A table and the choices it is read with; the digest names both, for caches."""

    digest: str
    table: Table
    choices: Choices


@cached(entries=100)
def _preview(read: _Read, offer: Offer) -> Preview | None:
    return preview(read.table, read.choices, offer)
