"""The way from dropped files to the first page with results, told step by step."""

import time
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.intake.model import Dataset, Task
from pages.escape import markdown, shorten
from pages.figures.spoken import spoken
from pages.session import computed, current, findings, opened, reading, store

LONGEST = 60
PATIENCE = 0.2
"""Seconds between two looks at how far the reading is."""


def wait(first_page: Callable[[Task], str]) -> None:
    """Wait for the files that are being read and go on; nothing if there are none.

    To the first page of results, or to the columns if one is missing. Files that cannot be read
    change nothing; the reason is told on the page at hand. Whoever leaves meanwhile finds the files
    open once they are read.
    """
    token = opened.opening()
    if token is None:
        return
    status, stop = st.status(_told(token)), st.empty()
    with status:
        _watch(token, lambda told: status.update(label=told), stop)
        if not opened.arrive():
            st.rerun()
        target, dataset = "data.py", current.dataset()
        if dataset is not None:
            _prepare(dataset, lambda step: status.update(label=step))
            target = first_page(dataset.roles.task)
    st.switch_page(target, query_params=current.address())


def _told(token: str) -> str:
    names = " and ".join(shorten(name, LONGEST) for name in current.file_names(token))
    size = sum(len(data) for _, data in store.files(token) or ()) / 1e6
    return f"Reading {markdown(names)}, {size:,.1f} MB …"


def _watch(token: str, tell: Callable[[str], None], stop: DeltaGenerator) -> None:
    """Tell how long it takes, once that is worth a word, and how to stop it."""
    began, told = time.monotonic(), 0
    while reading.busy(token, PATIENCE):
        seconds = int(time.monotonic() - began)
        if seconds > told:
            tell(f"{_told(token)} {seconds} s")
            if not told:
                stop.button("Do not open it", type="tertiary", on_click=opened.stop_opening)
            told = seconds
    stop.empty()


def _prepare(dataset: Dataset, tell: Callable[[str], None]) -> None:
    """Compute what the first page shows, so that it appears at once."""
    tell(f"Counting {dataset.table.n:,} rows …")
    computed.tables(dataset)
    for name in current.names(dataset):
        tell(f"Judging {markdown(shorten(spoken(dataset, name), LONGEST))} …")
        _judge(dataset, name)
    if len(dataset.models) > 1 and dataset.classes:
        tell(f"Comparing {len(dataset.models)} models …")
        findings.leading(dataset)


def _judge(dataset: Dataset, name: str) -> None:
    match dataset.roles.task:
        case Task.CLUSTERING:
            computed.clustering(dataset, name)
        case Task.REGRESSION:
            computed.values(dataset, name)
        case _:
            computed.ranking(dataset, name)
            computed.probability(dataset, name)
            computed.decisions(dataset, name, current.threshold(dataset))
