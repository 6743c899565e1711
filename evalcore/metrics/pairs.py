"""Agreement counted in pairs of rows: are the two together, in class and in cluster?

A pair counts as positive when both rows are of one class, and as called positive when both are in
one cluster, so that each number here is one of the numbers of a yes-or-no decision.
"""

from collections.abc import Callable
from typing import Any

from evalcore.metrics import sources
from evalcore.metrics.f_measure import F1
from evalcore.metrics.rates import PRECISION, RECALL
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Number, Source
from evalcore.metrics.summaries import ACCURACY, COHEN_KAPPA, FOWLKES_MALLOWS
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.contingency import Contingency

_HUBERT_ARABIE = Source(
    "Hubert and Arabie (1985), Comparing partitions, Journal of Classification 2",
    "https://doi.org/10.1007/BF01908075",
)
_AMIGO = Source(
    "Amigó, Gonzalo, Artiles and Verdejo (2009), A comparison of extrinsic clustering evaluation "
    "metrics based on formal constraints, Information Retrieval 12",
    "https://doi.org/10.1007/s10791-008-9066-8",
)


def _of_pairs(compute: Callable[[BinaryCounts], Number], **declaration: Any) -> Metric:
    return Metric(
        family=Family.AGREEMENT,
        needs=Contingency,
        compute=lambda table: compute(table.pairs()),
        interval=IntervalBy.NONE,
        **declaration,
    )


def _share(metric: Metric, **declaration: Any) -> Metric:
    """Declare a metric of decisions for pairs: same formula, same range."""
    return _of_pairs(
        metric.compute,
        formula=metric.formula,
        low=0,
        high=1,
        better=Better.HIGHER,
        **declaration,
    )


RAND_INDEX = _share(
    ACCURACY,
    key="rand_index",
    name="Rand index",
    summary="The share of pairs of rows on which class and cluster agree: together or apart.",
    source=Source(
        "Rand (1971), Objective criteria for the evaluation of clustering methods, Journal of the "
        "American Statistical Association 66",
        "https://doi.org/10.1080/01621459.1971.10482356",
    ),
    undefined_when="there are fewer than two rows",
    synonyms=("RI", "simple matching of pairs"),
    misleads="With many clusters nearly all pairs are apart, and it is near 1 even by chance.",
    unit="share",
)

ADJUSTED_RAND_INDEX = _of_pairs(
    COHEN_KAPPA.compute,
    key="adjusted_rand_index",
    name="Adjusted Rand index",
    summary="The Rand index on a scale where chance gives 0 on average and full agreement 1.",
    formula=COHEN_KAPPA.formula,
    low=-0.5,
    high=1,
    better=Better.HIGHER,
    source=_HUBERT_ARABIE,
    undefined_when="both put all rows into one group, or both leave every row alone",
    synonyms=("ARI", "Cohen's kappa of the pairs"),
    misleads="Large groups hold most pairs and so decide it; scikit-learn shows 1 where it is "
    "undefined.",
)

FOWLKES_MALLOWS_PAIRS = _share(
    FOWLKES_MALLOWS,
    key="fowlkes_mallows",
    name="Fowlkes-Mallows index",
    summary="The geometric mean of the precision and the recall of pairs.",
    source=FOWLKES_MALLOWS.source,
    undefined_when="no two rows share a class, or no two share a cluster",
    synonyms=("FM index", "FMI"),
    misleads="Putting all rows into one cluster scores well when classes are few; scikit-learn "
    "shows 0 where it is undefined.",
)

PAIR_PRECISION = _share(
    PRECISION,
    key="pair_precision",
    name="Pair precision",
    summary="Of the pairs of rows in one cluster, the share that is of one class.",
    source=_AMIGO,
    undefined_when="no two rows share a cluster",
    synonyms=("pairwise precision", "positive predictive value of pairs"),
    unit="share",
)

PAIR_RECALL = _share(
    RECALL,
    key="pair_recall",
    name="Pair recall",
    summary="Of the pairs of rows of one class, the share that is in one cluster.",
    source=_AMIGO,
    undefined_when="no two rows share a class",
    synonyms=("pairwise recall", "sensitivity of pairs"),
    misleads="Putting all rows into one cluster gives 1.",
    unit="share",
)

PAIR_F1 = _share(
    F1,
    key="pair_f1",
    name="Pair F1",
    summary="The harmonic mean of the precision and the recall of pairs.",
    source=sources.VAN_RIJSBERGEN,
    undefined_when="no two rows share a class or a cluster",
    synonyms=("pairwise F measure", "Dice coefficient of pairs"),
)


def _count(compute: Callable[[BinaryCounts], Number], **declaration: Any) -> Metric:
    return _of_pairs(
        compute,
        low=0,
        high=float("inf"),
        source=_HUBERT_ARABIE,
        undefined_when="never",
        unit="count",
        **declaration,
    )


PAIRS_TOGETHER = _count(
    lambda pairs: pairs.tp,
    key="pairs_together",
    name="Pairs together in both",
    summary="Pairs of rows of one class and in one cluster.",
    formula="TP",
    better=Better.HIGHER,
    synonyms=("N11",),
)

PAIRS_CLASS_ONLY = _count(
    lambda pairs: pairs.fn,
    key="pairs_class_only",
    name="Pairs together in class only",
    summary="Pairs of rows of one class that lie in different clusters.",
    formula="FN",
    better=Better.LOWER,
    synonyms=("N10",),
)

PAIRS_CLUSTER_ONLY = _count(
    lambda pairs: pairs.fp,
    key="pairs_cluster_only",
    name="Pairs together in cluster only",
    summary="Pairs of rows in one cluster that are of different classes.",
    formula="FP",
    better=Better.LOWER,
    synonyms=("N01",),
)

PAIRS_APART = _count(
    lambda pairs: pairs.tn,
    key="pairs_apart",
    name="Pairs apart in both",
    summary="Pairs of rows of different classes and in different clusters.",
    formula="TN",
    better=Better.HIGHER,
    synonyms=("N00",),
)
