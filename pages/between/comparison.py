"""Compare by rows: how far models are apart on these rows, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import pandas as pd
import streamlit as st

from evalcore.comparison.resampled import (
    Distribution,
    Method,
    ResampledValues,
    Sampling,
    distribution,
)
from evalcore.comparison.results import Comparison
from evalcore.evaluation.drawn import MOST_ORDERED
from evalcore.options import Options
from evalcore.text import counted
from evalread.dataset import Dataset, Task
from evalview import escape, figures, text
from pages.session import current, findings
from pages.widgets import chart, comparing, guard, inputs, notices, progress, tables
from pages.widgets.rows import NO_ROWS, rows_table


def page() -> None:
    """Show the differences of models with their intervals, the tests, and the bootstrap."""
    dataset = guard.need_dataset()
    top = guard.reserve("finding")
    metric = comparing.pick_metric(dataset)
    options = current.options(dataset)
    scene = chart.of_all(dataset)
    with st.spinner(f"Comparing {len(scene.names)} models"):
        if not comparing.in_closed_form(metric):
            progress.drawn_one_by_one(findings.draws(dataset, metric, options))
        made = findings.comparison(dataset, metric, options)
    told = [one for one in made.notices if one.code != "decisions"]  # which is said above
    with top:
        guard.headline(*comparing.reasons(made))
        if conditions := comparing.conditions(made, ("decisions",)):
            st.caption(escape.markdown(conditions))
        notices.warnings(told)
    comparing.pictures(scene, made)
    if settled := comparing.rows_needed(made):
        guard.section(f"How many {made.unit} would settle it", settled)
    comparing.tests(made, of_rows=True)
    bootstrap(dataset, metric, made, options)
    disagreement(dataset, metric, made, options)
    notices.remarks(told)


GROUPS = (
    "The main test assumes independent rows. If rows of a group depend on each other, choose "
    "that column as the group on the Data page: then whole groups are resampled everywhere."
)
KEY = "bootstrap"
"""Key of the part of the page, which an address may open."""


def bootstrap(dataset: Dataset, metric: str, made: Comparison, options: Options) -> None:
    """Offer what models come to over resamples, and how often the best is ahead; drawn if open."""
    from evalcore.compare import default_rope_of

    others = "groups of this kind" if dataset.roles.unit else "rows of this kind"
    title = f"Bootstrap: would other {others} show the same model ahead?"
    if (part := guard.opened(title, key=KEY)) is None:
        return
    with part:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            asked = ask(dataset)
            draws = findings.draws(dataset, metric, options, asked.sampling)
            rope = comparing.pick_rope(default_rope_of(draws.candidates), metric)
        if asked.sampling == "groups" and not dataset.roles.unit:
            st.caption(GROUPS)
        with st.spinner("Drawing resamples"):
            progress.drawn_one_by_one(draws)
        resampled(dataset, draws, made, asked.method, rope)
        chances(draws, made, asked.method, rope)


SHOWN_AT_MOST = 6
"""More curves above each other do not fit a screen."""

NOT_DRAWN = (
    "Resampling works for metrics of counts, of scores and of sums over rows, and with "
    f"up to {MOST_ORDERED:,} rows for those that need the order of rows. The interval of a model "
    "is above."
)

SAMPLINGS: dict[Sampling, str] = {
    "rows": "rows",
    "classes": "rows within each class",
    "groups": "whole groups",
}
METHODS: dict[Method, str] = {"percentile": "percentile", "basic": "basic", "bca": "BCa"}


@dataclass(frozen=True)
class Asked:
    """What the reader chose: what is drawn, and how the interval is made of it."""

    sampling: Sampling
    method: Method


def ask(dataset: Dataset) -> Asked:
    """Show how to draw and how to make the interval; return what was picked."""
    keys: list[Sampling] = ["rows"]
    if dataset.roles.unit:
        keys = ["groups"]
    else:
        keys += ["classes"] if dataset.roles.task is not Task.REGRESSION else []
        keys += ["groups"] if dataset.group is not None else []
    sampling = keys[0]
    if len(keys) > 1:
        offered = {key: SAMPLINGS[key] for key in keys}
        sampling = inputs.list_box("Draw", offered, key="drawn", width=210)
    about = "BCa corrects for bias and skewness; basic mirrors the percentiles."
    method = inputs.list_box("Interval", METHODS, key="interval", width=140, about=about)
    return Asked(sampling, method)


def resampled(
    dataset: Dataset, draws: ResampledValues, made: Comparison, method: Method, rope: float
) -> None:
    """Show what each model comes to over resamples, and how far the best is ahead."""
    scene, places = chart.of_all(dataset), _places(draws, made)
    alone = [distribution(draws, place, None, method) for place in places]
    gaps = differences(draws, made, method)
    left, right = st.columns(2)
    with left:
        figure = figures.draw_ridges(scene, alone, made.metric_name)
        chart.show(figure, figures.ridges_alt(alone, made.metric_name), key="resampled")
    with right:
        figure = figures.draw_ridges(scene, gaps, made.metric_name, rope, made.verdict)
        chart.show(figure, figures.ridges_alt(gaps, made.metric_name), key="resampled-differences")
    left_out = sum(model.defined for model in made.models.values()) - len(places)
    if left_out > 0 and places:
        st.caption(f"The best {SHOWN_AT_MOST} models are drawn.")
    if not alone and any(model.defined for model in made.models.values()):
        st.caption(NOT_DRAWN)
    if alone:
        failed = (gaps or alone)[0].bootstrap.failed
        lost = f" {counted(failed, 'resample')} gave no value." if failed else ""
        drawn = len(alone[0].bootstrap.values)
        group = escape.markdown(text.abbreviate(dataset.roles.group or "", 40))
        of = f"{SAMPLINGS[draws.sampling]}{f' ({group})' if draws.sampling == 'groups' else ''}"
        st.caption(f"{drawn:,} resamples of {of}, seed {draws.options.seed}.{lost}")


def differences(draws: ResampledValues, made: Comparison, method: Method) -> list[Distribution]:
    """Return the difference of the best model to each of the next."""
    best, *others = _places(draws, made) or [0]
    return [distribution(draws, best, other, method) for other in others]


def chances(draws: ResampledValues, made: Comparison, method: Method, rope: float) -> None:
    """Show how often the best model is ahead of each other one, by more than matters."""
    gaps = differences(draws, made, method)
    if not gaps:
        return
    best = escape.visible(gaps[0].name)
    guard.section(
        f"How often is {best} ahead?",
        f"Shares of the resamples; differences up to {text.size(rope)} are ignored."
        if rope
        else "Shares of the resamples.",
    )
    frame = pd.DataFrame([_row(gap, rope) for gap in gaps], dtype=object)
    if not rope:
        frame = frame.drop(columns="no difference")
    tables.written_cell(frame, "against", key="chances", alt=f"Chances of {best}")


def disagreement(dataset: Dataset, metric: str, made: Comparison, options: Options) -> None:
    """Offer the rows on which two models disagree, as they stand in the file."""
    numbers = dataset.roles.task is Task.REGRESSION
    what = "are farthest apart" if numbers else "disagree"
    draws = findings.draws(dataset, metric, options)
    if not draws.candidates.shared:
        return
    if (part := guard.opened(f"Rows on which two models {what}", key="disagree")) is None:
        return
    if dataset.table.counted is not None:
        part.caption(NO_ROWS)
        return
    names = [one.name for one in draws.candidates.models]
    with part:
        with st.container(horizontal=True):
            one = _pick("First model", names, made.order[0], "one")
            others = [name for name in names if name != one]
            runner = next(name for name in made.order if name != one)
            other = _pick("Second model", others, runner, "other")
        rows = findings.disagreement(draws, (names.index(one), names.index(other)), options)
        if not len(rows):
            st.caption("They give the same on every row.")
            return
        if not numbers:
            share = text.percent(len(rows) / draws.candidates.models[0].outcomes.n)
            st.caption(f"{counted(len(rows), 'row')}, {share} of all, the largest distances first.")
        called = f"{text.abbreviate(one, 30)} against {text.abbreviate(other, 30)}.csv"
        rows_table(dataset, (one, other), rows, key="disagreement", called=called)


def _pick(label: str, names: Sequence[str], usual: str, key: str) -> str:
    labels = {name: escape.visible(text.abbreviate(name, 40)) for name in names}
    return inputs.list_box(label, labels, key=key, usual=usual, width=260)


def _places(draws: ResampledValues, made: Comparison) -> list[int]:
    """Return the places of the best models that have values over resamples, in order of merit."""
    names = [one.name for one in draws.candidates.models]
    places = (names.index(name) for name in made.order)
    return [place for place in places if findings.is_drawn(draws, place)][:SHOWN_AT_MOST]


def _row(gap: Distribution, rope: float) -> dict[str, object]:
    found, interval = gap.chances(rope), gap.bootstrap.interval
    more = " by more" if rope else ""
    low, high = float(interval.low), float(interval.high)
    said = text.difference(gap.observed, sign=True)
    if not isnan(low):
        said = "+" * (gap.observed > 0) + text.with_ends(gap.observed, low, high, text.difference)
    return {
        "against": escape.visible(gap.less),
        "difference": tables.ShownMetrics(gap.observed, said),
        f"ahead{more}": tables.ShownMetrics(found.better, text.percent(found.better)),
        "no difference": tables.ShownMetrics(found.alike, text.percent(found.alike)),
        f"behind{more}": tables.ShownMetrics(found.worse, text.percent(found.worse)),
    }
