"""The Summary of a question with several classes, part by part."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from evalcore.metrics import catalog
from evalcore.metrics.metric import Metric
from evalcore.results import Decisions, Estimates
from evalcore.text import counted
from evalread.dataset import Dataset
from evalview import escape, figures, headlines, sentences, text, words
from evalview.explained import cards
from evalview.figures import calibration
from evalview.figures.confusion import confused_pairs
from evalview.figures.theme import CURVES_AT_MOST
from evalview.lab.recalibration import binned
from pages.session import computed, current, findings, link
from pages.widgets import chart, comparing, explain, guard, progress, summary
from pages.widgets.tables import metric_table

PICTURES = "Curves"

remarks = comparing.remarks_on_model
"""What must be known before trusting the numbers of a model."""


def alone(dataset: Dataset) -> tuple[str, str]:
    """Return how often the only model is right."""
    (model,) = dataset.models
    matrix = summary.decided(dataset, model, "").confusion
    return headlines.of_classes(words.spoken(dataset, model), matrix)


def told(dataset: Dataset, model: str, names: Sequence[str], way: str) -> summary.Told:
    """Return how often models are right, over all rows and in their worst class."""
    made = {name: summary.decided(dataset, name, way) for name in names}
    unit, columns = cards.out_of_hundred(
        {
            "right": {
                n: cards.Share(one.metrics["accuracy"], one.confusion.total)
                for n, one in made.items()
            }
        }
    )
    found = {name: _worst_class(dataset, one) for name, one in made.items()}
    (written,) = cards.in_cells({"": {name: share for name, (share, _) in found.items()}}).values()
    worst = {name: f"{share}{found[name][1]}" for name, share in written.items()}
    chosen = summary.decided(dataset, model, way)
    matrix, accuracy = chosen.confusion, chosen.metrics["accuracy"]
    right = float(matrix.counts.trace())
    who = words.at_start(words.spoken(dataset, model))
    wrong = cards.missed(matrix.total, accuracy)
    said = f"{who} gets {wrong} of {counted(matrix.total, 'row')} wrong"
    for pair in confused_pairs(matrix, 1):
        classes = [words.class_of(dataset.roles.truth, one) for one in (pair.truth, pair.decision)]
        said += f"; most often {classes[0]} is called {classes[1]} ({counted(pair.count, 'row')})"
    return summary.Told(
        columns={**columns, "right in its worst class": worst},
        unit=unit,
        said=f"{said}.",
        dots=(cards.Dots("All rows", right, matrix.total - right, "right", "wrong"),),
        steps=(
            *summary.to_rows(dataset, model),
            summary.Step("thresholds", "Choose a threshold"),
        ),
    )


def _worst_class(dataset: Dataset, made: Decisions) -> tuple[cards.Share, str]:
    """Return how much of its worst class a model gets right, and which that is, in brackets."""
    known = {name: found["recall"] for name, found in made.per_class.items()}
    defined = {name: one for name, one in known.items() if one.defined}
    if not defined:
        return cards.Share(None, 0), ""
    worst = min(defined, key=lambda name: defined[name].value)
    rows = float(made.confusion.counts[made.confusion.classes.index(worst)].sum())
    return cards.Share(defined[worst], rows), f" ({words.class_of(dataset.roles.truth, worst)})"


SHOWN = 5
"""Classes that are drawn before the reader picks."""


def class_curves(dataset: Dataset, model: str) -> None:
    """Let classes and averages be picked, and show their curves."""
    scores = computed.tables(dataset)[model].class_scores
    assert scores is not None
    ranked = computed.class_ranking(dataset, model)
    by_name = dict(zip(scores.classes, scores.one_vs_rest, strict=True))
    tables = {name: found for name in _picked(ranked) if (found := by_name[name]) is not None}
    areas, averages = (_of(ranked, tables, key) for key in ("roc_auc", "average_precision"))
    scene, (rocs, steps) = (
        chart.of_classes(dataset),
        findings.class_averages(dataset, model),
    )
    kinds = _picked_averages(list(rocs))
    left, right = st.columns(2)
    with left:
        figure = figures.draw_roc(scene, tables, areas, {kind: rocs[kind] for kind in kinds})
        chart.show(figure, figures.roc_alt(scene, areas), key="roc")
    with right:
        figure = figures.draw_precision_recall(
            scene, tables, averages, {kind: steps[kind] for kind in kinds}
        )
        chart.show(figure, figures.precision_recall_alt(scene, averages), key="precision-recall")


def _picked(ranked: Mapping[str, Estimates]) -> list[str]:
    """Show all classes, the hardest to tell from the others first; return those picked."""
    areas = {name: found["roc_auc"] for name, found in ranked.items()}
    hardest = sorted(areas, key=lambda name: (not areas[name].defined, areas[name].value))
    labels = {name: text.abbreviate(name, 40) for name in hardest}
    link.pick_several("classes", labels, hardest[:SHOWN])
    picked: list[str] = st.multiselect(
        "Classes",
        hardest,
        max_selections=CURVES_AT_MOST,
        key="classes",
        format_func=labels.__getitem__,
    )
    return picked


def _picked_averages(kinds: list[str]) -> list[str]:
    picked: list[str] = st.pills(
        "Averages",
        kinds,
        selection_mode="multi",
        default=kinds[:1],
        key="averages",
        bind="query-params",
    )
    return picked


def _of(ranked: Mapping[str, Estimates], names: Iterable[str], key: str) -> Estimates:
    return {name: ranked[name][key] for name in names}


DECISION = ("accuracy", "balanced_accuracy", "cohen_kappa", "mcc")
RANKING = ("roc_auc_ovr_macro", "roc_auc_hand_till", "average_precision_ovr_macro")
PROBABILITY = ("log_loss", "brier_multiclass")
OF_LABEL = ("ece_top_label",)
AVERAGED = ("recall", "precision", "f1", "specificity")
OF_A_CLASS = ("recall", "precision", "f1")
RANKING_OF_A_CLASS = ("roc_auc", "average_precision")
COLUMNS = (*DECISION, "roc_auc_ovr_macro", "log_loss")
CURVES_OF_ALL, CURVES_OF_WORST = 6, 5
"""With more classes than the first only so many are drawn: more curves hide each other."""


def numbers(dataset: Dataset, model: str) -> None:
    """Show what probabilities and decisions are worth; each way of deciding by itself."""
    ranking, judged = computed.ranking(dataset, model), computed.probability(dataset, model)
    own = computed.tables(dataset)[model].confidence is not None
    decisions = computed.decisions(dataset, model, current.threshold(dataset))
    if ranking or judged:
        guard.section("Probabilities")
        groups = [
            explain.Group("ranking", ranking, RANKING),
            explain.Group("probability", judged, OF_LABEL if own else PROBABILITY),
        ]
        told = sentences.ClassFacts(next(iter(decisions.values())).confusion)
        explain.model_cards(dataset, model, groups, told, key="scores")

    def decision(way: str, made: Decisions) -> None:
        group = explain.Group(f"decisions.{way}", made.metrics, DECISION)
        explain.model_cards(dataset, model, [group], sentences.ClassFacts(made.confusion), key=way)

    progress.as_decided(dataset, model, decision)


def pictures(dataset: Dataset, model: str) -> None:
    """Show how well classes are ranked: those hardest to tell from the others, and averages."""
    tables = computed.tables(dataset)[model]
    scores = tables.class_scores
    if tables.confidence is not None:
        scene = replace(chart.of_all(dataset, model), positive="right", negative="wrong")
        curves = {model: binned(tables.confidence, current.options(dataset))}
        figure = calibration.draw_calibration_curve(scene, curves)
        chart.show(figure, calibration.calibration_curve_alt(scene, curves), key="confidence")
    if scores is None:
        if tables.confidence is None:
            st.caption("Curves are of scores or probabilities, which this model does not give.")
        return
    ranked = computed.class_ranking(dataset, model)
    areas = {name: found["roc_auc"] for name, found in ranked.items() if found["roc_auc"].defined}
    hardest = sorted(areas, key=lambda name: areas[name].value)
    hardest = hardest if len(hardest) <= CURVES_OF_ALL else hardest[:CURVES_OF_WORST]
    by_name = dict(zip(scores.classes, scores.one_vs_rest, strict=True))
    drawn = {name: table for name in hardest if (table := by_name[name]) is not None}
    areas = {name: areas[name] for name in drawn}
    averages = {name: ranked[name]["average_precision"] for name in drawn}
    scene, (rocs, steps) = (
        chart.of_classes(dataset),
        findings.class_averages(dataset, model),
    )
    left, right = st.columns(2)
    with left:
        chart.show(
            figures.draw_roc(scene, drawn, areas, rocs), figures.roc_alt(scene, areas), key="roc"
        )
    with right:
        figure = figures.draw_precision_recall(scene, drawn, averages, steps)
        chart.show(figure, figures.precision_recall_alt(scene, averages), key="precision-recall")


def all_models(dataset: Dataset, model: str) -> None:
    """Show all models, then the classes of the chosen one; decisions by one way only."""
    guard.section("All models" if len(dataset.models) > 1 else "Over all classes")
    decisions = computed.decisions(dataset, model, current.threshold(dataset))
    way = current.way(list(decisions))
    if len(dataset.models) > 1:
        rows = progress.judged_one_by_one(
            dataset, partial(progress.judged, dataset, way, COLUMNS), way
        )
        explain.all_models(dataset, rows, _metrics(COLUMNS), way=way)
        guard.section("Over all classes")
    made = decisions[way]
    clicked = metric_table(made.averages, _metrics(AVERAGED), of="average", key="averages")
    told = map(_average, made.averages.items())
    st.html(f'<ul class="eb-facts">{"".join(told)}</ul>')
    behind = partial(explain.behind_average, dataset, model, f"decisions.{way}")
    explain.explain_number(clicked, made.averages, behind)
    guard.section("Class by class", "Each class against all others; click a heading to sort.")
    _classes(dataset, model, made, way)


def _classes(dataset: Dataset, model: str, made: Decisions, way: str) -> None:
    ranked = computed.class_ranking(dataset, model)
    rows = {name: {**found, **ranked.get(name, {})} for name, found in made.per_class.items()}
    support = made.confusion.counts.sum(axis=1).tolist()
    counts = dict(zip(made.confusion.classes, support, strict=True))
    keys = (*OF_A_CLASS, *RANKING_OF_A_CLASS) if ranked else OF_A_CLASS
    clicked = metric_table(rows, _metrics(keys), of="class", key="classes", counts=counts)
    behind = partial(explain.behind_class, dataset, model, way)
    explain.explain_number(clicked, rows, behind)


def _average(entry: tuple[str, Estimates]) -> str:
    name, found = entry
    notes = sorted({estimate.note for estimate in found.values() if estimate.note})
    said = " ".join([sentences.AVERAGES[name], *(f"({note})" for note in notes)])
    return f"<li>{escape.html(said)}</li>"


def _metrics(keys: Sequence[str]) -> list[Metric]:
    return [catalog.by_key()[key] for key in keys]
