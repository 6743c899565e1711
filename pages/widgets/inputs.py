"""Boxes to choose from, kept in the address: lists, numbers, models, classes, tolerances."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from evalcore.errors import EvalError
from evalcore.results import DecisionRule
from evalread.dataset import Dataset
from evalview import escape, text
from evalview.sentences import WAYS
from pages.session import computed, current, link, store

K = TypeVar("K", bound=str)


def list_box(
    label: str,
    options: Mapping[K, str],
    *,
    key: str,
    usual: K | None = None,
    width: int = 240,
    about: str | None = None,
) -> K:
    """Show the labels of a list; return the key of the one picked, at first `usual` or the first.

    `options` maps keys to labels, `about` explains the list.
    """
    link.pick(key, options, next(iter(options)) if usual is None else usual)
    shown = {one: escape.in_order(name) for one, name in options.items()}
    picked: K = st.selectbox(
        label, list(options), key=key, format_func=shown.__getitem__, width=width, help=about
    )
    return picked


def dropped(label: str, keep: Callable[[store.Files], object], *, key: str, several: bool) -> None:
    """Show a box for files; have what is dropped there kept, and only then draw it empty."""
    taken = f"{key}-taken"
    box = f"{key}-{st.session_state.get(taken, 0)}"
    found = st.file_uploader(label, accept_multiple_files=several, key=box)
    uploads = found if isinstance(found, list) else [found] if found is not None else []
    if uploads:
        try:
            keep(tuple((file.name, file.getvalue()) for file in uploads))
        except EvalError as refusal:
            current.refuse(refusal)
        st.session_state[taken] = st.session_state.get(taken, 0) + 1
        store.release_uploads(file.file_id for file in uploads)
        st.rerun()


def pick_one(label: str, options: Mapping[K, str], *, key: str, usual: K | None = None) -> K:
    """Show a few labels side by side; return the key of the one picked, as `list_box` does."""
    first = next(iter(options)) if usual is None else usual
    link.pick(key, options, first)
    picked = st.segmented_control(
        label,
        list(options),
        key=key,
        format_func=options.__getitem__,
        required=True,
        wrap=True,
        width="content",
    )
    return first if picked is None else picked


def whole_number(
    label: str, ends: tuple[int, int], usual: int, *, key: str, width: int, about: str | None = None
) -> int:
    """Show a box for a number between two ends, kept in the address; return what it holds.

    A box of floats leaves out what is no number between its ends; one of integers fails at "inf".
    """
    low, high = map(float, ends)
    said: float = st.number_input(
        label, low, high, float(usual), 1.0, format="%.0f", key=key, bind="query-params",
        width=width, help=about
    )  # fmt: skip
    return round(said)


SIDE_BY_SIDE = 5
"""More models than this are picked from a list."""


MODEL, WAY, THRESHOLD = "model_picked", "way_picked", "threshold_typed"


def pick_model(
    dataset: Dataset, *, side_by_side: int = SIDE_BY_SIDE, among: Collection[str] | None = None
) -> str:
    """Show models, or clusterings, to pick from if there are several; return the one picked.

    More than can stand `side_by_side` are picked from a list. Only those `among` some are offered.
    """
    names = [name for name in current.names(dataset) if among is None or name in among]
    chosen = current.model_among(dataset, names)
    label = "Clustering" if dataset.clusterings else "Model"
    if len(names) == 1:
        return chosen
    st.session_state[MODEL] = chosen
    if len(names) > side_by_side:
        st.selectbox(
            label, names, key=MODEL, on_change=_take_model, width=320, format_func=escape.in_order
        )
    else:
        st.segmented_control(
            label,
            names,
            key=MODEL,
            on_change=_take_model,
            required=True,
            wrap=True,
            format_func=lambda name: escape.markdown(text.abbreviate(name, 28)),
        )
    return chosen


def pick_scaled() -> bool:
    """Show whether features are standardised before distances are measured; return the answer."""
    return st.toggle(
        "Standardise features",
        key="standardise",
        bind="query-params",
        help="Each feature minus its mean, divided by its standard deviation, so units do not "
        "matter.",
    )


def _take_model() -> None:
    if st.session_state[MODEL] is not None:
        current.set_model(st.session_state[MODEL])


def pick_way(ways: Sequence[DecisionRule]) -> DecisionRule:
    """Show the ways of deciding to pick from, if there are several; return the one picked."""
    leads = current.way(ways)
    if len(ways) > 1:
        st.session_state[WAY] = leads
        st.segmented_control(
            "Decided by",
            ways,
            key=WAY,
            on_change=_take_way,
            required=True,
            wrap=True,
            format_func=WAYS.__getitem__,
        )
    return leads


def _take_way() -> None:
    if st.session_state[WAY] is not None:
        current.change(replace(current.view(), way=st.session_state[WAY]))


def pick_threshold(dataset: Dataset, model: str) -> None:
    """Show a box for the threshold at which a model decides."""
    now = current.view()
    st.session_state[THRESHOLD] = current.threshold(dataset, model)
    st.number_input(
        f"At threshold{'' if now.threshold is not None or now.own else ' (the default)'}",
        step=0.01,
        format="%.4g",
        key=THRESHOLD,
        on_change=_take_threshold,
        args=(model,),  # a session keeps them: with the data they would outlive their deletion
        width=200,
    )


def _take_threshold(model: str) -> None:
    dataset, at = current.dataset(), st.session_state[THRESHOLD]
    if dataset is not None and at is not None:
        current.explore(dataset, model, float(at), own=current.view().own is not None)


def pick_class(dataset: Dataset) -> str:
    """Show the classes to pick from, those that have a probability; return the one picked."""
    names = {name: text.abbreviate(name, 60) for name in computed.scored_classes(dataset)}
    return list_box("Which class counts as positive", names, key="class", width=320)
