"""What a number about a clustering means for these points: one short sentence."""

from collections.abc import Mapping

from evalcore.results import ClusteringEvaluation
from evalcore.tables.contingency import Contingency
from pages.figures.words import counted, percent

_ALWAYS: Mapping[str, str] = {
    "calinski_harabasz": "spread between clusters over spread within; higher is better",
    "davies_bouldin": "how alike the closest clusters are; 0 is best",
    "dunn": "smallest gap between clusters over the widest cluster; higher is better",
    "adjusted_rand_index": "0 is chance, 1 is the same grouping",
    "ami_arithmetic": "0 is chance, 1 is the same grouping",
    "v_measure": "1 if clusters hold one class and classes lie in one cluster",
}


def sentence(made: ClusteringEvaluation, key: str) -> str:
    """Return what the metric with this key means here; "" where there is nothing to add."""
    if key == "silhouette" and made.tables is not None:
        values = made.tables.silhouette.values
        below = int((values < 0).sum())
        return f"{counted(below, 'point')} nearer to another cluster"
    if key in ("purity", "best_match_accuracy") and made.contingency is not None:
        return _matched(made.contingency, key, made.agreement[key].value)
    return _ALWAYS.get(key, "")


def _matched(table: Contingency, key: str, share: float) -> str:
    if not table.n:
        return ""
    points = f"{round(share * table.n):,} of {counted(table.n, 'point')}"
    if key == "purity":
        return f"{points} are of the main class of their cluster"
    largest = float(table.class_sizes.max()) / table.n
    return f"{points} in the cluster of their class; {percent(largest)} with one cluster for all"
