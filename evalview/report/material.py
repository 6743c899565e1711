"""What a report is written from: data, numbers, comparison, and what is wished for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, nan
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

from evalcore.comparison.results import Comparison
from evalcore.curves.costs import cheapest
from evalcore.errors import EvalError
from evalcore.metrics.catalog import by_key
from evalcore.metrics.decisions import mean_cost
from evalcore.metrics.metric import Estimate, Metric
from evalcore.options import Options
from evalcore.outcomes import ClassOutcomes, Floats
from evalcore.results import DecisionRule, Decisions, Evaluation, ModelEvaluation, ModelTables
from evalcore.tables.scores import ScoreTable
from evalcore.work import NO_PROGRESS, Progress
from evalread.dataset import Dataset, Task
from evalview import headlines, sentences, text, words
from evalview.lab import optimum
from evalview.report import counts
from evalview.sharing import NOTHING_SAID, Use

if TYPE_CHECKING:
    from evalcore.comparison.resampled import ResampledValues
    from evalcore.slices.results import Slices

FEWEST = 5
"""Rows of the smallest cell, unless another number is asked for: usual in disclosure control."""

EVERY_METRIC_AT_MOST = 10
"""With more models the verdict weighs one metric only: each other one compares all pairs again."""


WAY = "decisions"
"""Stands for the way in which rows are decided, by which the metrics of decisions are found."""

COLUMNS: Mapping[Task, Sequence[tuple[str, str]]] = MappingProxyType(
    {
        Task.BINARY: (
            ("ranking", "roc_auc"),
            ("ranking", "average_precision"),
            (WAY, "recall"),
            (WAY, "precision"),
            (WAY, "f1"),
            ("probability", "brier"),
        ),
        Task.MULTICLASS: (
            (WAY, "accuracy"),
            (WAY, "balanced_accuracy"),
            (WAY, "mcc"),
            ("ranking", "roc_auc_ovr_macro"),
            ("probability", "log_loss"),
        ),
        Task.REGRESSION: tuple(("values", k) for k in ("mae", "rmse", "medae", "bias", "r2")),
        Task.CORRECT: (("items", "accuracy"),),
        Task.CLUSTERING: (
            ("points", "silhouette"),
            ("points", "davies_bouldin"),
            ("agreement", "adjusted_rand_index"),
            ("agreement", "ami_arithmetic"),
            ("agreement", "v_measure"),
        ),
        Task.FOLDS: (),
    }
)
"""What the table of models shows, by task: where a metric comes from and its key."""


@dataclass(frozen=True)
class Wishes:
    """What a report is to be like.

    Attributes:
        title: Over it; "" for the name of the file.
        notes: What its author writes beside it.
        beside: What its author writes beside sections, each with the key of the section.
        sections: The keys of its sections, in order; empty for all that the data fill.
        by: The columns whose slices are shown; empty for weak slices of all columns.
        slices: Whether it has slices where no sections are named; None: if they are found at once.
        min_cell: The fewest rows of a cell that is not empty.
        use: What is said of costs, and of how common classes and cases are.
        rows: Whether single rows may be shown; cells then hold whatever they hold.
        date: The day on which it is made.
        version: Of this program.
    """

    title: str = ""
    notes: str = ""
    beside: tuple[tuple[str, str], ...] = ()
    sections: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    slices: bool | None = None
    min_cell: int = FEWEST
    use: Use = NOTHING_SAID
    rows: bool = False
    date: str = ""
    version: str = ""

    def priced(self, costs: Sequence[float], share: float | None, volume: float | None) -> Wishes:
        """Return it with costs, a share of positives and a number of cases."""
        percent = None if share is None else 100 * share
        return replace(self, use=Use(costs=tuple(costs), prevalence=percent, volume=volume))

    @property
    def fewest(self) -> int:
        """The fewest rows of a cell that is not empty."""
        return 1 if self.rows else self.min_cell


Refused = Comparison | EvalError


@dataclass(frozen=True, eq=False)
class Material:
    """A data set, and what is known of it.

    Attributes:
        tables: The count tables of each model; empty of clusterings and scores of folds.
        evaluation: Its numbers; None of scores of folds.
        found: The comparison by the usual metric, or why there is none; None of a single model.
        others: Comparisons by what the verdict weighs besides.
        sliced: Gives the slices of columns that may be shown.
    """

    dataset: Dataset
    options: Options
    wishes: Wishes
    tables: Mapping[str, ModelTables]
    evaluation: Evaluation | None
    found: Refused | None
    others: Sequence[Comparison] = ()
    sliced: Callable[[Dataset, Sequence[str], str, Options, int], Slices] = counts.slices

    @property
    def task(self) -> Task:
        """The kind of question."""
        return self.dataset.roles.task

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Models or clusterings, the best first where that is known."""
        dataset = self.dataset
        scored = () if dataset.fold_scores is None else dataset.fold_scores.models
        names = tuple(dataset.clusterings) or tuple(dataset.models) or scored
        if isinstance(self.found, Comparison):
            ranked = self.found.order
            return (*ranked, *(name for name in names if name not in ranked))
        best = filter(None, (self.best("agreement"), self.best("points")))
        return tuple(dict.fromkeys((*best, *names)))

    @property
    def leader(self) -> str:
        """The model or clustering that is looked at first."""
        return self.order[0]

    def best(self, group: str) -> str | None:
        """Return the clustering that agrees best, or whose points lie best apart."""
        made = {} if self.evaluation is None else self.evaluation.clusterings
        key = {"agreement": "adjusted_rand_index", "points": "silhouette"}[group]
        groups = {name: getattr(one, group) for name, one in made.items()}
        known = {n: one[key].value for n, one in groups.items() if key in one and one[key].defined}
        if len(made) == 1:
            return next(iter(made))
        return max(known, key=known.__getitem__, default=None)

    def way(self, name: str) -> DecisionRule | Literal[""]:
        """Return the way of deciding that leads: the file's own labels where there are any."""
        assert self.evaluation is not None
        return next(iter(self.evaluation.models[name].decisions), "")

    def decided(self, name: str) -> Decisions | None:
        """Return the decisions of a model by the way that leads; None where it decides nothing."""
        assert self.evaluation is not None
        way = self.way(name)
        return self.evaluation.models[name].decisions[way] if way else None

    @cached_property
    def headline(self) -> tuple[str, str]:
        """The verdict as the dashboard says it, and what is known besides."""
        if isinstance(self.found, Comparison):
            return sentences.verdict(self.found, self.others) or headlines.finding(self.found)
        if self.found is not None:
            return "No two models can be compared", self.found.message
        return _ALONE[self.task](self)

    @cached_property
    def merged(self) -> Mapping[str, counts.Merged]:
        """The scores of each model in cells that hold enough rows."""
        found = {}
        for name, tables in self.tables.items():
            if tables.scores is not None:
                found[name] = counts.merged(
                    tables.scores,
                    self.wishes.fewest,
                    [self.options.threshold_of(name)],
                    [
                        *filter(isfinite, [self.cheapest(name, tables.scores)]),
                        *self.presets(name),
                        *counts.edges_of(self.options.bins)[1:-1],
                    ],
                )
        return MappingProxyType(found)

    def cheapest(self, name: str, table: ScoreTable) -> float:
        """Return the cheapest threshold of a model in a table of its scores.

        It is inf where flagging nothing is cheapest, NaN where costs are not all said.
        """
        use, scores = self.wishes.use, self.tables[name].scores
        costs = use.unit_costs(use.share(scores))
        if not self.cheapest_where or costs is None or scores is None or not scores.n:
            return nan
        best = cheapest(table, costs).threshold
        # Merged scores have thresholds that are short, or those in use.
        return text.shortest_threshold(table, best) if table is scores else best

    @property
    def cheapest_where(self) -> str:
        """For which costs a threshold is the cheapest; "" where these are not all said."""
        use = self.wishes.use
        return words.cheapest_where(self.dataset, use.unit_costs(use.share(None)), use.prevalence)

    @cached_property
    def without_costs(self) -> str:
        """That the verdict on models ignores the costs, and which costs least; "" without costs."""
        use = self.wishes.use
        if not use.ignored_by(self.dataset):
            return ""
        made = None
        if self.task is Task.BINARY:
            share = None if use.prevalence is None else use.prevalence / 100
            prices = np.array(use.costs, dtype=np.float64).reshape(2, 2)
            found = optimum.compared(self.dataset, prices, share)
            made = found and found.comparison
        said = made and (sentences.verdict(made) or headlines.finding(made))
        by_costs = f": by these, each at its cheapest threshold, {said[0]}" if said else ""
        return f"Judged without the costs{by_costs}"

    @cached_property
    def costs(self) -> Floats | None:
        """What decisions about several classes cost, (K, K), row = truth; None where none are said.

        Where shares of classes are said alone, every mistake costs 1.
        """
        use, size = self.wishes.use, len(self.dataset.classes)
        if self.task is not Task.MULTICLASS or not (use.costs or use.shares):
            return None
        if not use.costs:
            return optimum.usual_costs(size)
        return np.array(use.costs, dtype=np.float64).reshape(size, size)

    @cached_property
    def mean_costs(self) -> Mapping[str, Estimate | None]:
        """What a decision of each model costs on average; None where that tells of hidden cells."""
        names = () if self.costs is None else self.order
        decided = {name: made for name in names if (made := self.decided(name)) is not None}
        return {name: self._mean_cost(name, made) for name, made in decided.items()}

    @cached_property
    def total_costs(self) -> Mapping[str, Estimate | None]:
        """The mean cost times the cases, or the rows: no more is told by it than by the mean."""
        return {name: self._total_cost(name, mean) for name, mean in self.mean_costs.items()}

    def _total_cost(self, name: str, mean: Estimate | None) -> Estimate | None:
        if mean is None or (made := self.decided(name)) is None or not mean.defined:
            return None
        cases = self.wishes.use.volume or float(made.confusion.counts.sum())
        ends = (None if end is None else cases * end for end in (mean.low, mean.high))
        low, high = ends
        return replace(mean, value=cases * mean.value, low=low, high=high)

    def _mean_cost(self, name: str, made: Decisions) -> Estimate | None:
        rows, rule, given = self.dataset.models[name], self.way(name), self.wishes.use.shares
        if self.costs is None or not rule or not isinstance(rows, ClassOutcomes):
            return None
        hidden = counts.hidden_cells(made.confusion.counts, self.wishes.fewest, diagonal=True)
        if not counts.known_by_sums(hidden, self.costs, by_rows_alone=given is not None):
            return None
        by = (rule, self.options.threshold_of(name))
        shares = None if given is None else np.array(given) / sum(given)
        return optimum.judged(rows, by, self.costs, shares, self.options).metrics["mean_cost"]

    @property
    def has_slices(self) -> bool:
        """Whether slices are asked for, or none are named and they are found at once."""
        wishes = self.wishes
        if wishes.by or "slices" in (*wishes.sections, *dict(wishes.beside)):
            return True
        if wishes.sections:
            return False
        return finds_slices(self.dataset) if wishes.slices is None else wishes.slices

    @cached_property
    def slices(self) -> Slices | None:
        """The slices that the report shows; None where it shows none, or there are none.

        Raises:
            EvalError: A column that is named makes no slices.
        """
        by, wishes = self.wishes.by, self.wishes
        if not self.has_slices or not self.dataset.models or not (by or self.dataset.free):
            return None
        try:
            return self.sliced(self.dataset, by, self.leader, self.options, wishes.fewest)
        except EvalError:
            if by:
                raise
            return None  # no column makes slices

    def presets(self, name: str) -> list[float]:
        """Return the thresholds that a reader can jump to: the best on these rows."""
        assert self.evaluation is not None
        ranking = self.evaluation.models[name].ranking
        at = (ranking[key].at for key in ("best_f1", "best_youden") if key in ranking)
        table = self.tables[name].scores
        assert table is not None
        known = (one for one in at if one is not None and isfinite(one))
        return [text.shortest_threshold(table, one) for one in known]


