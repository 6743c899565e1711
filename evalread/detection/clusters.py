"""Files of clusterings: the columns of clusters and features, and their checked values."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import Notice, Offer
from evalcore.outcomes import NOISE, Categorical, Clustering, Distances, Points, Rows
from evalcore.predictions import Categories
from evalcore.text import listed, shorten
from evalread.columns import (
    Labels,
    Numbers,
    class_order,
    codes_in,
    labels_in,
    labels_of,
    numbers_of,
    plain_if_numbers,
    renamed,
    same_by_value,
)
from evalread.dataset import CHOSEN, Choices, Confidence, FeatureKind, Reason, Roles, Table, Task
from evalread.detection.predictions import metadata_roles
from evalread.detection.profile import (
    FEW_CLASSES,
    WORDS,
    Profile,
    lowered,
    pieces,
    plain,
    profile,
    speaks_of_prediction,
    truth_word,
)
from evalread.notices import Gap, Mask, kept_rows, notice, refusal


def unused(table: Table, roles: Roles) -> tuple[str, ...]:
    """Return the columns that play no role, in the file's order."""
    return tuple(name for name in table.names if name not in roles.reasons)


_FEWEST = 3
"""Rows of a matrix of distances; two rows of features are alike by chance."""

_FEWEST_BESIDE = 8
"""Rows of one beside other numbers, where there are several ways to be alike by chance."""

_OTHERS = 10
"""Columns of other numbers beside a square of distances: each place it may begin at is tried."""

_OFFERED = 60
"""Columns that an offer names; more would not fit an address."""

_COUNT = re.compile(r"k[1-9]\d{0,3}")
_NUMBERED = re.compile(r"(?P<stem>.*?)[ _.-]*(?P<number>[1-9]\d{0,3})")
_COORDINATE = re.compile(r"(?:.*[^A-Za-z])?(?P<word>[A-Za-z]+)[ _.-]*\d+")

_COORDINATES = Reason("coordinates computed from other columns", Confidence.LIKELY)
_BESIDE = {
    FeatureKind.NUMBERS: Reason("numbers next to the clusters", Confidence.GUESS),
    FeatureKind.CATEGORIES: Reason("categories next to the clusters", Confidence.GUESS),
    FeatureKind.DISTANCES: Reason("as many as rows, 0 on the diagonal, symmetric", Confidence.SURE),
}
"""Why columns are features."""


def clustering_roles(table: Table, columns: Mapping[str, Profile], known: Choices) -> Roles | None:
    """Return the roles in a file of clusterings; None for any other file."""
    # Points of a clustering count once, and are no draws.
    bare = replace(known, weight="") if known.weight is None else known
    metadata = metadata_roles(columns, bare, dependent=False)
    free = {name: column for name, column in columns.items() if name not in metadata.excluded}
    clusters = _columns_of_clusters(free, known)
    if not clusters:
        return None
    truth = known.truth or _truth(free, clusters)
    # Distances are shown by the columns themselves.
    chosen = None if known.feature_kind is FeatureKind.DISTANCES else known.feature_kind
    if known.features is None:
        used = {truth, *clusters.values(), *_clusters(free, [*clusters.values()])}
        others = [column for name, column in free.items() if name not in used]
        features, kind = _features(table, others, chosen)
    else:
        features = known.features
        kind = chosen or _kind_of_chosen([columns[name] for name in features])
    named = Reason("named like a clustering", Confidence.LIKELY)
    beside = Reason("classes next to the clusters", Confidence.LIKELY)
    return Roles(
        task=Task.CLUSTERING,
        truth=truth,
        models={},
        clusterings=clusters,
        features=features,
        feature_kind=kind,
        noise=NOISE if known.noise is None else known.noise,
        fold=metadata.fold,
        weight=metadata.weight,
        group=metadata.group,
        id=metadata.id,
        reasons={
            **({truth: CHOSEN if known.truth else beside} if truth else {}),
            **dict.fromkeys(clusters.values(), CHOSEN if known.clusterings else named),
            **dict.fromkeys(features, _BESIDE[kind]),
            **dict.fromkeys(filter(_is_coordinate, features), _COORDINATES),
            **dict.fromkeys(known.features or (), CHOSEN),
            **metadata.reasons,
        },
    )


