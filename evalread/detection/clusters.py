"""Files of clusterings: the columns of clusters and features, and their checked values."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType

import numpy as np

from evalcore.errors import EvalError, Notice, Offer
from evalcore.outcomes import (
    NOISE,
    Categorical,
    Categories,
    Clustering,
    Distances,
    Floats,
    Points,
    Rows,
)
from evalcore.text import counted, listed, shorten
from evalread.columns import (
    Labels,
    class_order,
    codes_in,
    labels_of,
    numbers_of,
    plain_if_numbers,
    same_by_value,
)
from evalread.dataset import (
    CHOSEN,
    Choices,
    Confidence,
    FeatureKind,
    FoldRoles,
    Reason,
    Roles,
    Table,
    Task,
)
from evalread.detection.predictions import Metadata
from evalread.detection.profile import (
    CLUSTER,
    FAINT_TRUTH,
    FEW_CLASSES,
    PREDICTION,
    SCORE,
    TRUTH,
    Profile,
    pieces,
    plain,
    profile,
    speaks_of_prediction,
    truth_word,
    word_set,
)
from evalread.detection.scores import prediction_bounds
from evalread.rows import Gap, kept_rows, refuse_infinite, row_list, row_numbers


def unused(table: Table, roles: Roles) -> tuple[str, ...]:
    """Return the columns that play no role, in the file's order."""
    around = (found.columns for found in prediction_bounds(table.names, roles).values())
    used = {*_used(roles), *chain.from_iterable(around)}
    return tuple(name for name in table.names if name not in used)


def _used(roles: Roles) -> Iterator[str | None]:
    yield from (roles.truth, roles.fold, roles.weight, roles.group, roles.id, roles.model)
    for model in roles.models.values():
        yield from model.columns
    yield from roles.clusterings.values()
    yield from roles.features
    if roles.folds is not None:
        yield from _used_by_folds(roles.folds)


def _used_by_folds(folds: FoldRoles) -> Iterator[str | None]:
    yield from folds.scores.values()
    yield from folds.named_by
    yield from folds.named_by.values()
    yield from (folds.repeat, folds.dataset, folds.train_size, folds.test_size)


_FEWEST = 3
"""Rows of a matrix of distances; two rows of features are alike by chance."""

_FEWEST_BESIDE = 8
"""Rows of one beside other numbers, where there are several ways to be alike by chance."""

_OTHERS = 10
"""Columns of other numbers beside a square of distances: each place it may begin at is tried."""

_OFFERED = 60
"""Columns that an offer names; more would not fit an address."""

_AS_NUMBERS = Offer("Read as features", "feature_kind", FeatureKind.NUMBERS.value)


@dataclass(frozen=True, eq=False)
class Features:
    """The features of all rows of a file.

    Attributes:
        gaps: One per column, where rows without it cannot be placed.
        on: From a clustering, and the places of its rows (None for all), to one with features.
        notices: What was made of them.
    """

    gaps: Sequence[Gap]
    on: Callable[[Clustering, Rows | None], Clustering]
    notices: Sequence[Notice] = ()


def distances_among(table: Table, columns: Sequence[Profile]) -> tuple[str, ...]:
    """Return the columns, one after the other, that are a square of distances; none elsewhere."""
    n, others = table.n, len(columns) - table.n
    if n < (_FEWEST_BESIDE if others else _FEWEST):
        return ()
    for start in range(min(others, _OTHERS) + 1):
        run = columns[start : start + n]
        names = tuple(column.name for column in run)
        if all(column.low >= 0 for column in run) and _are_distances(_matrix(table, names)):
            return names
    return ()


def kind_of_chosen(columns: Sequence[Profile]) -> FeatureKind:
    """Tell what columns of features hold that somebody has chosen.

    Raises:
        EvalError: "mixed-features" where they are both measures and words.
    """
    words = [column.name for column in columns if not column.mostly_numeric]
    measures = [column.name for column in columns if column.continuous]
    if words and measures:
        raise EvalError(
            "mixed-features",
            f"No one distance fits both words ({listed(words, 3)}) and measures "
            f"({listed(measures, 3)}). Choose features of one kind, or read all as categories.",
            column=words[0],
        )
    return FeatureKind.CATEGORIES if words else FeatureKind.NUMBERS


def categories_offered(table: Table, roles: Roles) -> tuple[Offer, ...]:
    """Offer the columns of words that play no role as features."""
    free = (profile(table, column) for column in unused(table, roles)[:_OFFERED])
    words = [c.name for c in free if c.labels and not c.mostly_numeric and not c.unique]
    if not words:
        return ()
    label = f"Take {listed(words, 3)} as features"
    return (Offer(label, "features", tuple(words)),)