MOST_CELLS, MOST_COLUMNS = 500_000, 60
"""Cells of free columns, and such columns, of which weak slices are found within two seconds."""


def finds_slices(dataset: Dataset) -> bool:
    """Whether weak slices are found at once, so that a report has them unasked."""
    cells = dataset.rows_used * len(dataset.free)
    return 0 < cells <= MOST_CELLS and len(dataset.free) <= MOST_COLUMNS


Draws = Callable[[str | None], "ResampledValues | None"]
"""Gives the values of all models over resamples by a metric, or by the usual one."""


@dataclass(frozen=True, eq=False)
class AtHand:
    """What has been made of a data set: the tables of each model, and values over resamples."""

    tables: Mapping[str, ModelTables]
    draws: Draws


def gather(
    dataset: Dataset,
    options: Options,
    wishes: Wishes,
    progress: Progress = NO_PROGRESS,
    at_hand: AtHand | None = None,
) -> Material:
    """Return what a report is written from; metrics that it does not show are not made.

    `at_hand` is what has been made of the data already.

    Raises:
        EvalError: The data cannot be evaluated.
    """
    if dataset.fold_scores is not None:
        return Material(dataset, options, wishes, {}, None, _compared(dataset, options))
    known = at_hand or _made(dataset, options)
    evaluation = _evaluated(dataset, known.tables, options, progress)
    found, others = _found(dataset, options, known.draws)
    return Material(dataset, options, wishes, known.tables, evaluation, found, others)


