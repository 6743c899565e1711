"""Lists to choose from, kept in the address by the keys of what is chosen."""

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

from pages.session import boxes

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
    boxes.pick(key, options, next(iter(options)) if usual is None else usual)
    picked: K = st.selectbox(
        label, list(options), key=key, format_func=options.__getitem__, width=width, help=about
    )
    return picked
