"""Report: one file to hand on, which works without Python, data or network."""

from base64 import b64encode
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.text import joined
from evalread.dataset import Dataset
from evalview import escape
from evalview.report import contents, formats
from evalview.report.blocks import Document
from evalview.report.material import FEWEST, Wishes
from pages.session import current, link
from pages.widgets import guard, inputs, share

FORMATS = {"html": "HTML page", "markdown": "Markdown text"}
ENDINGS = {"html": ("html", "text/html"), "markdown": ("zip", "application/zip")}
HEIGHT = 900
"""Pixels of the preview: a screen of it."""


def page() -> None:
    """Let sections and words be chosen, and show the report, ready to be taken away."""
    dataset = guard.need_dataset()
    guard.headline(
        "A report that works without a network",
        "One file with the verdict, the numbers and a threshold slider: counts, no rows.",
    )
    top = st.container(key="report-top", horizontal=True, vertical_alignment="bottom")
    wishes = _wishes(dataset)
    with top:
        kind = inputs.pick_one("Format", FORMATS, key="format")
        place = st.empty()
    with guard.refusals_told():
        with st.spinner("Writing the report"):
            document = share.document(dataset, current.options(dataset), wishes)
        _show(document, kind, share.file_name(dataset, ENDINGS[kind][0]), place)


def _wishes(dataset: Dataset) -> Wishes:
    """Show what can be chosen; return what is wished for."""
    fitting = [key for key in contents.fitting(dataset) if key != "rows"]
    titles = {key: contents.PARTS[key].title for key in fitting}
    usual = contents.usual(dataset, rows=False)
    link.pick_several("parts", titles, usual)
    picked = st.multiselect("Sections", fitting, key="parts", format_func=titles.__getitem__)
    if "slices" in fitting and "slices" not in (*usual, *picked):
        st.caption("Add Slices to see the groups that the model does worse on; that takes a while.")
    by = _columns(dataset) if "slices" in picked else ()
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
            about="Neighbouring scores are merged until no count is based on fewer rows; counts "
            "at the threshold in use stay exact.",
        )
    with st.expander("Notes"):
        notes = _note("notes", "the verdict")
        beside = [(key, _note(f"note-{key}", titles[key])) for key in picked]
    return replace(
        share.dated(dataset),
        title=title.strip(),
        notes=notes,
        beside=tuple((key, said) for key, said in beside if said),
        sections=tuple(picked),
        by=by,
        min_cell=fewest,
    )


def _columns(dataset: Dataset) -> tuple[str, ...]:
    """Show the columns that can be sliced by; return those picked, none for weak slices of all."""
    names = list(dataset.free)
    link.pick_several("by", {name: escape.visible(name) for name in names}, [])
    picked = st.multiselect(
        "Slice by",
        names,
        key="by",
        format_func=escape.in_order,
        placeholder="Weak slices of all columns",
    )
    return tuple(picked)


def _note(key: str, place: str) -> str:
    """Show room for what stands beside a part of the report; return what is written there."""
    said = st.text_area(f"Next to {place}", key=key, bind="query-params", height=80, max_chars=2000)
    return said.strip()


def _show(document: Document, kind: str, name: str, place: DeltaGenerator) -> None:
    """Show a report as it will be, and in `place` the button that saves it."""
    text: str = getattr(formats, kind)(document)
    data = formats.packed(document, "report") if kind == "markdown" else text.encode()
    place.download_button(
        f"Download ({len(data) / 1e6:.2g} MB)",
        data=data,
        file_name=name,
        mime=ENDINGS[kind][1],
        type="primary",
        on_click="ignore",
        key="download-report",
    )
    if kind == "markdown":
        st.caption("The download is a ZIP file with this text and its pictures.")
        st.code(text, language=None, height=HEIGHT)
        return
    titles = joined([section.title for section in document.sections], most=20)
    st.caption(f"Preview: scroll in it from section to section. It has {titles}.")
    # A data address has an origin of its own: the report cannot reach this page.
    encoded = b64encode(text.encode()).decode()
    st.iframe(f"data:text/html;base64,{encoded}", height=HEIGHT, alt="Preview of the report")
