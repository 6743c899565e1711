"""The way from dropped files to the first page with results, told step by step."""

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore.intake.model import Dataset, Task
from pages.escape import markdown, shorten
from pages.session import computed, current, findings

LONGEST = 60


def open_files(files: Sequence[tuple[str, bytes]], judged: Callable[[Dataset], bool]) -> None:
    """Read the files and go on: to results if these data can be judged, else to their columns.

    Files that cannot be read change nothing; the reason is told on the page at hand.
    """
    names = " and ".join(shorten(name, LONGEST) for name, _ in files)
    size = sum(len(data) for _, data in files) / 1e6
    with st.status(f"Reading {markdown(names)}, {size:,.1f} MB …") as status:
        if not current.open_files(files):
            st.rerun()
        target, dataset = "data.py", current.dataset()
        if dataset is not None and judged(dataset):
            _prepare(dataset, lambda step: status.update(label=step))
            target = "overview.py"
    st.switch_page(target, query_params=current.address())


def _prepare(dataset: Dataset, tell: Callable[[str], None]) -> None:
    """Compute what the first page shows, so that it appears at once."""
    tell(f"Counting {dataset.table.n:,} rows …")
    computed.tables(dataset)
    if dataset.roles.task not in (Task.BINARY, Task.MULTICLASS):
        return
    for model in dataset.models:
        tell(f"Judging {markdown(shorten(model, LONGEST))} …")
        computed.ranking(dataset, model)
        computed.probability(dataset, model)
        computed.decisions(dataset, model, current.threshold(dataset))
    if len(dataset.models) > 1:
        tell(f"Comparing {len(dataset.models)} models …")
        findings.leading(dataset)
