"""Calibration: do events happen as often as the probabilities say?"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from evalcore.curves.calibration import CalibrationCurve
from evalcore.evaluation.estimates import ClassCalibration, judge_classes, judge_probabilities
from evalcore.metrics import catalog, recalibration
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.results import Estimates, ModelTables
from evalcore.tables.scores import ScoreTable
from evalcore.text import counted, p_value
from evalread.dataset import Dataset, Task
from evalview import figures, selections, text, words
from evalview.figures import calibration
from evalview.figures.theme import Scene, level
from evalview.lab.recalibration import (
    CELLS,
    FOLDS,
    Recalibrated,
    fold_codes,
    fold_tables,
    judged,
    recalibrate,
    together,
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
        guard.headline(*finding(question, scene, options))
    if is_binary:
        notices.notices(findings.backwards(dataset, model))
    by = Selection(model, label=None if is_binary else question.classes[1])
    pictures(question, by, scene, options)
    if not is_binary:
        every_class(dataset, model, options)
    recalibrated(dataset, question, scene, options)


FEW = 100
"""With fewer rows a diagram of ten bins shows chance more than anything else."""

TINY = 20
"""With fewer rows there is hardly a probability that would not come true, as far as they tell."""


TOGETHER = 1 - (1 - Options().level) / len(recalibration.METHODS)
"""Level of the interval of what each method saves, so that all hold together (Bonferroni)."""


@dataclass(frozen=True, eq=False)
class Recalibrations:
    """What each way to recalibrate gives out of fold.

    Attributes:
        estimates: What is judged of the probabilities as they are, on the same rows, by key.
        methods: What each method gives, by key of `METHODS`.
        folds: How many folds there are.
        own: Whether these are the file's own.
        left_out: Rows of the file without a fold.
        curves: The bins of the probabilities as given, and as each method moves them.
    """

    estimates: Estimates
    methods: Mapping[str, Recalibrated]
    folds: int
    own: bool
    left_out: float
    curves: Mapping[str, CalibrationCurve]


def finding(question: Question, scene: Scene, options: Options) -> tuple[str, str]:
    """Return whether the probabilities fit, which is said here alone, and what that rests on."""
    model, who = scene.chosen or "", words.at_start(scene.who)
    table, n = question.tables[model].scores, question.tables[model].n
    if table is None or not table.n:
        return f"Do the probabilities of {scene.who} fit?", "There is no row with a probability."
    found = estimates(question, model, options)["calibration_slope"]
    few = f" With only {counted(n, 'row')}, such a curve bends by chance alone." if n < FEW else ""
    if n < TINY:
        lead = f"{_slope(found, table)}{few}".strip()
        return (
            f"{counted(n, 'row')} are too few to tell whether {scene.who}’s probabilities fit",
            lead,
        )
    curve = curve_of(question, model, options)
    verdict, why = (
        _lean(found) or _place(curve, scene) or (f"fit, as far as {n:,} rows can tell", "")
    )
    lead = " ".join(filter(None, (why, f"{_slope(found, table)}{few}")))
    return f"{who}’s probabilities {verdict}", lead.strip()


def _lean(slope: Estimate) -> tuple[str, str] | None:
    """Return how the probabilities are off as a whole, if they surely are."""
    if slope.low is None or slope.high is None:
        return None
    if slope.high < 0:
        return "run backwards", "The higher they are, the less often the event happens."
    if slope.high < 1:
        return "are too extreme", "High ones are too high, low ones too low."
    if slope.low > 1:
        return "are not extreme enough", "High ones are too low, low ones too high."
    return None


def _place(curve: CalibrationCurve, scene: Scene) -> tuple[str, str] | None:
    """Return where the probabilities are off most, if they surely are somewhere."""
    if not curve.strays.any():
        return None
    said, came = curve.mean_probability, curve.share_positive
    worst = int(np.argmax(curve.n * np.abs(said - came) * curve.strays))
    at, share = text.percent(float(said[worst])), text.percent(float(came[worst]))
    rows = counted(float(curve.n[worst]), "row")
    return "are off in places", f"Most near {at}: {share} of these {rows} are {scene.positive}."


def helps(made: Recalibrations) -> str:
    """Return whether any method surely saves something of the Brier score."""
    gaps = {name: one.saved["brier"] for name, one in made.methods.items()}
    sure = {name: gap for name, gap in gaps.items() if gap.low is not None and gap.low > 0}
    level = f"{text.percent(TOGETHER)} simultaneous interval for all three"
    if sure:
        best = max(sure, key=lambda name: sure[name].value)
        by = saved(sure[best], text.low_to_high)
        return f"{_called(best)} lowers the Brier score by {by}; {level}."
    if not any(gap.defined for gap in gaps.values()):
        return "None of the three can be fitted to these rows."
    harm = [name for name, gap in gaps.items() if gap.high is not None and gap.high < 0]
    worse = f" {_called(harm[0])} makes it worse." if harm else ""
    return f"None of the three clearly lowers the Brier score ({level}).{worse}"


def how(made: Recalibrations, slope: Estimate) -> str:
    """Return how the probabilities were mapped, and why some were not."""
    folds = counted(made.folds, "fold")
    whose = f"the file's {folds}" if made.own else f"{folds} at random, each class evenly"
    left = f" {counted(made.left_out, 'row')} without a fold left out." if made.left_out else ""
    turned = " Of the three only Platt scaling can reverse the order." if slope.value < 0 else ""
    missing = [one.estimates["brier"].why for one in made.methods.values() if one.table is None]
    why = f" Undefined: {missing[0]}." if missing else ""
    moved = max(one.moved for one in made.methods.values())
    pooled = (
        f" With so many probabilities, neighbours are grouped at their mean, in about {CELLS:,} "
        f"groups; none moves by more than {_at_most(moved)}."
        if moved
        else ""
    )
    return (
        f"Each fold is recalibrated by a fit to the other folds ({whose}). Platt scaling and "
        "temperature are fitted to the log odds by maximum likelihood; a log loss of ∞ means that "
        "something happened that had probability 0."
        f"{pooled}{turned}{left}{why}"
    )


def _at_most(value: float) -> str:
    """Return a small number rounded up to one digit.

    >>> _at_most(0.000087), _at_most(0.0112)
    ('0.00009', '0.02')
    """
    places = max(-math.floor(math.log10(value)), 0)
    return f"{math.ceil(value * 10**places) / 10**places:.{places}f}"


def saved(gap: Estimate, join: Callable[[str, str], str] = text.low_dash_high) -> str:
    """Return what is saved with its interval; such differences are small."""
    if not gap.defined or gap.low is None or gap.high is None:
        return text.number(gap.value)
    value, low, high = (text.number(each, 5) for each in (gap.value, gap.low, gap.high))
    return f"{value} ({join(low, high)})"


def _slope(slope: Estimate, table: ScoreTable) -> str:
    if not slope.defined or slope.low is None or slope.high is None:
        return f"No calibration slope: {_no_slope(table)}."
    return f"Calibration slope {text.with_interval(slope)}; 1 is right."


def _no_slope(table: ScoreTable) -> str:
    """Return why log odds and truth do not give a line."""
    if not (table.positives and table.negatives):
        return "every row is of one class"
    if table.threshold[0] == 1 or table.threshold[-1] == 0:
        return "a probability is exactly 0 or 1, so its log odds are infinite"
    if len(table.threshold) == 1:
        return "every row has the same probability"
    return "the probabilities tell the classes apart without error"


def _called(method: str) -> str:
    """Return the name of a method as it begins a sentence."""
    return calibration.RECALIBRATED_BY[method][0].upper() + calibration.RECALIBRATED_BY[method][1:]


DECIDED = "likeliest class"
AT_MOST = 100
"""So many classes are shown, the worst ones."""

SURE = 0.05
"""The p value below which miscalibration is called sure: the usual level."""
ADJUSTED = replace(
    catalog.by_key()["spiegelhalter_p"],
    name="p value (Holm)",
    summary="How often calibrated probabilities, in a table of this many rows, would look this "
    "far off: Spiegelhalter's test, adjusted for their number.",
)
CLASS_CALIBRATION_SHOWN = ("ece", "brier", "calibration_slope", "calibration_intercept")


def every_class(dataset: Dataset, model: str, options: Options) -> None:
    """Show how true the probabilities of each class are, the worst first."""
    made = calibration_of_classes(dataset, model, options)
    guard.section("All classes", _finding(made))
    decided = _unlike(DECIDED, made.classes)
    rows = {decided: _class_calibration_row(made.top_label, made.p_top_label)} | {
        name: _class_calibration_row(found, made.p_values[name])
        for name, found in list(made.classes.items())[:AT_MOST]
    }
    metrics = [*(catalog.by_key()[key] for key in CLASS_CALIBRATION_SHOWN), ADJUSTED]
    clicked = metric_table(rows, metrics, of="class", key="all-classes")
    st.caption(_how(made, decided))
    explain.explain_calibration(dataset, clicked, rows, model, options)


def _class_calibration_row(found: Estimates, p_value: float) -> Estimates:
    shown = {key: found[key] for key in CLASS_CALIBRATION_SHOWN}
    return {**shown, ADJUSTED.key: replace(found[ADJUSTED.key], value=p_value)}


def _finding(made: ClassCalibration) -> str:
    """Return which classes have probabilities that are surely not the true ones."""
    sure = [name for name, p_value in made.p_values.items() if p_value < SURE]
    worst = next(iter(made.classes))
    error = text.with_interval(made.classes[worst]["ece"])
    far = f"The worst calibration error is that of {words.called(worst)}: {error}."
    judged = f"off by Spiegelhalter’s test of all its rows (adjusted p below {SURE})"
    if not sure:
        return f"No class is shown to be {judged}. {far}"
    which = f"({words.called(sure[0])}) is" if len(sure) == 1 else "are"
    return f"{len(sure)} of {counted(len(made.classes), 'class')} {which} {judged}. {far}"


def _how(made: ClassCalibration, decided: str) -> str:
    """Return what the rows of the table are, and what they hide."""
    left_out = len(made.classes) - AT_MOST
    cut = f" The {AT_MOST} worst are shown; {left_out:,} are not." if left_out > 0 else ""
    return (
        f"{decided[0].upper()}{decided[1:]}: the largest probability of each row, right where "
        "that class is the true one (confidence calibration). Other rows: the class against all "
        "others (class-wise calibration), whose errors have a mean of "
        f"{text.number(made.mean.value)}; it has no interval, since all classes share rows. A "
        "rare class easily has a small error: nearly all of its probabilities are near 0, and "
        f"right. Brackets: 95% intervals, unadjusted.{cut}"
    )


def _unlike(name: str, others: Mapping[str, object]) -> str:
    """Return a name that none of the others has."""
    while name in others:
        name += " (decided for)"
    return name


BINNINGS = {"uniform": "equal width", "quantile": "equal counts"}
ALL, AFTER = "All models side by side", "As given, and recalibrated on other folds"
GIVEN = "as given"
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
        _numbers(found, CALIBRATION_FIRST)
        with st.expander("All numbers"):
            _numbers(found, CALIBRATION_SHOWN)
            _why_not(found)
            _parts(question, model, options)


def recalibrated(dataset: Dataset, question: Question, scene: Scene, options: Options) -> None:
    """Show all models, and what recalibrating one, judged on other rows, would give."""
    assert scene.chosen is not None
    with first_look(dataset, question, scene.chosen, options):
        made = recalibrations(dataset, question, scene.chosen, options)
    if made is None:
        guard.section("Would recalibration help?", "That needs rows of both classes.")
        return
    guard.section("Would recalibration help?", helps(made))
    _before_and_after(made)
    slope = estimates(question, scene.chosen, options)["calibration_slope"]
    st.caption(how(made, slope))
    curves(question, scene, made, options)


def curves(question: Question, scene: Scene, made: Recalibrations, options: Options) -> None:
    """Offer the curves of what each method gives, and those of all models."""
    every = curves_of_all(question, options)
    title = "Curves before and after" + (", and of all models" if len(every) > 1 else "")
    room = st.expander(title, key="curves", on_change="rerun", bind="query-params")
    if not room.open:
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
                told = f"A first look, at {FIRST_ROWS:,} of {rows:,} rows at random: {helps(made)}"
                guard.section("Would recalibration help?", told)
                _before_and_after(made)
    with st.spinner("Fitting on the other folds"):
        yield
    shown.empty()


def _before_and_after(made: Recalibrations) -> None:
    given = {"probabilities": GIVEN, "Brier score saved": "", **_judged(made.estimates)}
    rows = [given, *(_calibration_row(name, one) for name, one in made.methods.items())]
    tables.text_table(rows, alt="Before and after")


def _numbers(found: Estimates, keys: Sequence[str]) -> None:
    metrics = [catalog.by_key()[each] for each in keys]
    rows = [{"number": one.name, "value": _value(one.key, found[one.key])} for one in metrics]
    tables.text_table(rows, alt="How well the probabilities fit")


def _why_not(found: Estimates) -> None:
    whys = [found[key].why for key in CALIBRATION_SHOWN if not found[key].defined]
    whole = [why for why in dict.fromkeys(whys) if not any(why != w and why in w for w in whys)]
    undefined = f" No value where {'; '.join(whole)}." if whole else ""
    st.caption(
        "Brackets: 95% intervals. The p values ask how often calibrated probabilities would look "
        "this bad by chance; the Hosmer-Lemeshow value is the one for rows new to the model."
        + undefined
    )


def _value(key: str, estimate: Estimate) -> str:
    if key.endswith(text.P_VALUES) and estimate.defined:
        return p_value(estimate.value)
    return text.with_interval(estimate, text.low_dash_high)


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
    return {"probabilities": calibration.RECALIBRATED_BY[key], **gap, **_judged(made.estimates)}


def _judged(found: Estimates) -> dict[str, str]:
    names = {"brier": "Brier score", "log_loss": "log loss", "ece": "ECE"}
    return {name: text.with_interval(found[key], text.low_dash_high) for key, name in names.items()}


def models_with_probabilities(question: Question) -> Mapping[str, ModelTables]:
    """Return the models that give probabilities."""
    return {name: found for name, found in question.tables.items() if found.probability}


@cache.cached(entries=200)
def estimates(question: Question, model: str, options: Options) -> Estimates:
    """Return every number of how true the probabilities of a model are."""
    return judge_probabilities(question.tables[model], options)


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
    return calibration.binned(table, options)


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
    assert told.score is not None
    own = calibration.own_folds(dataset, model)
    codes = fold_codes(told.truth, np.random.default_rng(options.seed)) if own is None else own
    if most is not None and most < len(codes):
        left_out = np.random.default_rng(options.seed).permutation(len(codes))[most:]
        codes = codes.copy()
        codes[left_out] = -1
    folds = fold_tables(told.truth, told.score, codes, told.weight)
    whole, methods = together(folds), recalibrate(folds, options, TOGETHER)
    moved = {GIVEN: whole} | {
        calibration.RECALIBRATED_BY[key]: one.table
        for key, one in methods.items()
        if one.table is not None
    }
    return Recalibrations(
        judged(whole, options),
        methods,
        len(folds) if own is not None else FOLDS,
        own is not None,
        float((codes < 0).sum()),
        {name: calibration.binned(table, options) for name, table in moved.items()},
    )
