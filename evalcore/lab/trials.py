"""What a way of splitting rows says about a model, beside what the model is worth."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from evalcore.clusters.blas import ONE_BLAS_THREAD
from evalcore.lab.learner import Learner, loss_of, losses, trained
from evalcore.lab.material import Lesson, Material
from evalcore.outcomes import Floats, frozen
from evalcore.resampling.interval import Interval
from evalcore.resampling.means import mean_interval, shared_rows_error
from evalcore.resampling.point632 import Errors632, errors_632, left_out_error
from evalcore.resampling.proportions import wilson
from evalcore.resampling.splits import TEST, Plan, Rows, Splits, split


@dataclass(frozen=True)
class Scheme:
    """A way of splitting: a key of `splits.KINDS`, and how often the whole is done anew."""

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
    """The losses of a model trained anew in each of S rounds.

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
    """Train anew in each round and measure the loss of every row."""
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
