"""Which number is looked up in the glossary; the address says so, widgets and links set it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.results import Estimates
from pages.session import computed, current, link, parameters

PARAMETER = "metric"
PICKED = "metric_picked"


def name(shown: Sequence[str], known: Collection[str]) -> str:
    """Return the name in the address if it is among those shown, else the first of these.

    Not every name that is `known` need be shown.
    """
    asked = parameters.one(PARAMETER)
    if asked and asked not in known:
        parameters.refuse(PARAMETER, asked)
        del st.query_params[PARAMETER]
    chosen = asked if asked in shown else shown[0]
    st.session_state[PICKED] = chosen
    return chosen


def take() -> None:
    """Look up what was picked; for the list's `on_change`."""
    st.query_params[PARAMETER] = st.session_state[PICKED]


def address(metric: str, model: str | None = None) -> dict[str, list[str]]:
    """Return the view as parameters for a link to the glossary, looking up a number of a model.

    Of the model looked at, where none is named.
    """
    view = current.view() if model is None else replace(current.view(), model=model)
    return {**link.to_params(view), PARAMETER: [metric]}


def groups(dataset: Dataset, model: str) -> Mapping[str, Estimates]:
    """Return every number of a model that no way of deciding changes, by the group it is in."""
    return {
        "ranking": computed.ranking(dataset, model),
        "probability": computed.probability(dataset, model),
        "values": {
            **computed.values(dataset, model),
            **computed.rank_correlations(dataset, model),
        },
    }
