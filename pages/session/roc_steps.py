"""The rows of which a ROC curve is built step by step, and the step at which the reader is."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore.curves.roc_steps import Instances
from evalcore.evaluation.rankings import OF_SCORES, of_scores
from evalcore.intake.model import Dataset
from evalcore.metrics.ranking import ROC_AUC
from evalcore.metrics.spec import Estimate
from evalcore.options import Options
from pages.session import parameters
from pages.session.question import Question, outcomes_of

KEY = "roc_steps"
STEP = "step"
DAY = 24 * 3600
SEED = 0


@dataclass(frozen=True, eq=False)
class Lesson:
    """What is gone through.

    Attributes:
        key: Names data, question, model and number of rows, for caches.
        listed: The rows.
        auc: The area under their curve.
        whole: How many rows the model has.
        weighted: Whether these have weights, which the lesson leaves aside.
    """

    key: str
    listed: Instances
    auc: Estimate
    whole: int
    weighted: bool

    @property
    def classes(self) -> int:
        """How many classes the rows are of."""
        return len(np.unique(self.listed.truth))


def lesson(dataset: Dataset, question: Question, model: str, at_most: int) -> Lesson:
    """Return at most so many rows of a model, highest score first."""
    return _lesson(f"{question.key}|{model}|{at_most}", dataset, question, model, at_most)


def step() -> int:
    """Return the step in the address; the start where there is none."""
    told = parameters.one(STEP)
    if told.isascii() and told.isdigit() and len(told) < 4:
        return int(told)
    if told:
        parameters.refuse(STEP, told)
        del st.query_params[STEP]
    return 0


def follow() -> None:
    """Write the step at which the reader came to rest into the address."""
    said = st.session_state.get(KEY, {}).get(STEP)
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 < said < 1000:
        st.query_params.pop(STEP, None)
    elif st.query_params.get(STEP) != str(int(said)):
        st.query_params[STEP] = str(int(said))


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _lesson(key: str, _dataset: Dataset, _question: Question, _model: str, _at_most: int) -> Lesson:
    told = outcomes_of(_dataset, _question, _model)
    listed = Instances.drawn(told, _at_most, np.random.default_rng(SEED))
    auc = of_scores(listed.table, Options(), OF_SCORES)[ROC_AUC.key]
    return Lesson(key, listed, auc, told.n, told.weight is not None)