def _evaluated(
    dataset: Dataset, tables: Mapping[str, ModelTables], options: Options, progress: Progress
) -> Evaluation:
    """Return every number; those of scores are made when they are first asked for."""
    from evalcore.evaluate import evaluate_tables
    from evalcore.evaluation.remarks import side_by_side

    if dataset.roles.task is not Task.BINARY:
        return evaluate_tables(dataset, tables, options, progress)
    models = {}
    for name, held in tables.items():
        progress.check()
        models[name] = _waiting(name, held, replace(options, threshold=options.threshold_of(name)))
        progress.report(len(models) / len(tables))
    noted = (notice for made in models.values() for notice in made.notices)
    told = tuple(dict.fromkeys((*dataset.notices, *noted, *side_by_side(dataset.models))))
    return Evaluation(dataset, options, models, told)


def _waiting(name: str, tables: ModelTables, options: Options) -> ModelEvaluation:
    """Return a model whose metrics of scores wait; remarks are about those that are shown."""
    from evalcore.evaluate import decide
    from evalcore.evaluation.estimates import judge_probabilities, rank
    from evalcore.evaluation.remarks import remarks

    ranking = rank(tables, options)
    known = {key: ranking[key] for key in ("roc_auc",) if key in ranking}
    made = ModelEvaluation(n=tables.n, decisions=decide(tables, options), ranking=known)
    return replace(
        made,
        ranking=ranking,
        probability=judge_probabilities(tables, options),
        notices=tuple(remarks(name, tables, made, options)),
    )


