"""Between the threshold explorer in the browser and this user's session."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.options import Options
from evalcore.results import Decisions
from evalcore.tables.costs import Stakes
from pages.explorer import payload
from pages.explorer.models import Explored, Style
from pages.figures.spoken import spoken
from pages.session import computed, costed, current, drawn
from pages.session.code import code_of
from pages.session.question import Question

KEY = "threshold_explorer"
CHOICE = "choice"
DAY = 24 * 3600

Styles = Mapping[str, Style]
"""How models are drawn, by name."""


def shown(dataset: Dataset, question: Question) -> tuple[str, ...]:
    """Return the models that the explorer shows: those with scores, the chosen one among them."""
    scored, chosen = list(question.tables), current.model(dataset)
    first = scored[: payload.MODELS_AT_MOST]
    return tuple(first if chosen in first or chosen not in scored else [*first[:-1], chosen])


def model(dataset: Dataset, question: Question) -> str:
    """Return the chosen model, or the first that has scores."""
    names, chosen = shown(dataset, question), current.model(dataset)
    return chosen if chosen in names else names[0]


def decided(dataset: Dataset, question: Question, name: str) -> Decisions:
    """Return what follows from the threshold at which a model stands."""
    at = current.threshold(dataset, name)
    return computed.decided(question.key, name, at, question.tables[name])


def data(
    dataset: Dataset, question: Question, styles: Styles, metric_styles: tuple[Style, ...]
) -> dict[str, Any]:
    """Return what the explorer is fed with now, without the tables that its browser holds."""
    names = shown(dataset, question)
    tables = [question.tables[name].scores for name in names]
    stakes = costed.of_rows(dataset, next(table for table in tables if table is not None))
    key = "|".join((question.key, *names, repr(stakes)))
    holds = _choice().get("holds") == key
    called = {name: spoken(dataset, name) for name in names}
    still = {} if holds else _still(key, called, stakes, question, styles, metric_styles)
    chosen = payload.Chosen(
        model=model(dataset, question),
        thresholds=[current.threshold(dataset, name) for name in names],
        own=current.view().own is not None,
        drawn=drawn.drawn(),
    )
    moving = payload.moving_payload(
        [table for table in tables if table is not None],
        [decided(dataset, question, name).metrics for name in names],
        chosen,
    )
    codes = {curve: code_of(curve) for curve in chosen.drawn.curves}
    return {"key": key, **still, **moving, "code": codes}


def follow() -> None:
    """Take over what was chosen in the explorer."""
    take(_choice())


def take(choice: Mapping[str, Any]) -> None:
    """Choose what a browser names; what makes no sense is ignored."""
    dataset = current.dataset()
    if dataset is None:
        return
    drawn.take(choice.get("drawn"))
    name, threshold = choice.get("model"), choice.get("threshold")
    known = name if isinstance(name, str) and name in dataset.models else current.model(dataset)
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        threshold = current.threshold(dataset, known)
    current.explore(dataset, known, threshold, own=choice.get("own") is True)


def _choice() -> Mapping[str, Any]:
    """Return what the browser said last; nothing if that is not of the kind agreed on."""
    said = st.session_state.get(KEY, {}).get(CHOICE)
    return said if isinstance(said, Mapping) else {}


@st.cache_resource(max_entries=24, ttl=DAY, show_spinner=False)
def _still(
    key: str,
    _called: Mapping[str, str],
    _stakes: Stakes,
    _question: Question,
    _styles: Styles,
    _metric_styles: tuple[Style, ...],
) -> dict[str, Any]:
    """Return the part that nothing chosen changes; `_called` are the models, and their words."""
    models = [
        replace(_explored(_question, name, _stakes, _styles[name]), called=who)
        for name, who in _called.items()
    ]
    return payload.static_payload(
        key,
        models,
        classes=_question.classes,
        level=Options().level,
        equal_cost=_equal_cost(_stakes),
        styles=_metric_styles,
    )


def _equal_cost(stakes: Stakes) -> float | None:
    """Return how many more positives must be found for each further negative flagged, in rates."""
    saved, wasted = stakes.of_finding, stakes.of_flagging
    return wasted / saved if saved > 0 and wasted >= 0 else None


def _explored(question: Question, name: str, stakes: Stakes, style: Style) -> Explored:
    tables = question.tables[name]
    table = tables.scores
    assert table is not None
    ranking = computed.ranked(question.key, name, tables)
    band = computed.roc_band(question.key, name, table)
    best = costed.best(question, name, stakes)
    return Explored(name, style, table, ranking, cheapest=best.threshold, band=band)
