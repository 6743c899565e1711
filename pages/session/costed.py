"""What thresholds cost, computed once per data set, costs and share of positives."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from evalcore.curves.class_costs import ClassCosts
from evalcore.curves.costs import CostCurve, ExpectedCost
from evalcore.curves.decision import DecisionCurve
from evalcore.evaluation.condense import MOST_FOLDS
from evalcore.intake.model import Dataset
from evalcore.options import Options
from evalcore.outcomes import ClassOutcomes, Floats
from evalcore.resampling import optimum
from evalcore.resampling.bootstrap import Plan
from evalcore.resampling.optimum import Halves, OptimumBootstrap, OutOfFold
from evalcore.results import ModelTables
from evalcore.tables.costs import Choice, Stakes, cheapest
from evalcore.tables.scores import ScoreTable
from evalcore.tables.shortest import shortest
from pages.session import computed, prices
from pages.session.question import Question

DAY = 24 * 3600
DRAWN = 400
"""Rows of a score table from which a curve is drawn."""

PROBABILITIES = np.arange(1, 100) / 100
"""Where a decision curve is drawn."""


@dataclass(frozen=True, eq=False)
class Certainty:
    """How sure the cheapest threshold is; None where the rows do not allow to say.

    Attributes:
        drawn: Choosing anew on resamples.
        halves: Choosing on one half, judging on the other.
        folds: Choosing on the other folds, judging on each, where the file has folds.
    """

    drawn: OptimumBootstrap | None
    halves: Halves | None
    folds: OutOfFold | None


def share(table: ScoreTable | None) -> float:
    """Return the share of the rows that are positive; one half without rows."""
    return table.positives / table.n if table is not None and table.n else 0.5


def prevalence(dataset: Dataset, model: str) -> float:
    """Return how common the class is among all cases: as told, else as in the rows."""
    told = st.session_state.get("prevalence")
    found = computed.tables(dataset).get(model)
    return share(found.scores if found else None) if told is None else float(told) / 100


def stakes_of(costs: Floats, prevalence: float) -> Stakes:
    """Return what the four outcomes cost, from (2, 2) costs, row = truth."""
    (tn, fp), (fn, tp) = costs.tolist()
    return Stakes(tn, fp, fn, tp, prevalence)


def of_rows(dataset: Dataset, table: ScoreTable) -> Stakes:
    """Return the costs that were given, for as many positives as there are in the rows.

    Of one class among several, every mistake costs 1.
    """
    given = prices.COSTS.now(dataset) if len(dataset.classes) == 2 else prices.usual(2)
    return stakes_of(given, share(table))


def tables(question: Question) -> Mapping[str, ScoreTable]:
    """Return the score table of each model."""
    return {name: found.scores for name, found in question.tables.items() if found.scores}


def best(question: Question, model: str, stakes: Stakes) -> Choice:
    """Return the cheapest threshold of a model."""
    return _best(question.key, model, stakes, tables(question)[model])


def expected(question: Question, stakes: Stakes) -> Mapping[str, ExpectedCost]:
    """Return the cost at each threshold, of every model."""
    return _expected(question.key, stakes, tables(question))


def cost_curves(question: Question) -> Mapping[str, CostCurve]:
    """Return the cost curve of every model."""
    return _cost_curves(question.key, tables(question))


def decision_curves(question: Question, prevalence: float) -> Mapping[str, DecisionCurve]:
    """Return the decision curve of every model that gives probabilities."""
    sure = {n: t.scores for n, t in question.tables.items() if t.scores and t.probability}
    return _decision_curves(question.key, prevalence, sure)


def certainty(question: Question, model: str, stakes: Stakes) -> Certainty:
    """Return how sure the cheapest threshold of a model is."""
    return _certainty(question.key, model, stakes, question.tables[model])


def of_classes(dataset: Dataset, model: str, costs: Floats, shares: Floats | None) -> ClassCosts:
    """Return what deciding between several classes costs, given the shares of these in use."""
    given = None if shares is None else tuple(shares.tolist())
    return _of_classes(dataset.digest, model, tuple(costs.ravel().tolist()), given, dataset)


@st.cache_resource(max_entries=400, ttl=DAY, show_spinner=False)
def _best(key: str, model: str, stakes: Stakes, _table: ScoreTable) -> Choice:
    found = cheapest(_table, stakes)
    return replace(found, threshold=shortest(_table, found.threshold))


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _expected(
    key: str, stakes: Stakes, _tables: Mapping[str, ScoreTable]
) -> Mapping[str, ExpectedCost]:
    made = {}
    for name, table in _tables.items():
        drawn = table.thinned(DRAWN, keep=(_best(key, name, stakes, table).threshold,))
        made[name] = ExpectedCost.from_table(drawn, stakes)
    return made


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _cost_curves(key: str, _tables: Mapping[str, ScoreTable]) -> Mapping[str, CostCurve]:
    return {name: CostCurve.from_table(table) for name, table in _tables.items()}


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _decision_curves(
    key: str, prevalence: float, _tables: Mapping[str, ScoreTable]
) -> Mapping[str, DecisionCurve]:
    return {
        name: DecisionCurve.from_table(table, PROBABILITIES, prevalence)
        for name, table in _tables.items()
    }


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def _certainty(key: str, model: str, stakes: Stakes, _tables: ModelTables) -> Certainty:
    table, options = _tables.scores, Options()
    if table is None or min(table.positives, table.negatives) < 1:
        return Certainty(None, None, None)
    plan = Plan(options.resamples, options.level)
    drawn = optimum.bootstrap_optimum(table, stakes, np.random.default_rng(options.seed), plan)
    halved = optimum.halves(table, stakes, np.random.default_rng(options.seed))
    folds = [part.scores for part in _tables.folds.values() if part.scores is not None]
    folded = optimum.out_of_fold(folds, stakes) if 2 <= len(folds) <= MOST_FOLDS else None
    return Certainty(
        drawn,
        halved if halved.splits else None,
        folded if folded is not None and np.isfinite(folded.cost) else None,
    )


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _of_classes(
    digest: str,
    model: str,
    costs: tuple[float, ...],
    shares: tuple[float, ...] | None,
    _dataset: Dataset,
) -> ClassCosts:
    outcomes = _dataset.models[model]
    assert isinstance(outcomes, ClassOutcomes)
    size = len(outcomes.classes)
    given = None if shares is None else np.array(shares)
    return ClassCosts.of(outcomes, np.array(costs).reshape(size, size), given)
