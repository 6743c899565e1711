"""Files of clusterings: which columns are clusters, and on which features they were made."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evalcore.errors import EvalError
from evalcore.intake.assignment import CHOSEN, Confidence, Reason
from evalcore.intake.features import distances_among, kind_of_chosen
from evalcore.intake.model import NOISE, Choices, FeatureKind, Roles, Table, Task
from evalcore.intake.modelnames import speaks_of_prediction
from evalcore.intake.profile import Profile
from evalcore.intake.side import SideRoles
from evalcore.intake.wording import listed
from evalcore.intake.words import CLUSTER, FAINT_TRUTH, SCORE, TRUTH, pieces, plain

_CLASSES = frozenset({"class", "classes", "species", "label", "labels", "category"})
"""Names of true classes that are written as numbers, beside clusters."""

_MEMBERSHIP = SCORE | {"cluster", "membership", "strength", "outlier"}
"""What names of columns may speak of beside clusters, as HDBSCAN and mixtures tell it."""

_COUNT = re.compile(r"k[1-9]\d{0,3}")
_BESIDE = {
    FeatureKind.NUMBERS: Reason("numbers beside the clusters", Confidence.GUESS),
    FeatureKind.CATEGORIES: Reason("categories beside the clusters", Confidence.GUESS),
    FeatureKind.DISTANCES: Reason(
        "as many as there are rows, 0 on the diagonal, the same both ways", Confidence.SURE
    ),
}
"""Why columns are features."""


def clustering_roles(
    table: Table, columns: Mapping[str, Profile], side: SideRoles, known: Choices
) -> Roles | None:
    """Return the roles in a file of clusterings; None for any other file."""
    side = _without_found_weight(side, known)
    free = {name: column for name, column in columns.items() if name not in side.aside}
    clusters = _columns_of_clusters(free, known)
    if not clusters:
        return None
    truth = known.truth or _truth(free, clusters)
    taken = {truth, *clusters.values()}
    if known.features is None:
        others = [column for name, column in free.items() if name not in taken]
        features, kind = _features(table, others, _settled(known))
    else:
        features = known.features
        kind = _settled(known) or kind_of_chosen([columns[name] for name in features])
    named = Reason("named like a clustering", Confidence.LIKELY)
    beside = Reason("classes beside the clusters", Confidence.LIKELY)
    return Roles(
        task=Task.CLUSTERING,
        truth=truth,
        models={},
        clusterings=clusters,
        features=features,
        feature_kind=kind,
        noise=NOISE if known.noise is None else known.noise,
        fold=side.fold,
        weight=side.weight,
        group=side.group,
        id=side.id,
        reasons={
            **({truth: CHOSEN if known.truth else beside} if truth else {}),
            **dict.fromkeys(clusters.values(), CHOSEN if known.clusterings else named),
            **dict.fromkeys(features, _BESIDE[kind]),
            **dict.fromkeys(known.features or (), CHOSEN),
            **side.reasons,
        },
    )


def _without_found_weight(side: SideRoles, known: Choices) -> SideRoles:
    """Leave a column called "weight" among the features: points of a clustering count once."""
    if side.weight is None or known.weight is not None:
        return side
    reasons = {name: why for name, why in side.reasons.items() if name != side.weight}
    return replace(side, weight=None, aside=side.aside - {side.weight}, reasons=reasons)


def _columns_of_clusters(free: Mapping[str, Profile], known: Choices) -> Mapping[str, str]:
    """Return name -> column of clusters; nothing in a file that holds predictions."""
    given = (known.clusterings or {}).items()
    clusters = {name or column: column for name, column in given} or _clusters(free)
    if not (known.clusterings or known.task is Task.CLUSTERING):
        asked_otherwise = known.task or known.labels or known.scores or known.predictions
        if asked_otherwise or known.probabilities or _predicts(free, clusters):
            return {}
        clusters = clusters or _bare_labels(free)
    if not clusters and known.task is Task.CLUSTERING:
        raise _no_cluster(free)
    return clusters


def _predicts(free: Mapping[str, Profile], clusters: Mapping[str, str]) -> bool:
    """Tell whether a file holds predictions, rather than how firmly points are in their cluster."""
    spoken = [name for name in free if speaks_of_prediction(name)]
    if not clusters or not all(_is_membership(free[name]) for name in spoken):
        return bool(spoken)
    others = [column for name, column in free.items() if name not in clusters]
    return bool(spoken) and any(map(_is_target, others))


def _is_target(column: Profile) -> bool:
    """Tell a column of labels that is called the truth, or holds a yes and a no."""
    named = plain(column.name) in TRUTH or column.distinct == 2
    return named and bool(column.labels) and not column.continuous


def _is_membership(column: Profile) -> bool:
    words = {word.lower() for word in pieces(column.name) if not word.isdigit()}
    return words <= _MEMBERSHIP and column.numeric and (column.continuous or column.unit)


def _clusters(free: Mapping[str, Profile]) -> dict[str, str]:
    """Find columns of labels that are called after clusters, or after a way to make them."""
    return {n: n for n, column in free.items() if _labels(column) and _speaks_of_clusters(column)}


def _speaks_of_clusters(column: Profile) -> bool:
    words = {piece.lower() for piece in pieces(column.name)}
    if words & CLUSTER:
        return True
    # "single_k3": as many clusters as the name says.
    counts = [int(word[1:]) for word in words if _COUNT.fullmatch(word)]
    return len(words) > 1 and 1 < column.distinct <= max(counts, default=0) + 1


def _labels(column: Profile) -> bool:
    return bool(column.labels) and (column.whole or not column.numeric)


def _bare_labels(free: Mapping[str, Profile]) -> dict[str, str]:
    """Find whole numbers called "label" beside features that are no scores."""
    named = [n for n, c in free.items() if plain(n) in ("label", "labels") and c.whole]
    others = [column for name, column in free.items() if name not in named]
    # A column without a name beside others is from a file of bare predictions.
    nameless = any(re.fullmatch(r"column \d+", name) for name in free)
    features = len(others) > 1 and not nameless and all(c.numeric for c in others)
    scores = all(column.unit for column in others)
    return {named[0]: named[0]} if len(named) == 1 and features and not scores else {}


def _truth(free: Mapping[str, Profile], clusters: Mapping[str, str]) -> str:
    """Return the column of true classes; "" where there is none."""
    others = [column for name, column in free.items() if name not in clusters.values()]
    named = [c.name for c in others if plain(c.name) in TRUTH and plain(c.name) not in FAINT_TRUTH]
    text = [c.name for c in others if c.labels and not c.numeric and not c.unique]
    few = [c.name for c in others if plain(c.name) in _CLASSES and c.whole and 1 < c.distinct <= 20]
    return next(iter(named), text[0] if len(text) == 1 else few[0] if len(few) == 1 else "")


def _settled(known: Choices) -> FeatureKind | None:
    """Return the kind that is chosen; that columns are distances is seen from them alone."""
    return None if known.feature_kind is FeatureKind.DISTANCES else known.feature_kind


def _features(
    table: Table, others: Sequence[Profile], kind: FeatureKind | None
) -> tuple[tuple[str, ...], FeatureKind]:
    if kind is FeatureKind.CATEGORIES:
        return tuple(c.name for c in others if _labels(c) and not c.unique), kind
    numbers = [c for c in others if c.numeric and not speaks_of_prediction(c.name)]
    if kind is None and (distances := distances_among(table, numbers)):
        return distances, FeatureKind.DISTANCES
    return tuple(column.name for column in numbers), FeatureKind.NUMBERS


def _no_cluster(free: Mapping[str, Profile]) -> EvalError:
    return EvalError(
        "no-cluster",
        f"No column looks like clusters. The columns are: {listed(list(free))}. Choose the one "
        "that holds the cluster of each row.",
    )