def _matrix(table: Table, columns: Sequence[str]) -> Floats:
    return np.column_stack([numbers_of(table, column).values for column in columns])


def _are_distances(matrix: Floats) -> bool:
    """Tell whether a square is one of distances; missing cells do not speak against it."""
    if not np.any(matrix > 0) or np.any(matrix < 0) or np.any(matrix.diagonal() != 0):
        return False
    # Tools write distances with six digits or so.
    slack = 1e-6 * np.nanmax(matrix)
    return not np.any(np.abs(matrix - matrix.T) > slack)


def features_of(table: Table, roles: Roles) -> Features | None:
    """Return the features of a file; None where there are none.

    Raises:
        EvalError: "not-numeric" for a feature that holds text; "infinite-score";
            "missing-distance".
    """
    if not roles.features:
        return None
    if roles.feature_kind is FeatureKind.CATEGORIES:
        return _categories(table, roles.features)
    numbers = {column: numbers_of(table, column) for column in roles.features}
    for column, values in numbers.items():
        refuse_infinite(values, column)
    if roles.feature_kind is FeatureKind.DISTANCES:
        return _distances(_matrix(table, roles.features), roles.features)
    gaps = [Gap(f'"{c}"', c, np.isnan(n.values), n.missing) for c, n in numbers.items()]
    matrix = _matrix(table, roles.features)

    def on(clustering: Clustering, places: Rows | None) -> Clustering:
        return Points(**vars(clustering), features=matrix if places is None else matrix[places])

    return Features(gaps, on)


def _categories(table: Table, columns: Sequence[str]) -> Features:
    labels = {column: labels_of(table, column) for column in columns}
    gaps = [Gap(f'"{c}"', c, found.codes < 0, found.missing) for c, found in labels.items()]
    codes = np.column_stack([found.codes for found in labels.values()])

    def on(clustering: Clustering, places: Rows | None) -> Clustering:
        return Categorical(**vars(clustering), codes=codes if places is None else codes[places])

    message = (
        f"The distance of two rows is the share of {counted(len(columns), 'feature')} in which "
        "they differ (simple matching)."
    )
    return Features(gaps, on, [Notice("matching", message)])


def _distances(matrix: Floats, columns: Sequence[str]) -> Features:
    missing = np.isnan(matrix)
    if missing.any():
        rows = np.logical_or.reduce(missing, axis=1)
        count = int(missing.sum())
        raise EvalError(
            "missing-distance",
            f"{counted(count, 'distance')} {'is' if count == 1 else 'are'} missing "
            f"({row_list(rows)}). Fill them in, or leave out those rows and their columns.",
            rows=row_numbers(rows),
            column=columns[int(missing.any(axis=0).argmax())],
        )

    def on(clustering: Clustering, places: Rows | None) -> Clustering:
        kept = matrix if places is None else matrix[np.ix_(places, places)]
        return Distances(**vars(clustering), matrix=kept)

    message = (
        f"The {len(columns):,} columns of numbers are read as distances between the rows: there "
        "are as many as rows, with 0 on the diagonal and the same both ways."
    )
    return Features([], on, [Notice("distances", message, offers=(_AS_NUMBERS,))])


_CLASSES = frozenset(
    {"class", "classes", "species", "label", "labels", "category", "celltype", "annotation"}
)
"""Names of true classes beside clusters, also where numbers stand for them."""

_SOURCES = word_set("ident sample batch donor patient subject library plate replicate site")
"""Last words of columns that tell where a row is from, and not what it is."""

_MEMBERSHIP = SCORE | word_set(
    "cluster membership strength outlier silhouette sil width dist to from centroid centre center "
    "medoid"
)
"""What names of columns may speak of beside clusters, as HDBSCAN and mixtures tell it."""

_OF_CLUSTERS = _MEMBERSHIP - SCORE - word_set("width to from")

_COUNT = re.compile(r"k[1-9]\d{0,3}")
_NUMBERED = re.compile(r"(?P<stem>.*?)[ _.-]*(?P<number>[1-9]\d{0,3})")

_EMBEDDINGS = ("pc", "pca", "harmony", "scvi", "latent", "lsi", "svd", "nmf", "ica", "dim")
_PICTURES = ("umap", "tsne", "sne", "mds")
"""Last words of numbered coordinates; those made for a picture come second, as they bend space."""

_MEASURED = word_set("n total pct percent log1p num subsets")
_READS = word_set("count counts gene genes umi umis reads mt mito ribo feature features rna hb")
_QUALITY = word_set("sum total detected size_factor")
"""Words for what a cell is made of, and what is measured to judge its quality."""

