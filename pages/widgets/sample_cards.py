"""Data sets that come with the product, one click away."""

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore.intake.model import Task
from pages.session.store import Sample


def show(samples: Sequence[Sample], first_page: Callable[[Task], str]) -> None:
    """Show a card for each sample; all of it is a link to the first page with results."""
    with st.grid(3, min_column_width=240):
        for sample in samples:
            with st.container(border=True, key=f"sample-{sample.key}", gap="xsmall"):
                page = first_page(Task(sample.task))
                st.page_link(page, label=sample.title, query_params={"data": sample.token})
                st.caption(f"{sample.shows}. {sample.rows:,}\N{NO-BREAK SPACE}rows.")
