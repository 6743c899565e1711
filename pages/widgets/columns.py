"""Columns of tables: names that stay in sight, texts with room, numbers below their headings."""

from collections.abc import Iterable
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from pages.widgets.chart import look

Column = Any
"""What `st.column_config` takes for a column."""

LETTER, PADDING = 7, 24
"""Pixels of a letter and around a cell."""

LINE, HALF = 340, 180
"""Pixels of a line of a phone, and of so much of it as leaves room beside names."""

INK = {"light": "#000000", "dark": "#FFFFFF"}


def wide_enough(texts: Iterable[object], most: int = LINE) -> int:
    """Return the pixels that the longest of some texts takes, `most` at most."""
    return min(most, PADDING + LETTER * max((len(str(text)) for text in texts), default=0))


def roomy(cells: pd.Series) -> Column:
    """Return a column with room for its longest text, up to a line of a phone."""
    return st.column_config.Column(width=wide_enough([cells.name, *cells]))


def names(cells: pd.Series) -> Column:
    """Return a column of names that stays in sight while the others scroll sideways."""
    width = wide_enough([cells.name, *cells], HALF)
    return st.column_config.Column(pinned=True, width=width)


def inked(styled: Styler, heading: str) -> Styler:
    """Return the table with darker names under `heading`: pinned ones are drawn at 60%."""
    return styled.set_properties(subset=[heading], color=INK[look().name])


def below_headings(frame: pd.DataFrame) -> dict[str, Column]:
    """Return columns whose numbers begin where their headings begin."""
    return {str(name): st.column_config.Column(alignment="left") for name in frame}


def written(frame: pd.DataFrame, heading: str, *, key: str, alt: str) -> None:
    """Show a table of texts, a row for each of the names under `heading`."""
    st.dataframe(
        inked(frame.style.format(str), heading),
        hide_index=True,
        column_config={**below_headings(frame), heading: names(frame[heading])},
        key=key,
        alt=alt,
    )
