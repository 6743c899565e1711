"""Choosing how large a difference must be to matter."""

from collections.abc import Sequence

import streamlit as st

from pages.widgets.comparison_words import amount

FACTORS = (0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
"""What is offered, in multiples of what is usual for the metric."""


def pick_rope(usual: float, metric: str) -> float:
    """Show differences to pick from, in the unit of the metric; return the one picked."""
    picked: float = st.select_slider(
        "Makes no difference up to",
        sizes(usual),
        value=usual,
        key=f"rope_{metric}",
        bind="query-params",
        format_func=amount,
        help="The region of practical equivalence (ROPE): a smaller difference would change "
        "nothing, even if it is real.",
        width=260,
    )
    return picked


def sizes(usual: float) -> Sequence[float]:
    """Return the differences that are offered.

    >>> sizes(0.01)[:4]
    [0.0, 0.0025, 0.005, 0.01]
    """
    return [float(f"{usual * factor:.6g}") for factor in FACTORS]
