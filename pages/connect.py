"""Connect: where is the data stored? Rows are counted there, and only the counts are fetched.

Sources are those of the server's settings file: nobody types an address into a browser.
"""

from collections.abc import Callable
from functools import partial
from io import BytesIO

import pyarrow as pa
import streamlit as st
from pyarrow import parquet

from evalcore.errors import EvalError
from evalcore.text import counted
from evalcore.work import Progress
from evalread.dataset import Choices, Dataset
from evalread.engines import sources
from evalread.engines.reading import Asked, counts_file, looked_at
from evalread.engines.sources import Origin
from evalview import sharing
from evalview.escape import markdown
from evalview.text import abbreviate
from pages import contents, data
from pages.session import cache, computed, current, store
from pages.widgets import guard, notices, progress

LONGEST = 60
"""Characters of a name in a line."""


def page() -> None:
    """Show the sources, or the sample of one with its columns and the button that counts."""
    origins = sources.origins()
    if not origins:
        guard.headline(
            "No source is named",
            "This server's settings file names no data. Drop a file of predictions under “Open a "
            "file”.",
        )
    looked = _looked()
    token = current.view().data or ""
    if (about := looked.get(token)) is not None and about[0] in origins:
        show_sample(origins[about[0]], about[1])
        guard.section("All sources")
    elif origins:
        guard.headline(
            "Where is the data stored?",
            "Rows are counted there, however many there are, and only the counts are fetched. "
            "First comes a sample, which shows how each column is read.",
        )
    with st.grid(2, min_column_width=300):
        for name, origin in origins.items():
            show_card(name, origin)


def show_card(name: str, origin: Origin) -> None:
    """Show what a source is called and where it is, and let a sample of it be looked at."""
    with st.container(border=True, key=f"source-{name}", gap="xsmall"):
        st.markdown(f"**{markdown(abbreviate(name.strip(), LONGEST).strip())}**")
        # Paths and hosts are the server's business.
        of = f", table {markdown(abbreviate(origin.table, LONGEST))}" if origin.table else ""
        st.caption(f"{origin.engine.title}{of}")
        made = _made(("look", name), partial(_look, origin), "Look at a sample", "looked at")
        if isinstance(made, tuple):
            sample, rows = made
            _open(name, f"{name}, a sample.parquet", sample, origin.choices, rows)
            st.rerun()


def show_sample(origin: Origin, rows: int) -> None:
    """Show which column is what in the sample looked at, some rows, and the button that counts."""
    state = current.state()
    held = state.table.n if state.table is not None else 0
    guard.headline(
        f"{origin.name}: {counted(rows, 'row')}",
        f"A sample of {held:,} shows how each column is read. Check that, then count all rows.",
    )
    if state.problem is not None and state.table is not None:
        notices.show(state.table, state.problem)
    if state.dataset is not None:
        show_counting(origin, rows, state.dataset)
        guard.section("How we read each column")
        data.show_roles_table(state.dataset)
        if state.dataset.roles.positive is not None:
            data.show_positive(state.dataset)
    if state.table is not None:
        with st.expander("Choose the columns yourself", expanded=state.dataset is None):
            data.show_roles_form(state.table, state.dataset)
        guard.section("Some rows", "As they are stored.")
        data.show_raw_cells(state.table)


def show_counting(origin: Origin, rows: int, dataset: Dataset) -> None:
    """Show the button that counts all rows, or how far that is; then open the counts."""
    choices, pairs = current.view().choices, False
    if len(dataset.models) > 1:
        told = (
            "Paired tests need them; without them models are compared as if on rows of their own."
        )
        pairs = st.checkbox("Also count models in pairs", value=True, help=told, key="pairs")
    work = partial(_count, origin, choices, pairs)
    key = ("count", origin.name, repr(choices), str(pairs))
    made = _made(key, work, f"Count all {counted(rows, 'row')}", "counted")
    if isinstance(made, bytes):
        _open(origin.name, f"{origin.name}.counts.parquet", made, sharing.View().choices)
        found = current.dataset()
        target = contents.page("data") if found is None else contents.first_page(found.roles.task)
        st.switch_page(target, query_params=current.address())


def _made(
    key: computed.Key, work: Callable[[Progress], object], label: str, done: str
) -> object | None:
    """Return what work came to; before that, show how far it is, or the button for it.

    What goes wrong is told below the button, which then begins it anew.
    """
    who, of = cache.session(), (_of(key[1]), *key)
    requests = _requests()
    made: object | None = None
    try:
        made = requests.found(of)
    except EvalError as problem:
        guard.show_refusal(problem)
    told = requests.progress(who, of)
    if told is not None:
        progress.of_request(
            partial(requests.progress, who, of), partial(requests.stop, who, of), done,
            key="-".join(("stop", *key[:2])),
        )  # fmt: skip
    elif made is None:

        def begin() -> None:
            requests.forget(of[0])
            requests.begin(who, of, work)

        st.button(label, key="-".join(key[:2]), type="primary", on_click=begin)
    return made


def _of(source: str) -> str:
    """Return what this reader's requests of a source are kept under: others take none of them.

    As the digest of data does, it holds no "|".
    """
    return f"source {cache.session()} {source.replace('|', ' ')}"


def _look(origin: Origin, progress: Progress) -> tuple[bytes, int]:
    """Return a sample of a source as a Parquet file, and how many rows there are."""
    table, rows = looked_at(origin, progress)
    held = BytesIO()
    parquet.write_table(pa.table(dict(table.columns)), held)
    return held.getvalue(), rows


def _count(origin: Origin, choices: Choices, pairs: bool, progress: Progress) -> bytes:
    return counts_file(origin, Asked(choices, pairs), progress).data


def _open(
    source: str, name: str, content: bytes, choices: Choices, rows: int | None = None
) -> None:
    """Look at a file made of a source: its counts, or a sample where its `rows` are told."""
    token = store.keep([(name, content)])
    if rows is not None:
        _looked()[token] = (source, rows)
    try:
        current.change(sharing.View(data=token, choices=choices))
    finally:  # A run that is cut short before the file is looked at is run again.
        if current.view().data == token:
            _requests().forget(_of(source))  # a later look finds what is there then


@st.cache_resource(show_spinner=False)
def _looked() -> dict[str, tuple[str, int]]:
    """Return which files are samples, by their token: of which source, and of how many rows."""
    return {}


@st.cache_resource(show_spinner=False)
def _requests() -> computed.Requests:
    """Return what is asked of sources, by all readers: one after the other."""
    return computed.Requests()
