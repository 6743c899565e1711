"""Planning: how many rows does an evaluation need?"""

import numpy as np
import streamlit as st

from evalcore.errors import EvalError
from evalcore.plan import Expected, Kind, Plan, kind_of, plan, sentences
from evalcore.text import so_often
from evalview import figures, text
from evalview.explained.snippets import planned_code
from evalview.figures import theme
from pages.widgets import chart, guard, inputs, tables

KINDS: dict[str, str] = {
    "accuracy": "accuracy",
    "roc_auc": "ROC AUC",
    "recall": "recall",
    "precision": "precision",
    "specificity": "specificity",
    "mae": "mean absolute error",
    "mse": "mean squared error",
    "brier": "Brier score",
    "log_loss": "log loss",
}
USUAL: dict[Kind, float] = {"share": 0.85, "area": 0.85, "mean": 1.0}
SHARES = {
    "roc_auc": "Share of positives",
    "recall": "Share of positives",
    "specificity": "Share of negatives",
    "precision": "Share of rows flagged",
}
"""What a metric is counted on, where that is not every row."""

SIZES = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000)


def page() -> None:
    """Show what so many rows show, how many a difference takes, and both for other numbers."""
    top, choices = guard.top_and_choices()
    with choices:
        asked = _expected()
        rows = inputs.whole_number("Rows", (1, 10**8), 500, key="plan-rows", width=140)
        least = _number("Difference to show", 0.03, "plan-difference", (1e-6, 1e6))
        models = inputs.whole_number("Models", (2, 1000), 2, key="plan-models", width=120)
    with st.expander("What is known about the rows and models"):
        known = _known(asked[0])
    try:
        made = plan(Expected(*asked, *known, models), rows=rows, difference=least)
    except EvalError as problem:
        with top:
            guard.show_refusal(problem)
        return
    first, second, third, *rest = sentences(made)
    with top:
        guard.headline(third.removesuffix("."), " ".join((first, second, *rest)))
    left, right = st.columns(2)
    with left:
        _curve(made)
    with right:
        _sizes(made)


def _number(
    label: str, usual: float, key: str, ends: tuple[float, float], about: str | None = None
) -> float:
    """Show a box for a number between two ends, kept in the address; return what it holds."""
    said: float = st.number_input(
        label, *ends, usual, step=0.01, format="%.6g", key=key, bind="query-params",
        width=170, help=about
    )  # fmt: skip
    return said


def _expected() -> tuple[str, float, float, float | None]:
    """Return the metric, its expected value, the share that counts, and the deviation if asked."""
    metric = inputs.list_box("Metric", KINDS, key="plan-metric", usual="accuracy", width=220)
    kind = kind_of(metric)
    ends = (0.0, 1e9) if kind == "mean" else (0.5 if kind == "area" else 0.01, 0.999)
    value = _number("Expected value", USUAL[kind], f"plan-value-{kind}", ends)
    share, deviation = 1.0, None
    if metric in SHARES:
        share = _number(SHARES[metric], 0.3, "plan-share", (0.0001, 0.9999))
    if kind == "mean":
        about = "Over the rows, of the quantity averaged: for instance of the absolute errors."
        deviation = _number("Standard deviation", 1.0, "plan-sd", (1e-9, 1e9), about)
    return metric, value, share, deviation


def _known(metric: str) -> tuple[float, float, float]:
    """Return the correlation of two models, the rows of a group, and the correlation in it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        what = "of the areas" if metric == "roc_auc" else "of what is averaged"
        alike = _number(
            "Correlation of two models",
            0.0,
            "plan-alike",
            (0.0, 0.99),
            f"On the same rows, {what}: 0 for models on rows of their own, which need the most "
            "rows.",
        )
        size = inputs.whole_number(
            "Rows of a group",
            (1, 10_000),
            1,
            key="plan-group",
            width=170,
            about="Visits of a patient, clicks of a user: rows that depend on each other.",
        )
        within = _number(
            "Correlation within a group",
            0.0,
            "plan-within",
            (0.0, 1.0),
            "0: rows of a group differ as much as any; 1: a group is one row repeated.",
        )
    return alike, float(size), within


def _curve(made: Plan) -> None:
    scene = theme.Scene(names=("rows",), look=chart.look())
    at = np.unique(np.geomspace(SIZES[0], SIZES[-1], 60).round())
    by_rows = [plan(made.expected, rows=rows, level=made.level) for rows in at]
    chart.show(
        figures.draw_planned(scene, made, by_rows),
        figures.planned_alt(made),
        key="planned",
        code=planned_code(made.expected),
    )


def _sizes(made: Plan) -> None:
    """Show what other numbers of rows show."""
    rows = [_size(made, size) for size in SIZES]
    tables.text_table(rows, alt="What other numbers of rows would show")
    st.caption(
        f"Difference: the smallest between two models to show in {so_often(made.power)} files. "
        "The interval is that of one model."
    )


def _size(made: Plan, rows: int) -> dict[str, str]:
    one = plan(made.expected, rows=rows)
    least = one.smallest_difference
    return {
        "rows": f"{rows:,}",
        f"{one.level:.0%} interval": text.low_to_high(
            text.number(one.low or 0.0), text.number(one.high or 0.0)
        ),
        "difference": "none" if least is None else text.number(least),
    }
