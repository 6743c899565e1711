"""Plain models of scikit-learn, trained and tested by a scheme, and what they say of rows left out.

Each is a pipeline: whatever is learnt of the features, such as a mean, is learnt of training rows.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.errors import EvalError
from evalcore.intervals.closed import Interval, mean_interval, shared_rows_error, wilson
from evalcore.outcomes import Codes, Floats, ReadOnly, frozen
from evalcore.text import counted
from evalcore.work import NO_PROGRESS, ONE_BLAS_THREAD, Progress
from evalview.lab.splits import TEST, Plan, Rows, Splits, left_out_error, split
from evalview.lab.tables import MOST_CATEGORIES, TrainingTable
from evalview.text import abbreviate

NEIGHBOURS = 5
SHUFFLES, SHUFFLES_ALONE = 5, 30
"""Times that a feature is shuffled in each of several rounds, and in a lone one."""
MOST_SHUFFLED = 200
"""Features up to which each is shuffled: every one costs as much as five tests of the model."""
MOST_LEFT_OUT = 5_000
"""Rows up to which one at a time is left out: that many models are trained of each kind."""

_FOR_CLASSES: Mapping[str, tuple[str, str, Mapping[str, Any]]] = MappingProxyType(
    {
        "most common class": ("dummy", "DummyClassifier", {"strategy": "prior"}),
        "logistic regression": ("linear_model", "LogisticRegression", {"max_iter": 1000}),
        "nearest neighbours": ("neighbors", "KNeighborsClassifier", {}),
        "naive Bayes": ("naive_bayes", "GaussianNB", {}),
        "decision tree": ("tree", "DecisionTreeClassifier", {"random_state": 0}),
        "random forest": ("ensemble", "RandomForestClassifier", {"random_state": 0}),
        "gradient boosting": ("ensemble", "HistGradientBoostingClassifier", {"random_state": 0}),
    }
)
_FOR_NUMBERS: Mapping[str, tuple[str, str, Mapping[str, Any]]] = MappingProxyType(
    {
        "mean": ("dummy", "DummyRegressor", {}),
        "linear regression": ("linear_model", "LinearRegression", {}),
        "ridge regression": ("linear_model", "Ridge", {}),
        "nearest neighbours": ("neighbors", "KNeighborsRegressor", {}),
        "decision tree": ("tree", "DecisionTreeRegressor", {"random_state": 0}),
        "random forest": ("ensemble", "RandomForestRegressor", {"random_state": 0}),
        "gradient boosting": ("ensemble", "HistGradientBoostingRegressor", {"random_state": 0}),
    }
)
"""Where scikit-learn has each model, and how it is made: as it comes, but for a seed."""


def models(table: TrainingTable) -> tuple[str, ...]:
    """Return the models that can predict the target of a table."""
    return tuple(_FOR_CLASSES if table.classes else _FOR_NUMBERS)


GRIDS: Mapping[str, tuple[str, tuple[Any, ...]]] = MappingProxyType(
    {
        "logistic regression": ("C", (0.01, 0.1, 1.0, 10.0, 100.0)),
        "ridge regression": ("alpha", (0.01, 0.1, 1.0, 10.0, 100.0)),
        "nearest neighbours": ("n_neighbors", (1, 3, 5, 9, 15)),
        "decision tree": ("max_depth", (1, 2, 3, 5, 8)),
        "random forest": ("min_samples_leaf", (1, 3, 10)),
        "gradient boosting": ("learning_rate", (0.03, 0.1, 0.3)),
    }
)
"""What a nested scheme chooses of a model, and among which values; other models have no dial."""
INNER_FOLDS = 5
"""Folds of the rows that train, by which a nested scheme chooses."""


def tuned(model: str, table: TrainingTable, rows: int) -> Any:
    """Return a model, untrained, that chooses its dial by folds of the `rows` that train it."""
    made = pipeline(model, table, rows)
    if model not in GRIDS:
        return made
    from sklearn.model_selection import GridSearchCV

    dial, values = GRIDS[model]
    if dial == "n_neighbors":
        most = rows * (INNER_FOLDS - 1) // INNER_FOLDS
        values = tuple(value for value in values if value <= most) or values[:1]
    scoring = "accuracy" if table.classes else "neg_mean_absolute_error"
    grid = {f"{made.steps[-1][0]}__{dial}": values}
    return GridSearchCV(made, grid, scoring=scoring, cv=INNER_FOLDS)


def pipeline(model: str, table: TrainingTable, rows: int) -> Any:
    """Return a model, untrained, behind what makes numbers of the features.

    Missing numbers become the median and each feature is standardised; each category, and a
    missing one, becomes a feature of its own. `rows` will train it.
    """
    from importlib import import_module

    from sklearn.pipeline import make_pipeline

    module, name, given = (_FOR_CLASSES if table.classes else _FOR_NUMBERS)[model]
    fewer = {"n_neighbors": min(NEIGHBOURS, rows)} if module == "neighbors" else {}
    made = getattr(import_module(f"sklearn.{module}"), name)(**given, **fewer)
    return make_pipeline(_encoder(table), made)


def _encoder(table: TrainingTable) -> Any:
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    split_at, end = table.numbers.shape[1], len(table.columns)
    filled = SimpleImputer(strategy="median", keep_empty_features=True)
    coded = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=MOST_CATEGORIES, sparse_output=False
    )
    scaled = [filled, StandardScaler()] if np.isnan(table.numbers).any() else [StandardScaler()]
    parts = [
        ("numbers", make_pipeline(*scaled), slice(0, split_at)),
        ("categories", coded, slice(split_at, end)),
    ]
    return ColumnTransformer([part for part in parts if part[2].start < part[2].stop])


@dataclass(frozen=True)
class Scheme:
    """A way of dividing rows, a key of `splits.KINDS` or nested, and what it takes.

    Attributes:
        folds: Whether the number of folds is asked for.
        share: Whether the share of test rows is.
        repeats: How often the whole is done at first; 0 where it cannot be done again.
    """

    folds: bool = False
    share: bool = False
    repeats: int = 0


SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {
        "stratified k-fold": Scheme(folds=True, repeats=1),
        "k-fold": Scheme(folds=True, repeats=1),
        "group k-fold": Scheme(folds=True),
        "hold-out": Scheme(share=True, repeats=1),
        "stratified hold-out": Scheme(share=True, repeats=1),
        "nested k-fold": Scheme(folds=True, repeats=1),
        "leave-one-out": Scheme(),
        "bootstrap": Scheme(repeats=20),
    }
)
"""Ways of training and testing."""
NESTED = "nested k-fold"
"""Outer folds test; within the rows that train, inner folds choose the dial of a model."""


def schemes(table: TrainingTable) -> tuple[str, ...]:
    """Return the schemes that make sense for a table; the first is the usual one."""
    have = {"stratified": bool(table.classes), "group": table.group is not None}
    return tuple(
        name for name in SCHEMES if all(has or word not in name for word, has in have.items())
    )


def divided(table: TrainingTable, scheme: str, plan: Plan) -> Splits:
    """Divide the rows of a table.

    Raises:
        EvalError: They are too few, or too many, for the scheme.
    """
    _refuse_scheme(table, scheme, plan)
    stratum = table.truth.astype(np.int64) if table.classes else None
    rows = Rows(table.n, stratum, table.group)
    if scheme == NESTED:
        return replace(
            split("stratified k-fold" if table.classes else "k-fold", rows, plan), kind=NESTED
        )
    return split(scheme, rows, plan)


def _refuse_scheme(table: TrainingTable, scheme: str, plan: Plan) -> None:
    if scheme == "leave-one-out" and table.n > MOST_LEFT_OUT:
        why = f"Leaving out each of {table.n:,} rows would take hours: at most {MOST_LEFT_OUT:,}."
        raise EvalError("lab-scheme", f"{why} Choose ten folds.")
    if scheme.startswith("stratified") or (scheme == NESTED and table.classes):
        count = np.bincount(table.truth.astype(np.int64), minlength=len(table.classes))
        rare, needed = int(count.argmin()), plan.folds if SCHEMES[scheme].folds else 2
        if count[rare] < needed:
            raise EvalError(
                "lab-scheme",
                f'"{abbreviate(table.classes[rare], 40)}" has {counted(count[rare], "row")}, and '
                f"{scheme} needs {needed} of each class. Choose fewer folds, or a scheme that is "
                "not stratified.",
            )
    grouped = table.group if "group" in scheme else None
    parts = table.n if grouped is None else len(np.unique(grouped))
    if SCHEMES[scheme].folds and parts < plan.folds:
        what = "rows" if grouped is None else "groups"
        raise EvalError(
            "lab-scheme", f"{parts} {what} cannot make {plan.folds} folds: choose fewer."
        )


@dataclass(frozen=True, eq=False)
class Trained(ReadOnly):
    """What a model, trained again in each of S rounds, said of T rows that tested.

    Attributes:
        predicted: (T,) codes of classes, or numbers.
        probability: (T, K) of each class; without columns where numbers are predicted.
        fit_seconds: (S,) processor seconds of training.
        predict_seconds: (S,) processor seconds of predicting the rows that tested.
    """

    predicted: Floats
    probability: Floats
    fit_seconds: Floats
    predict_seconds: Floats


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


def _means(loss: Floats, times: Floats) -> Floats:
    total = times.sum(axis=1)
    sums = (loss * times).sum(axis=1)
    means: Floats = np.divide(sums, total, out=np.full(len(total), np.nan), where=total > 0)
    return means


@dataclass(frozen=True, eq=False)
class Experiment(ReadOnly):
    """Models by name, tested on the same rows.

    Attributes:
        place: (T,) the round in which each row was tested.
        row: (T,) its place among the rows of the table.
    """

    table: TrainingTable
    splits: Splits
    place: Codes
    row: Codes
    models: Mapping[str, Trained]

    @property
    def truth(self) -> Floats:
        """(T,) the truth of the rows that tested."""
        return self.table.truth[self.row]

    def trials(self, model: str) -> Trials:
        """Return the loss of a model by rounds: 1 where a class is wrong, or the absolute error.

        Rows that trained have none, so that only `tested`, `error` and `interval` mean anything.
        """
        off = np.abs(self.models[model].predicted - self.truth)
        loss = np.zeros(self.splits.role.shape)
        loss[self.place, self.row] = (off > 0) if self.table.classes else off
        return Trials(self.splits, loss)


def run(
    table: TrainingTable, names: Sequence[str], splits: Splits, progress: Progress = NO_PROGRESS
) -> Experiment:
    """Train each model in each round on the rows that train, and let it predict those that test.

    Raises:
        EvalError: A round has rows of one class only, or the work was cancelled.
    """
    _refuse_one_class(table, splits)
    tests = [splits.test(place) for place in range(len(splits.role))]
    made, features = {}, table.features
    with _one_thread():
        for at, name in enumerate(names):
            rounds = []
            for place, test in enumerate(tests):
                progress.check()
                model, took = _trained(name, table, features, splits, place)
                rounds.append((*_predictions(model, table, features[test]), took))
                progress.report((at * len(tests) + place + 1) / (len(names) * len(tests)))
            said, probability, predicting, training = zip(*rounds, strict=True)
            made[name] = Trained(
                np.concatenate(said),
                np.concatenate(probability),
                np.array(training),
                np.array(predicting),
            )
    places = np.repeat(np.arange(len(tests)), [len(test) for test in tests])
    return Experiment(table, splits, places, np.concatenate(tests), made)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Keep to one thread, by whose clock times are taken; so do readers share the processors."""
    from threadpoolctl import threadpool_limits

    with ONE_BLAS_THREAD, threadpool_limits(1, user_api="openmp"):
        yield