def _columns_of_clusters(free: Mapping[str, Profile], known: Choices) -> Mapping[str, str]:
    """Return name -> column of clusters; nothing in a file that holds predictions."""
    given = (known.clusterings or {}).items()
    clusters = {name or column: column for name, column in given} or _clusters(free)
    if not (known.clusterings or known.task is Task.CLUSTERING):
        asked_otherwise = known.task or known.labels or known.scores or known.predictions
        if asked_otherwise or known.probabilities or _predicts(free, clusters):
            return {}
        if clusters and _classify(free, clusters):
            return {}
        clusters = clusters or _bare_labels(free)
    if not clusters and known.task is Task.CLUSTERING:
        raise refusal("no-cluster", names=list(free))
    return clusters


def _predicts(free: Mapping[str, Profile], clusters: Mapping[str, str]) -> bool:
    """Return whether a file holds predictions; beside clusters a score alone needs a truth.

    That is a column called so or as a score is, or one of a yes and a no beside a probability.
    """
    beside = [column for name, column in free.items() if name not in clusters]
    spoken = [column for column in beside if speaks_of_prediction(column.name)]
    if not (spoken and clusters) or any(set(c.words) & WORDS.prediction for c in spoken):
        return bool(spoken)
    names = " ".join(f"_{column.plain}_" for column in spoken)
    chances = any(column.unit and column.continuous for column in spoken)
    others = [column for column in beside if not speaks_of_prediction(column.name)]
    classes = {c.name for c in others if c.labels and not c.continuous}
    of_two = {c.name for c in others if c.distinct == 2 and chances}
    named = {c.name for c in others if c.plain in WORDS.truth} | of_two
    surely = (_called_truth(c.name) or f"_{c.plain}_" in names for c in others)
    return bool(classes & named) or any(surely)


def _classify(free: Mapping[str, Profile], clusters: Mapping[str, str]) -> bool:
    """Return whether all that is called after methods holds classes of another column.

    Numbers of clusters are often those of classes too. Where a name is no proof, and no features
    stand beside a truth that is called so, they are classes.
    """
    others = [column for name, column in free.items() if name not in clusters]
    truths = [column for column in others if column.labels and not column.numeric]
    called = [column for column in others if _called_truth(column.name) and column.numeric]
    if not _measures(column for column in others if column not in called):
        truths += called
    return all(
        WORDS.cluster.isdisjoint(column.words)
        and (not column.numeric or WORDS.clusterer.isdisjoint(column.words))
        and _of_method(column)
        and any(column.holds_only(truth.labels) for truth in truths)
        for column in (free[name] for name in clusters)
    )


def _called_truth(name: str) -> bool:
    return truth_word(name) or plain(name) in WORDS.sure_truth


def _is_true_class(name: str) -> bool:
    """Tell "true_label" and "true_cluster" from "consensus_cluster", which is a clustering."""
    words = lowered(name)
    surely = words[0] in WORDS.true_beside_clusters or WORDS.clusters.isdisjoint(words)
    return _called_truth(name) and surely


def _labels(column: Profile) -> bool:
    return bool(column.labels) and (column.whole or not column.numeric)


def _clusters(free: Mapping[str, Profile], chosen: Sequence[str] = ()) -> dict[str, str]:
    """Return the columns of labels that are called after clusters, or a way to make them.

    "Mine_Labels" beside "KMeans_Labels" is one more, as its last words are those of a known one;
    so is "cut_4" beside "cut_3".
    """
    said = set(chosen)
    labels = {
        name: column
        for name, column in free.items()
        if _labels(column) and (name in said or not _is_true_class(name))
    }
    numbered = {name: found for name in labels if (found := _NUMBERED.fullmatch(name))}
    stems = {name: found["stem"] for name, found in numbered.items()}
    # "k3" holds three values, beside noise.
    sizes = {n: int(found["number"]) + (labels[n].low < 0) for n, found in numbered.items()}
    others = {stems[n] for n, size in sizes.items() if not 1 < labels[n].distinct == size}
    several = Counter(stems.values())
    known = {n for n, c in labels.items() if n in said or _speaks_of_clusters(c)}
    known |= {n for n, stem in stems.items() if several[stem] > 1 and stem not in others}
    ends = {pieces(name)[1:] for name in known} - {()}
    like = {stems[name] for name in known if name in stems}
    return {
        name: name
        for name in labels
        if name in known or pieces(name)[1:] in ends or stems.get(name) in like
    }


