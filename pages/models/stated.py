"""Intervals: do the stated intervals hold as often as they say?"""

import pandas as pd
import streamlit as st

from evalcore.text import counted
from evalread.dataset import Dataset
from evalview import conclusions, escape, figures, words
from evalview.text import percent, size
from pages.session import findings
from pages.widgets import chart, guard, inputs, tables


def page() -> None:
    """Show how often stated intervals and quantiles hold, and how wide they are."""
    dataset = guard.need_dataset()
    top, choices = guard.top_and_choices()
    with choices:
        model = inputs.pick_model(dataset, among=findings.found(dataset))
        promised = ask_level() if findings.asks_level(dataset) else USUAL
    with top:
        guard.headline(*finding(dataset, model, promised))
    crossed(dataset, model, promised)
    pictures(dataset, model, promised)
    guard.section(
        "Every interval", "Narrow is good only if coverage holds; the score combines both."
    )
    table(dataset, promised)


USUAL = 0.95
"""The share that an interval is taken to promise until somebody says another."""


def ask_level() -> float:
    """Ask what share the interval promises, since its columns do not say."""
    said: float = st.number_input(
        "Share it should cover", 0.5, 0.999, USUAL, 0.01, format="%.3g", key="promised",
        bind="query-params", width=160,
        help="The file does not say which share of the truths the interval should cover. Column "
             "names ending in it, such as lower_90 and upper_90, would."
    )  # fmt: skip
    return float(said)


def finding(dataset: Dataset, model: str, promised: float) -> tuple[str, str]:
    """Return how much the widest interval holds, beside what it promises."""
    made = findings.intervals(dataset, model, promised)
    if not made:
        table = findings.quantiles(dataset, model, promised)
        return f"{counted(len(table.level), 'quantile')} of {words.spoken(dataset, model)}", ""
    widest, who = made[0], words.spoken(dataset, model)
    told = widest.coverage
    if not told.n:
        return f"No row of {who} has both ends of its interval", "So nothing can be computed."
    whose = f"The {conclusions.promise(told)} interval" if widest.said else "The interval"
    said = f"{whose} of {who} covers {percent(told.share)} of the truths"
    return said, f"{conclusions.of_interval(widest)} Its mean width is {size(told.width)}."


def crossed(dataset: Dataset, model: str, promised: float) -> None:
    """Warn of quantiles that lie in the wrong order."""
    rows = findings.quantiles(dataset, model, promised).crossed
    if rows:
        verb = "has" if rows == 1 else "have"
        told = f"{counted(rows, 'row')} {verb} a higher quantile below a lower one"
        st.warning(f"{told}: coverage, width and scores use the columns as named.")


def pictures(dataset: Dataset, model: str, promised: float) -> None:
    """Show every quantile against its promise, and the coverage along the prediction."""
    scene, table = (chart.of_all(dataset, model), findings.quantiles(dataset, model, promised))
    left, right = st.columns(2)
    with left:
        figure = figures.draw_quantile_calibration(scene, table)
        chart.show(figure, figures.quantile_calibration_alt(scene, table), key="quantiles")
    made = findings.intervals(dataset, model, promised)
    if made:
        with right:
            share = made[0].coverage.promised
            figure = figures.draw_coverage(scene, made[0].groups, share)
            chart.show(figure, figures.coverage_alt(made[0].groups, share), key="coverage")


def table(dataset: Dataset, promised: float) -> None:
    """Show every interval of every model."""
    rows = [
        conclusions.interval_row(name, one)
        for name in findings.found(dataset)
        for one in findings.intervals(dataset, name, promised)
    ]
    if rows:
        tables.show(
            pd.DataFrame(rows), hide_index=True, key="intervals", alt="Every stated interval"
        )
    st.caption(
        escape.markdown(
            "The interval score is the mean width, plus 2 / (1 − stated share) for each unit that "
            "a truth lies outside: lower is better. It is twice the sum of both ends’ pinball "
            "losses, divided by 1 − stated share."
        )
    )