def _refuse_one_class(table: TrainingTable, splits: Splits) -> None:
    for place in range(len(splits.role)) if table.classes else ():
        train, test = splits.train(place), splits.test(place)
        if len(np.unique(table.truth[train])) < 2:
            raise EvalError(
                "lab-scheme",
                f"In round {place + 1} all training rows are of one class. Choose a stratified "
                "scheme, more folds, or a smaller share of test rows.",
            )
        if not len(test):
            raise EvalError(
                "lab-scheme",
                f"In round {place + 1} no row is left for testing. Choose another seed.",
            )


def _trained(
    name: str, table: TrainingTable, features: Floats, splits: Splits, place: int
) -> tuple[Any, float]:
    """Return a model trained in a round, and how long it took."""
    train = splits.train(place)
    model = (tuned if splits.kind == NESTED else pipeline)(name, table, len(train))
    began = time.thread_time()
    try:
        model.fit(features[train], table.truth[train])
    except (ValueError, np.linalg.LinAlgError) as problem:
        raise EvalError("lab-model", f"The {name} could not be trained: {problem}") from None
    return model, time.thread_time() - began


def _predictions(
    model: Any, table: TrainingTable, features: Floats
) -> tuple[Floats, Floats, float]:
    """Return what a model says of rows, the probability of each class, and how long that took."""
    began = time.thread_time()
    said = np.asarray(model.predict(features), dtype=np.float64)
    spent = time.thread_time() - began
    probability = np.zeros((len(said), len(table.classes)))
    if table.classes:  # a class that no training row has gets none
        probability[:, model.classes_.astype(np.int64)] = model.predict_proba(features)
    return said, probability, spent


