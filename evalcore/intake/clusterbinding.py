"""From columns of cluster labels and features to checked clusterings."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from evalcore.errors import EvalError, Notice
from evalcore.intake.columns import labels_of
from evalcore.intake.features import features_of
from evalcore.intake.labels import Labels, class_order, codes_in, plain_if_numbers, same_by_value
from evalcore.intake.model import NOISE, Categories, Roles, Table
from evalcore.intake.rows import Gap, kept_rows
from evalcore.intake.wording import listed
from evalcore.outcomes import Clustering, Rows

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
    bound, told = {}, [*(features.notices if features else ()), *_asides(roles)]
    for name, own in labels.items():
        column = roles.clusterings[name]
        gap = Gap("cluster", column, own.codes < 0, own.missing)
        places, notices = kept_rows([*gaps, gap], name if len(labels) > 1 else None)
        told += [_named(notice) for notice in notices]
        made = _clustering(own, roles.noise, places)
        bound[name] = features.on(made, places) if features else made
    return MappingProxyType(bound), tuple(dict.fromkeys(told))


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


def _named(notice: Notice) -> Notice:
    """Give a notice about a feature the code that all of them share."""
    about_feature = notice.code.startswith('missing-"')
    return replace(notice, code="missing-feature") if about_feature else notice


def _asides(roles: Roles) -> list[Notice]:
    if not roles.weight:
        return []
    message = f'"{roles.weight}" is not used: each point of a clustering counts once.'
    return [Notice("weight-unused", message, "warning", column=roles.weight)]


def true_class(table: Table, roles: Roles) -> Categories | None:
    """Return the class of each row, which clusterings are held against; None without a truth."""
    if not roles.truth:
        return None
    (labels,) = same_by_value([labels_of(table, roles.truth)])
    names = class_order(labels.names)
    return Categories(names, codes_in(labels, names))