def _made(dataset: Dataset, options: Options) -> AtHand:
    from evalcore.comparison.candidates import choose_candidates
    from evalcore.comparison.resampled import ResampledValues
    from evalcore.evaluation.condense import condense

    tables = condense(dataset)

    def draws(metric: str | None) -> ResampledValues:
        return ResampledValues(choose_candidates(dataset, metric, options, tables), options)

    return AtHand(tables, draws)


def _found(
    dataset: Dataset, options: Options, draws: Draws
) -> tuple[Refused | None, list[Comparison]]:
    if len(dataset.models) < 2:
        return None, []
    found = _compared(dataset, options, draws)
    if not isinstance(found, Comparison) or len(dataset.models) > EVERY_METRIC_AT_MOST:
        return found, []
    beside = (key for key in headlines.BESIDE[dataset.roles.task] if key != found.metric)
    made = (_weighed(dataset, options, key, draws) for key in beside)
    return found, [one for one in made if one is not None]


def _compared(dataset: Dataset, options: Options, draws: Draws = lambda metric: None) -> Refused:
    from evalcore.compare import compare

    try:
        return compare(dataset, options, resampled=draws(None))
    except EvalError as refusal:
        return refusal


def _weighed(dataset: Dataset, options: Options, metric: str, draws: Draws) -> Comparison | None:
    from evalcore.compare import verdict

    try:
        return verdict(dataset, options, metric=metric, resampled=draws(metric))
    except EvalError:
        return None


