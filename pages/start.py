"""Open a file: where are the predictions?"""

import time
from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalread.dataset import Dataset, Task
from evalview import escape
from evalview.text import abbreviate
from evalview.words import spoken
from pages import contents
from pages.session import current, opening, reading, store
from pages.widgets import bar, guard, inputs

EXAMPLE = """\
truth,boosting_score,forest_score
fraud,0.91,0.84
honest,0.12,0.33
honest,0.64,0.08
"""


def page() -> None:
    """Show the box for files, text to paste, the files that are open, and the samples."""
    guard.headline(
        "How good are your models, and how sure is that?",
        "Drop a file of predictions: the true answer, plus what each model said. See how good each "
        "model is, where it errs, and what another threshold would cost.",
    )
    if (problem := current.problem()) is not None:
        guard.show_refusal(problem)
    label = "One or more files, one row per case: CSV, Excel, Parquet, JSON, ARFF, NumPy and more"
    inputs.dropped(label, opening.keep_files, key="files", several=True)
    wait()
    show_pasting()
    bar.show_open()
    guard.section("Or explore a sample")
    show_sample_cards(store.samples())
    guard.section(
        "What such a file looks like",
        "A column with the true answer; for each model a score, a label, or both. Use any column "
        "names. We show how we read each one; you can change it.",
    )
    # `st.code` makes the browser load a highlighter of 1.5 MB before the first page is complete.
    st.html(f'<pre class="eb-example">{EXAMPLE}</pre>')


NAME = "pasted text"


def show_pasting() -> None:
    """Show a box for text that is read as a file would be."""
    # In a form, Ctrl+Enter reads the text as the button does.
    with st.expander("Or paste a table"), st.form("pasting", border=False):
        text = st.text_area(
            "Cells copied out of a spreadsheet, CSV or JSON lines, with the names of the columns",
            height=160,
            placeholder="truth,score",
        )
        if st.form_submit_button("Read this text", type="primary"):
            with guard.refusals_told():
                opening.keep_files(((NAME, (text or "").encode()),))
                st.rerun()


def show_sample_cards(samples: Sequence[store.Sample]) -> None:
    """Show a card for each sample; all of it is a link to the first page with results."""
    with st.grid(3, min_column_width=240):
        for sample in samples:
            with st.container(border=True, key=f"sample-{sample.key}", gap="xsmall"):
                page = contents.first_page(Task(sample.task))
                st.page_link(page, label=sample.title, query_params={"data": sample.token})
                st.caption(f"{sample.shows}. {sample.rows:,}\N{NO-BREAK SPACE}rows.")


PATIENCE = 0.2
"""Seconds between two looks at how far the reading is."""


def wait() -> None:
    """Wait for the files that are being read and go on; nothing if there are none.

    To the first page of results, or to the columns if one is missing. Files that cannot be read
    change nothing; the reason is told on the page at hand. Whoever leaves meanwhile finds the files
    open once they are read.
    """
    token = opening.being_read()
    if token is None:
        return
    status, stop = st.status(_told(token)), st.empty()
    with status:
        _watch(token, lambda told: status.update(label=told), stop)
        if not opening.arrive():
            st.rerun()
        target, dataset = contents.page("data"), current.dataset()
        if dataset is not None:
            _prepare(dataset, lambda step: status.update(label=step))
            target = contents.first_page(dataset.roles.task)
    st.switch_page(target, query_params=current.address())


def _told(token: str) -> str:
    size = sum(len(data) for _, data in store.files(token) or ()) / 1e6
    return f"Reading {escape.markdown(current.listed(token))}, {size:,.1f} MB …"


def _watch(token: str, tell: Callable[[str], None], stop: DeltaGenerator) -> None:
    """Tell how long it takes, once that is worth a word, and how to stop it."""
    began, told = time.monotonic(), 0
    while reading.busy(token, PATIENCE):
        seconds = int(time.monotonic() - began)
        if seconds > told:
            tell(f"{_told(token)} {seconds} s")
            if not told:
                stop.button("Cancel", type="tertiary", on_click=opening.stop_opening)
            told = seconds
    stop.empty()


SHOWN_FIRST = 4
"""Models that the first page shows at most: to judge all of very many takes too long."""


def _prepare(dataset: Dataset, tell: Callable[[str], None]) -> None:
    """Compute what the first page shows, so that it appears at once."""
    from pages.session import computed, findings  # The first page is there before them.

    if dataset.table.counted is None:
        tell(f"Counting {dataset.table.n:,} rows …")
    computed.tables(dataset)
    for name in current.names(dataset)[:SHOWN_FIRST]:
        called = abbreviate(spoken(dataset, name), current.LONGEST_NAME)
        tell(f"Judging {escape.markdown(called)} …")
        _judge(dataset, name)
    if len(dataset.models) > 1 and dataset.classes:
        tell(f"Comparing {len(dataset.models)} models …")
        findings.leading(dataset)


def _judge(dataset: Dataset, name: str) -> None:
    from pages.session import computed

    match dataset.roles.task:
        case Task.CLUSTERING:
            computed.clustering(dataset, name)
        case Task.REGRESSION:
            computed.values(dataset, name)
        case Task.CORRECT:
            computed.items(dataset, name)
        case _:
            computed.ranking(dataset, name)
            computed.probability(dataset, name)
            computed.decisions(dataset, name, current.threshold(dataset))