def _speaks_of_clusters(column: Profile) -> bool:
    """Find "kmeans_a", "single_k3" of at most three clusters, and "res.0.6", a resolution."""
    words = set(column.words)
    # A "ward" that holds names is one of a hospital.
    names = all(len(label) > 1 and not re.search(r"\d", label) for label in column.labels)
    if names and column.plain in WORDS.also_else:
        return False
    counts = [int(word[1:]) for word in words if _COUNT.fullmatch(word)]
    few = len(words) > 1 and 1 < column.distinct <= max(counts, default=0) + 1
    numbers = {word for word in words if word.isdigit()}
    at_resolution = {"snn", "res"} <= words or (words - numbers == {"res"} and bool(numbers))
    return bool(words & WORDS.clusters) or few or at_resolution or _of_method(column)


def _of_method(column: Profile) -> bool:
    """Find "kmeans3" and "k_means" of few values."""
    begins = {"".join(column.words[:size]).rstrip("0123456789") for size in (1, 2)}
    return 1 < column.distinct <= FEW_CLASSES and not begins.isdisjoint(WORDS.clusterer)


def _bare_labels(free: Mapping[str, Profile]) -> dict[str, str]:
    """Return the whole numbers called "label" beside features that are no scores."""
    named = [n for n, c in free.items() if c.plain in ("label", "labels") and c.whole]
    others = [column for name, column in free.items() if name not in named]
    # A column without a name beside others is from a file of bare predictions.
    nameless = any(re.fullmatch(r"column \d+", name) for name in free)
    features = len(others) > 1 and not nameless and all(c.numeric for c in others)
    found = features and len(named) == 1 and not all(column.unit for column in others)
    return {name: name for name in named} if found else {}


def _truth(free: Mapping[str, Profile], clusters: Mapping[str, str]) -> str:
    """Return the column of true classes; "" where there is none."""
    taken = {*clusters.values()}
    others = [column for name, column in free.items() if name not in taken]
    named = [c for c in others if _is_true_class(c.name)]
    text = [c for c in others if c.labels and not (c.numeric or c.unique)]
    text = [c for c in text if c.words[-1] not in WORDS.source]
    called = [c for c in others if c.plain.replace("_", "") in WORDS.true_classes]
    few = [c for c in called if 1 < c.distinct <= FEW_CLASSES and (c.whole or c.labels)]
    return next((found[0].name for found in (named[:1], text, few) if len(found) == 1), "")


def _features(
    table: Table, others: Sequence[Profile], kind: FeatureKind | None
) -> tuple[tuple[str, ...], FeatureKind]:
    """Return the features among columns that are neither clusters nor the truth, and their kind."""
    if kind is FeatureKind.CATEGORIES:
        return tuple(c.name for c in others if _labels(c) and not c.unique), kind
    numbers = _measures(others)
    if kind is None and (distances := _distances_among(table, numbers)):
        return distances, FeatureKind.DISTANCES
    numbering = {column.name for column in _running_numbers(numbers)}
    names = tuple(column.name for column in numbers if column.name not in numbering)
    # Those made for a picture come second, as they bend space.
    made = (tuple(n for n in names if _is_coordinate(n, k)) for k in (WORDS.embedding, WORDS.plot))
    return next((some for some in made if len(some) > 1), names), FeatureKind.NUMBERS


def _running_numbers(measures: Sequence[Profile]) -> list[Profile]:
    """Return the columns that only number the rows; where most do so, all are ranks of measures."""
    found = [column for column in measures if column.numbering]
    ranks = len(found) > max(1, len(measures) / 2)
    return [column for column in found if column.counting or not ranks]


def _kind_of_chosen(columns: Sequence[Profile]) -> FeatureKind:
    """Return what columns of features hold that somebody has chosen.

    Raises:
        EvalError: "mixed-features" where they are both measures and words.
    """
    words = [column.name for column in columns if not column.mostly_numeric]
    measures = [column.name for column in columns if column.continuous]
    if words and measures:
        raise refusal("mixed-features", column=words[0], words=words, measures=measures)
    return FeatureKind.CATEGORIES if words else FeatureKind.NUMBERS


def _distances_among(table: Table, columns: Sequence[Profile]) -> tuple[str, ...]:
    """Return the columns, one after the other, that are a square of distances; none elsewhere."""
    n, others = table.n, len(columns) - table.n
    if n < (_FEWEST_BESIDE if others else _FEWEST):
        return ()
    for start in range(min(others, _OTHERS) + 1):
        run = columns[start : start + n]
        names = tuple(column.name for column in run)
        if all(column.low >= 0 for column in run) and _are_distances(table, names):
            return names
    return ()