def _of_binary(told: Material) -> tuple[str, str]:
    made, who = told.evaluation, words.spoken(told.dataset, told.leader)
    assert made is not None
    model, decided = made.models[told.leader], told.decided(told.leader)
    area = model.ranking.get("roc_auc")
    if decided is None or not decided.metrics["recall"].defined:
        own = area if area is not None and area.defined else sentences.UNKNOWN
        if own is sentences.UNKNOWN and decided is not None:
            own = decided.metrics["accuracy"]
        return sentences.alone(who, own, told.tables[told.leader])
    sought = words.rows_of(told.dataset.roles.truth, told.dataset.classes[1])
    return headlines.of_decisions(who, sought, decided, area, told.tables[told.leader])


def _of_classes(told: Material) -> tuple[str, str]:
    decided = told.decided(told.leader)
    if decided is None:
        return "Nothing can be judged", ""
    return headlines.of_classes(words.spoken(told.dataset, told.leader), decided.confusion)


def _of_values(told: Material) -> tuple[str, str]:
    assert told.evaluation is not None
    values = told.evaluation.models[told.leader].values
    return headlines.of_values(words.spoken(told.dataset, told.leader), values)


def _of_items(told: Material) -> tuple[str, str]:
    assert told.evaluation is not None
    made = told.evaluation.models[told.leader]
    who = words.spoken(told.dataset, told.leader)
    return headlines.of_items(who, made.items["accuracy"], made.n)


def _of_clusterings(told: Material) -> tuple[str, str]:
    assert told.evaluation is not None
    every = told.evaluation.clusterings
    return headlines.of_clusterings(
        told.dataset, every, told.best("agreement"), told.best("points")
    )


_ALONE = MappingProxyType(
    {
        Task.BINARY: _of_binary,
        Task.MULTICLASS: _of_classes,
        Task.REGRESSION: _of_values,
        Task.CORRECT: _of_items,
        Task.CLUSTERING: _of_clusterings,
    }
)


def agrees(told: Material, name: str) -> bool:
    """Whether the file's own labels are what the threshold decides, in every row."""
    return headlines.labels_agree(told.tables[name], told.options.threshold_of(name))


def place(told: Material, name: str, group: str, key: str) -> tuple[Estimate | None, list[str]]:
    """Return a number of a model or clustering, and the way to it in the JSON."""
    assert told.evaluation is not None
    kind = "clusterings" if told.dataset.clusterings else "models"
    if group == WAY:
        group = told.way(name)
    found = told.evaluation.judged[name].metrics.get(group, {})
    return found.get(key), [kind, name, "metrics", group, key]


def used(told: Material) -> list[tuple[Metric, list[Estimate]]]:
    """Return the metrics that the report shows, each with its numbers of all models."""
    found = []
    if told.evaluation is not None:
        for group, key in COLUMNS[told.task]:
            made = [place(told, name, group, key)[0] for name in told.order]
            known = [one for one in made if one is not None]
            if known and (metric := by_key().get(key)):
                found.append((metric, known))
        if told.costs is not None and (known := [*filter(None, told.mean_costs.values())]):
            found.append((mean_cost(told.costs), known))
    elif isinstance(told.found, Comparison) and (metric := by_key().get(told.found.metric)):
        found.append((metric, list(told.found.models.values())))
    return found
