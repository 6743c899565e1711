"""The page about stated intervals and quantiles, part by part."""

import pandas as pd
import streamlit as st

from evalcore.curves.quantiles import Coverage
from evalcore.intake.model import Dataset
from pages.escape import markdown, shorten, visible
from pages.figures import coverage, quantile_calibration
from pages.figures.predicted_actual import size
from pages.figures.words import EN_DASH, counted, percent
from pages.session import current, picked, stated
from pages.widgets import scenes
from pages.widgets.chart import chart

USUAL = 0.95


def pick_model(dataset: Dataset) -> str:
    """Show the models that state intervals, if there are several; return the one picked."""
    names, chosen = list(stated.found(dataset)), current.model(dataset)
    chosen = chosen if chosen in names else names[0]
    if len(names) > 1:
        picked.show_model(chosen)
        st.selectbox(
            "Model", names, key=picked.MODEL, on_change=picked.take_model, format_func=visible,
            width=240,
        )  # fmt: skip
    return chosen


def ask_level() -> float:
    """Ask what share the interval promises, since its columns do not say."""
    said: float = st.number_input(
        "Promised share", 0.5, 0.999, USUAL, 0.01, format="%.3g", key="promised",
        bind="query-params", width=160,
        help="The names of the columns do not say which share of the truths the interval is "
        "meant to hold.",
    )  # fmt: skip
    return float(said)


def finding(dataset: Dataset, model: str, promised: float) -> tuple[str, str]:
    """Return how much the widest interval holds, beside what it promises."""
    made = stated.intervals(dataset, model, promised)
    if not made:
        table = stated.quantiles(dataset, model, promised)
        return f"{counted(len(table.level), 'quantile')} of {visible(model)}", ""
    told = made[0].coverage
    who, share = visible(model), percent(told.share)
    said = f"The {told.promised:.0%} interval of {who} holds {share} of the truths"
    return said, f"{_verdict(told)} Its mean width is {size(told.width)}."


def _verdict(told: Coverage) -> str:
    ends = f"95% interval of that share {percent(told.low)} {EN_DASH} {percent(told.high)}"
    if told.high < told.promised:
        return f"It promises more than it holds ({ends})."
    if told.low > told.promised:
        return f"It holds more than it promises, and could be narrower ({ends})."
    return f"These rows do not contradict its promise ({ends})."


def crossed(dataset: Dataset, model: str, promised: float) -> None:
    """Warn of quantiles that lie in the wrong order."""
    rows = stated.quantiles(dataset, model, promised).crossed
    if rows:
        verb = "has" if rows == 1 else "have"
        st.warning(f"{counted(rows, 'row')} {verb} a higher quantile below a lower one.")


def pictures(dataset: Dataset, model: str, promised: float) -> None:
    """Show every quantile against its promise, and the coverage along the prediction."""
    scene, table = scenes.of_rivals(dataset, model), stated.quantiles(dataset, model, promised)
    left, right = st.columns(2)
    with left:
        figure = quantile_calibration.draw(scene, table)
        chart(figure, quantile_calibration.alt(scene, table), key="quantiles")
    made = stated.intervals(dataset, model, promised)
    if made:
        with right:
            share = made[0].coverage.promised
            figure = coverage.draw(scene, made[0].groups, share)
            chart(figure, coverage.alt(made[0].groups, share), key="coverage")


def table(dataset: Dataset, promised: float) -> None:
    """Show every interval of every model."""
    rows = [
        _row(name, one)
        for name in stated.found(dataset)
        for one in stated.intervals(dataset, name, promised)
    ]
    if rows:
        st.dataframe(
            pd.DataFrame(rows), hide_index=True, key="intervals", alt="Every stated interval"
        )
    st.caption(
        markdown(
            "The interval score is the mean width, plus 2 / (1 − promised) for each unit that a "
            "truth lies outside: lower is better. It is twice the pinball losses of both ends "
            "together, over 1 − promised."
        )
    )


def _row(name: str, one: stated.Stated) -> dict[str, str]:
    told = one.coverage
    above = max(0.0, 1 - told.share - told.below)
    return {
        "model": visible(shorten(name, 40)),
        "interval": f"{visible(one.lower)} to {visible(one.upper)}",
        "promised": percent(told.promised),
        "holds": f"{percent(told.share)} ({percent(told.low)} {EN_DASH} {percent(told.high)})",
        "truth below": percent(told.below),
        "truth above": percent(above),
        "mean width": f"{size(told.width)} ({size(told.width_low)} {EN_DASH} "
        f"{size(told.width_high)})",
        "interval score": size(told.score),
    }
