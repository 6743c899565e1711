"""From a number about decisions or clusters back to the counts that it is made of."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from evalcore.clustering import agreement, points
from evalcore.metrics import decisions
from evalcore.metrics.clusters import completeness, homogeneity
from evalcore.metrics.metric import Metric
from evalcore.outcomes import Floats
from evalcore.results import ClusteringEvaluation
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.contingency import Contingency
from evalview.explained import arithmetic
from evalview.explained.arithmetic import (
    Columns,
    NotArithmeticError,
    Working,
    known,
    parts,
    share,
    text,
)

CLASSES = 12
"""So many classes are shown."""


def of_counts(metric: Metric, counts: BinaryCounts) -> Working | None:
    """Return the working of a metric of four counts; None where it is more than arithmetic.

    >>> from evalcore.metrics.decisions import RECALL
    >>> of_counts(RECALL, BinaryCounts(tp=3, fp=1, fn=1, tn=5)).result
    0.75
    """
    values = {name: float(getattr(counts, name.lower())) for name in ("TP", "FP", "FN", "TN")}
    try:
        arithmetic.parse(metric.formula, values)
    except NotArithmeticError:
        return None
    return Working(metric.formula, values)


def of_class(metric: Metric, confusion: ConfusionMatrix, code: int) -> Working | None:
    """Return the working of a metric of one class against all others."""
    rest = confusion.one_vs_rest()
    cells = (np.asarray(getattr(rest, name))[code] for name in ("tp", "fp", "fn", "tn"))
    return of_counts(metric, BinaryCounts(*map(float, cells)))


def of_average(metric: Metric, confusion: ConfusionMatrix, average: str) -> Working | None:
    """Return the working of a mean over classes: "macro", "weighted", or "micro"."""
    rest = confusion.one_vs_rest()
    if average == "micro":
        cells = (np.sum(getattr(rest, name)) for name in ("tp", "fp", "fn", "tn"))
        return of_counts(metric, BinaryCounts(*map(float, cells)))
    values, rows = np.asarray(metric(rest)), np.asarray(rest.positives)
    used = np.flatnonzero(~np.isnan(values) & (rows > 0))
    columns: Columns = {
        "class": [confusion.classes[code] for code in used],
        metric.name: values[used],
    }
    if average == "macro":
        made = share("values of the classes, added up", "classes")(values[used].sum(), len(used))
        return made.of_parts(parts("class", columns, CLASSES))
    products = rows[used] * values[used]
    made = share("rows · value, added up", "rows")(products.sum(), rows[used].sum())
    columns |= {"rows": rows[used], "product": products}
    return made.of_parts(parts("class", columns, CLASSES))


def of_chance(counts: Floats) -> Working:
    """Return the p value of the accuracy of (K, K) counts, which a distribution gives."""
    right, total, largest = counts.trace(), counts.sum(), counts.sum(axis=1).max()
    formula = (
        rf"P(X \ge {right:.10g}), \; X \sim \mathrm{{Bin}}\left({total:.10g}, "
        rf"\frac{{{largest:.10g}}}{{{total:.10g}}}\right)"
    )
    return known(formula, float(decisions.accuracy_p_value(counts)))


def _kappa(counts: Floats) -> Working:
    total = counts.sum()
    observed, chance = text("agreement"), text("agreement by chance")
    return Working(
        rf"\frac{{{observed} - {chance}}}{{1 - {chance}}}",
        {
            observed: float(counts.trace() / total),
            chance: float(counts.sum(axis=0) @ counts.sum(axis=1) / total**2),
        },
    )


def _weighted_kappa(power: int) -> Callable[[Floats], Working]:
    squared = "" if power == 1 else ", squared"
    off = text(f"classes off{squared}, added up")
    chance = text(f"the same by chance{squared and ' alone'}")

    def make(counts: Floats) -> Working:
        code = np.arange(len(counts))
        distance = np.abs(np.subtract.outer(code, code)).astype(np.float64) ** power
        expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
        values = {off: (distance * counts).sum(), chance: (distance * expected).sum()}
        return Working(rf"1 - \frac{{{off}}}{{{chance}}}", values)

    return make


def _mcc(counts: Floats) -> Working:
    actual, decided = counts.sum(axis=1), counts.sum(axis=0)
    right, rows = text("right"), text("rows")
    both, of_truth, of_decision = map(text, ("is · called", "is²", "called²"))
    return Working(
        rf"\frac{{{right} \cdot {rows} - {both}}}"
        rf"{{\sqrt{{({rows}^2 - {of_truth}) ({rows}^2 - {of_decision})}}}}",
        {
            right: counts.trace(),
            rows: counts.sum(),
            both: float(actual @ decided),
            of_truth: float(actual @ actual),
            of_decision: float(decided @ decided),
        },
    )


def _mean_recall(counts: Floats) -> Working:
    actual = counts.sum(axis=1)
    recall = counts.diagonal()[actual > 0] / actual[actual > 0]
    return share("recalls of the classes, added up", "classes")(recall.sum(), len(recall))


OF_MATRIX: Mapping[str, Callable[[Floats], Working]] = MappingProxyType(
    {
        "accuracy": lambda counts: share("rows called right", "rows")(counts.trace(), counts.sum()),
        "error_rate": lambda counts: share("rows called wrong", "rows")(
            counts.sum() - counts.trace(), counts.sum()
        ),
        "balanced_accuracy": _mean_recall,
        "cohen_kappa": _kappa,
        "weighted_kappa_linear": _weighted_kappa(1),
        "weighted_kappa_quadratic": _weighted_kappa(2),
        "mcc": _mcc,
        "no_information_rate": lambda counts: share("rows of the largest class", "rows")(
            counts.sum(axis=1).max(), counts.sum()
        ),
        "accuracy_p_value": of_chance,
    }
)


CLUSTERS = 12
"""So many clusters are shown."""


def of_points(metric: Metric, made: ClusteringEvaluation) -> Working | None:
    """Return the working of a number about how points lie; None where they were not all judged."""
    tables, names = made.tables, made.clustering.names
    if tables is None:
        return None
    if metric.key == "silhouette":
        return _silhouette(tables.silhouette, names)
    if metric.key == "dunn":
        found = tables.separation
        gap, width = text("smallest gap between clusters"), text("widest cluster")
        if found is None:
            return None
        return Working(rf"\frac{{{gap}}}{{{width}}}", {gap: found.gap, width: found.diameter})
    make = OF_CENTROIDS.get(metric.key)
    return None if make is None or tables.centroids is None else make(tables.centroids, names)


def _silhouette(found: points.Silhouette, names: tuple[str, ...]) -> Working:
    used = np.flatnonzero(~np.isnan(found.cluster_means))
    sizes, means = found.cluster_sizes[used], found.cluster_means[used]
    made = share("silhouettes of the points, added up", "points")(float(sizes @ means), sizes.sum())
    if found.method == "sample":
        total = float(np.nansum(found.values))
        made = share("silhouettes of the sampled points", "sampled points")(total, found.scored)
    columns: Columns = {"cluster": [names[code] for code in used], "points": sizes, "mean": means}
    return made.of_parts(parts("cluster", columns | {"sum": sizes * means}, CLUSTERS))


def _ratio_of_variances(table: points.Centroids, names: tuple[str, ...]) -> Working:
    values = (table.between, table.within.sum(), table.k, table.n)
    formula = r"\frac{B / (k - 1)}{W / (n - k)}"
    return Working(formula, dict(zip("BWkn", map(float, values), strict=True)))


def _blends(table: points.Centroids, names: tuple[str, ...]) -> Working:
    from scipy.spatial.distance import cdist

    apart = cdist(table.offsets, table.offsets)
    np.fill_diagonal(apart, np.nan)
    blend = (table.spread[:, np.newaxis] + table.spread) / apart
    worst = np.nanargmax(blend, axis=1)
    largest = blend[np.arange(table.k), worst]
    columns: Columns = {
        "cluster": [names[code] for code in table.names],
        "most like": [names[code] for code in table.names[worst]],
        "(s + s) / d": largest,
    }
    made = share("largest ratios, added up", "clusters")(largest.sum(), table.k)
    return made.of_parts(parts("cluster", columns, CLUSTERS))


def _within(table: points.Centroids, names: tuple[str, ...]) -> Working:
    columns: Columns = {
        "cluster": [names[code] for code in table.names],
        "points": table.sizes,
        "squared distances": table.within,
    }
    made = known(text("squared distances of the clusters, added up"), float(table.within.sum()))
    return made.of_parts(parts("cluster", columns, CLUSTERS))


def _between(table: points.Centroids, names: tuple[str, ...]) -> Working:
    squares = np.einsum("ij,ij->i", table.offsets, table.offsets)
    columns: Columns = {
        "cluster": [names[code] for code in table.names],
        "points": table.sizes,
        "squared distance of the centre": squares,
        "product": table.sizes * squares,
    }
    made = known(text("points · squared distance, added up"), float(table.sizes @ squares))
    return made.of_parts(parts("cluster", columns, CLUSTERS))


def _both(table: points.Centroids, names: tuple[str, ...]) -> Working:
    return Working("W + B", {"W": float(table.within.sum()), "B": table.between})


Centred = Callable[[points.Centroids, tuple[str, ...]], Working]
OF_CENTROIDS: Mapping[str, Centred] = MappingProxyType(
    {
        "calinski_harabasz": _ratio_of_variances,
        "davies_bouldin": _blends,
        "within_ss": _within,
        "between_ss": _between,
        "total_ss": _both,
    }
)


def of_agreement(metric: Metric, table: Contingency) -> Working | None:
    """Return the working of a number of agreement: of pairs, of information, of rows."""
    make = OF_CONTINGENCY.get(metric.key)
    return of_counts(metric, table.pairs()) if make is None else make(table)


def _information(table: Contingency) -> Working:
    chance = table.class_sizes[table.row] * table.cluster_sizes[table.column] / table.n
    terms = table.cells / table.n * np.log(table.cells / chance)
    columns: Columns = {
        "class": [table.classes[code] for code in table.row],
        "cluster": [table.clusters[code] for code in table.column],
        "rows": table.cells,
        "by chance": chance,
        "term": terms,
    }
    return known(text("terms, added up"), float(terms.sum())).of_parts(
        parts("filled cell", columns)
    )


def _of_entropies(formula: str) -> Callable[[Contingency], Working]:
    def make(table: Contingency) -> Working:
        values = {
            "E[I]": float(agreement.expected_information(table)) if "E[I]" in formula else np.nan,
            "I": float(agreement.mutual_information(table)),
            "H(class)": agreement.entropy(table.class_sizes),
            "H(cluster)": agreement.entropy(table.cluster_sizes),
        }
        return Working(formula, {name: v for name, v in values.items() if name in formula})

    return make


def _harmonic(table: Contingency) -> Working:
    values = {"h": float(homogeneity(table)), "c": float(completeness(table))}
    return Working(r"\frac{2 h c}{h + c}", values)


def _largest(noun: str, other: str) -> Callable[[Contingency], Working]:
    def make(table: Contingency) -> Working:
        sides = ((table.classes, table.row), (table.clusters, table.column))
        (groups, group), (others, part) = sides if noun == "class" else sides[::-1]
        # The last one written stays: the largest part, of several the first.
        order = np.lexsort((-part, table.cells))
        best, rows = np.zeros((2, len(groups)), dtype=np.int64)
        best[group[order]], rows[group[order]] = part[order], table.cells[order]
        columns: Columns = {
            noun: list(groups),
            f"largest {other}": [others[code] for code in best],
            "rows": rows,
        }
        made = share("rows of the largest parts, added up", "rows")(rows.sum(), table.n)
        return made.of_parts(parts(noun, columns, CLUSTERS))

    return make


def _matched(table: Contingency) -> Working:
    partner = agreement.best_match(table)
    held = np.flatnonzero(partner[table.column] == table.row)
    held = held[np.argsort(table.column[held])]
    paired, rows = table.column[held], table.cells[held]
    columns: Columns = {
        "cluster": [table.clusters[code] for code in paired],
        "stands for": [table.classes[code] for code in partner[paired]],
        "rows": rows,
    }
    made = share("rows of the pairs, added up", "rows")(rows.sum(), table.n)
    return made.of_parts(parts("pair", columns, CLUSTERS))


OF_CONTINGENCY: Mapping[str, Callable[[Contingency], Working]] = MappingProxyType(
    {
        "mutual_information": _information,
        "nmi_arithmetic": _of_entropies(r"\frac{2 I}{H(class) + H(cluster)}"),
        "ami_arithmetic": _of_entropies(r"\frac{I - E[I]}{(H(class) + H(cluster)) / 2 - E[I]}"),
        "variation_of_information": _of_entropies(r"H(class) + H(cluster) - 2 I"),
        "homogeneity": _of_entropies(r"\frac{I}{H(class)}"),
        "completeness": _of_entropies(r"\frac{I}{H(cluster)}"),
        "v_measure": _harmonic,
        "purity": _largest("cluster", "class"),
        "inverse_purity": _largest("class", "cluster"),
        "best_match_accuracy": _matched,
    }
)
