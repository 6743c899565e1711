"""Models trained for lessons, the rows they are trained on, and ways of splitting these."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from evalcore.intervals.closed import Interval, mean_interval, shared_rows_error, wilson
from evalcore.outcomes import Codes, Floats, frozen
from evalcore.work import ONE_BLAS_THREAD
from evalview.lab.splits import (
    TEST,
    Errors632,
    Plan,
    Rows,
    Splits,
    errors_632,
    left_out_error,
    split,
)

LESSON_ROWS = 120
"""Rows that a lesson trains on: few, so that chance shows and leave-one-out takes a second."""

ASIDE_ROWS = 6_000
"""More are not kept aside: they would tell the same, later."""

_PATIENTS, _VISITS = 330, 4


@dataclass(frozen=True, eq=False)
class Material:
    """Rows with features and truth.

    Attributes:
        name: What the rows are, for people.
        features: (n, d) finite numbers.
        truth: (n,) codes into `classes`, or numbers where there are none.
        classes: Names of the classes; empty for a regression.
        group: (n,) codes of what rows belong together, a patient say.
    """

    name: str
    features: Floats
    truth: Floats
    classes: tuple[str, ...] = ()
    group: Codes | None = None

    def __post_init__(self) -> None:
        for name in ("features", "truth"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self.truth)

    def taken(self, rows: Codes) -> "Material":
        """Return some of the rows, in this order."""
        group = None if self.group is None else self.group[rows]
        return replace(self, features=self.features[rows], truth=self.truth[rows], group=group)


@dataclass(frozen=True)
class Lesson:
    """The rows that may be used, and the rest, which stand for all rows to come."""

    rows: Material
    aside: Material


def lesson(material: Material, rng: np.random.Generator, at_most: int = LESSON_ROWS) -> Lesson:
    """Deal rows at random: at most so many, and half of them, for use; others aside.

    Rows of one group stay together; classes lie beside each other in the order of their codes.
    """
    own = np.arange(material.n) if material.group is None else material.group
    _, code, size = np.unique(own, return_inverse=True, return_counts=True)
    order = rng.permutation(len(size))
    enough = np.cumsum(size[order]) <= min(at_most, max(material.n // 2, 2))
    enough[:1] = True
    used = np.isin(code, order[enough])
    rows = np.flatnonzero(used)
    keys = (material.truth[rows], own[rows])
    rows = rows[np.lexsort(keys if material.group is not None else keys[::-1])]
    rest = np.flatnonzero(~used)
    if len(rest) > ASIDE_ROWS:
        rest = np.sort(rng.choice(rest, ASIDE_ROWS, replace=False))
    return Lesson(material.taken(rows), material.taken(rest))


def _iris() -> Material:
    from sklearn.datasets import load_iris

    made = load_iris()
    return Material("flowers (iris)", made.data, made.target, tuple(map(str, made.target_names)))


def _breast_cancer() -> Material:
    from sklearn.datasets import load_breast_cancer

    made = load_breast_cancer()
    names = tuple(map(str, made.target_names))
    return Material("tumours (breast cancer)", made.data, made.target, names)


def _diabetes() -> Material:
    from sklearn.datasets import load_diabetes

    made = load_diabetes()
    return Material("progress of an illness (diabetes)", made.data, made.target)


def _patients() -> Material:
    """Return visits that look like their patient, whose illness hardly shows in them."""
    rng = np.random.default_rng(0)
    ill = rng.random(_PATIENTS) < 0.4
    centre = rng.normal(size=(_PATIENTS, 5)) + 0.4 * ill[:, np.newaxis]
    patient = np.repeat(np.arange(_PATIENTS), _VISITS)
    features = centre[patient] + rng.normal(scale=0.2, size=(len(patient), 5))
    return Material(
        "four visits of each patient (simulated)",
        features,
        ill[patient].astype(np.float64),
        ("well", "ill"),
        patient,
    )


def rare_class(rng: np.random.Generator, n: int = 6_000) -> Material:
    """Return rows of two clouds that overlap, one row in twelve in the second."""
    rare = rng.random(n) < 1 / 12
    features = rng.normal(size=(n, 4)) + 0.8 * rare[:, np.newaxis]
    return Material("a rare class (simulated)", features, rare.astype(float), ("common", "rare"))


SAMPLES: Mapping[str, Callable[[], Material]] = MappingProxyType(
    {
        "tumours": _breast_cancer,
        "flowers": _iris,
        "patients": _patients,
        "illness": _diabetes,
    }
)
"""Rows to learn on, by key, each made when it is asked for."""


Kind = Literal["decision tree", "nearest neighbours", "linear", "naive Bayes"]

DIALS: dict[Kind, str] = {"decision tree": "depth", "nearest neighbours": "neighbours"}
"""What makes a model simpler or more complex."""


@dataclass(frozen=True)
class Learner:
    """How a model is made; `dial` is the depth of a tree or the number of neighbours."""

    kind: Kind = "decision tree"
    dial: int = 5


def kinds(material: Material) -> tuple[Kind, ...]:
    """Return the models that these rows can train."""
    every: tuple[Kind, ...] = ("decision tree", "nearest neighbours", "linear", "naive Bayes")
    return every if material.classes else every[:3]


def trained(learner: Learner, rows: Material) -> Any:
    """Return a model of scikit-learn, trained on all of the rows.

    Where all rows are of one class, it says that class.
    """
    if rows.classes and len(np.unique(rows.truth)) < 2:
        from sklearn.dummy import DummyClassifier

        return DummyClassifier(strategy="most_frequent").fit(rows.features, rows.truth)
    return _model(learner, rows).fit(rows.features, rows.truth)


def losses(model: Any, rows: Material) -> Floats:
    """Return (n,) 1 for each wrong class and 0 for each right one, or the absolute errors."""
    return loss_of(np.asarray(model.predict(rows.features), dtype=np.float64), rows)


def loss_of(predicted: Floats, rows: Material) -> Floats:
    """Return (n,) losses of predictions."""
    off: Floats = np.abs(predicted - rows.truth)
    return (off > 0).astype(np.float64) if rows.classes else off


def _model(learner: Learner, rows: Material) -> Any:
    from sklearn import linear_model, naive_bayes, neighbors, tree
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    classes, near = bool(rows.classes), min(learner.dial, rows.n)
    match learner.kind:
        case "decision tree":
            kind = tree.DecisionTreeClassifier if classes else tree.DecisionTreeRegressor
            return kind(max_depth=learner.dial, random_state=0)
        case "nearest neighbours":
            by = neighbors.KNeighborsClassifier if classes else neighbors.KNeighborsRegressor
            return make_pipeline(StandardScaler(), by(near))
        case "linear":
            one = linear_model.LogisticRegression() if classes else linear_model.LinearRegression()
            return make_pipeline(StandardScaler(), one)
        case "naive Bayes":
            return naive_bayes.GaussianNB()


@dataclass(frozen=True)
class Scheme:
    """A way of splitting: a key of `splits.KINDS`, and how often the whole is done again."""

    kind: str
    repeats: int = 1
    needs: str = ""


SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {
        "hold-out": Scheme("hold-out"),
        "stratified hold-out": Scheme("stratified hold-out", needs="classes"),
        "repeated hold-out": Scheme("hold-out", repeats=20),
        "k-fold": Scheme("k-fold"),
        "stratified k-fold": Scheme("stratified k-fold", needs="classes"),
        "group k-fold": Scheme("group k-fold", needs="groups"),
        "leave-one-out": Scheme("leave-one-out"),
        "bootstrap": Scheme("bootstrap", repeats=50),
    }
)
"""Ways of estimating, in the order in which they are taught."""


def fitting(material: Material, folds: int) -> tuple[str, ...]:
    """Return the schemes that these rows allow."""
    groups = 0 if material.group is None else len(np.unique(material.group))
    fewest = min(np.unique(material.truth, return_counts=True)[1]) if material.classes else 0
    have = {"": True, "classes": fewest >= folds, "groups": groups >= folds}
    return tuple(name for name, scheme in SCHEMES.items() if have[scheme.needs])


def divided(material: Material, scheme: str, plan: Plan) -> Splits:
    """Divide rows by a scheme; folds, share and seed are those of the plan.

    Raises:
        EvalError: The rows are too few for it.
    """
    made = SCHEMES[scheme]
    stratum = material.truth.astype(np.int64) if material.classes else None
    used = Plan(plan.folds, made.repeats, plan.test_share, plan.seed)
    return split(made.kind, Rows(material.n, stratum, material.group), used)


@dataclass(frozen=True, eq=False)
class Trials:
    """The losses of a model trained again in each of S rounds.

    Attributes:
        splits: Which of the n rows trained and which tested.
        loss: (S, n) loss of each row in each round, whatever its role.
    """

    splits: Splits
    loss: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", frozen(self.loss))

    @property
    def tested(self) -> Floats:
        """(S,) mean loss on the rows that tested; NaN in rounds without any."""
        return _means(self.loss, (self.splits.role == TEST).astype(np.float64))

    @property
    def trained(self) -> Floats:
        """(S,) mean loss on the rows that trained, each as often as it did."""
        return _means(self.loss, np.maximum(self.splits.role, 0).astype(np.float64))

    @property
    def error(self) -> float:
        """The estimate: of a bootstrap each row left out counts alike, otherwise each round."""
        if self.splits.kind == "bootstrap":
            return left_out_error(self.splits, self.loss)
        return float(np.nanmean(self.tested))

    @property
    def deviation(self) -> float:
        """Standard deviation of the rounds; NaN with fewer than two."""
        known = self.tested[np.isfinite(self.tested)]
        return float(known.std(ddof=1)) if len(known) > 1 else np.nan

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, allowing for training rows that rounds share.

        NaN for one round, and for a bootstrap, whose rounds it was not made for.
        """
        if self.splits.kind == "bootstrap":
            return np.nan
        role = self.splits.role
        share = (role == TEST).sum() / max((role > 0).sum(), 1)
        return shared_rows_error(self.deviation, len(role), float(share))

    def interval(self) -> Interval:
        """Return Student's interval from the corrected error; from its test rows for one round.

        It ends at 0, below which no loss lies. Shares of a lone round have Wilson's interval.
        """
        rounds, own = len(self.loss), self.loss[0, self.splits.test(0)]
        if rounds > 1:
            made = mean_interval(self.error, self.standard_error * np.sqrt(rounds), rounds)
        elif np.isin(own, (0, 1)).all():
            return wilson(own.sum(), len(own))
        else:
            made = mean_interval(self.error, own.std(ddof=1) if len(own) > 1 else np.nan, len(own))
        return replace(made, low=np.maximum(made.low, 0.0))


