"""Boxes to choose from, kept in the address: lists, numbers, models, classes, tolerances."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import streamlit as st

from evalcore.evaluation.condense import DecisionRule
from evalread.dataset import Dataset
from evalview import escape, text
from evalview.sentences import WAYS
from pages.session import computed, current, link, selection

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
    picked: K = st.selectbox(
        label, list(options), key=key, format_func=options.__getitem__, width=width, help=about
    )
    return picked


def whole_number(
    label: str, ends: tuple[int, int], usual: int, *, key: str, width: int, about: str | None = None
) -> int:
    """Show a box for a number between two ends, kept in the address; return what it holds.

    A box of floats leaves out what is no number between its ends; one of integers fails at "inf".
    """
    said: float = st.number_input(
        label,
        *map(float, ends),
        float(usual),
        1.0,
        format="%.0f",
        key=key,
        bind="query-params",
        width=width,
        help=about,
    )
    return round(said)


SIDE_BY_SIDE = 5
"""More models than this are picked from a list."""


def pick_model(dataset: Dataset, *, side_by_side: int = SIDE_BY_SIDE) -> str:
    """Show models, or clusterings, to pick from if there are several; return the one picked.

    More than can stand `side_by_side` are picked from a list.
    """
    names, chosen = current.names(dataset), current.model(dataset)
    label = "Clustering" if dataset.clusterings else "Model"
    if len(names) == 1:
        return chosen
    selection.show_model(chosen)
    if len(names) > side_by_side:
        st.selectbox(label, names, key=selection.MODEL, on_change=selection.take_model, width=320)
    else:
        st.segmented_control(
            label,
            names,
            key=selection.MODEL,
            on_change=selection.take_model,
            required=True,
            wrap=True,
            format_func=lambda name: escape.markdown(text.abbreviate(name, 28)),
        )
    return chosen


def pick_way(ways: Sequence[DecisionRule]) -> DecisionRule:
    """Show the ways of deciding to pick from, if there are several; return the one picked."""
    leads = current.way(ways)
    if len(ways) > 1:
        selection.show_way(leads)
        st.segmented_control(
            "Decided by",
            ways,
            key=selection.WAY,
            on_change=selection.take_way,
            required=True,
            wrap=True,
            format_func=WAYS.__getitem__,
        )
    return leads


def pick_class(dataset: Dataset) -> str:
    """Show the classes to pick from, those that have a probability; return the one picked."""
    names = {name: text.abbreviate(name, 60) for name in computed.scored_classes(dataset)}
    return list_box("Which class counts as positive", names, key="class", width=320)