@dataclass(frozen=True, eq=False)
class Importance(ReadOnly):
    """How much worse a model gets where a feature is shuffled among the rows that test.

    Attributes:
        columns: Names of the d features, the most important first.
        mean: (d,) loss with the feature shuffled less loss without, mean over rounds.
        interval: Their intervals, which hold together at 95% (Bonferroni).
    """

    columns: tuple[str, ...]
    mean: Floats
    interval: Interval


def importance(
    table: TrainingTable, name: str, splits: Splits, progress: Progress = NO_PROGRESS
) -> Importance:
    """Return the permutation importance of each feature, on rows that no model was trained on.

    Loss is the share of wrong classes, or the mean absolute error. Intervals are Student's over
    rounds, with the error that Nadeau and Bengio correct for shared training rows; of a single
    round over shuffles, which say nothing about other rows. Bonferroni's correction for the number
    of features makes them hold together. Source: Breiman (2001), Machine Learning 45;
    scikit-learn's permutation_importance.

    Raises:
        EvalError: Rounds test one row each, features are too many, or the work was cancelled.
    """
    from sklearn.inspection import permutation_importance

    _refuse_shuffling(table, splits)
    features, rounds, found = table.features, len(splits.role), []
    with _one_thread():
        for place in range(rounds):
            progress.check()
            model, _ = _trained(name, table, features, splits, place)
            test = splits.test(place)
            shuffled = permutation_importance(
                model,
                features[test],
                table.truth[test],
                scoring="accuracy" if table.classes else "neg_mean_absolute_error",
                n_repeats=SHUFFLES if rounds > 1 else SHUFFLES_ALONE,
                random_state=place,
            )
            found.append(shuffled.importances)
            progress.report((place + 1) / rounds)
    return _ranked(table, splits, np.array(found))


