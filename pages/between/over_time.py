"""Over time: how a metric moves by day, week or month, and whether it has changed."""

import streamlit as st

from evalcore.monitoring.over_time import Asked, over_time
from evalcore.monitoring.results import OverTime
from evalcore.monitoring.watching import MOST_LOOKS, Plan
from evalcore.options import Options
from evalread.attributes import date_columns
from evalread.dataset import Dataset
from evalview import escape, figures, headlines
from pages.session import cache, current, selection
from pages.widgets import chart, comparing, guard, inputs, notices, tables


def page() -> None:
    """Show a metric by period, what else is followed, and whether there is a change."""
    dataset = guard.need_dataset(selection.columns(current.dataset()))
    top, choices = guard.top_and_choices()
    with choices:
        metric, model = comparing.pick_sliced(dataset)
        every = inputs.list_box("By", EVERY, key="every", usual="week", width=120)
        date = pick_date(dataset)
        first = inputs.whole_number(
            "Reference periods (0: automatic)",
            (0, 9_999),
            0,
            key="reference_periods",
            width=230,
            about=FIRST,
        )
        looks = inputs.whole_number(
            "Looks allowed for", (1, MOST_LOOKS), 1000, key="looks", width=150, about=LOOKS
        )
    asked = Asked(every, metric, model, first=first or None, plan=Plan(looks))
    with guard.refusals_told():
        made = followed(dataset, date, asked, current.options(dataset))
        with top:
            guard.headline(headlines.of_periods(made), made.verdict)
        show(dataset, made)
        notices.notices(made.notices)


EVERY = {"day": "day", "week": "week", "month": "month"}

FIRST = (
    "How many of the first periods the others are compared with; 0 for as many as have 500 rows."
)

LOOKS = (
    "How many periods you will look at in all, those to come included. The chance that any of "
    "these looks flags a change although there is none is 5%."
)


def pick_date(dataset: Dataset) -> str:
    """Show the columns of dates where there are several; return the one picked."""
    known = (dataset.roles.date,) if dataset.roles.date else date_columns(dataset)
    if len(known) == 1:
        return known[0]
    labels = {name: escape.visible(name) for name in known}
    return inputs.list_box("Date", labels, key="dated", width=200)


@cache.cached(entries=40)
def followed(dataset: Dataset, date: str, asked: Asked, options: Options) -> OverTime:
    """Return the metric by period."""
    return over_time(dataset, date, asked, options)


def show(dataset: Dataset, made: OverTime) -> None:
    """Show the metric, then prevalence and scores, then the numbers."""
    scene = chart.of_all(dataset, made.model)
    figure = figures.draw_over_time(scene, made)
    chart.show(figure, figures.over_time_alt(made), key="over_time")
    columns = st.columns(max(len(made.others), 1))
    for place, (column, track) in enumerate(zip(columns, made.others, strict=False)):
        with column:
            drawn = figures.draw_over_time(scene, made, track)
            chart.show(drawn, figures.over_time_alt(made, track), key=f"over_time_{place}")
    if made.others:
        st.caption("Only changes of the metric are flagged, not changes of these.")
    with st.expander("Numbers"):
        tables.written_cell(
            headlines.period_rows(made), "period", key="periods", alt=f"By {made.every}"
        )
        st.caption(
            "CUSUM: evidence that the metric is higher, or lower, than in the rows before. A "
            "change is flagged where it reaches the limit."
        )
