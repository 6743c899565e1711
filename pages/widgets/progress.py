"""Work on one model after the other while the rest of the page can be used."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import pandas as pd
import streamlit as st

from evalcore.results import DecisionRule, Decisions, Estimates, ModelTables
from evalcore.text import count, counted
from evalread.dataset import Dataset
from evalview import headlines, sentences
from pages.session import cache, computed, current
from pages.widgets import guard, tables

if TYPE_CHECKING:
    from evalcore.comparison.resampled import ResampledValues

MANY = 5
"""With more models than this it is said how far the work is."""

T = TypeVar("T")


def one_by_one(models: Sequence[T], doing: str) -> Iterator[T]:
    """Yield models to be worked on; a click elsewhere on the page stops the work.

    Whoever keeps what was made by then goes on from there in the next run.
    """
    if len(models) <= MANY:
        yield from models
        return
    shown = st.empty()
    for place, model in enumerate(models):
        # Each call lets a waiting click through.
        shown.progress(place / len(models), f"{doing} {place + 1} of {len(models)} models")
        yield model
    shown.empty()


EVERY = 0.5
"""Seconds between two looks at how far work is."""


@st.fragment(run_every=EVERY)
def of_request(
    told: Callable[[], computed.RequestProgress | None],
    stop: Callable[[], None],
    done: str,
    *,
    key: str,
) -> None:
    """Show how far work is that goes on beside the page, until it ends; it can be stopped.

    `done` follows the share that is done, such as "of the distances measured".
    """
    now = told()
    if now is None:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(now.share, text=_words(now, done), width=320)
        st.button("Stop", key=key, on_click=stop)


def _words(told: computed.RequestProgress, done: str) -> str:
    if told.started is None:
        return "Waiting for another request"
    left = told.seconds_left(time.monotonic())
    if left is None:
        return f"{told.share:.0%} {done}"
    wait = f"{max(left, 1):.0f} s" if left < 90 else f"{left / 60:.0f} minutes"
    if told.share >= 0.995:
        return f">99% {done}; nearly ready"
    return f"{told.share:.0%} {done}; about {wait} left"


MOST = 60
"""With more models than this, intervals wait until a model is picked."""

WAIT = (
    f"With more than {MOST} models the intervals of all would take minutes: they are computed "
    "for the model you pick, and for all models by one metric under Compare, All metrics."
)


def judged_one_by_one(
    dataset: Dataset, judge: Callable[[str], Estimates], way: str = ""
) -> dict[str, Estimates]:
    """Return the numbers of every model by name; a click elsewhere on the page stops the work.

    What was made by then is kept, so that the next run goes on from there. Of very many models
    the numbers have no intervals; `way` says which decisions they are then of.
    """
    names = list(dataset.models)
    if len(names) > MOST:
        st.caption(WAIT)
        return {
            name: computed.plainly(dataset, name, way, current.threshold(dataset, name))
            for name in names
        }
    return {name: judge(name) for name in one_by_one(names, "Judging")}


def judged(dataset: Dataset, way: DecisionRule, keys: Iterable[str], name: str) -> Estimates:
    """Return some numbers of a model by their keys, those of decisions as it is decided."""
    ways = computed.decisions(dataset, name, current.threshold(dataset, name))
    decided: Estimates = ways[way].metrics if way in ways else {}
    every = (computed.ranking(dataset, name), computed.probability(dataset, name), decided)
    return {key: found[key] for key in keys for found in every if key in found}


SOON = 0.5
"""Seconds of drawing after which the values are shown meanwhile."""


def drawn_one_by_one(draws: ResampledValues) -> None:
    """Draw the models one after the other; a click elsewhere on the page stops the work.

    What was drawn by then is kept, so that the next run goes on from there. Where it takes longer
    than a moment, the values themselves are shown meanwhile.
    """
    first, begun, waits = st.empty(), time.monotonic(), True
    for place in one_by_one(range(len(draws.candidates.models)), "Resampling"):
        if draws.can_resample(place):
            cache.shared((id(draws), place), partial(draws.of, place))
        if waits and time.monotonic() > begun + SOON:
            waits = False
            with first.container():
                _show_values(draws)
    first.empty()


def _show_values(draws: ResampledValues) -> None:
    """Show what each model comes to on all rows, the best first."""
    metric, ordered = draws.candidates.metric, draws.candidates.best_first
    frame = pd.DataFrame(
        {"model": [one.name for one in ordered], metric.name: [one.value for one in ordered]}
    )
    st.caption("The values on these rows; their intervals are being computed.")
    tables.show(frame, hide_index=True, key="values-meanwhile", alt=f"{metric.name} by model")


def as_decided(dataset: Dataset, model: str, show: Callable[[str, Decisions], None]) -> None:
    """Show what follows from the way of deciding that leads, and how far the labels differ."""
    threshold = current.threshold(dataset, model)
    ways = dict(computed.decisions(dataset, model, threshold))
    agree = headlines.labels_agree(computed.tables(dataset)[model], threshold)
    leads = _leads(computed.tables(dataset)[model], threshold)
    if agree and len(ways) > 1:
        del ways["labels"]
    way = current.way(list(ways))
    lead = "The file\u2019s own labels agree in every row." if agree else leads.get(way, "")
    title = sentences.of_way(way, threshold)
    guard.section(f"{title[:1].upper()}{title[1:]}", lead)
    show(way, ways[way])


def _leads(tables: ModelTables, threshold: float) -> dict[str, str]:
    """Return how many of the labels of the file its threshold changes, below both ways."""
    labels = tables.labels_by_score
    if labels is None:
        return {}
    counts = labels.at(threshold)
    changed = f"{count(float(counts.fp + counts.fn))} of {counted(labels.n, 'label')}"
    return {
        "labels": f"The threshold changes {changed}; “Decided by” above shows what follows.",
        "threshold": f"That changes {changed}.",
    }