def _are_distances(table: Table, names: Sequence[str]) -> bool:
    """Return whether columns are a square of distances; missing cells do not speak against it."""
    matrix = np.column_stack([numbers_of(table, name).values for name in names])
    if not np.any(matrix > 0) or np.any(matrix < 0) or np.any(matrix.diagonal() != 0):
        return False
    # Tools write distances with six digits or so.
    slack = 1e-6 * np.nanmax(matrix)
    return not np.any(np.abs(matrix - matrix.T) > slack)


def _measures(columns: Iterable[Profile]) -> list[Profile]:
    """Return the columns of numbers but those that tell of clusters or of what a row is made of.

    A score far beyond 1, such as a spending score of 80, is a measure and no likelihood.
    """
    numbers = [
        column
        for column in columns
        if column.numeric
        and not _is_membership(column)
        and (not speaks_of_prediction(column.name) or column.high > 2)
    ]
    detected = any(column.plain == "detected" for column in numbers)
    quality = WORDS.quality if detected else frozenset()
    return [c for c in numbers if not (_counts_parts(c) or c.plain in quality)]


def _is_membership(column: Profile) -> bool:
    """Whether numbers say how well a row belongs to its cluster, as "silhouette_width" do."""
    words = {word for word in column.words if not word.isdigit()}
    alone = words <= WORDS.score | WORDS.of_clusters | WORDS.between_clusters
    named = alone and bool(words & (WORDS.of_clusters - WORDS.score))
    return named and (column.continuous or column.unit)


def _is_coordinate(name: str, words: Iterable[str] = WORDS.embedding | WORDS.plot) -> bool:
    """Tell the name of a coordinate, as "PC_1" or "X_umap2"."""
    found = _COORDINATE.fullmatch(name)
    return found is not None and found["word"].lower() in words


def _counts_parts(column: Profile) -> bool:
    """Return whether a column tells what a row is made of, as "nCount_RNA" and "percent.mt" do."""
    first, *rest = [word.lower() for piece in pieces(column.name) for word in pieces(piece)]
    counts = column.whole and first == "n" and column.high > 1
    return counts or (first in WORDS.measured and bool(WORDS.reads & set(rest)))


def bind_clusterings(
    table: Table, roles: Roles
) -> tuple[Mapping[str, Clustering], tuple[Notice, ...]]:
    """Return every clustering, with the features if there are any.

    Rows without a feature are left out of all clusterings, those without a cluster out of one.

    Raises:
        EvalError: "no-rows", "no-such-label" for a label of noise that no clustering has, and what
            is wrong with the features.
    """
    read = labels_in(table, [*roles.clusterings.values()])
    labels = {
        name: same_by_value([own])[0] for name, own in zip(roles.clusterings, read, strict=True)
    }
    names = {name for own in labels.values() for name in own.names}
    noise = plain_if_numbers([roles.noise])  # numbers are the same by value
    if roles.noise != NOISE and not any(plain_if_numbers([name]) == noise for name in names):
        raise refusal("no-such-label/noise", said=roles.noise, names=class_order(names))
    features = _features_of(table, roles)
    said = [*features.notices, *_left_aside(table, roles)]
    count = None
    if table.counted is not None:
        count = numbers_of(table, roles.weight or "").values.astype(np.int64)
    elif roles.weight:
        said.append(notice("weight-unused", column=roles.weight))
    bound = {}
    for name, own in labels.items():
        gap = Gap("cluster", roles.clusterings[name], own.codes < 0, own.missing)
        rows, notices = kept_rows([*features.gaps, gap], name if len(labels) > 1 else None)
        # A notice about a feature has the code that all of them share.
        about = ((one, one.code.startswith('missing-"')) for one in notices)
        said += [replace(one, code="missing-feature") if found else one for one, found in about]
        kept = renamed(own, lambda label: None if plain_if_numbers([label]) == noise else label)
        order = class_order(kept.names)
        cluster = codes_in(kept, order).astype(np.int64)
        bound[name] = features.made(
            names=order,
            cluster=cluster if rows is None else cluster[rows],
            rows=None if rows is None else rows + 1,
            count=count if count is None or rows is None else count[rows],
            **features.of(rows),
        )
    return MappingProxyType(bound), tuple(dict.fromkeys(said))


class _Features(NamedTuple):
    """The features of all rows: the clustering that has them, and its field for their cells.

    Rows with a gap in a feature cannot be placed.
    """

    made: type[Clustering]
    field: str = ""
    cells: NDArray[Any] = np.empty(0)
    gaps: Sequence[Gap] = ()
    notices: Sequence[Notice] = ()

    def of(self, rows: Rows | None) -> dict[str, Any]:
        """Return the field with the features of some rows, or of all."""
        at = slice(None) if rows is None else np.ix_(rows, rows) if self.made is Distances else rows
        return {self.field: self.cells[at]} if self.field else {}


