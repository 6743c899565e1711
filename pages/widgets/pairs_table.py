"""Which classes are taken for which, most often first."""

import pandas as pd
import streamlit as st

from evalcore.resampling.proportions import wilson
from evalcore.tables.confused import confused_pairs
from evalcore.tables.confusion import ConfusionMatrix
from pages.escape import visible

PAIRS_AT_MOST = 200


def pairs_table(matrix: ConfusionMatrix, *, key: str) -> None:
    """Show pairs of classes with the rows in them, and the share of the true class they are."""
    pairs = confused_pairs(matrix, PAIRS_AT_MOST)
    if not pairs:
        return
    around = [wilson(pair.count, pair.of) for pair in pairs]
    frame = pd.DataFrame(
        {
            "is": [visible(pair.truth) for pair in pairs],
            "called": [visible(pair.decision) for pair in pairs],
            "rows": [pair.count for pair in pairs],
            "share": [pair.share for pair in pairs],
            "from": [interval.low for interval in around],
            "to": [interval.high for interval in around],
        }
    )
    low, high = (
        st.column_config.NumberColumn(f"{end} (95%)", format="percent", help=f"{which} (Wilson)")
        for end, which in (
            ("from", "Lower end of the 95% interval"),
            ("to", "Upper end of the 95% interval"),
        )
    )
    st.dataframe(
        frame,
        hide_index=True,
        column_config={
            "share": st.column_config.NumberColumn(
                "share", format="percent", help="Of all rows that are of the true class"
            ),
            "from": low,
            "to": high,
        },
        key=key,
        alt="Pairs of classes that are taken for each other",
    )
