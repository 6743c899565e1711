"""Models trained for a lesson, once for each set of choices and shared by all."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from evalcore.errors import EvalError
from evalcore.intake.model import Dataset
from evalcore.lab import balance, growth, material, trials
from evalcore.lab.balance import Balanced
from evalcore.lab.growth import Growth
from evalcore.lab.learner import Learner
from evalcore.lab.material import Lesson
from evalcore.lab.trials import Ends, Trials
from evalcore.resampling.splits import Plan, Splits
from pages.session import own_rows

DAY = 24 * 3600
OWN = "own"


def lesson(dataset: Dataset | None, key: str, seed: int) -> Lesson:
    """Return the rows of a sample, or those of the file, dealt by a seed."""
    if key == OWN and dataset is not None:
        return _own(dataset.digest, seed, dataset)
    return _sample(key, seed)


def name(dataset: Dataset | None, key: str) -> str:
    """Return what names the rows in caches."""
    return dataset.digest if key == OWN and dataset is not None else key


@st.cache_resource(max_entries=50, ttl=DAY, show_spinner=False)
def _own(digest: str, seed: int, _dataset: Dataset) -> Lesson:
    return material.lesson(own_rows.material(_dataset), np.random.default_rng(seed))


@st.cache_resource(max_entries=50, ttl=DAY, show_spinner=False)
def _sample(key: str, seed: int) -> Lesson:
    return material.lesson(material.SAMPLES[key](), np.random.default_rng(seed))


@st.cache_resource(max_entries=50, ttl=DAY, show_spinner=False)
def splits(rows: str, scheme: str, folds: int, seed: int, _lesson: Lesson) -> Splits:
    """Return the roles of rows in one scheme; `rows` names them."""
    return trials.divided(_lesson.rows, scheme, Plan(folds=folds, seed=seed))


@st.cache_resource(max_entries=400, ttl=DAY, show_spinner=False)
def tried(
    rows: str, scheme: str, folds: int, seed: int, learner: Learner, _lesson: Lesson
) -> Trials:
    """Return what a model loses in each round of a scheme."""
    return trials.run(_lesson.rows, learner, splits(rows, scheme, folds, seed, _lesson))


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def ends(rows: str, seed: int, learner: Learner, _lesson: Lesson) -> Ends:
    """Return what the model trained on all rows loses on these and on those kept aside."""
    return trials.ends(_lesson, learner)


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def learning_curve(rows: str, seed: int, learner: Learner, _lesson: Lesson) -> Growth | None:
    """Return errors by the number of training rows; None of too few rows."""
    try:
        return growth.learning_curve(_lesson, learner, np.random.default_rng(seed))
    except EvalError:
        return None


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def validation_curve(
    rows: str, seed: int, learner: Learner, dials: Sequence[int], _lesson: Lesson
) -> Growth | None:
    """Return errors by the dial of the model; None of too few rows."""
    try:
        return growth.validation_curve(_lesson, learner, dials, seed=seed)
    except EvalError:
        return None


@st.cache_resource(max_entries=50, ttl=DAY, show_spinner=False)
def balanced(seed: int, learner: Learner) -> Mapping[str, tuple[Balanced, ...]]:
    """Return what evening out a rare class does, in each way, to simulated rows drawn anew."""
    return balance.repeated(learner, np.random.default_rng(seed))
