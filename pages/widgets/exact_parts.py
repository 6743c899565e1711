"""Measuring the silhouette of every point where a sample was judged: the offer, and how far."""

import time

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.outcomes import Measurable
from pages.figures.words import counted
from pages.session import clusterings
from pages.session.exact import Progress
from pages.widgets.silhouette_parts import Asked

EVERY = 0.5
"""Seconds between two looks at how far it is."""


def offer(dataset: Dataset, points: Measurable, name: str, asked: Asked) -> None:
    """Offer to measure every point, or show how far that is; nothing where it is done."""
    args = (dataset, name, asked.distance, asked.scaled)
    if clusterings.judged(*args).silhouette.method == "exact":
        return
    if clusterings.measuring(*args) is not None:
        _running(dataset, name, asked)
        return
    in_any = int((points.cluster >= 0).sum())
    st.button(
        f"Measure all {counted(in_any, 'point')} exactly",
        key="measure-all",
        on_click=clusterings.measure_all,
        args=args,
        help=f"{in_any * (in_any - 1) / 2:,.0f} distances. It goes on while you look at other "
        "pages, and can be stopped.",
    )


@st.fragment(run_every=EVERY)
def _running(dataset: Dataset, name: str, asked: Asked) -> None:
    """Show how far it is until it ends."""
    args = (dataset, name, asked.distance, asked.scaled)
    told = clusterings.measuring(*args)
    if told is None:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(told.share, text=_words(told), width=320)
        st.button("Stop", key="stop-measuring", on_click=clusterings.stop_measuring, args=args)


def _words(told: Progress) -> str:
    if told.started is None:
        return "Another request is measured first"
    left = told.seconds_left(time.monotonic())
    done = f"{told.share:.0%} of the distances measured"
    if left is None:
        return done
    wait = f"{left:.0f} s" if left < 90 else f"{left / 60:.0f} minutes"
    return f"{done}; about {wait} left"
