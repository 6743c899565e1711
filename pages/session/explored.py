"""Between the threshold explorer in the browser and this user's session."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.options import Options
from pages.explorer import payload
from pages.session import computed, current

KEY = "threshold_explorer"
CHOICE = "choice"
DAY = 24 * 3600


def shown(dataset: Dataset) -> tuple[str, ...]:
    """Return the models that the explorer shows: those with scores, the chosen one among them."""
    tables = computed.tables(dataset)
    scored = [name for name in dataset.models if tables[name].scores is not None]
    chosen = current.model(dataset)
    first = scored[: payload.MODELS_AT_MOST]
    return tuple(first if chosen in first or chosen not in scored else [*first[:-1], chosen])


def model(dataset: Dataset) -> str:
    """Return the chosen model, or the first that has scores."""
    names, chosen = shown(dataset), current.model(dataset)
    return chosen if chosen in names else names[0]


def data(dataset: Dataset, styles: Mapping[str, payload.Style]) -> dict[str, Any]:
    """Return what the explorer is fed with now, without the tables that its browser holds."""
    names, threshold = shown(dataset), current.threshold(dataset)
    key = "|".join((dataset.digest, *names))
    still = {} if _choice().get("holds") == key else _still(key, names, dataset, styles)
    tables = [computed.tables(dataset)[name].scores for name in names]
    decided = [computed.decisions(dataset, name, threshold)["threshold"] for name in names]
    moving = payload.moving_payload(
        [table for table in tables if table is not None],
        [decisions.metrics for decisions in decided],
        chosen=model(dataset),
        threshold=threshold,
    )
    return {"key": key, **still, **moving}


def follow() -> None:
    """Take over what was chosen in the explorer."""
    take(_choice())


def take(choice: Mapping[str, Any]) -> None:
    """Choose the model and the threshold that a browser names; what makes no sense is ignored."""
    dataset = current.dataset()
    if dataset is None:
        return
    name, threshold = choice.get("model"), choice.get("threshold")
    if isinstance(name, str) and name in dataset.models and name != current.model(dataset):
        current.set_model(name)
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        return
    if threshold != current.threshold(dataset):
        current.set_threshold(threshold)


def _choice() -> Mapping[str, Any]:
    """Return what the browser said last; nothing if that is not of the kind agreed on."""
    said = st.session_state.get(KEY, {}).get(CHOICE)
    return said if isinstance(said, Mapping) else {}


@st.cache_resource(max_entries=24, ttl=DAY, show_spinner=False)
def _still(
    key: str, names: tuple[str, ...], _dataset: Dataset, _styles: Mapping[str, payload.Style]
) -> dict[str, Any]:
    """Return the part that no threshold changes."""
    models = [_explored(_dataset, name, _styles[name]) for name in names]
    return payload.static_payload(key, models, classes=_dataset.classes, level=Options().level)


def _explored(dataset: Dataset, name: str, style: payload.Style) -> payload.Explored:
    table = computed.tables(dataset)[name].scores
    assert table is not None
    return payload.Explored(name, style, table, computed.ranking(dataset, name))
