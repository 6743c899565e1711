"""The way from dropped files to the first page with results, told step by step."""

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore.intake.model import Dataset, Task
from pages.escape import markdown, shorten
from pages.session import computed, current, findings

LONGEST = 60


def open_files(files: Sequence[tuple[str, bytes]], first_page: Callable[[Task], str]) -> None:
    """Read the files and go on: to the first page of results, or to the columns if one is missing.

    Files that cannot be read change nothing; the reason is told on the page at hand.
    """
    names = " and ".join(shorten(name, LONGEST) for name, _ in files)
    size = sum(len(data) for _, data in files) / 1e6
    with st.status(f"Reading {markdown(names)}, {size:,.1f} MB …") as status:
        if not current.open_files(files):
            st.rerun()
        target, dataset = "data.py", current.dataset()
        if dataset is not None:
            _prepare(dataset, lambda step: status.update(label=step))
            target = first_page(dataset.roles.task)
    st.switch_page(target, query_params=current.address())


def _prepare(dataset: Dataset, tell: Callable[[str], None]) -> None:
    """Compute what the first page shows, so that it appears at once."""
    tell(f"Counting {dataset.table.n:,} rows …")
    computed.tables(dataset)
    for name in current.names(dataset):
        tell(f"Judging {markdown(shorten(name, LONGEST))} …")
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
            computed.decisions(dataset, name, current.threshold(dataset, name))