def _features_of(table: Table, roles: Roles) -> _Features:
    """Return the features of a file.

    Raises:
        EvalError: "not-numeric" for a feature that holds text; "infinite-score";
            "missing-distance".
    """
    names, kind = roles.features, roles.feature_kind
    if not names:
        return _Features(Clustering, notices=[_no_features(table, roles)])
    read = labels_of if kind is FeatureKind.CATEGORIES else numbers_of
    found = {name: read(table, name) for name in names}
    for name, one in found.items():
        if isinstance(one, Numbers):
            one.refuse_infinite(name)
    cells = np.column_stack(
        [o.codes if isinstance(o, Labels) else o.values for o in found.values()]
    )
    if kind is FeatureKind.DISTANCES:
        return _distances(cells, names)
    # A code below zero is a missing cell.
    missing = cells < 0 if kind is FeatureKind.CATEGORIES else np.isnan(cells)
    by_column = zip(found.items(), missing.T, strict=True)
    gaps = [Gap(f'"{name}"', name, rows, one.missing) for (name, one), rows in by_column]
    if kind is FeatureKind.NUMBERS:
        return _Features(Points, "features", cells, gaps)
    told = notice("matching", many=len(names))
    return _Features(Categorical, "codes", cells, gaps, [told])


def _distances(matrix: NDArray[Any], columns: Sequence[str]) -> _Features:
    missing = np.isnan(matrix)
    if missing.any():
        first = columns[int(missing.any(axis=0).argmax())]
        rows: Mask = missing.any(axis=1)
        raise refusal("missing-distance", rows=rows, column=first, cells=int(missing.sum()))
    told = notice("distances", many=len(columns))
    return _Features(Distances, "matrix", matrix, notices=[told])


def _no_features(table: Table, roles: Roles) -> Notice:
    """Say what can be told without features: how far clusterings agree; offer words as features."""
    others = ["each other"] if len(roles.clusterings) > 1 else []
    others += [f'"{shorten(roles.truth)}"'] if roles.truth else []
    free = [profile(table, column) for column in unused(table, roles)[:_OFFERED]]
    counts = [column.name for column in free if _counts_parts(column)]
    if table.counted is not None:
        return notice("no-features/counts", others=" and ".join(others) or "no other")
    aside = f" ({listed(counts, 3)} describe what a row is made of, not where it lies)"
    words = tuple(c.name for c in free if c.labels and not c.mostly_numeric and not c.unique)
    return notice(
        "no-features" if others else "no-features/alone",
        offers=_as_features(words),
        aside=aside if counts else "",
        others=" and ".join(others),
    )


def _as_features(columns: tuple[str, ...]) -> tuple[Offer, ...]:
    label = f"Use {listed(columns, 3)} as features"
    return (Offer(label, "features", columns),) if columns else ()


def _left_aside(table: Table, roles: Roles) -> Iterator[Notice]:
    """Offer what is no feature: measures beside coordinates, and else what numbers the rows."""
    reasons = {roles.reasons.get(name) for name in roles.features}
    if roles.feature_kind is not FeatureKind.NUMBERS or CHOSEN in reasons:
        return
    free = [profile(table, name) for name in unused(table, roles)[:_OFFERED]]
    if _COORDINATES in reasons:
        measured = (column.name for column in _measures(free) if not column.numbering)
        others = tuple(name for name in measured if not _is_coordinate(name))
        made, offers = roles.features, _as_features(others)
        if others:
            yield notice("coordinates", column=made[0], made=made, others=others, offers=offers)
        return
    for one in (column for column in free if column.numbering):
        offer = Offer(f'Use "{shorten(one.name)}", too', "features", (one.name, *roles.features))
        offers = (offer,) if len(roles.features) < _OFFERED else ()
        span = f"{one.low:,.0f} to {one.high:,.0f}"
        yield notice("running-number", column=one.name, span=span, offers=offers)


def true_class(table: Table, roles: Roles) -> Categories | None:
    """Return the true class of each row, to compare clusterings with; None without a truth."""
    if not roles.truth:
        return None
    (labels,) = same_by_value([labels_of(table, roles.truth)])
    names = class_order(labels.names)
    return Categories(names, codes_in(labels, names))
