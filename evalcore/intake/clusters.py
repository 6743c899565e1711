"""Files of clusterings: which columns are clusters, and on which features they were made."""

from collections.abc import Mapping

from evalcore.intake.chosen import CHOSEN
from evalcore.intake.model import Choices, Roles, Task
from evalcore.intake.predictions import speaks_of_prediction
from evalcore.intake.profile import Profile
from evalcore.intake.side import SideRoles
from evalcore.intake.words import CLUSTER, FAINT_TRUTH, TRUTH, pieces, plain


def clustering_roles(
    columns: Mapping[str, Profile], side: SideRoles, known: Choices
) -> Roles | None:
    """Return the roles in a file of clusterings; None for any other file."""
    free = {name: column for name, column in columns.items() if name not in side.aside}
    clusters = dict(known.clusterings or {}) or _clusters(free)
    if not (known.clusterings or known.task is Task.CLUSTERING):
        asked_otherwise = known.task or known.labels or known.scores or known.predictions
        if asked_otherwise or known.probabilities or any(map(speaks_of_prediction, free)):
            return None
        clusters = clusters or _bare_labels(free)
    if not clusters:
        return None
    truth = known.truth or _truth(free, clusters)
    taken = {truth, *clusters.values()}
    numbers = (n for n, c in free.items() if n not in taken and c.numeric)
    reason = CHOSEN if known.clusterings else "named like a clustering"
    return Roles(
        task=Task.CLUSTERING,
        truth=truth,
        models={},
        clusterings=clusters,
        features=tuple(numbers) if known.features is None else known.features,
        fold=side.fold,
        weight=side.weight,
        group=side.group,
        id=side.id,
        reasons={**dict.fromkeys(clusters.values(), reason), **side.reasons},
    )


def _clusters(free: Mapping[str, Profile]) -> dict[str, str]:
    """Find columns of labels that are called after clusters, or after a way to make them."""
    return {
        name: name
        for name, column in free.items()
        if CLUSTER & {piece.lower() for piece in pieces(name)} and _labels(column)
    }


def _labels(column: Profile) -> bool:
    return bool(column.labels) and (column.whole or not column.numeric)


def _bare_labels(free: Mapping[str, Profile]) -> dict[str, str]:
    """Find whole numbers called "label" beside features that are no scores."""
    named = [n for n, c in free.items() if plain(n) in ("label", "labels") and c.whole]
    others = [column for name, column in free.items() if name not in named]
    features = len(others) > 1 and all(c.numeric for c in others)
    scores = all(column.unit for column in others)
    return {named[0]: named[0]} if len(named) == 1 and features and not scores else {}


def _truth(free: Mapping[str, Profile], clusters: Mapping[str, str]) -> str:
    """Return the column of true classes; "" where there is none."""
    others = [column for name, column in free.items() if name not in clusters.values()]
    named = [c.name for c in others if plain(c.name) in TRUTH and plain(c.name) not in FAINT_TRUTH]
    text = [c.name for c in others if c.labels and not c.numeric and not c.unique]
    return next(iter(named), text[0] if len(text) == 1 else "")
