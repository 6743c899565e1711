"""A box for a whole number that no address can upset."""

import streamlit as st


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
