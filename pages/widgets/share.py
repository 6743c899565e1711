"""What is handed on: the address of the view, or a report of its data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

import streamlit as st

from evalcore.errors import EvalError
from evalcore.options import Options
from evalread.dataset import Choices, Dataset
from evalview import ASSETS, escape, sharing
from pages.session import cache, computed, current, reading

if TYPE_CHECKING:
    from evalcore.slices.results import Slices
    from evalview.report.blocks import Document
    from evalview.report.material import Material, Wishes

_ADDRESS = st.components.v2.component(
    "share",
    js=(ASSETS / "share.js").read_text("utf-8"),
    css=(ASSETS / "share.css").read_text("utf-8"),
)


def of_class(chosen: Mapping[str, Sequence[str]]) -> None:
    """Show where a class finds this page with what is chosen, as a code for phones, too."""
    if (here := st.context.url) is None:
        return
    reach = sharing.reach(here, chosen, st.get_option("server.address") or "")
    if not reach.alone:
        _show_code(reach.address)
    st.code(reach.address, language=None, wrap_lines=True)
    if reach.alone:
        st.write(reach.told)


@st.dialog("Share this view", width="medium")
def show(dataset: Dataset) -> None:
    """Show the address of the view, who reaches it and how, and the file in its place."""
    if (here := st.context.url) is not None:
        chosen = {name: st.query_params.get_all(name) for name in st.query_params}
        reach = sharing.reach(here, chosen, st.get_option("server.address") or "")
        _ADDRESS(data={"address": reach.address}, key="share-address")
        st.write(reach.told)
        if not reach.alone:
            _show_code(reach.address)
    st.write(
        "For people who cannot reach it there is the report: one file that works without a network."
    )
    download("Download the report instead", dataset, key="share-report")


def download(label: str, dataset: Dataset, *, key: str) -> None:
    """Show a button that saves the report for which nothing is chosen, made when it is clicked."""
    # The data are looked up only then: held by the button, they would outlive their deletion.
    now = current.view()
    st.download_button(
        label,
        data=partial(_made, now.data or "", now.choices, current.options(dataset), dated(dataset)),
        file_name=file_name(dataset),
        mime="text/html",
        on_click="ignore",
        key=key,
    )


def _made(token: str, choices: Choices, options: Options, wishes: Wishes) -> bytes:
    found = reading.reading(token, choices).dataset
    if found is None:
        raise EvalError("no-data", "The data of this report are no longer here.")
    return usual(found, options, wishes)


def _show_code(address: str) -> None:
    if (picture := sharing.code(address)) is None:
        st.caption("The address is too long for a QR code.")
        return
    st.html(f'<img class="eb-code" src="{escape.html(picture)}" alt="The address as a QR code">')


# Reports, each made once


def dated(dataset: Dataset) -> Wishes:
    """Return the wishes for a report of today, with the costs in use."""
    from evalview.report.material import Wishes

    return Wishes(
        date=datetime.now(UTC).date().isoformat(),
        version=version("evalboard"),
        use=current.use(dataset),
    )


def file_name(dataset: Dataset, ending: str = "html") -> str:
    """Return the name under which a report of the data is saved."""
    return escape.file_name("report", dataset.name, ending=ending)


def usual(dataset: Dataset, options: Options, wishes: Wishes) -> bytes:
    """Return the report for which nothing is chosen, as HTML."""
    from evalview.report import formats

    return formats.html(document(dataset, options, wishes)).encode()


@cache.cached(entries=8)
def document(dataset: Dataset, options: Options, wishes: Wishes) -> Document:
    """Return a report; a title or a note changes no number, which are made once.

    Raises:
        EvalError: The data cannot be evaluated, or a column that is named makes no slices.
    """
    from evalview.report import contents

    return contents.document(replace(_material(dataset, options), wishes=wishes, sliced=_sliced))


@cache.cached(entries=4)
def _material(dataset: Dataset, options: Options) -> Material:
    from evalview.report.material import AtHand, Wishes, gather
    from pages.session import findings

    rows = dataset.fold_scores is None and not dataset.clusterings
    draws = partial(findings.draws, dataset, options=options)
    known = AtHand(computed.tables(dataset), draws) if rows else None
    return gather(dataset, options, Wishes(), at_hand=known)


@cache.cached(entries=20)
def _sliced(
    dataset: Dataset, by: Sequence[str], model: str, options: Options, fewest: int
) -> Slices:
    from evalview.report import counts

    return counts.slices(dataset, by, model, options, fewest)
