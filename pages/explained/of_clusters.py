"""From a number about clusters back to the clusters, pairs and cells that it is made of."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from evalcore.clusters.centroids import Centroids
from evalcore.clusters.information import entropy, expected_information, mutual_information
from evalcore.clusters.matching import best_match
from evalcore.clusters.silhouette import Silhouette
from evalcore.metrics.information import completeness, homogeneity
from evalcore.metrics.spec import Metric
from evalcore.results import ClusteringEvaluation
from evalcore.tables.contingency import Contingency
from pages.explained.of_matrices import of_counts
from pages.explained.parts import parts
from pages.explained.working import Working, known, share, text

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
        values = None if found is None else {gap: found.gap, width: found.diameter}
        return values and Working(rf"\frac{{{gap}}}{{{width}}}", values)
    make = OF_CENTROIDS.get(metric.key)
    return None if make is None or tables.centroids is None else make(tables.centroids, names)


def _silhouette(found: Silhouette, names: tuple[str, ...]) -> Working:
    used = np.flatnonzero(~np.isnan(found.cluster_means))
    sizes, means = found.cluster_sizes[used], found.cluster_means[used]
    made = share("silhouettes of the points, added up", "points")(float(sizes @ means), sizes.sum())
    if found.method == "sample":
        total = float(np.nansum(found.values))
        made = share("silhouettes of the sampled points", "sampled points")(total, found.scored)
    columns = {"cluster": [names[code] for code in used], "points": sizes, "mean": means}
    return made.of_parts(parts("cluster", columns | {"sum": sizes * means}, CLUSTERS))


def _ratio_of_variances(table: Centroids, names: tuple[str, ...]) -> Working:
    values = (table.between, table.within.sum(), table.k, table.n)
    formula = r"\frac{B / (k - 1)}{W / (n - k)}"
    return Working(formula, dict(zip("BWkn", map(float, values), strict=True)))


def _blends(table: Centroids, names: tuple[str, ...]) -> Working:
    from scipy.spatial.distance import cdist

    apart = cdist(table.offsets, table.offsets)
    np.fill_diagonal(apart, np.nan)
    blend = (table.spread[:, np.newaxis] + table.spread) / apart
    worst = np.nanargmax(blend, axis=1)
    largest = blend[np.arange(table.k), worst]
    columns = {
        "cluster": [names[code] for code in table.names],
        "most like": [names[code] for code in table.names[worst]],
        "(s + s) / d": largest,
    }
    made = share("largest ratios, added up", "clusters")(largest.sum(), table.k)
    return made.of_parts(parts("cluster", columns, CLUSTERS))


def _within(table: Centroids, names: tuple[str, ...]) -> Working:
    columns = {
        "cluster": [names[code] for code in table.names],
        "points": table.sizes,
        "squared distances": table.within,
    }
    made = known(text("squared distances of the clusters, added up"), float(table.within.sum()))
    return made.of_parts(parts("cluster", columns, CLUSTERS))


def _between(table: Centroids, names: tuple[str, ...]) -> Working:
    squares = np.einsum("ij,ij->i", table.offsets, table.offsets)
    columns = {
        "cluster": [names[code] for code in table.names],
        "points": table.sizes,
        "squared distance of the centre": squares,
        "product": table.sizes * squares,
    }
    made = known(text("points · squared distance, added up"), float(table.sizes @ squares))
    return made.of_parts(parts("cluster", columns, CLUSTERS))


def _both(table: Centroids, names: tuple[str, ...]) -> Working:
    return Working("W + B", {"W": float(table.within.sum()), "B": table.between})


OF_CENTROIDS: Mapping[str, Callable[[Centroids, tuple[str, ...]], Working]] = MappingProxyType(
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
    columns = {
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
            "E[I]": float(expected_information(table)) if "E[I]" in formula else np.nan,
            "I": float(mutual_information(table)),
            "H(class)": entropy(table.class_sizes),
            "H(cluster)": entropy(table.cluster_sizes),
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
        columns = {
            noun: list(groups),
            f"largest {other}": [others[code] for code in best],
            "rows": rows,
        }
        made = share("rows of the largest parts, added up", "rows")(rows.sum(), table.n)
        return made.of_parts(parts(noun, columns, CLUSTERS))

    return make


def _matched(table: Contingency) -> Working:
    partner = best_match(table)
    held = np.flatnonzero(partner[table.column] == table.row)
    held = held[np.argsort(table.column[held])]
    paired, rows = table.column[held], table.cells[held]
    columns = {
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