def _refuse_shuffling(table: TrainingTable, splits: Splits) -> None:
    if splits.kind == "leave-one-out":
        raise EvalError(
            "lab-shuffled",
            "Each round tests one row, so nothing can be shuffled: choose folds instead.",
        )
    if len(table.columns) > MOST_SHUFFLED:
        raise EvalError(
            "lab-shuffled",
            f"{len(table.columns):,} features are too many to shuffle one by one: at most "
            f"{MOST_SHUFFLED}. Leave some columns out.",
        )


def _ranked(table: TrainingTable, splits: Splits, found: Floats) -> Importance:
    """Return the importance of features from (S, d, shuffles) losses that shuffling adds."""
    rounds = len(found)
    values = found.mean(axis=2) if rounds > 1 else found[0].T
    mean, deviation = values.mean(axis=0), values.std(axis=0, ddof=1)
    if rounds > 1:
        role = splits.role
        share = float((role == TEST).sum() / (role > 0).sum())
        deviation = shared_rows_error(1.0, rounds, share) * np.sqrt(rounds) * deviation
    order = np.argsort(-mean, kind="stable")
    level = 1 - 0.05 / max(len(mean), 1)
    interval = mean_interval(mean[order], deviation[order], len(values), level)
    return Importance(tuple(table.columns[at] for at in order), mean[order], interval)
