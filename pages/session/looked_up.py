"""Which number is looked up in the glossary; the address says so, widgets and links set it."""

from collections.abc import Mapping, Sequence

import streamlit as st

from evalcore.evaluation import values
from evalcore.intake.model import Dataset
from evalcore.options import Options
from evalcore.results import Estimates, ModelTables
from pages.session import computed, current

PARAMETER = "metric"
PICKED = "metric_picked"
DAY = 24 * 3600


def name(shown: Sequence[str]) -> str:
    """Return the name in the address if it is among those shown, else the first of these."""
    asked = st.query_params.get(PARAMETER, "")
    chosen = asked if asked in shown else shown[0]
    st.session_state[PICKED] = chosen
    return chosen


def take() -> None:
    """Look up what was picked; for the list's `on_change`."""
    st.query_params[PARAMETER] = st.session_state[PICKED]


def address(metric: str) -> dict[str, list[str]]:
    """Return the view, looking up a number, as parameters for a link to the glossary."""
    return {**current.address(), PARAMETER: [metric]}


def numbers(dataset: Dataset, model: str) -> Estimates:
    """Return the metrics of predicted numbers; none for a model that predicts classes."""
    return _numbers(dataset.digest, model, computed.tables(dataset)[model])


def groups(dataset: Dataset, model: str) -> Mapping[str, Estimates]:
    """Return every number of a model that no way of deciding changes, by the group it is in."""
    return {
        "ranking": computed.ranking(dataset, model),
        "probability": computed.probability(dataset, model),
        "values": numbers(dataset, model),
    }


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def _numbers(digest: str, model: str, _tables: ModelTables) -> Estimates:
    return {} if _tables.numbers is None else values.estimate_values(_tables.numbers, Options())
