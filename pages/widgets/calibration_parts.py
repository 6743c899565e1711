"""The page about calibration, part by part."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from evalcore.evaluation.recalibrated import Recalibrated
from evalcore.intake.model import Dataset
from evalcore.metrics import catalog
from evalcore.metrics.spec import Estimate
from evalcore.options import Options
from evalcore.results import Estimates
from pages.escape import shorten, visible
from pages.figures import recalibration, reliability
from pages.figures.scene import Scene
from pages.figures.words import counted, named, number, percent, with_interval
from pages.session import calibrated, current, picked
from pages.session.calibrated import TOGETHER, Recalibrations
from pages.session.question import Question
from pages.widgets.chart import chart, look
from pages.widgets.headline import section

BINNINGS = {"uniform": "equal width", "quantile": "equal counts"}
ALL, AFTER = "All models beside each other", "As given, and recalibrated out of fold"
GIVEN = "as given"
CALLED = {"platt": "Platt scaling", "isotonic": "isotonic", "temperature": "temperature"}
SHOWN = (
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
FEW = 100
"""With fewer rows a diagram of ten bins shows chance more than anything else."""

TINY = 20
"""With fewer rows there is hardly a probability that would not come true, as far as they tell."""


def pick_model(question: Question, dataset: Dataset) -> str:
    """Show the models that give probabilities, if there are several; return the one picked."""
    names, chosen = list(calibrated.models(question)), current.model(dataset)
    chosen = chosen if chosen in names else names[0]
    if len(names) > 1:
        picked.show_model(chosen)
        st.selectbox(
            "Model", names, key=picked.MODEL, on_change=picked.take_model, width=240,
            format_func=lambda name: visible(shorten(name, 40)),
        )  # fmt: skip
    return chosen


def ask() -> Options:
    """Ask how the probabilities are put into bins."""
    bins = st.number_input("Bins", 2, 50, 10, key="bins", bind="query-params", width=130)
    binning = st.selectbox(
        "Bins of", list(BINNINGS), key="binning", bind="query-params", width=170,
        format_func=BINNINGS.__getitem__,
    )  # fmt: skip
    return Options(bins=int(bins), binning=binning)


def finding(question: Question, model: str, scene: Scene, options: Options) -> tuple[str, str]:
    """Return whether any bin strays for sure, all bins being looked at together."""
    table, who = question.tables[model].scores, visible(model)
    found, n = calibrated.estimates(question, model, options), question.tables[model].n
    few = f" Only {counted(n, 'row')}: chance alone bends such a picture." if n < FEW else ""
    lead = f"{_slope(found['calibration_slope'])}{few}".strip()
    if table is None or not table.n:
        return f"Can {who} be taken at its word?", "There is no row with a probability."
    if n < TINY:
        return f"{counted(n, 'row')} cannot tell whether {who} can be taken at its word", lead
    together = replace(options, level=1 - (1 - options.level) / options.bins)
    if calibrated.binned(table, together).strays.any():
        made = calibrated.reliability(question, model, options)
        return f"{who} cannot be taken at its word everywhere", lead or reliability.title(
            scene, made
        ) + "."
    return f"{who} can be taken at its word, as far as {counted(n, 'row')} can tell", lead


def pictures(question: Question, model: str, scene: Scene, options: Options) -> None:
    """Show the diagram of the chosen model beside its numbers."""
    made = calibrated.reliability(question, model, options)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chart(reliability.draw(scene, made), reliability.alt(scene, made), key="reliability")
    with right:
        _numbers(calibrated.estimates(question, model, options))
        _parts(question, model, options)


def recalibrated(dataset: Dataset, question: Question, scene: Scene, options: Options) -> None:
    """Show all models, and what recalibrating one, judged on other rows, would give."""
    assert scene.chosen is not None
    made = calibrated.recalibrations(dataset, question, scene.chosen, options)
    every = calibrated.curves(question, options)
    if made is None:
        section("Would recalibration help?", "To tell that takes rows of both classes.")
        return
    section("Would recalibration help?", _helps(made))
    left, right = st.columns(2 if len(every) > 1 else [2, 3])
    with left:
        _recalibrated_curves(question, made, options)
    if len(every) > 1:
        with right:
            figure = recalibration.draw(scene, every, ALL)
            chart(figure, recalibration.alt(every, ALL), key="calibration")
    with right if len(every) == 1 else st.container():
        frame = pd.DataFrame([_given(made), *(_row(k, m) for k, m in made.methods.items())])
        st.dataframe(frame, hide_index=True, key="recalibrated", alt="Before and after")
        st.caption(_how(made))


def _slope(slope: Estimate) -> str:
    if not slope.defined or slope.low is None or slope.high is None:
        return f"There is no calibration slope where {slope.why}." if slope.why else ""
    said = f"Calibration slope {with_interval(slope)}: "
    if slope.high < 1:
        return said + "the probabilities are too extreme."
    if slope.low > 1:
        return said + "the probabilities are too timid."
    return said + "neither too extreme nor too timid, as far as these rows can tell."


def _numbers(found: Estimates) -> None:
    metrics = [catalog.by_key()[key] for key in SHOWN]
    frame = pd.DataFrame(
        {
            "number": [metric.name for metric in metrics],
            "value": [_value(found[metric.key]) for metric in metrics],
        }
    )
    st.dataframe(frame, hide_index=True, key="numbers", alt="How true the probabilities are")
    whys = [found[key].why for key in SHOWN if not found[key].defined]
    whole = [why for why in dict.fromkeys(whys) if not any(why != w and why in w for w in whys)]
    undefined = f" No number where {'; '.join(whole)}." if whole else ""
    st.caption(
        "Brackets: 95% intervals. The p values ask whether true probabilities would look this bad "
        "by chance; Hosmer and Lemeshow's is that for rows new to the model." + undefined
    )


def _value(estimate: Estimate) -> str:
    return with_interval(estimate) if estimate.defined else number(estimate.value)


def _parts(question: Question, model: str, options: Options) -> None:
    """Show the three parts of the Brier score without bins, which add up exactly."""
    fit = calibrated.reliability(question, model, options).fit
    parts = {
        "miscalibration": fit.miscalibration,
        "− discrimination": -fit.discrimination,
        "+ uncertainty of the task": fit.uncertainty,
        "= Brier score": fit.miscalibration - fit.discrimination + fit.uncertainty,
    }
    frame = pd.DataFrame({"part": list(parts), "value": [number(v, 4) for v in parts.values()]})
    st.dataframe(frame, hide_index=True, key="parts", alt="The parts of the Brier score")
    st.caption("By the isotonic fit, so exact and free of bins (CORP).")


def _helps(made: Recalibrations) -> str:
    """Return whether any method surely saves something of the Brier score."""
    saved = {name: one.saved["brier"] for name, one in made.methods.items()}
    sure = {name: gap for name, gap in saved.items() if gap.low is not None and gap.low > 0}
    level = f"{percent(TOGETHER)} interval, so that all three hold together"
    if sure:
        best = max(sure, key=lambda name: sure[name].value)
        return f"{_called(best)} lowers the Brier score by {with_interval(sure[best])}; {level}."
    if not any(gap.defined for gap in saved.values()):
        return "These rows allow none of the three to be fitted."
    harm = [name for name, gap in saved.items() if gap.high is not None and gap.high < 0]
    worse = f" {_called(harm[0])} makes it worse." if harm else ""
    return f"None of the three lowers the Brier score for sure ({level}).{worse}"


def _called(method: str) -> str:
    """Return the name of a method as it begins a sentence."""
    return CALLED[method][0].upper() + CALLED[method][1:]


def _given(made: Recalibrations) -> dict[str, str]:
    return {"probabilities": GIVEN, "Brier score saved": "", **_judged(made.estimates)}


def _row(key: str, made: Recalibrated) -> dict[str, str]:
    saved = {"Brier score saved": _short(made.saved["brier"])}
    return {"probabilities": CALLED[key], **saved, **_judged(made.estimates)}


def _judged(found: Estimates) -> dict[str, str]:
    names = {"brier": "Brier score", "log_loss": "log loss", "ece": "ECE"}
    return {name: _short(found[key]) for key, name in names.items()}


def _short(estimate: Estimate) -> str:
    return with_interval(estimate) if estimate.defined else number(estimate.value)


def _recalibrated_curves(question: Question, made: Recalibrations, options: Options) -> None:
    tables = {GIVEN: made.before} | {
        CALLED[key]: one.table for key, one in made.methods.items() if one.table is not None
    }
    scene = Scene(
        names=tuple(tables),
        positive=named(question.classes[1]),
        negative=named(question.classes[0]),
        look=look(),
    )
    drawn = {name: calibrated.binned(table, options) for name, table in tables.items()}
    figure = recalibration.draw(scene, drawn, AFTER)
    chart(figure, recalibration.alt(drawn, AFTER), key="recalibration")


def _how(made: Recalibrations) -> str:
    folds = counted(made.folds, "fold")
    whose = f"the file's {folds}" if made.own else f"{folds} at random, each class evenly"
    left = f" {counted(made.left_out, 'row')} without a fold left out." if made.left_out else ""
    missing = [one.estimates["brier"].why for one in made.methods.values() if one.table is None]
    why = f" Undefined: {missing[0]}." if missing else ""
    return (
        f"Each fold is mapped by what the other folds ask for ({whose}). Platt scaling and "
        "temperature are fitted to the log odds by maximum likelihood; a log loss of ∞ means that "
        "something happened which was called impossible."
        f"{left}{why}"
    )
