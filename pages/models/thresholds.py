"""Thresholds: what does moving the threshold win, and what does it cost?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from evalcore.evaluation.decisions import OF_ONE_CLASS
from evalcore.options import Options
from evalcore.results import Decisions
from evalcore.text import counted
from evalread.dataset import Dataset, Task
from evalview import selections, sentences, words
from evalview.explorer import payload, source
from evalview.explorer.payload import METRICS, USUAL, Drawn, Explored, Style
from evalview.figures import theme
from evalview.sharing import USUAL_CASES
from pages.models.overview_classes import class_curves
from pages.session import cache, computed, costs, current, explanations, findings, link, selection
from pages.widgets import chart, guard, inputs, notices
from pages.widgets.tables import metric_list


def page() -> None:
    """Show the threshold explorer, and every number at its threshold."""
    dataset = guard.need_dataset([*selections.CLASSES, selections.SCORE])
    is_binary = dataset.roles.task is Task.BINARY
    question = computed.question_of(dataset, None if is_binary else inputs.pick_class(dataset))
    threshold_explorer(dataset, question)
    model = current.model_among(dataset, question.tables)
    if is_binary:
        at = current.threshold(dataset, model)
        notices.notices(findings.notices(dataset, model, at, "threshold"))
        where = (
            "at this threshold" if current.view().own is None else "at each model's own threshold"
        )
        said = sentences.at_thresholds(dataset.models.values())
        guard.section(f"Every number {where}", f"{_why(dataset, question, model)} {said}".strip())
        by = {one: decisions_of(dataset, question, one).metrics for one in shown(dataset, question)}
        metric_list(by, OF_ONE_CLASS)
    else:
        guard.section(
            "Every class against all others", "The hardest to tell from the others come first."
        )
        class_curves(dataset, model)


KEY = "threshold_explorer"
CHOICE = "choice"

Styles = Mapping[str, Style]
"""How models are drawn, by name."""

_EXPLORER = st.components.v2.component(
    "threshold_explorer",
    js=source.component("explorer", CHOICE),
    css=source.style(),
)


def threshold_explorer(dataset: Dataset, question: computed.Question) -> None:
    """Show the explorer for the models that have scores.

    A choice made in it reaches the session, and so the address and every page, before the page
    is drawn again.
    """
    look = chart.look()
    of_metrics = tuple(theme.model_style(at, look) for at in range(len(METRICS)))
    label = None if dataset.roles.task is Task.BINARY else question.classes[1]
    _EXPLORER(
        data=data(dataset, question, theme.model_styles(tuple(dataset.models), look), of_metrics),
        key=KEY,
        on_choice_change=partial(follow, label),
    )


def shown(dataset: Dataset, question: computed.Question) -> tuple[str, ...]:
    """Return the models that the explorer shows: those with scores, the chosen one among them."""
    scored, chosen = list(question.tables), current.model(dataset)
    first = scored[: payload.MODELS_AT_MOST]
    return tuple(first if chosen in first or chosen not in scored else [*first[:-1], chosen])


def decisions_of(dataset: Dataset, question: computed.Question, name: str) -> Decisions:
    """Return what follows from the threshold at which a model stands."""
    at = current.threshold(dataset, name)
    return computed.decisions_at(question, name, at)


def data(
    dataset: Dataset, question: computed.Question, styles: Styles, metric_styles: tuple[Style, ...]
) -> dict[str, Any]:
    """Return what the explorer is fed with now, without the tables that its browser holds."""
    names = shown(dataset, question)
    tables = [question.tables[name].scores for name in names]
    key = "|".join((question.digest, *names))
    holds = _choice().get("holds") == key
    drawn_as = tuple((name, styles[name]) for name in names)
    still = {} if holds else _still(dataset, question, key, drawn_as, metric_styles)
    chosen = payload.Chosen(
        model=current.model_among(dataset, question.tables),
        thresholds=[current.threshold(dataset, name) for name in names],
        own=current.view().own is not None,
        drawn=drawn(),
    )
    moving = payload.moving_payload(
        [table for table in tables if table is not None],
        [decisions_of(dataset, question, name).metrics for name in names],
        chosen,
        _costs_now(dataset, question, names),
    )
    codes = {curve: explanations.code_of(curve) for curve in chosen.drawn.curves}
    picked = _selected(dataset, question, chosen.model)
    return {"key": key, **still, **moving, "selected": picked, "code": codes}


MARKED = 300
"""Scores of selected rows that are marked: more would run into each other."""


def _selected(
    dataset: Dataset, question: computed.Question, name: str
) -> dict[str, str | list[float]] | None:
    """Return what the selected rows are called and their scores; None where all are looked at."""
    marked = selection.among(dataset, name)
    outcomes = computed.outcomes_of(dataset, question, name)
    if marked is None or outcomes.score is None:
        return None
    scores = np.unique(outcomes.score[marked])
    thinned = scores[:: -(-len(scores) // MARKED) or 1]
    rows = counted(int(np.count_nonzero(marked)), "selected row")
    return {"model": name, "rows": rows, "scores": thinned.tolist()}


def _costs_now(
    dataset: Dataset, question: computed.Question, names: Sequence[str]
) -> payload.Costs | None:
    """Return what is said of costs; None of one class against several others."""
    if len(dataset.classes) != 2:
        return None
    told = current.use(dataset).prevalence
    tn, fp, fn, tp = costs.COSTS.now(dataset).ravel().tolist()
    return payload.Costs(
        (tn, fp, fn, tp),
        None if told is None else told / 100,
        current.use(dataset).cases,
        [_cheapest(dataset, question, name) for name in names],
        costs.where(dataset),
    )


def _cheapest(dataset: Dataset, question: computed.Question, name: str) -> float:
    """Return the cheapest threshold of a model; NaN before costs are given."""
    given = costs.given(dataset, question.tables[name].scores)
    return math.nan if given is None else costs.best(question, name, given).threshold


def _why(dataset: Dataset, question: computed.Question, name: str) -> str:
    """Say what the threshold in use is to the cheapest one; "" before costs are given."""
    table, best = question.tables[name].scores, _cheapest(dataset, question, name)
    if table is None or math.isnan(best):
        return ""
    at, who = current.threshold(dataset, name), words.spoken(dataset, name)
    return words.why_threshold(who, table, at, best, costs.where(dataset))


def follow(label: str | None) -> None:
    """Take over what was chosen in the explorer."""
    take(_choice(), label)


def take(choice: Mapping[str, Any], label: str | None = None) -> None:
    """Choose what a browser names; what makes no sense is ignored.

    `label` is the class of which scores are the probabilities, among several classes.
    """
    dataset = current.dataset()
    if dataset is None:
        return
    take_drawn(choice.get("drawn"))
    name, threshold = choice.get("model"), choice.get("threshold")
    known = name if isinstance(name, str) and name in dataset.models else current.model(dataset)
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        threshold = current.threshold(dataset, known)
    said = choice.get("said")
    if isinstance(said, Mapping) and len(dataset.classes) == 2:
        threshold = _price(dataset, known, said, threshold)
    current.explore(dataset, known, threshold, own=choice.get("own") is True)
    _pick(known, label, choice.get("rows"))


def _pick(name: str, label: str | None, rows: object) -> None:
    """Select the rows of a bar: its ends, and whether the upper one belongs to the next bar."""
    match rows:
        case [float() | int() as low, float() | int() as high, bool() as below]:
            by = selections.Selection(name, label=label)
            selection.choose(by.of(selections.Interval(selections.SCORE, low, high, below)))


def _price(dataset: Dataset, name: str, said: Mapping[str, Any], threshold: float) -> float:
    """Take over what a reader says of costs; return the threshold that is now to be looked at.

    Who says what a mistake costs looks for the cheapest threshold.
    """
    told = {key: _number(value) for key, value in said.items()}
    volume = told.get("volume")
    before = costs.COSTS.now(dataset)
    (tn, _), (_, tp) = before.tolist()
    fp, fn = told.get("fp"), told.get("fn")
    now = np.array([[tn, 1.0 if fp is None else fp], [math.nan if fn is None else fn, tp]])
    current.say(
        dataset,
        costs=costs.COSTS.said(dataset, now),
        prevalence=told.get("share"),
        volume=None if volume == USUAL_CASES else volume,
    )
    question = computed.question_of(dataset)
    if name not in question.tables or np.array_equal(before, now):
        return threshold
    best = _cheapest(dataset, question, name)
    return best if math.isfinite(best) else threshold


def _number(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None


def _choice() -> Mapping[str, Any]:
    """Return what the browser said last; nothing if that is not of the kind agreed on."""
    said = st.session_state.get(KEY, {}).get(CHOICE)
    return said if isinstance(said, Mapping) else {}


@cache.cached(entries=24)
def _still(
    dataset: Dataset,
    question: computed.Question,
    key: str,
    styles: tuple[tuple[str, Style], ...],
    metric_styles: tuple[Style, ...],
) -> dict[str, Any]:
    """Return the part that nothing chosen changes; `styles` are those of the models shown."""
    models = [
        replace(_explored(question, name, style), called=words.spoken(dataset, name))
        for name, style in styles
    ]
    return payload.static_payload(
        key,
        models,
        classes=[words.class_of(dataset.roles.truth, label) for label in question.classes],
        level=Options().level,
        styles=metric_styles,
        source=chart.source_of(dataset),
    )


def _explored(question: computed.Question, name: str, style: Style) -> Explored:
    table = question.tables[name].scores
    assert table is not None
    ranking, band = computed.ranking(question, name), computed.roc_band(question, name)
    return Explored(
        name,
        style,
        table,
        ranking,
        band=band,
        effective=computed.effective_share(question, name),
    )


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
    return tuple(texts[-1].split(",")) if texts and not link.is_late(name, texts) else kept


def _write(found: Drawn) -> None:
    usual = asdict(USUAL)
    for name, keys in asdict(found).items():
        link.say(name, [] if keys == usual[name] else [",".join(keys) or NONE])
