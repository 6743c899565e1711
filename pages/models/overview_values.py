"""The Summary of predicted numbers, part by part."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from evalcore.errors import Notice
from evalcore.evaluation.remarks import value_remarks
from evalcore.metrics import catalog
from evalcore.metrics.metric import Estimate
from evalread.dataset import Dataset
from evalview import escape, figures, headlines, text
from evalview.figures.numbers import ErrorCurve
from evalview.sentences import ValueFacts, off_on_average
from evalview.text import size
from evalview.words import predictions_of, spoken
from pages.session import computed, findings
from pages.widgets import chart, comparing, explain, guard, progress, summary

CARDS = ("mae", "rmse", "medae", "bias", "r2", "max_error")
COLUMNS = ("rmse", "mae", "medae", "bias", "r2", "pearson")


PICTURES = "Pictures"


def alone(dataset: Dataset) -> tuple[str, str]:
    """Return how far off the only model is, and what share of the variation it explains."""
    (model,) = dataset.models
    return headlines.of_values(spoken(dataset, model), computed.values(dataset, model))


SHORT = {"rmse": "RMSE", "mae": "mean error", "r2": "R²"}


def told(dataset: Dataset, model: str, names: Sequence[str], metric: str) -> summary.Told:
    """Return what models are judged by, their typical error, that of 9 of 10, and their bias."""
    made = {name: computed.values(dataset, name) for name in names}
    judged = metric != "medae" and all(metric in one for one in made.values())
    head = SHORT.get(metric) or comparing.called(metric)
    columns = {head: {name: _size(one[metric]) for name, one in made.items()}} if judged else {}
    columns |= {
        "typical error": {name: _size(one["medae"]) for name, one in made.items()},
        "90% within": {name: _nine_of_ten(dataset, name) for name in names},
    }
    if not judged:  # the sentence below has that of the model looked at
        columns["on average"] = {name: _side(one["bias"]) for name, one in made.items()}
    found = computed.values(dataset, model)
    half, said = found["medae"], predictions_of(spoken(dataset, model))
    within = f"Half of the {said} are within {_with_ends(half)} of the truth"
    bias = f"; {off_on_average(found['bias'].value)}" if found["bias"].defined else ""
    return summary.Told(
        columns=columns,
        unit="Model",
        said=f"{within}, 9 of 10 within {_nine_of_ten(dataset, model)}{bias}.",
        steps=(*summary.to_rows(dataset, model), summary.Step("errors", "See where it is off")),
    )


def _with_ends(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return _size(estimate)
    return text.with_ends(estimate.value, estimate.low, estimate.high, size)


def _size(estimate: Estimate) -> str:
    return size(estimate.value) if estimate.defined else "–"


def _side(bias: Estimate) -> str:
    if not bias.defined or not bias.value:
        return _size(bias)
    return f"{size(abs(bias.value))} too {'high' if bias.value > 0 else 'low'}"


def _nine_of_ten(dataset: Dataset, model: str) -> str:
    """Return how far off 9 of 10 predictions are at most."""
    made = findings.of_errors(dataset, model, ErrorCurve.from_errors)
    if not len(made.off):
        return "–"
    at = int(np.searchsorted(made.share, MOST))
    return size(float(made.off[min(at, len(made.off) - 1)]))


MOST = 0.9


def numbers(dataset: Dataset, model: str) -> None:
    """Show how close the predictions of a model come."""
    found = computed.values(dataset, model)
    guard.section("Errors", f"In the unit of “{escape.visible(dataset.roles.truth)}”.")
    told = ValueFacts(findings.outcomes(dataset, model), found)
    explain.model_cards(dataset, model, [explain.Group("values", found, CARDS)], told, key="values")


def pictures(dataset: Dataset, model: str) -> None:
    """Show every prediction beside the truth, and where the errors are."""
    scene = chart.of_all(dataset, model)
    half = computed.values(dataset, model)["medae"]
    cloud, (off, trend) = (
        findings.against_truth(dataset, model),
        findings.residuals(dataset, model),
    )
    left, right = st.columns(2)
    with left:
        figure = figures.draw_predicted_actual(scene, cloud, half)
        chart.show(figure, figures.predicted_actual_alt(scene, cloud, half), key="predicted-actual")
    with right:
        chart.show(
            figures.draw_residuals(scene, off, trend),
            figures.residuals_alt(scene, off, trend),
            key="residuals",
        )


def all_models(dataset: Dataset, model: str) -> None:
    """Show the numbers of all models under each other, and the way to the rows that are off."""
    if len(dataset.models) > 1:
        guard.section("All models")
        rows = progress.judged_one_by_one(dataset, partial(computed.values, dataset))
        explain.all_models(dataset, rows, [catalog.by_key()[key] for key in COLUMNS])


def remarks(dataset: Dataset, model: str) -> list[Notice]:
    """Return what must be known before believing the numbers of a model."""
    return list(value_remarks(model, findings.outcomes(dataset, model)))