_COORDINATES = Reason("coordinates that were made of other columns", Confidence.LIKELY)
_BESIDE = {
    FeatureKind.NUMBERS: Reason("numbers beside the clusters", Confidence.GUESS),
    FeatureKind.CATEGORIES: Reason("categories beside the clusters", Confidence.GUESS),
    FeatureKind.DISTANCES: Reason(
        "as many as there are rows, 0 on the diagonal, the same both ways", Confidence.SURE
    ),
}
"""Why columns are features."""


def clustering_roles(
    table: Table, columns: Mapping[str, Profile], metadata: Metadata, known: Choices
) -> Roles | None:
    """Return the roles in a file of clusterings; None for any other file."""
    metadata = _without_found_weight(metadata, known)
    free = {name: column for name, column in columns.items() if name not in metadata.excluded}
    clusters = _columns_of_clusters(free, known)
    if not clusters:
        return None
    truth = known.truth or _truth(free, clusters)
    used = {truth, *clusters.values(), *_clusters(free, [*clusters.values()])}
    if known.features is None:
        others = [column for name, column in free.items() if name not in used]
        features, kind = _features(table, others, _chosen_kind(known))
    else:
        features = known.features
        kind = _chosen_kind(known) or kind_of_chosen([columns[name] for name in features])
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


def _without_found_weight(metadata: Metadata, known: Choices) -> Metadata:
    """Return the metadata without a detected weight: points of a clustering count once."""
    if metadata.weight is None or known.weight is not None:
        return metadata
    reasons = {name: reason for name, reason in metadata.reasons.items() if name != metadata.weight}
    return replace(
        metadata, weight=None, excluded=metadata.excluded - {metadata.weight}, reasons=reasons
    )


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
    """Tell whether a file holds predictions; beside clusters a score alone needs a truth."""
    others = {name: column for name, column in free.items() if name not in clusters}
    spoken = [column for name, column in others.items() if speaks_of_prediction(name)]
    if not clusters or any(_words(column.name) & PREDICTION for column in spoken):
        return bool(spoken)
    return bool(spoken) and any(_is_target(c, spoken) for c in others.values() if c not in spoken)


def _is_target(column: Profile, spoken: Sequence[Profile]) -> bool:
    """Tell a column that is called the truth or after a score, or holds a yes and a no."""
    name = plain(column.name)
    labels = bool(column.labels) and not column.continuous
    yes_or_no = column.distinct == 2 and any(c.unit and c.continuous for c in spoken)
    of_it = any(f"_{name}_" in f"_{plain(other.name)}_" for other in spoken)
    return _called_truth(column.name) or of_it or (labels and (yes_or_no or name in TRUTH))


def _called_truth(name: str) -> bool:
    return truth_word(name) or (plain(name) in TRUTH and plain(name) not in FAINT_TRUTH)


def _is_membership(column: Profile) -> bool:
    words = {word.lower() for word in pieces(column.name) if not word.isdigit()}
    return words <= _MEMBERSHIP and column.numeric and (column.continuous or column.unit)


def _clusters(free: Mapping[str, Profile], chosen: Sequence[str] = ()) -> dict[str, str]:
    """Find columns of labels that are called after clusters, or after a way to make them.

    "Mine_Labels" beside "KMeans_Labels" is one more, as its last words are those of a known one;
    so is "cut_4" beside "cut_3".
    """
    labels = {
        name: column
        for name, column in free.items()
        if _labels(column) and (name in chosen or not _is_true_class(name))
    }
    known = {name for name in labels if name in chosen or _speaks_of_clusters(free[name])}
    known |= _as_many_as_named(labels.values())
    endings = {pieces(name)[1:] for name in known} - {()}
    stems = {found["stem"] for name in known if (found := _NUMBERED.fullmatch(name))}
    return {
        name: name
        for name in labels
        if name in known
        or pieces(name)[1:] in endings
        or ((found := _NUMBERED.fullmatch(name)) and found["stem"] in stems)
    }


def _as_many_as_named(labels: Iterable[Profile]) -> set[str]:
    """Find columns such as "k2", "k3", of which each holds as many values as its name says."""
    stems: dict[str, list[bool]] = {}
    fits: dict[str, str] = {}
    for column in labels:
        if found := _NUMBERED.fullmatch(column.name):
            # Noise is one value more.
            fit = 1 < column.distinct == int(found["number"]) + (column.low < 0)
            stems.setdefault(found["stem"], []).append(fit)
            fits[column.name] = found["stem"]
    return {name for name, stem in fits.items() if all(stems[stem]) and len(stems[stem]) > 1}


