"""What is picked and drawn on a page: model, cell, threshold, curves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import streamlit as st

from evalcore.dataset import Dataset
from evalcore.evaluation.condense import DecisionRule
from evalcore.options import Options
from evalcore.results import Decisions
from evalcore.tables.costs import UnitCosts
from pages.explorer import payload
from pages.explorer.payload import USUAL, Drawn, Explored, Style
from pages.figures.words import spoken
from pages.session import computed, costs, current, link
from pages.session.behind import code_of
from pages.session.cache import cached
from pages.session.computed import Question

DRAWN = "explorer_drawn"
NONE = "none"
"""How the address says "none of them", where saying nothing would mean "as usual"."""


def drawn() -> Drawn:
    """Return what is drawn: what the address says, else what was drawn before, else the usual."""
    kept: Drawn = st.session_state.get(DRAWN, USUAL)
    asked = {name: _read(name, keys) for name, keys in asdict(kept).items()}
    st.session_state[DRAWN] = found = Drawn.of(asked)
    for name, keys in asked.items():
        for key in set(keys) - {NONE, "", *getattr(found, name)}:
            link.refuse(name, key)
    _write(found)
    return found


def take_drawn(wanted: Any) -> None:
    """Draw what a browser asks for; what it may not ask for is ignored."""
    if isinstance(wanted, Mapping):
        st.session_state[DRAWN] = found = Drawn.of(wanted)
        _write(found)


def _read(name: str, kept: tuple[str, ...]) -> tuple[str, ...]:
    texts = link.asked_for(name)
    return tuple(texts[-1].split(",")) if texts else kept


def _write(found: Drawn) -> None:
    usual = asdict(USUAL)
    wanted = {
        name: ",".join(keys) or NONE for name, keys in asdict(found).items() if keys != usual[name]
    }
    if changed := {
        name: text for name, text in wanted.items() if st.query_params.get(name) != text
    }:
        st.query_params.update(changed)
    for name in (usual.keys() - wanted.keys()) & set(st.query_params):
        del st.query_params[name]


MODEL, WAY = "model_picked", "way_picked"
ACTUAL, CALLED = "actual", "called"
"""Keys of the two boxes that name a cell; they are parameters of the address too."""

FOLLOWED = "cell_followed"
"""What the address named when the boxes last followed it."""


def show_model(name: str) -> None:
    """Let the picker show the model looked at, wherever it was chosen."""
    st.session_state[MODEL] = name


def take_model() -> None:
    """Choose the model that the picker shows; for its `on_change`."""
    if st.session_state[MODEL] is not None:
        current.set_model(st.session_state[MODEL])


def show_way(way: DecisionRule) -> None:
    """Let the picker show the way of deciding that leads."""
    st.session_state[WAY] = way


def take_way() -> None:
    """Decide in the way that the picker shows; for its `on_change`."""
    if st.session_state[WAY] is not None:
        current.change(replace(current.view(), way=st.session_state[WAY]))


def follow_cell(classes: Sequence[str]) -> None:
    """Let the two boxes show the cell that the address names; call before they are drawn.

    They are not bound to the address one by one: a click would make two steps of history.
    """
    asked = {key: link.one(key) or None for key in (ACTUAL, CALLED)}
    moved = asked != st.session_state.get(FOLLOWED)
    for key, name in asked.items():
        if moved and name is not None and name not in classes:
            link.refuse(key, name)
        wanted = name if moved or key not in st.session_state else st.session_state[key]
        st.session_state[key] = wanted if wanted in classes else None
    st.session_state[FOLLOWED] = asked


def write_cell() -> None:
    """Write what the two boxes show to the address, in one step; for their `on_change`."""
    shown = {key: st.session_state[key] for key in (ACTUAL, CALLED)}
    named = {key: name for key, name in shown.items() if name is not None}
    st.query_params.update(named)
    for key in (shown.keys() - named.keys()) & set(st.query_params):
        del st.query_params[key]
    st.session_state[FOLLOWED] = {**dict.fromkeys(shown), **named}


def unselect(table: str) -> None:
    """Forget which cell of a table is selected; for a button's `on_click`."""
    st.session_state[table] = {"selection": {"rows": [], "columns": [], "cells": []}}


def take_cell(
    chart: str, classes: Sequence[str], cell: Callable[[float, float], tuple[int, int] | None]
) -> None:
    """Put the cell that was clicked into the two boxes; for the chart's `on_select`.

    `cell` maps the position of a point to positions of truth and decision in `classes`.
    """
    points = st.session_state[chart].selection.points
    picked = cell(points[0]["x"], points[0]["y"]) if points else None
    if picked is not None:
        st.session_state[ACTUAL], st.session_state[CALLED] = (classes[code] for code in picked)
        write_cell()


KEY = "threshold_explorer"
CHOICE = "choice"

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
    return computed.decisions_at(question, name, at)


def data(
    dataset: Dataset, question: Question, styles: Styles, metric_styles: tuple[Style, ...]
) -> dict[str, Any]:
    """Return what the explorer is fed with now, without the tables that its browser holds."""
    names = shown(dataset, question)
    tables = [question.tables[name].scores for name in names]
    unit_costs = costs.of_rows(dataset, next(table for table in tables if table is not None))
    key = "|".join((question.digest, *names, repr(unit_costs)))
    holds = _choice().get("holds") == key
    drawn_as = tuple((name, styles[name]) for name in names)
    still = {} if holds else _still(dataset, question, key, drawn_as, unit_costs, metric_styles)
    chosen = payload.Chosen(
        model=model(dataset, question),
        thresholds=[current.threshold(dataset, name) for name in names],
        own=current.view().own is not None,
        drawn=drawn(),
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
    take_drawn(choice.get("drawn"))
    name, threshold = choice.get("model"), choice.get("threshold")
    known = name if isinstance(name, str) and name in dataset.models else current.model(dataset)
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        threshold = current.threshold(dataset, known)
    current.explore(dataset, known, threshold, own=choice.get("own") is True)


def _choice() -> Mapping[str, Any]:
    """Return what the browser said last; nothing if that is not of the kind agreed on."""
    said = st.session_state.get(KEY, {}).get(CHOICE)
    return said if isinstance(said, Mapping) else {}


@cached(entries=24)
def _still(
    dataset: Dataset,
    question: Question,
    key: str,
    styles: tuple[tuple[str, Style], ...],
    unit_costs: UnitCosts,
    metric_styles: tuple[Style, ...],
) -> dict[str, Any]:
    """Return the part that nothing chosen changes; `styles` are those of the models shown."""
    models = [
        replace(_explored(question, name, unit_costs, style), called=spoken(dataset, name))
        for name, style in styles
    ]
    return payload.static_payload(
        key,
        models,
        classes=question.classes,
        level=Options().level,
        equal_cost=_equal_cost(unit_costs),
        styles=metric_styles,
    )


def _equal_cost(unit_costs: UnitCosts) -> float | None:
    """Return how many more positives must be found for each further negative flagged, in rates."""
    saved, wasted = unit_costs.of_finding, unit_costs.of_flagging
    return wasted / saved if saved > 0 and wasted >= 0 else None


def _explored(question: Question, name: str, unit_costs: UnitCosts, style: Style) -> Explored:
    table = question.tables[name].scores
    assert table is not None
    ranking, band = computed.ranking(question, name), computed.roc_band(question, name)
    best = costs.best(question, name, unit_costs)
    return Explored(name, style, table, ranking, cheapest=best.threshold, band=band)
