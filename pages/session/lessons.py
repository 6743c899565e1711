"""Models trained for a lesson, once for each set of choices and shared by all."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from evalcore.errors import EvalError
from evalcore.intake.model import Dataset
from evalcore.lab import balance, growth, material, trials
from evalcore.lab.balance import Balanced
from evalcore.lab.growth import Growth
from evalcore.lab.learner import Learner
from evalcore.lab.material import Lesson, Material
from evalcore.lab.trials import Ends, Trials
from evalcore.outcomes import Points
from evalcore.resampling.splits import Plan, Splits

DAY = 24 * 3600
OWN = "own"
RARE_ROWS = 600
FEWEST_ROWS = 20


def own(dataset: Dataset | None) -> Material | None:
    """Return the rows of a file with features and classes, if there are 20; else None."""
    if dataset is None or dataset.true_class is None:
        return None
    points = [found for found in dataset.clusterings.values() if isinstance(found, Points)]
    if not points or points[0].n < FEWEST_ROWS:
        return None
    rows = np.arange(points[0].n) if points[0].rows is None else points[0].rows - 1
    truth = dataset.true_class
    codes = np.asarray(truth.codes)[rows]
    kept = np.flatnonzero(codes >= 0)
    group = None if dataset.group is None else np.asarray(dataset.group.codes)[rows][kept]
    made = points[0].features[kept], codes[kept].astype(np.float64)
    return Material("the rows of your file", *made, truth.names, group)


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
    found = own(_dataset)
    assert found is not None
    return material.lesson(found, np.random.default_rng(seed))


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
def balanced(seed: int, learner: Learner) -> list[Balanced]:
    """Return what evening out a rare class does, in each way, to a simulated sample."""
    rng = np.random.default_rng(seed)
    rows = material.lesson(material.SAMPLES["rare"](), rng, RARE_ROWS)
    return [balance.balanced(rows, learner, way, rng) for way in balance.WAYS]