def run(material: Material, learner: Learner, splits: Splits) -> Trials:
    """Train again in each round and measure the loss of every row."""
    with ONE_BLAS_THREAD:
        found = [
            losses(trained(learner, material.taken(splits.train(place))), material)
            for place in range(len(splits.role))
        ]
    return Trials(splits, np.stack(found))


@dataclass(frozen=True)
class Ends:
    """What estimates lie between, of a model trained on all rows of a lesson.

    Attributes:
        resubstitution: Mean loss on the rows that it was trained on.
        aside: Mean loss on the rows kept aside: what the estimates try to guess.
        no_information: Mean loss if predictions were dealt to the rows at random.
    """

    resubstitution: float
    aside: float
    no_information: float


def ends(lesson: Lesson, learner: Learner) -> Ends:
    """Train on all rows of a lesson and measure what no scheme is told."""
    model, rows = trained(learner, lesson.rows), lesson.rows
    predicted = np.asarray(model.predict(rows.features), dtype=np.float64)
    dealt = [loss_of(np.full(rows.n, one), rows).mean() for one in predicted]
    aside = losses(model, lesson.aside).mean() if lesson.aside.n else np.nan
    return Ends(float(loss_of(predicted, rows).mean()), float(aside), float(np.mean(dealt)))


def weighed(made: Trials, known: Ends) -> Errors632:
    """Return .632 and .632+ of a bootstrap."""
    return errors_632(known.resubstitution, made.error, known.no_information)


def _means(loss: Floats, times: Floats) -> Floats:
    total = times.sum(axis=1)
    sums = (loss * times).sum(axis=1)
    means: Floats = np.divide(sums, total, out=np.full(len(total), np.nan), where=total > 0)
    return means
