"""Rows, models and steps of lessons, computed once for each set of choices and shared by all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from streamlit import runtime

from evalcore.errors import EvalError
from evalcore.evaluation.estimates import OF_SCORES, of_scores
from evalcore.metrics.metric import Estimate
from evalcore.metrics.ranking import ROC_AUC
from evalcore.options import Options
from evalcore.outcomes import Codes, Floats, NumericOutcomes, Outcomes, Points
from evalcore.work import Progress
from evalread.dataset import NO_CHOICES, Dataset
from evalview.lab import experiments, growth, steps, tables, training
from evalview.lab.experiments import Experiment, Importance
from evalview.lab.splits import Plan, Splits
from evalview.lab.tables import Aim, TrainingTable
from evalview.lab.training import Ends, Learner, Lesson, Material, Trials
from pages.session import cache, computed, link, reading, store
from pages.session.cache import cached, part_of

FEWEST_ROWS = 20
"""With fewer rows ten folds hold one or two rows each."""
NAME = "the rows of your file"


def train(dataset: Dataset | None) -> bool:
    """Whether there are features to train on, beside true classes."""
    found = None if dataset is None else points(dataset)
    if dataset is None or dataset.true_class is None or found is None:
        return False
    return int((dataset.true_class.codes[_places(found)] >= 0).sum()) >= FEWEST_ROWS


def split(dataset: Dataset | None) -> bool:
    """Whether there are rows to split, with or without features."""
    judged = None if dataset is None else _judged(dataset)
    return train(dataset) or (judged is not None and judged.n >= FEWEST_ROWS)


def material(dataset: Dataset) -> Material:
    """Return the rows; without any feature where they can be split but not trained on."""
    made = _with_features(dataset) if train(dataset) else _without(dataset)
    assert made is not None  # nobody can choose what is not offered
    return made


def _with_features(dataset: Dataset) -> Material | None:
    found, truth = points(dataset), dataset.true_class
    if found is None or truth is None:
        return None
    places = _places(found)
    kept = np.flatnonzero(truth.codes[places] >= 0)
    codes = truth.codes[places][kept].astype(np.float64)
    group = _groups(dataset, places[kept])
    return Material(NAME, _in_units(found.features[kept]), codes, truth.names, group)


def _without(dataset: Dataset) -> Material | None:
    judged = _judged(dataset)
    if judged is None:
        return None
    names = () if isinstance(judged, NumericOutcomes) else judged.classes
    truth = judged.truth.astype(np.float64)
    return Material(NAME, np.empty((judged.n, 0)), truth, names, _groups(dataset, _places(judged)))


def points(dataset: Dataset) -> Points | None:
    """Return the first points of a file whose features are known; None without any."""
    return next((one for one in dataset.clusterings.values() if isinstance(one, Points)), None)


def _judged(dataset: Dataset) -> Outcomes | None:
    return next(iter(dataset.models.values()), None)


def _in_units(features: Floats) -> Floats:
    """Return each feature in a power of two of its own: trees hold no number beyond 3e38."""
    _, exponent = np.frexp(np.abs(features).max(axis=0, initial=0.0))
    scaled: Floats = np.ldexp(features, -exponent)
    return scaled


def _groups(dataset: Dataset, places: Codes) -> Codes | None:
    return None if dataset.group is None else np.asarray(dataset.group.codes)[places]


def _places(found: Points | Outcomes) -> Codes:
    return np.arange(found.n) if found.rows is None else found.rows - 1


OWN = "own"


@dataclass(frozen=True, eq=False)
class Setup:
    """What is trained on what.

    Attributes:
        name: Names the rows in caches.
        seed: Of every random choice.
        lesson: The rows.
        learner: The model.
    """

    name: str
    seed: int
    lesson: Lesson
    learner: Learner

    @property
    def digest(self) -> str:
        """What names all of it in caches."""
        return part_of(self.name, (self.seed, self.learner))


def lesson(dataset: Dataset | None, key: str, seed: int) -> Lesson:
    """Return the rows of a sample, or those of the file, dealt by a seed."""
    if key == OWN and dataset is not None:
        return _own(dataset, seed)
    return _sample(key, seed)


def name(dataset: Dataset | None, key: str) -> str:
    """Return what names the rows in caches."""
    return dataset.digest if key == OWN and dataset is not None else key


@cached(entries=50)
def _own(dataset: Dataset, seed: int) -> Lesson:
    return training.lesson(material(dataset), np.random.default_rng(seed))


@cached(entries=50)
def _sample(key: str, seed: int) -> Lesson:
    return training.lesson(training.SAMPLES[key](), np.random.default_rng(seed))


@cached(entries=50)
def splits(setup: Setup, scheme: str, folds: int) -> Splits:
    """Return the roles of rows in one scheme."""
    return training.divided(setup.lesson.rows, scheme, Plan(folds=folds, seed=setup.seed))


@cached(entries=400)
def tried(setup: Setup, scheme: str, folds: int) -> Trials:
    """Return what a model loses in each round of a scheme."""
    return training.run(setup.lesson.rows, setup.learner, splits(setup, scheme, folds))


@cached(entries=200)
def ends(setup: Setup) -> Ends:
    """Return what the model trained on all rows loses on these and on those kept aside."""
    return training.ends(setup.lesson, setup.learner)


@cached(entries=200)
def learning_curve(setup: Setup) -> growth.Growth | None:
    """Return errors by the number of training rows; None of too few rows."""
    try:
        rng = np.random.default_rng(setup.seed)
        return growth.learning_curve(setup.lesson, setup.learner, rng)
    except EvalError:
        return None


def validation_curve(setup: Setup, dials: tuple[int, ...]) -> growth.Growth | None:
    """Return errors by the dial of the model, wherever it stands; None of too few rows."""
    anywhere = replace(setup.learner, dial=dials[0])
    return _validation_curve(replace(setup, learner=anywhere), dials)


@cached(entries=200)
def _validation_curve(setup: Setup, dials: tuple[int, ...]) -> growth.Growth | None:
    try:
        return growth.validation_curve(setup.lesson, setup.learner, dials, seed=setup.seed)
    except EvalError:
        return None


@cached(entries=50)
def balanced(seed: int, learner: Learner) -> Mapping[str, tuple[growth.Balanced, ...]]:
    """Return what balancing a rare class does, in each way, to simulated rows drawn again."""
    return growth.repeated(learner, np.random.default_rng(seed))


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
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 < said < 1000:
        st.query_params.pop(STEP, None)
    elif st.query_params.get(STEP) != str(int(said)):
        st.query_params[STEP] = str(int(said))
