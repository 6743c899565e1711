"""Results as aligned text for people."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from evalcore.checks import Outcome
from evalcore.errors import Notice
from evalcore.intake.model import Dataset, ModelRoles
from evalcore.metrics.catalog import METRICS, by_key
from evalcore.metrics.spec import Estimate, Metric
from evalcore.results import Decisions, Estimates, Evaluation, ModelEvaluation
from evalcore.tables.confusion import ConfusionMatrix

_HEADLINE = ("roc_auc", "average_precision", "brier", "accuracy", "f1", "mcc")
_MOST_CLASSES = 12
"""A matrix of more classes is left to the JSON."""

_MOST_FOLDS = 30


def evaluation(result: Evaluation) -> str:
    """Return an evaluation: what it is of, what to mind, then every number of every model."""
    parts = [[*_about(result.dataset)], [*notices(result.notices)]]
    if len(result.models) > 1:
        parts.append(_side_by_side(result))
    parts += [list(_model(name, made, result)) for name, made in result.models.items()]
    return _pages(parts)


def inspection(dataset: Dataset) -> str:
    """Return what was read, and which role each column plays, with its reason."""
    return _pages([[*_about(dataset)], _roles(dataset), [*notices(dataset.notices)]])


def catalogue() -> str:
    """Return the metrics: key, name, range, direction and meaning."""
    rows = [(m.key, visible(m.name), _range(m), m.better.value, m.summary) for m in METRICS]
    return "\n".join(table([("key", "name", "range", "better", "meaning"), *rows]))


def checks(outcomes: Iterable[Outcome]) -> str:
    """Return each requirement with the number that meets it or does not."""
    rows = [
        (
            "passed" if outcome.passed else "FAILED",
            visible(outcome.requirement.text),
            visible(outcome.model),
            outcome.group,
            *_cells(by_key()[outcome.requirement.metric], outcome.estimate),
        )
        for outcome in outcomes
    ]
    return "\n".join(table(rows))


def notices(some: Iterable[Notice]) -> Iterator[str]:
    """Return a line per notice, warnings marked."""
    for notice in some:
        yield f"{'!' if notice.severity == 'warning' else '-'} {visible(notice.message)}"


def visible(text: str) -> str:
    r"""Return text of a file with control and direction characters spelled out.

    So that a label cannot move the cursor, colour the screen or turn the line round.

    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def table(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Return rows as lines of aligned columns; columns of numbers, whatever their head, lean right.

    >>> table([("", "rows"), ("a", "1.5"), ("long", "10.25")])
    ['       rows', 'a       1.5', 'long  10.25']
    """
    if not rows:
        return []
    columns = list(zip(*rows, strict=True))
    widths = [max(map(_width, column)) for column in columns]
    right = [all(map(_is_number, column[1:] or column)) for column in columns]
    return [(indent + "  ".join(map(_padded, row, widths, right))).rstrip() for row in rows]


def number(value: float, unit: str = "") -> str:
    """Return a number as short as it can be read, never rounded to a perfect 1.

    >>> number(0.97891), number(0.99997), number(12345.6), number(0.00000123), number(3, "count")
    ('0.979', '0.99997', '12,346', '1.2e-06', '3')
    """
    if unit == "count":
        return f"{value:,.6g}"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    if 0 < size < 0.0005:
        return f"{value:.1e}"
    if 0.9995 <= size < 1:
        return f"{value:.5f}" if size < 0.999995 else f"{value:.9g}"
    return f"{value:.3f}" if size < 10 else f"{value:.4g}"


def _pages(parts: Iterable[Iterable[str]]) -> str:
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part)


def _about(dataset: Dataset) -> Iterator[str]:
    source, roles = dataset.table.source, dataset.roles
    said = [visible(source.name), source.tool or source.format, f"{source.rows:,} rows"]
    count = len(dataset.models)
    yield " · ".join([*said, f"{count} model{'s' if count != 1 else ''}", roles.task.value])
    if roles.positive is not None:
        because = f" ({visible(roles.positive_reason)})" if roles.positive_reason else ""
        yield f'Positive class: "{visible(roles.positive)}"{because}'


def _side_by_side(result: Evaluation) -> list[str]:
    """Return the main metrics, a line per model."""
    groups = [made.metrics for made in result.models.values()]
    shown = [
        (where, key)
        for key in _HEADLINE
        for where in dict.fromkeys(name for group in groups for name in group)
        if any(key in group.get(where, {}) for group in groups)
    ]
    head = ("", *(_heading(where, key) for where, key in shown))
    lines = [
        (visible(name), *(_short(made.metrics.get(where, {}).get(key)) for where, key in shown))
        for name, made in result.models.items()
    ]
    return table([head, *lines])


def _heading(where: str, key: str) -> str:
    name = by_key()[key].name
    return f"{name}, {where}" if where in ("labels", "threshold", "argmax") else name


def _short(made: Estimate | None) -> str:
    return number(made.value) if made is not None and made.defined else "-"


def _model(name: str, made: ModelEvaluation, result: Evaluation) -> Iterator[str]:
    yield f"{visible(name)} · {made.n:,} rows"
    yield "=" * _width(f"{visible(name)} · {made.n:,} rows")
    yield from _decisions(made, result.options.threshold)
    for title, group in (
        ("How well the scores rank", made.ranking),
        ("How true the probabilities are", made.probability),
        ("How close the numbers are", made.values),
    ):
        if group:
            yield from ["", title, *_group(group)]
    yield from _folds(made)


def _decisions(made: ModelEvaluation, threshold: float) -> Iterator[str]:
    before: Decisions | None = None
    for way, part in made.decisions.items():
        yield from ["", _way(way, threshold)]
        if before and np.array_equal(before.confusion.counts, part.confusion.counts):
            yield "  the same counts, and so the same numbers, as above"
            continue
        yield from _matrix(part.confusion)
        yield from _group(part.metrics)
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
    names = [visible(name) for name in confusion.classes]
    rows = [("", *(f"called {name}" for name in names))]
    for name, counts in zip(names, confusion.counts.tolist(), strict=True):
        rows.append((f"is {name}", *(number(count, "count") for count in counts)))
    return [*table(rows, "  "), ""]


def _group(group: Estimates) -> list[str]:
    known = by_key()
    return table([(known[k].name, *_cells(known[k], made)) for k, made in group.items()], "  ")


def _averages(part: Decisions) -> Iterator[str]:
    if len(part.confusion.classes) < 3:
        return
    kinds, known = list(part.averages), by_key()
    keys = part.averages[kinds[0]]
    rows = [
        (known[key].name, *(_short(part.averages[kind][key]) for kind in kinds)) for key in keys
    ]
    yield from ["", *table([("", *kinds), *rows], "  ")]


def _cells(metric: Metric, made: Estimate) -> tuple[str, str, str]:
    """Return the value, its interval, and how it was made or why there is none."""
    if np.isnan(made.value):
        return "-", "", f"undefined: {made.why}"
    if np.isinf(made.value):
        return ("inf" if made.value > 0 else "-inf"), "", f"infinite: {made.why}"
    at = f"at {made.at:g}" if made.at is not None else ""
    value = number(made.value, metric.unit)
    if made.low is None or made.high is None:
        return value, "", at or made.note
    ends = f"{number(made.low)} to {number(made.high)}"
    return value, ends, "; ".join(filter(None, [made.method or "", made.note]))


def _folds(made: ModelEvaluation) -> Iterator[str]:
    if not made.folds:
        return
    shown = [
        (where, key)
        for key in _HEADLINE
        for where, group in made.folds[0].metrics.items()
        if key in group
    ]
    rows = [
        (visible(f.fold), f"{f.n:,}", *(_short(f.metrics[where][key]) for where, key in shown))
        for f in made.folds[:_MOST_FOLDS]
    ]
    yield from ["", f"By fold ({len(made.folds)})"]
    yield from table([("fold", "rows", *(_heading(w, k) for w, k in shown)), *rows], "  ")


def _roles(dataset: Dataset) -> list[str]:
    roles, reasons = dataset.roles, dataset.roles.reasons
    pairs = [("truth", roles.truth)]
    pairs += [pair for name, model in roles.models.items() for pair in _model_roles(name, model)]
    side = {"fold": roles.fold, "weight": roles.weight, "group": roles.group, "id": roles.id}
    pairs += [(role, column) for role, column in side.items() if column]
    return table([(visible(r), visible(c), visible(reasons.get(c, ""))) for r, c in pairs])


def _model_roles(name: str, model: ModelRoles) -> list[tuple[str, str]]:
    single = {"label": model.label, "score": model.score, "prediction": model.prediction}
    pairs = [(f"{role} of {name}", column) for role, column in single.items() if column]
    return pairs + [(f"P({label}) of {name}", c) for label, c in model.probabilities.items()]


def _range(metric: Metric) -> str:
    low, high = (f"{end:.4g}" for end in (metric.low, metric.high))
    return f"{low} to {high}"


def _width(text: str) -> int:
    """Return the columns that a text takes on a screen."""
    marks = sum(1 for c in text if unicodedata.combining(c))
    wide = sum(1 for c in text if unicodedata.east_asian_width(c) in "WF")
    return len(text) - marks + wide


def _padded(text: str, width: int, right: bool) -> str:
    room = " " * (width - _width(text))
    return room + text if right else text + room


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").lstrip("-").isdigit() or text in ("", "-", "inf")
