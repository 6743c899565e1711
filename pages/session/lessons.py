"""Rows, models and steps of lessons, computed once for each set of choices and shared by all."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit import runtime

from evalcore.evaluation.estimates import OF_SCORES, of_scores
from evalcore.metrics.metric import Estimate
from evalcore.metrics.ranking import ROC_AUC
from evalcore.options import Options
from evalcore.outcomes import Floats, Points
from evalcore.work import Progress
from evalread.dataset import NO_CHOICES, Dataset
from evalview import escape
from evalview.course.rows import Material
from evalview.lab import experiments, steps, tables
from evalview.lab.experiments import Experiment, Importance
from evalview.lab.splits import Plan
from evalview.lab.tables import Aim, TrainingTable
from pages.session import cache, computed, link, reading, store
from pages.session.cache import cached

FEWEST_ROWS = 20
"""With fewer rows ten folds hold one or two rows each."""


def own_rows(dataset: Dataset | None, *, judged: bool) -> Material | None:
    """Return the rows of a file that lessons take; None where it has no features.

    `judged`: only rows whose true class is known, to train models on.
    """
    if dataset is None or (found := points(dataset)) is None or found.n < 2:
        return None
    return _own_rows(dataset, judged)


@cached(entries=50)
def _own_rows(dataset: Dataset, judged: bool) -> Material | None:
    found, truth = points(dataset), dataset.true_class
    if found is None or (judged and truth is None):
        return None
    places = np.arange(found.n) if found.rows is None else found.rows - 1
    codes = np.zeros(found.n) if truth is None or not judged else truth.codes[places]
    kept = np.flatnonzero(codes >= 0)
    if judged and len(kept) < FEWEST_ROWS:
        return None
    features = found.features[kept]
    return Material(
        _in_units(features) if judged else features,
        codes[kept].astype(np.float64),
        truth.names if judged and truth is not None else (),
        tuple(map(escape.visible, dataset.roles.features)),
        places[kept] + 1,
        None if dataset.group is None else np.asarray(dataset.group.codes)[places[kept]],
    )


def points(dataset: Dataset) -> Points | None:
    """Return the first points of a file whose features are known; None without any."""
    return next((one for one in dataset.clusterings.values() if isinstance(one, Points)), None)


def _in_units(features: Floats) -> Floats:
    """Return each feature in a power of two of its own: squares of very large ones overflow."""
    _, exponent = np.frexp(np.abs(features).max(axis=0, initial=0.0))
    scaled: Floats = np.ldexp(features, -exponent)
    return scaled


@cached(entries=50)
def bundled(key: str) -> TrainingTable:
    """Return a table that comes with scikit-learn."""
    return tables.BUNDLED[key]()


@cached(entries=20)
def uploaded(
    token: str, target: str, aim: Aim, group: str | None, without: tuple[str, ...]
) -> TrainingTable:
    """Return the rows of a file, to predict one of its columns.

    Raises:
        EvalError: They allow no training.
    """
    table = reading.reading(token, NO_CHOICES).table
    if table is None:
        raise reading.gone()
    return tables.training_table(table, target, aim, group=group, without=without)


Outcome = Experiment | Importance
"""What training comes to."""


@dataclass(frozen=True, eq=False)
class Trial:
    """Models to train on a table.

    Attributes:
        of: What names the table: a token or key, the target, and what else was chosen of it.
        table: The table.
        models: The names of the models.
        scheme: The scheme, a key of `experiments.SCHEMES`.
        plan: Its numbers.
        shuffled: The model whose features are to be shuffled, where that is asked.
    """

    of: tuple[str, ...]
    table: TrainingTable
    models: tuple[str, ...]
    scheme: str
    plan: Plan
    shuffled: str = ""

    @property
    def key(self) -> computed.Key:
        """What names it among all requests."""
        numbers = (self.plan.folds, self.plan.repeats, self.plan.test_share, self.plan.seed)
        return (*self.of, *self.models, self.scheme, repr(numbers), self.shuffled)

    def outcome(self) -> Outcome | None:
        """Return what it came to; None before that is known.

        Raises:
            EvalError: The rows or the scheme do not allow it.
        """
        made: Outcome | None = _trainings().found(self.key)
        return made

    def progress(self) -> computed.RequestProgress | None:
        """Return how far it is; None where it has not begun, is done, or was stopped."""
        return _trainings().progress(cache.session(), self.key)

    def begin(self) -> None:
        """Begin it; it goes on while its reader looks at other pages, and ends when they leave."""
        _trainings().begin(cache.session(), self.key, _while_here(cache.session(), self._come_to))

    def stop(self) -> None:
        """Stop it."""
        _trainings().stop(cache.session(), self.key)

    def _come_to(self, progress: Progress) -> Outcome:
        splits = experiments.divided(self.table, self.scheme, self.plan)
        if self.shuffled:
            return experiments.importance(self.table, self.shuffled, splits, progress)
        return experiments.run(self.table, self.models, splits, progress)


def _while_here(who: str, work: Callable[[Progress], Outcome]) -> Callable[[Progress], Outcome]:
    """Return work that stops once its reader has left, so that others have their turn."""

    def done(progress: Progress) -> Outcome:
        def report(share: float) -> None:
            progress.report(share)
            gone = runtime.exists() and not runtime.get_instance().is_active_session(who)
            if gone and progress.cancel is not None:
                progress.cancel.set()

        return work(Progress(report, progress.cancel))

    return done


@st.cache_resource(show_spinner=False)
def _trainings() -> computed.Requests:
    """Return what readers let be trained: one after the other, each for all who ask the same."""
    return computed.Requests()


def forget_table(token: str) -> None:
    """Remove a table from the server, and all that was trained on it."""
    store.forget(token)
    reading.forget(token)
    cache.forget(token)
    _trainings().forget(token)


KEY = "roc_steps"
STEP = "step"
SEED = 0
"""Which rows are drawn: the same in every run."""


@dataclass(frozen=True, eq=False)
class RocLesson:
    """What is gone through.

    Attributes:
        key: Names data, question, model and number of rows, for the browser.
        listed: The rows.
        auc: The area under their curve.
        whole: How many rows the model has.
        weighted: Whether these have weights, which the lesson leaves aside.
    """

    key: str
    listed: steps.Instances
    auc: Estimate
    whole: int
    weighted: bool

    @property
    def classes(self) -> int:
        """How many classes the rows are of."""
        return len(np.unique(self.listed.truth))


@cached(entries=100)
def roc_lesson(
    dataset: Dataset, question: computed.Question, model: str, at_most: int
) -> RocLesson:
    """Return at most so many rows of a model, highest score first."""
    told = computed.outcomes_of(dataset, question, model)
    listed = steps.Instances.drawn(told, at_most, np.random.default_rng(SEED))
    auc = of_scores(listed.table, Options(), OF_SCORES)[ROC_AUC.key]
    key = f"{question.digest}|{model}|{at_most}"
    return RocLesson(key, listed, auc, told.n, told.weight is not None)


def step() -> int:
    """Return the step in the address; the start where there is none."""
    told = link.one(STEP)
    if told.isascii() and told.isdigit() and len(told) < 4:
        return int(told)
    if told:
        link.refuse(STEP, told)
        del st.query_params[STEP]
    return 0


def follow() -> None:
    """Write the step at which the reader came to rest into the address."""
    said = st.session_state.get(KEY, {}).get(STEP)
    known = isinstance(said, int | float) and not isinstance(said, bool) and 0 < said < 1000
    link.say(STEP, [str(int(said))] if known else [])