def _speaks_of_clusters(column: Profile) -> bool:
    words = {piece.lower() for piece in pieces(column.name)}
    if words & CLUSTER:
        return True
    # "RNA_snn_res.0.8", "res.0.6": neighbours shared at a resolution
    plain_words = {word for word in words if not word.isdigit()}
    if {"snn", "res"} <= words or (plain_words == {"res"} and plain_words < words):
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


def _is_true_class(name: str) -> bool:
    """Tell "true_label" and "true_cluster" from "consensus_cluster", which is a clustering."""
    first = pieces(name)[0].lower()
    return _called_truth(name) and (first in _TRUE or not _words(name) & CLUSTER)


_TRUE = word_set("true truth actual real gt ground known")


def _truth(free: Mapping[str, Profile], clusters: Mapping[str, str]) -> str:
    """Return the column of true classes; "" where there is none."""
    others = [column for name, column in free.items() if name not in clusters.values()]
    named = [c.name for c in others if _is_true_class(c.name)]
    text = [c.name for c in others if c.labels and not c.numeric and not c.unique]
    text = [name for name in text if pieces(name)[-1].lower() not in _SOURCES]
    called = [c for c in others if plain(c.name).replace("_", "") in _CLASSES]
    few = [c.name for c in called if 1 < c.distinct <= FEW_CLASSES and (c.whole or c.labels)]
    return next(iter(named), text[0] if len(text) == 1 else few[0] if len(few) == 1 else "")


def _chosen_kind(known: Choices) -> FeatureKind | None:
    """Return the chosen kind of features, but for distances, which the columns themselves show."""
    return None if known.feature_kind is FeatureKind.DISTANCES else known.feature_kind


def _features(
    table: Table, others: Sequence[Profile], kind: FeatureKind | None
) -> tuple[tuple[str, ...], FeatureKind]:
    if kind is FeatureKind.CATEGORIES:
        return tuple(c.name for c in others if _labels(c) and not c.unique), kind
    numbers = _measures(others)
    if kind is None and (distances := distances_among(table, numbers)):
        return distances, FeatureKind.DISTANCES
    for words in (_EMBEDDINGS, _PICTURES):
        made = [column for column in numbers if _is_coordinate(column.name, words)]
        if len(made) > 1:
            numbers = made
            break
    return tuple(column.name for column in numbers), FeatureKind.NUMBERS


def _measures(columns: Iterable[Profile]) -> list[Profile]:
    """Return the columns of numbers but those that tell of clusters or of what a row is made of.

    A score far beyond 1, such as a spending score of 80, is a measure and no likelihood.
    """
    numbers = [
        column
        for column in columns
        if column.numeric
        and not (_is_membership(column) and _words(column.name) & _OF_CLUSTERS)
        and (not speaks_of_prediction(column.name) or column.high > 2)
    ]
    detected = any(plain(column.name) == "detected" for column in numbers)
    quality = _QUALITY if detected else frozenset()
    return [c for c in numbers if not (_counts_parts(c) or plain(c.name) in quality)]


def _words(name: str) -> set[str]:
    return {word.lower() for word in pieces(name)}


def _is_coordinate(name: str, words: Sequence[str] = (*_EMBEDDINGS, *_PICTURES)) -> bool:
    """Tell the name of a coordinate, as "PC_1" or "X_umap2"."""
    found = re.fullmatch(r"(?:.*[^A-Za-z])?(?P<word>[A-Za-z]+)[ _.-]*\d+", name)
    return found is not None and found["word"].lower() in words


def _counts_parts(column: Profile) -> bool:
    """Tell whether a column tells what a row is made of, as "nCount_RNA" and "percent.mt" do."""
    first, *rest = [word.lower() for piece in pieces(column.name) for word in pieces(piece)]
    counts = column.whole and first == "n" and column.high > 1
    return counts or (first in _MEASURED and bool(_READS & set(rest)))


def _no_cluster(free: Mapping[str, Profile]) -> EvalError:
    return EvalError(
        "no-cluster",
        f"No column looks like clusters. The columns are: {listed(list(free))}. Choose the one "
        "that holds the cluster of each row.",
    )


Bound = Mapping[str, Clustering]


