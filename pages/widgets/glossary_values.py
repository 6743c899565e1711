"""The numbers of the data looked at, by their name in the glossary."""

from dataclasses import dataclass

import streamlit as st

from evalcore.intake.model import Dataset, Task
from evalcore.metrics.spec import Estimate, Metric
from evalcore.results import Decisions
from pages.explained.lookup import entries
from pages.figures import words
from pages.session import computed, current, looked_up
from pages.widgets import sayings
from pages.widgets.pickers import pick_model, pick_way


@dataclass(frozen=True)
class Found:
    """A number of the data.

    Attributes:
        estimate: The number.
        model: Whose it is.
        where: The group it is in: "ranking", "decisions.threshold".
        of: What it is of, in words.
        average: For a mean over classes, its name: "macro"; "" otherwise.
    """

    estimate: Estimate
    model: str
    where: str
    of: str
    average: str = ""


def written(metric: Metric, estimate: Estimate) -> str:
    """Return a value as it is read: counts as whole numbers, others as finely as they need."""
    if metric.unit == "count" and estimate.defined:
        return words.count(estimate.value)
    if metric.key.endswith(words.P_VALUES) and estimate.defined:
        return words.p_value(estimate.value)
    return words.number(estimate.value, words.decimals(estimate))


def found_values(dataset: Dataset) -> dict[str, Found]:
    """Let model and way of deciding be picked; return the numbers by their name in the glossary."""
    if dataset.clusterings:
        return _of_clustering(dataset, pick_model(dataset))
    if not dataset.models:
        return {}
    with st.container(horizontal=True):
        model = pick_model(dataset)
        threshold = current.threshold(dataset, model)
        decisions = computed.decisions(dataset, model, threshold)
        way = pick_way(list(decisions)) if decisions else ""
    found = _decided(dataset, model, decisions[way], way) if way else {}
    for group, estimates in looked_up.groups(dataset, model).items():
        found |= {key: Found(made, model, group, "") for key, made in estimates.items()}
    return found


def _of_clustering(dataset: Dataset, name: str) -> dict[str, Found]:
    made, listed = computed.clustering(dataset, name), entries()
    return {
        called: Found(made.metrics[group][metric.key], name, group, "")
        for called, metric in listed.items()
        if metric.key in made.metrics.get(group := metric.family.value, ())
    }


def _decided(dataset: Dataset, model: str, made: Decisions, way: str) -> dict[str, Found]:
    """Return the numbers of decisions: of the whole, else the mean over the classes."""
    where = f"decisions.{way}"
    of = f"decided by {sayings.of_way(way, current.threshold(dataset, model))}"
    found: dict[str, Found] = {}
    if dataset.roles.task is Task.MULTICLASS:
        mean, macro = f"mean over the classes, {of}", made.averages["macro"].items()
        found = {key: Found(e, model, where, mean, "macro") for key, e in macro}
    return found | {k: Found(e, model, where, of) for k, e in made.metrics.items()}
