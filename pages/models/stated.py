"""Intervals: do the stated intervals hold as often as they say?"""

from collections.abc import Callable
from math import isnan

import pandas as pd
import streamlit as st

from evalcore.text import counted
from evalread.dataset import Dataset
from evalview import escape, figures, words
from evalview.figures import errors
from evalview.lab.quantiles import Coverage
from evalview.text import abbreviate, low_dash_high, low_to_high, percent, size
from pages.session import numbers
from pages.widgets import chart, guard, inputs, tables


def page() -> None:
    """Show how often stated intervals and quantiles hold, and how wide they are."""
    dataset = guard.need_dataset()
    top, choices = guard.top_and_choices()
    with choices:
        model = inputs.pick_model(dataset, among=numbers.found(dataset))
        promised = ask_level() if numbers.asks_level(dataset) else USUAL
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
    made = numbers.intervals(dataset, model, promised)
    if not made:
        table = numbers.quantiles(dataset, model, promised)
        return f"{counted(len(table.level), 'quantile')} of {words.spoken(dataset, model)}", ""
    widest, who = made[0], words.spoken(dataset, model)
    told = widest.coverage
    if not told.n:
        return f"No row of {who} has both ends of its interval", "So nothing can be computed."
    whose = f"The {_promise(told)} interval" if widest.said else "The interval"
    said = f"{whose} of {who} covers {percent(told.share)} of the truths"
    return said, f"{_verdict(widest)} Its mean width is {size(told.width)}."


def _promise(told: Coverage) -> str:
    return f"{100 * told.promised:.3g}%"


def _verdict(widest: errors.Stated) -> str:
    told = widest.coverage
    share = low_to_high(percent(told.low), percent(told.high))
    sure = f"95% interval of that share {share}"
    taken = "" if widest.said else f"Its share is not in the file: {_promise(told)} is assumed. "
    if told.high < told.promised:
        return f"{taken}It covers less than stated ({sure})."
    if told.low > told.promised:
        return f"{taken}It covers more than stated, and could be narrower ({sure})."
    return f"{taken}These rows do not contradict its stated share ({sure})."


def crossed(dataset: Dataset, model: str, promised: float) -> None:
    """Warn of quantiles that lie in the wrong order."""
    rows = numbers.quantiles(dataset, model, promised).crossed
    if rows:
        verb = "has" if rows == 1 else "have"
        told = f"{counted(rows, 'row')} {verb} a higher quantile below a lower one"
        st.warning(f"{told}: coverage, width and scores use the columns as named.")


def pictures(dataset: Dataset, model: str, promised: float) -> None:
    """Show every quantile against its promise, and the coverage along the prediction."""
    scene, table = (chart.of_all(dataset, model), numbers.quantiles(dataset, model, promised))
    left, right = st.columns(2)
    with left:
        figure = figures.draw_quantile_calibration(scene, table)
        chart.show(figure, figures.quantile_calibration_alt(scene, table), key="quantiles")
    made = numbers.intervals(dataset, model, promised)
    if made:
        with right:
            share = made[0].coverage.promised
            figure = figures.draw_coverage(scene, made[0].groups, share)
            chart.show(figure, figures.coverage_alt(made[0].groups, share), key="coverage")


def table(dataset: Dataset, promised: float) -> None:
    """Show every interval of every model."""
    rows = [
        _row(name, one)
        for name in numbers.found(dataset)
        for one in numbers.intervals(dataset, name, promised)
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


def _row(name: str, one: errors.Stated) -> dict[str, str]:
    told = one.coverage
    above = max(0.0, 1 - told.share - told.below)
    return {
        "model": escape.visible(abbreviate(name, 40)),
        "interval": f"{escape.visible(one.lower)} to {escape.visible(one.upper)}",
        "should hold": f"{_promise(told)}{'' if one.said else ' (assumed)'}",
        "holds": _between(percent, told.share, told.low, told.high),
        "truth below": percent(told.below),
        "truth above": percent(above),
        "mean width": _between(size, told.width, told.width_low, told.width_high),
        "interval score": "undefined" if isnan(told.score) else size(told.score),
    }


def _between(write: Callable[[float], str], value: float, low: float, high: float) -> str:
    """Write a number with its interval, where it has one."""
    if isnan(value):
        return "undefined"
    return (
        write(value) if isnan(low) else f"{write(value)} ({low_dash_high(write(low), write(high))})"
    )