def bind_clusterings(table: Table, roles: Roles) -> tuple[Bound, tuple[Notice, ...]]:
    """Return every clustering, with the features if there are any.

    Rows without a feature are left out of all clusterings, those without a cluster out of one.

    Raises:
        EvalError: "no-rows", "no-such-label" for a label of noise that no clustering has, and what
            `features_of` raises.
    """
    labels = {
        name: same_by_value([labels_of(table, column)])[0]
        for name, column in roles.clusterings.items()
    }
    _check_noise(labels, roles)
    features = features_of(table, roles)
    gaps = features.gaps if features else ()
    bound, notices_of_all = (
        {},
        [
            *(features.notices if features else _no_features(table, roles)),
            *_left_aside(table, roles),
            *_unused_weight(roles),
        ],
    )
    for name, own in labels.items():
        column = roles.clusterings[name]
        gap = Gap("cluster", column, own.codes < 0, own.missing)
        places, notices = kept_rows([*gaps, gap], name if len(labels) > 1 else None)
        notices_of_all += [_with_shared_code(notice) for notice in notices]
        clustering = _clustering(own, roles.noise, places)
        bound[name] = features.on(clustering, places) if features else clustering
    return MappingProxyType(bound), tuple(dict.fromkeys(notices_of_all))


def _no_features(table: Table, roles: Roles) -> Iterator[Notice]:
    """Say what can be told without features: how far clusterings agree."""
    several, truth = len(roles.clusterings) > 1, f'"{shorten(roles.truth)}"' if roles.truth else ""
    others = " and ".join(filter(None, ("each other" if several else "", truth)))
    left = (
        f"Told is how far the clusterings agree with {others}."
        if others
        else "Told are only the sizes of the clusters: a second clustering, or a column of true "
        "classes, would tell how far they agree."
    )
    counts = [n for n in unused(table, roles)[:_OFFERED] if _counts_parts(profile(table, n))]
    aside = f" ({listed(counts, 3)} tell what a row is made of, not where it lies)"
    message = (
        f"No column holds features of the points{aside if counts else ''}, so that distances and "
        f"silhouettes have no meaning. {left}"
    )
    yield Notice("no-features", message, offers=categories_offered(table, roles))


def _left_aside(table: Table, roles: Roles) -> Iterator[Notice]:
    """Say that coordinates were taken where other measures stand beside them, which are offered."""
    if not any(roles.reasons.get(name) == _COORDINATES for name in roles.features):
        return
    free = [profile(table, name) for name in unused(table, roles)[:_OFFERED]]
    others = tuple(c.name for c in _measures(free) if not _is_coordinate(c.name))
    if others:
        message = (
            f"{listed(roles.features, 3)} are coordinates that were made of other columns: they "
            f"are the features, and {listed(others, 3)} {'is' if len(others) == 1 else 'are'} not."
        )
        offer = Offer(f"Take {listed(others, 3)} as features", "features", others)
        yield Notice("coordinates", message, column=roles.features[0], offers=(offer,))


def _clustering(labels: Labels, noise: str, places: Rows | None) -> Clustering:
    """Return one clustering on its complete rows; noise has the code -1."""
    names = class_order(name for name in labels.names if not is_noise(name, noise))
    places_of = {name: code for code, name in enumerate(names)}
    # The last one, at place -1, is for missing cells.
    codes = np.array([places_of.get(name, -1) for name in labels.names] + [-1])[labels.codes]
    cluster = codes if places is None else codes[places]
    rows = None if places is None else places + 1
    return Clustering(names=names, cluster=cluster, rows=rows)


def is_noise(name: str, noise: str) -> bool:
    """Tell whether a cluster label means noise; numbers are the same by value.

    >>> is_noise("-1", "-1"), is_noise("-1", "-1.0"), is_noise("1", "noise")
    (True, True, False)
    """
    return plain_if_numbers([name]) == plain_if_numbers([noise])


def _check_noise(labels: Mapping[str, Labels], roles: Roles) -> None:
    names = {name for own in labels.values() for name in own.names}
    if roles.noise != NOISE and not any(is_noise(name, roles.noise) for name in names):
        known = listed(class_order(names))
        raise EvalError(
            "no-such-label",
            f'No row is in a cluster called "{roles.noise}". The clusters are: {known}.',
        )


def _with_shared_code(notice: Notice) -> Notice:
    """Give a notice about a feature the code that all of them share."""
    about_feature = notice.code.startswith('missing-"')
    return replace(notice, code="missing-feature") if about_feature else notice


def _unused_weight(roles: Roles) -> list[Notice]:
    if not roles.weight:
        return []
    message = f'"{roles.weight}" is not used: each point of a clustering counts once.'
    return [Notice("weight-unused", message, "warning", column=roles.weight)]


def true_class(table: Table, roles: Roles) -> Categories | None:
    """Return the true class of each row, to compare clusterings with; None without a truth."""
    if not roles.truth:
        return None
    (labels,) = same_by_value([labels_of(table, roles.truth)])
    names = class_order(labels.names)
    return Categories(names, codes_in(labels, names))
