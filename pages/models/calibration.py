"""Calibration: do events happen as often as the probabilities say?"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Literal

import streamlit as st

from evalcore.curves.roc import CalibrationCurve
from evalcore.evaluation.estimates import ClassCalibration, judge_classes, judge_probabilities
from evalcore.metrics import catalog
from evalcore.options import Options
from evalcore.results import Estimates, ModelTables
from evalread.dataset import Dataset, Task
from evalview import conclusions, figures, selections, text
from evalview.conclusions import CLASSES_AT_MOST, LIKELIEST, saved
from evalview.figures import calibration
from evalview.figures.theme import Scene, level
from evalview.lab.recalibration import (
    GIVEN,
    RECALIBRATED_BY,
    Recalibrated,
    Recalibrations,
    binned,
    by_every_method,
)
from evalview.selections import Selection
from pages.session import cache, computed, findings
from pages.session.computed import Question, outcomes_of, question_of
from pages.widgets import chart, explain, guard, inputs, notices, tables
from pages.widgets.tables import metric_table


def page() -> None:
    """Show probabilities against what came true, as given and recalibrated."""
    dataset = guard.need_dataset([selections.SCORE])
    top, choices = guard.top_and_choices()
    with choices:
        is_binary = dataset.roles.task is Task.BINARY
        question = question_of(dataset, None if is_binary else inputs.pick_class(dataset))
        model = inputs.pick_model(dataset, among=models_with_probabilities(question))
        options = ask()
    scene = chart.of_question(dataset, question, model)
    with top:
        told, table = question.tables[model], question.tables[model].scores
        curve = curve_of(question, model, options) if table is not None and table.n else None
        made, label = estimates(question, model, options), "" if is_binary else scene.positive
        guard.headline(*conclusions.of_probabilities(table, told.n, made, curve, scene, label))
    if is_binary:
        notices.notices(findings.backwards(dataset, model))
    by = Selection(model, label=None if is_binary else question.classes[1])
    pictures(question, by, scene, options)
    if not is_binary:
        every_class(dataset, model, options)
    recalibrated(dataset, question, scene, options)


ADJUSTED = replace(
    catalog.by_key()["spiegelhalter_p"],
    name="p value (Holm)",
    summary="How often calibrated probabilities, in a table of this many rows, would look this "
    "far off: Spiegelhalter’s test, adjusted for their number.",
)
CLASS_CALIBRATION_SHOWN = ("ece", "brier", "calibration_slope", "calibration_intercept")


def every_class(dataset: Dataset, model: str, options: Options) -> None:
    """Show how true the probabilities of each class are, the worst first."""
    made = calibration_of_classes(dataset, model, options)
    guard.section("All classes", conclusions.of_class_probabilities(made))
    decided = _unlike(LIKELIEST, made.classes)
    rows = {decided: _class_calibration_row(made.top_label, made.p_top_label)} | {
        name: _class_calibration_row(found, made.p_values[name])
        for name, found in list(made.classes.items())[:CLASSES_AT_MOST]
    }
    metrics = [*(catalog.by_key()[key] for key in CLASS_CALIBRATION_SHOWN), ADJUSTED]
    clicked = metric_table(rows, metrics, of="class", key="all-classes")
    st.caption(conclusions.about_classes(made, decided))
    behind = partial(explain.behind_calibration, dataset, model, options)
    explain.explain_number(clicked, rows, behind)


def _class_calibration_row(found: Estimates, p_value: float) -> Estimates:
    shown = {key: found[key] for key in CLASS_CALIBRATION_SHOWN}
    return {**shown, ADJUSTED.key: replace(found[ADJUSTED.key], value=p_value)}


def _unlike(name: str, others: Mapping[str, object]) -> str:
    """Return a name that none of the others has."""
    while name in others:
        name += " (decided for)"
    return name


BINNINGS: Mapping[Literal["uniform", "quantile"], str] = {
    "uniform": "equal width",
    "quantile": "equal counts",
}
ALL, AFTER = "All models side by side", "As given, and recalibrated on other folds"
CALIBRATION_FIRST = ("brier", "ece", "calibration_slope")
CALIBRATION_SHOWN = (
    "brier",
    "log_loss",
    "ece",
    "mce",
    "calibration_slope",
    "calibration_intercept",
    "calibration_in_the_large",
    "hosmer_lemeshow_p",
    "spiegelhalter_p",
)


def ask() -> Options:
    """Ask how the probabilities are put into bins."""
    bins = inputs.whole_number("Bins", (2, 50), 10, key="bins", width=130)
    binning = inputs.list_box("Bins of", BINNINGS, key="binning", width=170)
    return Options(bins=bins, binning=binning)


def pictures(question: Question, by: Selection, scene: Scene, options: Options) -> None:
    """Show the diagram of a model beside its numbers; a bin or a bar selects its rows."""
    model = by.model
    made = reliability(question, model, options)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figure = figures.draw_reliability(scene, made)
        taken = chart.Marks(figure, "reliability", by).take
        alt = figures.reliability_alt(scene, made)
        chart.show(figure, alt, key="reliability", on_click=taken)
        st.caption("Click a bin, or a bar below it, to select its rows.")
    with right:
        found = estimates(question, model, options)
        _numbers(model, found, CALIBRATION_FIRST)
        with st.expander("All numbers"):
            _numbers(model, found, CALIBRATION_SHOWN)
            st.caption(
                "95% intervals. The p values ask how often calibrated probabilities would look "
                "this bad by chance; the Hosmer-Lemeshow value is the one for rows new to the "
                "model."
            )
            _parts(question, model, options)


def recalibrated(dataset: Dataset, question: Question, scene: Scene, options: Options) -> None:
    """Show all models, and what recalibrating one, judged on other rows, would give."""
    assert scene.chosen is not None
    with first_look(dataset, question, scene.chosen, options):
        made = recalibrations(dataset, question, scene.chosen, options)
    if made is None:
        guard.section("Would recalibration help?", "That needs rows of both classes.")
        return
    guard.section("Would recalibration help?", conclusions.of_recalibration(made))
    _before_and_after(made)
    slope = estimates(question, scene.chosen, options)["calibration_slope"]
    table = question.tables[scene.chosen].scores
    assert table is not None
    st.caption(conclusions.about_recalibration(made, slope, table))
    curves(question, scene, made, options)


def curves(question: Question, scene: Scene, made: Recalibrations, options: Options) -> None:
    """Offer the curves of what each method gives, and those of all models."""
    every = curves_of_all(question, options)
    title = "Curves before and after" + (", and of all models" if len(every) > 1 else "")
    if (room := guard.opened(title, key="curves")) is None:
        return
    after = figures.draw_recalibration(
        replace(scene, names=tuple(made.curves), chosen=None), made.curves, AFTER
    )
    with room:
        left, right = st.columns(2)
        if len(every) > 1:
            beside = figures.draw_recalibration(scene, every, ALL)
            level(after, beside)
            with right:
                chart.show(beside, figures.recalibration_alt(every, ALL), key="calibration")
        with left:
            chart.show(after, figures.recalibration_alt(made.curves, AFTER), key="recalibration")


FIRST_ROWS = 200_000
"""Of more rows than this, so many are fitted first, which takes a second; all may take a minute."""


@contextmanager
def first_look(
    dataset: Dataset, question: Question, model: str, options: Options
) -> Iterator[None]:
    """Show, while all rows are fitted, what some of them say."""
    shown, rows = st.empty(), outcomes_of(dataset, question, model).n
    if rows > FIRST_ROWS and not recalibrations.has(dataset, question, model, options):
        made = recalibrations(dataset, question, model, options, FIRST_ROWS)
        if made is not None:
            with shown.container():
                told = conclusions.of_recalibration(made)
                told = f"A first look, at {FIRST_ROWS:,} of {rows:,} rows at random: {told}"
                guard.section("Would recalibration help?", told)
                _before_and_after(made)
    with st.spinner("Fitting on the other folds"):
        yield
    shown.empty()


def _before_and_after(made: Recalibrations) -> None:
    given = {"probabilities": GIVEN, "Brier score saved": "", **_judged(made.estimates)}
    rows = [given, *(_calibration_row(name, one) for name, one in made.methods.items())]
    tables.text_table(rows, alt="Before and after")


def _numbers(model: str, found: Estimates, keys: Sequence[str]) -> None:
    metrics = [catalog.by_key()[each] for each in keys]
    tables.metric_list({model: found}, metrics, way=None)


def _parts(question: Question, model: str, options: Options) -> None:
    """Show the three parts of the Brier score without bins, which add up exactly."""
    fit = reliability(question, model, options).fit
    parts = {
        "miscalibration": fit.miscalibration,
        "− discrimination": -fit.discrimination,
        "+ uncertainty of the task": fit.uncertainty,
        "= Brier score": fit.miscalibration - fit.discrimination + fit.uncertainty,
    }
    rows = [{"part": part, "value": text.number(value, 4)} for part, value in parts.items()]
    tables.text_table(rows, alt="The parts of the Brier score")
    st.caption("By the isotonic fit, so exact and free of bins (CORP).")


def _calibration_row(key: str, made: Recalibrated) -> dict[str, str]:
    gap = {"Brier score saved": saved(made.saved["brier"])}
    return {"probabilities": RECALIBRATED_BY[key], **gap, **_judged(made.estimates)}


def _judged(found: Estimates) -> dict[str, str]:
    names = {"brier": "Brier score", "log_loss": "log loss", "ece": "ECE"}
    return {name: text.with_interval(found[key], text.low_dash_high) for key, name in names.items()}


def models_with_probabilities(question: Question) -> Mapping[str, ModelTables]:
    """Return the models that give probabilities."""
    return {name: found for name, found in question.tables.items() if found.probability}


@cache.cached(entries=200)
def estimates(question: Question, model: str, options: Options) -> Estimates:
    """Return every number of how true the probabilities of a model are."""
    told = question.tables[model]
    return conclusions.with_reasons(judge_probabilities(told, options), told.scores)


@cache.cached(entries=100)
def reliability(question: Question, model: str, options: Options) -> calibration.Reliability:
    """Return what a model said, and what came of it."""
    table = question.tables[model].scores
    assert table is not None
    return calibration.reliability_of(table, options)


@cache.cached(entries=200)
def curve_of(question: Question, model: str, options: Options) -> CalibrationCurve:
    """Return the calibration curve of a model."""
    table = question.tables[model].scores
    assert table is not None
    return binned(table, options)


def curves_of_all(question: Question, options: Options) -> Mapping[str, CalibrationCurve]:
    """Return the calibration curve of every model that gives probabilities."""
    return {name: curve_of(question, name, options) for name in models_with_probabilities(question)}


@cache.cached(entries=100)
def calibration_of_classes(dataset: Dataset, model: str, options: Options) -> ClassCalibration:
    """Return how true the probability of each of several classes is."""
    scores = computed.tables(dataset)[model].class_scores
    assert scores is not None
    return judge_classes(scores, options)


@cache.cached(entries=50)
def recalibrations(
    dataset: Dataset, question: Question, model: str, options: Options, most: int | None = None
) -> Recalibrations | None:
    """Return what recalibration gives, of at most so many rows; None without both classes."""
    table = question.tables[model].scores
    if table is None or not (table.positives and table.negatives):
        return None
    told = outcomes_of(dataset, question, model)
    return by_every_method(dataset, model, table, told, options, most)
