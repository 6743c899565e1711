"""Report: one file to hand on, which works without Python, data or network."""

from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version

import streamlit as st

from evalcore.options import Options
from evalread.dataset import Dataset
from evalview import escape
from evalview.report import contents, formats
from evalview.report.material import FEWEST, AtHand, Material, Wishes, gather
from pages.session import cache, comparisons, computed, current, link
from pages.widgets import guard, inputs

FORMATS = {"html": "HTML, which works", "markdown": "Markdown"}
ENDINGS = {"html": ("html", "text/html"), "markdown": ("md", "text/markdown")}
HEIGHT = 900
"""Pixels of the preview: a screen of it."""


def page() -> None:
    """Let sections and words be chosen, and show the report, ready to be taken away."""
    dataset = guard.need_dataset()
    guard.headline(
        "A report that works without a network",
        "One file with the verdict, the numbers and a threshold that moves: counts, no rows.",
    )
    top = st.container(horizontal=True, vertical_alignment="bottom")
    wishes = _wishes(dataset)
    with top:
        kind = inputs.pick_one("Format", FORMATS, key="format")
        place = st.empty()
    with st.spinner("Writing the report"):
        text = _written(dataset, current.options(dataset), wishes, kind)
    ending, mime = ENDINGS[kind]
    place.download_button(
        f"Download ({len(text.encode()) / 1e6:.2g} MB)",
        data=text,
        file_name=escape.file_name("report", dataset.name, ending=ending),
        mime=mime,
        type="primary",
        on_click="ignore",
        key="download-report",
    )
    if kind == "markdown":
        st.code(text, language=None, height=HEIGHT)
        return
    # A data address has an origin of its own: the report cannot reach this page.
    encoded = b64encode(text.encode()).decode()
    st.iframe(f"data:text/html;base64,{encoded}", height=HEIGHT, alt="The report as it will be")


def _wishes(dataset: Dataset) -> Wishes:
    """Show what can be chosen; return what is wished for."""
    fitting = [key for key in contents.fitting(dataset) if key != "rows"]
    titles = {key: contents.PARTS[key].title for key in fitting}
    link.pick_several("parts", titles, contents.usual(dataset, rows=False))
    picked = st.multiselect("Sections", fitting, key="parts", format_func=titles.__getitem__)
    left, right = st.columns([2, 1])
    with left:
        title = st.text_input("Title", key="title", bind="query-params", max_chars=200)
    with right:
        fewest = inputs.whole_number(
            "Fewest rows of a count",
            (1, 1000),
            FEWEST,
            key="min_cell",
            width=220,
            about="Neighbouring scores are merged until no count tells of fewer rows; those at "
            "the threshold in use stay exact.",
        )
    notes = st.text_area("Notes", key="notes", bind="query-params", height=80, max_chars=2000)
    return Wishes(
        title=title.strip(),
        notes=notes.strip(),
        sections=tuple(picked),
        min_cell=fewest,
        date=datetime.now(UTC).date().isoformat(),
        version=version("evalboard"),
    )


@cache.cached(entries=4)
def _material(dataset: Dataset, options: Options) -> Material:
    rows = dataset.fold_scores is None and not dataset.clusterings
    draws = partial(comparisons.draws, dataset, options=options)
    known = AtHand(computed.tables(dataset), draws) if rows else None
    return gather(dataset, options, Wishes(), at_hand=known)


@cache.cached(entries=8)
def _written(dataset: Dataset, options: Options, wishes: Wishes, kind: str) -> str:
    """Return the report as text; a title or a note changes no number, which are made once."""
    told = replace(_material(dataset, options), wishes=wishes)
    text: str = getattr(formats, kind)(contents.document(told))
    return text
