"""Results as aligned text for people."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evalboard.serialise import points
from evalcore.errors import Notice
from evalcore.evaluation.condense import RULES
from evalcore.metrics.catalog import by_key, described as declared
from evalcore.metrics.metric import Estimate
from evalcore.results import ClusteringEvaluation, Decisions, Estimates, Evaluation, ModelEvaluation
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.text import count, counted, p_value, picked, significant
from evalread.dataset import Dataset, Evidence, FeatureKind, FoldRoles, ModelRoles, Reason, Roles
from evalread.detection.evidence import MARGIN
from evalread.detection.scores import Bounds, prediction_bounds

if TYPE_CHECKING:
    from evalcore.comparison.results import Comparison, TestedPair
    from evalcore.plan import Plan

_MODEL_HEADLINE = (
    *("roc_auc", "average_precision", "brier", "accuracy", "f1", "mcc"),
    *("rmse", "mae", "r2"),
)
_CLUSTERING_HEADLINE = (
    "silhouette",
    "calinski_harabasz",
    "davies_bouldin",
    "adjusted_rand_index",
    "v_measure",
)
"""The metrics by which several are set side by side: few enough for a line of a terminal."""

_MOST_CLASSES, _MOST_CLUSTERS, _MOST_FOLDS, _MOST_FEATURES = 12, 30, 30, 100
"""More than a screen holds is left to the JSON."""

_FEATURE = {
    FeatureKind.NUMBERS: "feature",
    FeatureKind.CATEGORIES: "category",
    FeatureKind.DISTANCES: "distance to",
}

_Line = tuple[Sequence[str], Mapping[str, Estimates]]
"""The first cells of a line, and metrics by where they come from."""


def evaluation(result: Evaluation) -> str:
    """Return an evaluation: what it is of, what to mind, then every number of every model."""
    data = result.dataset
    assert isinstance(data, Dataset)
    parts = [[*_about(data)], [*notices(result.notices)]]
    if len(result.models) > 1:
        lines = [((visible(name),), made.metrics) for name, made in result.models.items()]
        parts.append(_headline(("",), lines, _MODEL_HEADLINE))
    parts += [list(_model(name, made, result)) for name, made in result.models.items()]
    return pages([*parts, *_clusterings(result)])


def inspection(dataset: Dataset, said: Sequence[Evidence] = ()) -> str:
    """Return what was read, and which role each column plays, with its reason."""
    about = [[*_about(dataset)], [*_inspected(dataset)], [*notices(dataset.notices)]]
    return pages([*about, *([[evidence(said)]] if said else [])])


def evidence(said: Sequence[Evidence]) -> str:
    """Return what speaks for and against each column as the truth, with points and their sum."""
    rows: list[tuple[str, ...]] = [("for the truth", "points", "evidence for or against it")]
    for column in dict.fromkeys(one.column for one in said):
        own = [one for one in said if one.column == column]
        rows.append((visible(column), str(sum(one.points for one in own)), ""))
        rows += [("", f"{one.points:+}", visible(one.reason.text)) for one in own]
    closing = f"A column is used without asking if it leads by {MARGIN} points."
    return "\n".join([*table(rows), closing])


def comparison(made: Comparison, explain: bool) -> str:
    """Return the answer first, then the models, their differences, the tests and what it takes.

    `explain` says of each test that does not fit the data why.
    """
    from evalcore.comparison.headline import needed

    parts = [
        [visible(made.summary)],
        [*notices(made.notices)],
        _models(made),
        _differences(made),
        _tests(made),
        [visible(said)] if (said := needed(made)) else [],
        _not_applicable(made, explain),
    ]
    return pages(part for part in parts if part)


def plan(made: Plan) -> str:
    """Return what a plan says, a sentence a line."""
    from evalcore.plan import sentences

    return "\n".join(sentences(made))


def _inspected(dataset: Dataset) -> Iterator[str]:
    from evalread.attributes import without_role

    yield from _roles(dataset)
    yield from map(visible, without_role(dataset))


def _about(dataset: Dataset) -> Iterator[str]:
    source, roles = dataset.table.source, dataset.roles
    counts = dataset.table.counted
    rows = source.rows if counts is None else counts.rows
    said = [visible(source.name), source.tool or source.format, f"{rows:,.15g} rows"]
    yield " · ".join([*said, _counted(dataset), roles.task.value])
    if roles.positive is not None:
        because = f", {_why(roles.positive_reason)}" if roles.positive_reason else ""
        yield f'Positive class: "{visible(roles.positive)}"{because}'


def _counted(dataset: Dataset) -> str:
    if dataset.clusterings:
        return counted(len(dataset.clusterings), "clustering")
    scores = dataset.fold_scores
    return counted(len(dataset.roles.models if scores is None else scores.models), "model")


def _roles(dataset: Dataset) -> list[str]:
    roles, reasons = dataset.roles, dataset.roles.reasons
    pairs = [("truth", roles.truth)] if roles.truth else []
    pairs += [pair for name, model in roles.models.items() for pair in _model_roles(name, model)]
    pairs += _around(prediction_bounds(dataset.table.names, roles))
    pairs += [(f"clusters of {name}", column) for name, column in roles.clusterings.items()]
    pairs += _features(roles)
    pairs += _fold_roles(roles.folds) if roles.folds else []
    pairs += picked(roles, "fold? weight? group? date? id? model?").items()
    return table([(visible(r), visible(c), _why(reasons.get(c))) for r, c in pairs])


def _model_roles(name: str, model: ModelRoles) -> list[tuple[str, str]]:
    single = picked(model, "label? score? prediction? correct?").items()
    pairs = [(f"{role} of {name}", column) for role, column in single]
    return pairs + [(f"P({label}) of {name}", c) for label, c in model.probabilities.items()]


def _around(found: Mapping[str, Bounds]) -> Iterator[tuple[str, str]]:
    for name, bounds in found.items():
        for one in bounds.ends:
            yield f"lower end of {name}", one.lower
            yield f"upper end of {name}", one.upper
        for level, column in bounds.quantiles.items():
            yield f"{100 * level:.3g}% quantile of {name}", column


def _features(roles: Roles) -> list[tuple[str, str]]:
    role = _FEATURE[roles.feature_kind]
    more = len(roles.features) - _MOST_FEATURES
    rest = [("", f"and {more:,} more")] if more > 0 else []
    return [*((role, column) for column in roles.features[:_MOST_FEATURES]), *rest]


def _fold_roles(folds: FoldRoles) -> list[tuple[str, str]]:
    pairs = [
        (f"{folds.metric} of {name}" if name else folds.metric, column)
        for name, column in folds.scores.items()
    ]
    pairs += [(f"model of {column}", names) for column, names in folds.named_by.items()]
    side = picked(folds, "repeat? data_set=dataset? training_rows=train_size? test_rows=test_size?")
    return pairs + [(role.replace("_", " "), column) for role, column in side.items()]


def _why(reason: Reason | None) -> str:
    return f"{visible(reason.text)} ({reason.confidence.value})" if reason else ""


def _model(name: str, made: ModelEvaluation, result: Evaluation) -> Iterator[str]:
    title = f"{visible(name)} · {count(made.n)} {'items' if made.items else 'rows'}"
    yield title
    yield "=" * width(title)
    yield from _decisions(made, result.options.threshold)
    for title, group in (
        ("How well the scores rank", made.ranking),
        ("How well the probabilities fit", made.probability),
        ("How close the numbers are", made.values),
        ("How often it is right", made.items),
    ):
        if group:
            yield from ["", title, *metrics(group)]
    if made.groups:
        lines = [
            (visible(group.group), f"{count(group.n)} items", *cells(estimate, "share"))
            for group in made.groups[:_MOST_FOLDS]
            for estimate in group.metrics["items"].values()
        ]
        yield from ["", f"By group ({len(made.groups)})", *table(lines, "  ")]
    yield from _folds(made)


def _decisions(made: ModelEvaluation, threshold: float) -> Iterator[str]:
    before: Decisions | None = None
    for way, part in made.decisions.items():
        yield from ["", _way(way, threshold)]
        if before and np.array_equal(before.confusion.counts, part.confusion.counts):
            yield "  the same counts, and so the same numbers, as above"
            continue
        yield from _matrix(part.confusion)
        yield from metrics(part.metrics)
        if len(part.confusion.classes) > 2 or way == "labels":
            yield from _by_class(part)
        yield from _averages(part)
        before = part


def _way(way: str, threshold: float) -> str:
    return {
        "labels": "Decided by the file's own labels",
        "threshold": f"Decided by score >= {threshold:g}",
        "argmax": "Decided by the largest probability",
    }[way]


def _matrix(confusion: ConfusionMatrix) -> list[str]:
    if len(confusion.classes) > _MOST_CLASSES:
        return [f"  {len(confusion.classes)} classes: the matrix is in the JSON."]
    names = confusion.classes
    return [*_crossed(names, [f"called {name}" for name in names], confusion.counts), ""]


def _crossed(classes: Sequence[str], columns: Sequence[str], counts: NDArray[Any]) -> list[str]:
    """Return counts, a line for each true class."""
    rows = [
        (f"is {visible(name)}", *map(count, row))
        for name, row in zip(classes, counts.tolist(), strict=True)
    ]
    return table([("", *map(visible, columns)), *rows], "  ")


_OF_EACH_CLASS = ("precision", "recall", "f1")


def _by_class(part: Decisions) -> Iterator[str]:
    """Yield a line for each class against the rest."""
    rows = [
        (visible(name), count(n), *(_with_ends(part.per_class[name][k]) for k in _OF_EACH_CLASS))
        for name, n in zip(part.confusion.classes, part.confusion.counts.sum(axis=1), strict=True)
    ]
    if len(rows) > _MOST_FOLDS:
        return
    head = ("by class", "rows", *(declared(key).name for key in _OF_EACH_CLASS))
    yield from ["", *table([head, *rows], "  ")]


def _with_ends(made: Estimate) -> str:
    value, ends, _ = cells(made)
    return f"{value} ({ends})" if ends else value


def _averages(part: Decisions) -> Iterator[str]:
    if len(part.confusion.classes) < 3:
        return
    kinds, known = list(part.averages), by_key()
    keys = part.averages[kinds[0]]
    rows = [(known[key].name, *(short(part.averages[kind][key]) for kind in kinds)) for key in keys]
    yield from ["", *table([("", *kinds), *rows], "  ")]


def _folds(made: ModelEvaluation) -> Iterator[str]:
    if not made.folds:
        return
    lines = [((visible(f.fold), count(f.n)), f.metrics) for f in made.folds[:_MOST_FOLDS]]
    yield from ["", f"By fold ({len(made.folds)})"]
    yield from _indented(_headline(("fold", "rows"), lines, _MODEL_HEADLINE))


def _clusterings(result: Evaluation) -> Iterator[list[str]]:
    """Yield the clusterings side by side, where there are several, then each."""
    if len(result.clusterings) > 1:
        lines = [
            (
                (visible(name), count(len(one.clusters)), count(one.n_noise)),
                {"": {key: e for group in one.metrics.values() for key, e in group.items()}},
            )
            for name, one in result.clusterings.items()
        ]
        yield _headline(("", "clusters", "noise"), lines, _CLUSTERING_HEADLINE)
    for name, made in result.clusterings.items():
        yield [*_clustering(name, made, result.options.samples)]


def _clustering(name: str, made: ClusteringEvaluation, samples: bool) -> Iterator[str]:
    noise = f" · {made.n_noise:,} noise" if made.n_noise else ""
    title = f"{visible(name)} · {made.n:,} points · {len(made.clusters):,} clusters{noise}"
    yield from [title, "=" * width(title), *_clusters(made)]
    for heading, group in (
        ("How the points are grouped", made.points),
        ("With noise as a cluster of its own", made.noise_as_cluster),
        ("How clusters agree with the true classes", made.agreement),
    ):
        if group:
            yield from ["", heading, *metrics(group)]
    yield from _contingency(made)
    if samples:
        yield from _samples(made)


def _clusters(made: ClusteringEvaluation) -> list[str]:
    if len(made.clusters) > _MOST_CLUSTERS:
        return [f"  {len(made.clusters):,} clusters: they are in the JSON."]
    head = ("", "points", "silhouette", "spread")
    rows = [
        (
            f"cluster {visible(one.name)}",
            count(one.n),
            _or_dash(one.silhouette),
            _or_dash(one.spread),
        )
        for one in made.clusters
    ]
    return table([head, *rows], "  ")


def _contingency(made: ClusteringEvaluation) -> Iterator[str]:
    counts = made.contingency
    if counts is None or max(len(counts.classes), len(counts.clusters)) > _MOST_CLUSTERS:
        return
    clusters = [f"cluster {name}" for name in counts.clusters]
    yield from ["", *_crossed(counts.classes, clusters, counts.counts)]


def _samples(made: ClusteringEvaluation) -> Iterator[str]:
    """Yield a line per point: its row, its cluster, its silhouette, the next cluster."""
    if made.tables is None:
        return
    lines = [
        (
            str(point["row"]),
            visible(point["cluster"] or "-"),
            _or_dash(point["silhouette"]),
            visible(point["nearest"] or "-"),
        )
        for point in points(made)
    ]
    yield from ["", "Each point", *table([("row", "cluster", "silhouette", "next"), *lines], "  ")]


def _or_dash(value: float) -> str:
    return "-" if np.isnan(value) else number(value)


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _models(made: Comparison) -> list[str]:
    rows = [(visible(name), *cells(e)) for name, e in made.models.items()]
    return [f"{made.metric_name} on {made.n:,.10g} {made.unit}", *table(rows, "  ")]


def _differences(made: Comparison) -> list[str]:
    # The better first, as in the sentence above the table, so that both have one sign.
    order = {name: place for place, name in enumerate(made.order)}
    rows = []
    for pair in made.differences:
        better, worse = sorted((pair.first, pair.second), key=lambda name: order.get(name, 0))
        gap = made.gap(better, worse) or pair
        shown = Estimate(gap.difference, gap.low, gap.high, gap.method, note=gap.note)
        rows.append((f"{visible(better)} minus {visible(worse)}", *cells(shown)))
    alone = ", each interval for itself" if len(rows) > 1 else ""
    return [f"Differences{alone}", *table(rows, "  ")] if rows else []


def _tests(made: Comparison) -> list[str]:
    head = ("", "", "statistic", "p", "p adjusted", "")
    rows = [
        (
            pair.test,
            *_turned(made, pair),
            _p(pair.finding.p_value),
            _p(pair.p_adjusted),
            _details(pair),
        )
        for pair in made.tests
    ]
    return ["Tests", *table([head, *rows], "  ")] if rows else []


def _turned(made: Comparison, pair: TestedPair) -> tuple[str, str]:
    """Return what was tested, the better model first as in the differences, and the statistic."""
    from evalcore.comparison.catalog import BY_KEY

    statistic = pair.finding.statistic
    if pair.first is None or pair.second is None:
        return "", _maybe(statistic)
    better, worse = sorted((pair.first, pair.second), key=made.order.index)
    # A signed statistic is that of the second minus the first.
    if BY_KEY[pair.test].signed and better == pair.first:
        statistic = 0.0 - statistic
    return f"{visible(better)} minus {visible(worse)}", _maybe(statistic)


def _details(pair: TestedPair) -> str:
    """Return the note; of a finding without a p value also the numbers it gives instead."""
    finding, said = pair.finding, {"practically_equal": "practically equal"}
    said |= {"first_better": f"{pair.first} better", "second_better": f"{pair.second} better"}
    parts = [visible(finding.note)] if finding.note else []
    if np.isnan(finding.p_value):
        shown = ((said.get(key, key), number(value)) for key, value in finding.details.items())
        parts += [visible(f"{name} {value}") for name, value in shown]
    return "; ".join(parts)


def _not_applicable(made: Comparison, explain: bool) -> list[str]:
    rows = [(refusal.test, refusal.why) for refusal in made.not_applicable]
    if rows and not explain:
        tests = counted(len(rows), "further test")
        return [f"{tests} not applicable; --explain says why."]
    return ["Not applicable", *table(rows, "  ")] if rows else []


def _p(value: float) -> str:
    return p_value(value) if np.isfinite(value) else ""


def _maybe(value: float) -> str:
    return number(value) if np.isfinite(value) else ""


def _headline(first: Sequence[str], lines: Sequence[_Line], keys: Sequence[str]) -> list[str]:
    """Return the main metrics of several models, clusterings or folds, intervals below each."""
    groups = [group for _, group in lines]
    shown = [
        (where, key)
        for key in keys
        for where in dict.fromkeys(name for group in groups for name in group)
        if any(key in group.get(where, {}) for group in groups)
    ]
    head = (*first, *(_heading(where, key) for where, key in shown))
    rows = []
    for said, group in lines:
        found = [group.get(where, {}).get(key) for where, key in shown]
        rows.append((*said, *map(short, found)))
        if any(ends := [_ends(one) for one in found]):
            rows.append((*("" for _ in first), *ends))
    return table([head, *rows])


def _ends(made: Estimate | None) -> str:
    """Return the interval of an estimate alone, "" where it has none."""
    return "" if made is None else cells(made)[1]


def _heading(where: str, key: str) -> str:
    name = by_key()[key].name
    return f"{name}, {where}" if where in RULES else name


def notices(some: Iterable[Notice]) -> Iterator[str]:
    """Return a line per notice, warnings marked."""
    for notice in some:
        yield f"{'!' if notice.severity == 'warning' else '-'} {visible(notice.message)}"


def metrics(group: Mapping[str, Estimate]) -> list[str]:
    """Return a line per metric: name, value, interval, and how it was made."""
    known = {key: declared(key) for key in group}
    return table([(known[k].name, *cells(made, known[k].unit)) for k, made in group.items()], "  ")


def cells(made: Estimate, unit: str = "") -> tuple[str, str, str]:
    """Return the value, its interval, and how it was made or why there is none."""
    if np.isnan(made.value):
        return "-", "", f"undefined: {made.why}"
    if np.isinf(made.value):
        return ("inf" if made.value > 0 else "-inf"), "", f"infinite: {made.why}"
    at = f"at {made.at:g}" if made.at is not None else ""
    value = number(made.value, unit)
    if made.low is None or made.high is None or np.isnan([made.low, made.high]).all():
        return value, "", at or made.note
    # What rounding leaves of a zero is written as zero.
    low, high = (0.0 if abs(end) < 1e-9 * abs(made.value) else end for end in (made.low, made.high))
    ends = f"{number(low)} to {number(high)}"
    return value, ends, "; ".join(filter(None, [made.method or "", made.note]))


def short(made: Estimate | None) -> str:
    """Return a value alone, "-" where there is none."""
    return number(made.value) if made is not None and made.defined else "-"


def number(value: float, unit: str = "") -> str:
    """Return a number in four significant digits, and never rounded to a perfect 1.

    >>> number(0.97891), number(0.99997), number(12345.6), number(0.0000123), number(3, "count")
    ('0.979', '0.99997', '12,346', '0.000012', '3')
    >>> number(0, "p")
    '<0.001'
    """
    if unit == "p":
        return p_value(value)
    return count(value) if unit == "count" else significant(value, 4)


def visible(text: str) -> str:
    r"""Return text of a file with control and direction characters spelled out.

    So that a label cannot move the cursor, colour the screen or turn the line round.

    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def pages(parts: Iterable[Iterable[str]]) -> str:
    """Return parts, each of some lines, with a blank line between them; empty ones left out."""
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part)


def table(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Return rows as lines of aligned columns; columns of numbers, whatever their head, lean right.

    >>> table([("", "rows"), ("a", "1.5"), ("long", "10.25")])
    ['       rows', 'a       1.5', 'long  10.25']
    """
    if not rows:
        return []
    columns = list(zip(*rows, strict=True))
    widths = [max(map(width, column)) for column in columns]
    right = [all(map(_is_number, column[1:] or column)) for column in columns]
    return [(indent + "  ".join(map(_padded, row, widths, right))).rstrip() for row in rows]


def width(text: str) -> int:
    """Return the columns that a text takes on a screen."""
    if text.isascii():
        return len(text)
    marks = sum(1 for c in text if unicodedata.combining(c))
    wide = sum(1 for c in text if unicodedata.east_asian_width(c) in "WF")
    return len(text) - marks + wide


def _padded(text: str, columns: int, right: bool) -> str:
    room = " " * (columns - width(text))
    return room + text if right else text + room


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").lstrip("-<").isdigit() or text in ("", "-", "inf")
