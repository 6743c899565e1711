"""Which classes are taken for which, most often first."""

import pandas as pd
import streamlit as st

from evalcore.resampling.proportions import wilson
from evalcore.tables.confused import ConfusedPair, confused_pairs
from evalcore.tables.confusion import ConfusionMatrix
from pages.escape import visible
from pages.figures.words import count, ends, percent
from pages.widgets.columns import below_headings
from pages.widgets.metric_table import Shown

PAIRS_AT_MOST = 200


def pairs_table(matrix: ConfusionMatrix, *, key: str) -> None:
    """Show pairs of classes with the rows in them, and the share of the true class they are."""
    pairs = confused_pairs(matrix, PAIRS_AT_MOST)
    if not pairs:
        return
    frame = pd.DataFrame([_row(pair) for pair in pairs], dtype=object)
    share = st.column_config.Column(
        alignment="left",
        help="Of all rows that are of the true class; in brackets its 95% interval (Wilson)",
    )
    st.dataframe(
        frame.style.format(str),
        hide_index=True,
        column_config={**below_headings(frame), "share": share},
        key=key,
        alt="Pairs of classes that are taken for each other",
    )


def _row(pair: ConfusedPair) -> dict[str, object]:
    return {
        "is": visible(pair.truth),
        "called": visible(pair.decision),
        "rows": Shown(pair.count, count(pair.count)),
        "share": _share(pair),
    }


def _share(pair: ConfusedPair) -> Shown:
    """Return a share that sorts as a number and shows its interval."""
    around = wilson(pair.count, pair.of)
    low, high = (percent(float(end)) for end in (around.low, around.high))
    return Shown(pair.share, f"{percent(pair.share)} ({ends(low, high)})")
