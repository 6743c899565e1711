"""The page about errors of predicted numbers, part by part."""

from math import isclose

import pandas as pd
import streamlit as st

from evalcore.errors import Notice
from evalcore.evaluation.values import value_remarks
from evalcore.intake.model import Dataset
from pages.escape import markdown, visible
from pages.figures import (
    bland_altman,
    error_curve,
    error_groups,
    normal_quantiles,
    predicted_actual,
    residuals,
)
from pages.figures.against import Against
from pages.figures.predicted_actual import size
from pages.figures.spoken import predictions_of, spoken
from pages.figures.words import counted, number, percent
from pages.session import computed, errors
from pages.widgets import scenes
from pages.widgets.chart import chart
from pages.widgets.columns import inked, names
from pages.widgets.headline import section
from pages.widgets.list_box import list_box

ADD_UP = 1e-6
"""Relative rounding within which two sums of squares add up to a third."""

TEACHES = {
    "actual": "Errors slope down along the actual number for every honest model: a large number "
    "was large partly by chance, which no model can predict. To find a fault of the model, look "
    "along the predicted number.",
    "row order": "A trend along the rows says that something changed while they were collected.",
}


def finding(dataset: Dataset, model: str) -> tuple[str, str]:
    """Return how close the usual prediction comes, and what the tail adds."""
    half, tail = computed.values(dataset, model)["medae"], errors.tail(dataset, model)
    if not half.defined:
        return f"How far off is {spoken(dataset, model)}?", ""
    added = float(tail.squared[1])
    lead = (
        f"The largest 5% of the errors make {percent(added)} of the squared error, which RMSE and "
        "R² are made of."
    )
    return (
        f"Half of the {predictions_of(spoken(dataset, model))} are within {size(half.value)}",
        lead if added == added else "Every prediction is exactly right.",
    )


def remarks(dataset: Dataset, model: str) -> list[Notice]:
    """Return what must be known before believing these pictures."""
    return list(value_remarks(model, errors.outcomes(dataset, model)))


def close(dataset: Dataset, model: str) -> None:
    """Show every prediction beside the truth, and how many come how close."""
    scene = scenes.of_rivals(dataset, model)
    half = computed.values(dataset, model)["medae"]
    cloud = computed.against_truth(dataset, model)
    curves = {name: errors.curve(dataset, name) for name in scene.drawn(scene.names)}
    left, right = st.columns(2)
    with left:
        figure = predicted_actual.draw(scene, cloud, half, errors.line(dataset, model))
        chart(figure, predicted_actual.alt(scene, cloud, half), key="predicted-actual")
    with right:
        chart(error_curve.draw(scene, curves), error_curve.alt(scene, curves), key="error-curve")


def along(dataset: Dataset, model: str) -> None:
    """Show what the errors go with: the prediction, the truth, the order, or a column."""
    section("What do the errors go with?", "A model that has learnt all it could shows no pattern.")
    by = _pick(errors.offered(dataset))
    told, scene = errors.against(dataset, model, by), scenes.of_rivals(dataset, model)
    if by.name in TEACHES and not by.column:
        st.caption(markdown(TEACHES[by.name]))
    left, right = st.columns(2)
    with left:
        figure = residuals.draw(scene, told.cloud, told.trend, by)
        chart(figure, residuals.alt(scene, told.cloud, told.trend, by), key="residuals")
    with right:
        chart(error_groups.draw(scene, told), error_groups.alt(scene, told), key="error-groups")
    if told.left_out:
        rows = counted(told.left_out, "row")
        st.caption(markdown(f"Left out: {rows} without a number in “{visible(by.name)}”."))


def spread(dataset: Dataset, model: str) -> None:
    """Show whether errors are normal, whether both agree, and what the tail adds."""
    section("How are they spread?")
    scene, found = scenes.of_rivals(dataset, model), computed.values(dataset, model)
    told, cloud = errors.quantiles(dataset, model), errors.halfway(dataset, model)
    left, right = st.columns(2)
    with left:
        chart(normal_quantiles.draw(scene, told), normal_quantiles.alt(scene, told), key="normal")
    with right:
        figure = bland_altman.draw(scene, cloud, found)
        chart(figure, bland_altman.alt(scene, cloud, found), key="bland-altman")
    _tail_table(dataset)


def sums(dataset: Dataset, model: str) -> None:
    """Show the three sums of squares, whether they add up, and R² beside r²."""
    found = computed.values(dataset, model)
    if not all(found[key].defined for key in ("tss", "rss", "ess", "r2", "pearson")):
        return
    tss, rss, ess = (found[key].value for key in ("tss", "rss", "ess"))
    section("Where R² comes from", "R² = 1 − RSS / TSS: one minus the share that is left over.")
    frame = pd.DataFrame(
        {
            "sum of squares": ["TSS, total", "ESS, explained", "RSS, residual"],
            "of what": [
                "actual minus mean of actual",
                "predicted minus mean of actual",
                "actual minus predicted",
            ],
            "value": [number(value) for value in (tss, ess, rss)],
            "share of TSS": [percent(value / tss) for value in (tss, ess, rss)],
        }
    )
    st.dataframe(frame, hide_index=True, key="sums", alt="The three sums of squares")
    st.caption(markdown(_added_up(tss, ess, rss, found["r2"].value, found["pearson"].value)))


def _added_up(tss: float, ess: float, rss: float, r2: float, r: float) -> str:
    square = f"The squared correlation is {number(r * r)}, R² is {number(r2)}"
    if isclose(tss, ess + rss, rel_tol=ADD_UP):
        return (
            "Here TSS = ESS + RSS, as for least squares judged on the rows it was fitted on. "
            f"{square}."
        )
    gap = number(tss - ess - rss)
    return (
        f"TSS − ESS − RSS = {gap}: the sums add up only for a least-squares model judged on the "
        f"rows it was fitted on. {square}: the correlation forgives a wrong scale and a wrong "
        "level, R² does not."
    )


def _pick(offered: tuple[Against, ...]) -> Against:
    named = {_shown(by): by for by in offered}
    labels = {name: visible(name) for name in named}
    return named[list_box("Errors along", labels, key="along", width=320)]


def _shown(by: Against) -> str:
    """Return a name that no column of the file can take from the numbers themselves."""
    taken = by.column and by.name in {own.name for own in errors.OWN}
    return f"column {by.name}" if taken else by.name


def _tail_table(dataset: Dataset) -> None:
    told = {name: errors.tail(dataset, name) for name in dataset.models}
    first = next(iter(told.values()))
    rows = [
        [visible(name), *(percent(float(share)) for share in tail.squared)]
        for name, tail in told.items()
    ]
    columns = ["model", *(f"largest {share:.0%}" for share in first.rows)]
    frame = pd.DataFrame(rows, columns=columns)
    st.dataframe(
        inked(frame.style, "model"),
        hide_index=True,
        column_config={"model": names(frame["model"])},
        key="tail",
        alt="Shares of the squared error that the largest errors make",
    )
    st.caption(
        "The share of the squared error that the largest errors make. Normal errors give "
        f"{_normal_shares(tuple(first.rows.tolist()))}."
    )


def _normal_shares(rows: tuple[float, ...]) -> str:
    """Write what share of the squared error the largest errors have if all are normal."""
    from scipy.special import ndtri
    from scipy.stats import norm

    cuts = [float(-ndtri(share / 2)) for share in rows]
    shares = [share + 2 * cut * float(norm.pdf(cut)) for share, cut in zip(rows, cuts, strict=True)]
    return ", ".join(percent(share) for share in shares)
