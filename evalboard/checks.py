"""Requirements on metrics, for a job that must fail when a model is not good enough; their history.

A history is a CSV of what was checked each time. Each line has a seal made of itself and the seal
before it, so that a line that was altered, taken out or moved is noticed.
"""

import csv
import hashlib
import io
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import numpy as np

from evalcore.errors import EvalError
from evalcore.intervals.closed import normal_quantile
from evalcore.metrics.catalog import WITH_COSTS, by_key, described
from evalcore.metrics.metric import Better, Estimate, Metric
from evalcore.monitoring.streams import FEWEST, Signal, of_shares
from evalcore.monitoring.watching import Plan, Watched, watch
from evalcore.results import ClusteringEvaluation, Estimates, Evaluation, ModelEvaluation
from evalcore.text import counted, joined, shorten, significant, within_sentence
from evalread.writing import alone, written

_COMPARE: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
)

_REQUIREMENT = re.compile(
    r"\s*(?:(?P<model>.+):)?(?:(?P<group>[a-z]+)\.)?(?:(?P<average>[a-z]+)\.)?"
    r"(?P<metric>\w[^<>=\[\]]*?)(?:\[(?P<label>.+)\])?\s*(?P<sign>[<>]=?)\s*(?P<number>\S+)\s*"
)

_AVERAGES = ("macro", "micro", "weighted")


@dataclass(frozen=True)
class Requirement:
    """That a metric lies on one side of a number.

    Attributes:
        text: As it was written.
        metric: Key of the metric, with its setting if it has one.
        sign: ">=", "<=", ">" or "<".
        number: The bound.
        model: The model it is about; every model where it is "".
        group: Where the metric comes from, such as "labels"; everywhere where it is "".
        average: "macro", "micro" or "weighted", for an average over classes.
        label: The class that it is about, against the rest.
    """

    text: str
    metric: str
    sign: str
    number: float
    model: str = ""
    group: str = ""
    average: str = ""
    label: str = ""

    @classmethod
    def parse(cls, text: str) -> "Requirement":
        """Read a requirement such as "rf:threshold.f1>=0.8", "macro.f1>=0.7" or "recall[cat]>0".

        Raises:
            EvalError: It is not one, or there is no such metric.

        >>> Requirement.parse("roc_auc >= 0.8").number
        0.8
        """
        match = _REQUIREMENT.fullmatch(text)
        number = _number(match["number"]) if match else None
        if match is None or number is None or math.isnan(number):
            raise EvalError(
                "bad-requirement", f'"{text}" is not a requirement. Write one such as roc_auc>=0.8.'
            )
        key, model, group, average, label = (
            match[name] or "" for name in ("metric", "model", "group", "average", "label")
        )
        if group in _AVERAGES and not average:
            group, average = "", group
        base, _, ending = key.rpartition("_")
        if ending in _AVERAGES and base in by_key() and key not in by_key():
            raise EvalError(
                "bad-requirement", f'Write "{ending}.{base}{text[match.end("metric") :]}".'
            )
        described(key)  # refuses what is none
        return cls(text, key, match["sign"], number, model, group, average, label)


@dataclass(frozen=True)
class Outcome:
    """A requirement with the number that meets it or does not."""

    requirement: Requirement
    model: str
    group: str
    estimate: Estimate

    @property
    def passed(self) -> bool:
        """Whether it is met; an undefined number meets nothing."""
        return _COMPARE[self.requirement.sign](self.estimate.value, self.requirement.number)


def with_settings(requirements: list[Requirement]) -> Mapping[str, Metric]:
    """Return the metrics that an evaluation does not hold by itself: those with a setting."""
    keys = {one.metric for one in requirements} - by_key().keys() - WITH_COSTS.keys()
    return {key: described(key) for key in keys}


def check(evaluation: Evaluation, requirements: list[Requirement]) -> list[Outcome]:
    """Hold an evaluation against requirements: each for every model and way that it covers.

    Raises:
        EvalError: A requirement is about no number of this evaluation.
    """
    outcomes = []
    for requirement in requirements:
        found = list(_of(evaluation, requirement))
        if not found:
            raise EvalError("no-such-number", _nothing(evaluation, requirement))
        outcomes += found
    return outcomes


def _of(evaluation: Evaluation, requirement: Requirement) -> Iterator[Outcome]:
    for model, made in evaluation.judged.items():
        for group, part, estimates in _groups(made, requirement):
            named = requirement.model in ("", model) and requirement.group in ("", group)
            if named and requirement.metric in estimates:
                yield Outcome(requirement, model, group + part, estimates[requirement.metric])


def _groups(
    made: ModelEvaluation | ClusteringEvaluation, required: Requirement
) -> Iterator[tuple[str, str, Estimates]]:
    """Yield where estimates come from, which average or class they are of, and the estimates."""
    decisions = made.decisions if isinstance(made, ModelEvaluation) else {}
    if required.average:
        for way, part in decisions.items():
            yield way, f".{required.average}", part.averages.get(required.average, {})
    elif required.label:
        each = {str(way): part.per_class for way, part in decisions.items()}
        each |= {"ranking": made.class_ranking} if isinstance(made, ModelEvaluation) else {}
        for group, of in each.items():
            yield group, f"[{required.label}]", of.get(required.label, {})
    else:
        yield from ((group, "", estimates) for group, estimates in made.metrics.items())


def _nothing(evaluation: Evaluation, requirement: Requirement) -> str:
    if requirement.model and requirement.model not in evaluation.judged:
        known = ", ".join(f'"{name}"' for name in evaluation.judged)
        return f'There is no model "{requirement.model}". The models are: {known}.'
    if requirement.metric in WITH_COSTS:
        return f"{requirement.metric} needs the costs of decisions: --cost TRUTH:DECISION=NUMBER."
    models = evaluation.models.values()
    names = [*dict.fromkeys(name for made in models for name in _classes(made))]
    if names and requirement.label not in ("", *names):
        return f'There is no class "{requirement.label}". The classes are: {_some(names)}.'
    said = f'"{requirement.text}" is about a number that this file does not give.'
    return f"{said} {_instead(evaluation, replace(requirement, group=''))}"


def _classes(made: ModelEvaluation) -> Iterator[str]:
    for part in made.decisions.values():
        yield from part.per_class
    yield from made.class_ranking


def _instead(evaluation: Evaluation, required: Requirement) -> str:
    """Say how the metric is given in other ways, or by averages or classes; else which others."""
    key, judged = required.metric, evaluation.judged.values()
    ways = [group for made in judged for group, known in made.metrics.items() if key in known]
    if ways:
        return f"It gives: {_some([f'{way}.{key}' for way in dict.fromkeys(ways)])}."
    models = evaluation.models.values()
    found = [f"{of}.{key}" for of in _AVERAGES
             if any(_of(evaluation, replace(required, average=of, label="")))]  # fmt: skip
    classes = dict.fromkeys(name for made in models for name in _classes(made))
    found += [f"{key}[{name}]" for name in classes
              if any(_of(evaluation, replace(required, average="", label=name)))]  # fmt: skip
    if found:
        return f"Of several classes, name an average or a class: {_some(found)}."
    keys = {one for made in judged for known in made.metrics.values() for one in known}
    return f"It gives: {_some(sorted(keys))}."


def _some(names: Sequence[str]) -> str:
    return joined([shorten(name) for name in names], 40)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


COLUMNS = (
    *("time", "file", "digest", "requirement", "model", "group", "metric"),
    *("value", "low", "high", "method", "level", "outcome", "seal"),
)

MOST_LINES = 1_000_000

Series = tuple[str, str, str]
"""The model, where its number comes from, and the key of the metric."""


@dataclass(frozen=True)
class Line:
    """One number of one check."""

    time: str
    file: str
    digest: str
    requirement: str
    series: Series
    estimate: Estimate
    outcome: str

    @property
    def cells(self) -> tuple[str, ...]:
        """The line as it is written, but for its seal."""
        made = self.estimate
        ends = ("" if end is None else repr(end) for end in (made.low, made.high))
        level = "" if made.level is None else repr(made.level)
        value = repr(made.value) if made.value == made.value else ""
        head = (self.time, self.file, self.digest, self.requirement, *self.series, value)
        return (*head, *ends, made.method or "", level, self.outcome)


@dataclass(frozen=True)
class Followed:
    """One number over all checks.

    Attributes:
        series: Which one.
        looks: Checks of other rows than the first.
        changed: Whether a change is flagged.
        worse: Whether it is for the worse; None where neither side is the better one.
        said: That in a sentence.
    """

    series: Series
    looks: int
    changed: bool
    worse: bool | None
    said: str


@dataclass(frozen=True)
class History:
    """What a check adds to its history, and what that tells.

    Attributes:
        added: Whether the file was new; the same rows twice are one look.
        checks: How many different files were checked.
        plan: How many looks are planned at which false-alarm rate, for all numbers together.
        followed: Each number that is required.
    """

    added: bool
    checks: int
    plan: Plan
    followed: tuple[Followed, ...]

    @property
    def passed(self) -> bool:
        """Whether no change for the worse, or without a better side, is flagged."""
        return not any(one.changed and one.worse is not False for one in self.followed)


def keep(path: Path, made: Evaluation, outcomes: Sequence[Outcome], plan: Plan) -> History:
    """Add a check to its history, and return whether a number has changed since the first one.

    Raises:
        EvalError: "bad-history": the file is no history, was cut off or altered. "other-history":
            it is of other requirements. "unreadable-file" or "unwritable-file".
    """
    with alone(path):  # jobs may end at the same time
        return _kept(path, made, outcomes, plan)


def _kept(path: Path, made: Evaluation, outcomes: Sequence[Outcome], plan: Plan) -> History:
    before, seal = read(path)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    lines = [_line(made, one, now) for one in outcomes]
    _refuse_others(path, before, lines)
    added = made.dataset.digest not in {line.digest for line in before}
    every = [*before, *lines] if added else before
    followed = _followed(every, plan)
    if added:
        _write(path, lines, seal, new=not before)
    checks = len({line.digest for line in every})
    return History(added, checks, plan, followed)


def _line(made: Evaluation, one: Outcome, time: str) -> Line:
    required = one.requirement
    series = (one.model, one.group, required.metric)
    outcome = "passed" if one.passed else "failed"
    name, digest = made.dataset.name, made.dataset.digest
    return Line(time, name, digest, required.text, series, one.estimate, outcome)


def _refuse_others(path: Path, before: Sequence[Line], lines: Sequence[Line]) -> None:
    known = {line.series for line in before}
    if not known or known == {line.series for line in lines}:
        return
    names = [" ".join(filter(None, (m, g, key))) for m, g, key in sorted(known)]
    raise EvalError(
        "other-history",
        f'"{path}" is the history of other numbers: {joined([shorten(one) for one in names], 5)}. '
        "A history holds the same numbers at every check; give these requirements a file of their "
        "own.",
    )


def read(path: Path) -> tuple[list[Line], str]:
    """Return the lines of a history and its last seal; none where there is no file yet.

    Raises:
        EvalError: "bad-history" or "unreadable-file".
    """
    found, seal = [], ""
    for number, row in enumerate(_rows(path), 2):
        if len(row) != len(COLUMNS):
            raise _bad(path, f"line {number} has {counted(len(row), 'cell')}, not {len(COLUMNS)}")
        seal = _seal(row[:-1], seal)
        if row[-1] != seal:
            raise _bad(path, f"line {number}, or one before it, was altered or taken out")
        found.append(_read_line(path, number, row))
    return found, seal


def _rows(path: Path) -> list[list[str]]:
    """Return the cells of each line after the first; none where there is no file yet."""
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise _bad(path, "it is not a text file") from None
    except OSError as problem:
        raise EvalError(
            "unreadable-file", f'"{path}" cannot be read: {problem.strerror}.'
        ) from None
    if not text:
        return []
    if not text.endswith("\n"):
        raise _bad(path, "its last line is cut off")
    rows = list(csv.reader(io.StringIO(text)))
    if len(rows) > MOST_LINES:
        raise _bad(path, f"it has more than {MOST_LINES:,} lines")
    if tuple(rows[0]) != COLUMNS:
        raise _bad(path, f"its first line is not {','.join(COLUMNS[:4])}, …")
    return rows[1:]


def _read_line(path: Path, number: int, row: Sequence[str]) -> Line:
    time, file, digest, requirement, model, group, metric, *cells, outcome, _ = row
    value, low, high, method, level = cells
    try:
        described(metric)
        told = math.nan if not value else float(value)
        ends = [None if not end else float(end) for end in (low, high, level)]
    except (ValueError, EvalError):
        raise _bad(path, f"line {number} holds no number of a metric") from None
    made = Estimate(told, ends[0], ends[1], method or None, ends[2])
    return Line(time, file, digest, requirement, (model, group, metric), made, outcome)


def _bad(path: Path, why: str) -> EvalError:
    return EvalError(
        "bad-history",
        f'"{path}" cannot be used as a history: {why}. Nothing was written. Restore the file, or '
        "begin a new history under another name.",
    )


def _seal(cells: Sequence[str], before: str) -> str:
    return hashlib.sha256("\x1f".join((before, *cells)).encode()).hexdigest()[:16]


def _write(path: Path, lines: Sequence[Line], seal: str, *, new: bool) -> None:
    """Write the history with further lines at its end."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if new:
        writer.writerow(COLUMNS)
    for line in lines:
        seal = _seal(line.cells, seal)
        writer.writerow((*line.cells, seal))
    before = b"" if new else path.read_bytes()
    written(path, before + text.getvalue().encode())


def _followed(lines: Sequence[Line], plan: Plan) -> tuple[Followed, ...]:
    """Return whether each number has changed; the error is shared among them."""
    series: dict[Series, dict[str, Line]] = {}
    for line in lines:
        series.setdefault(line.series, {}).setdefault(line.digest, line)
    share = replace(plan, error=plan.error / len(series))
    return tuple(_series(key, [*own.values()], share) for key, own in series.items())


def _series(key: Series, lines: Sequence[Line], plan: Plan) -> Followed:
    metric = described(key[2])
    first = lines[0].estimate.value
    if plan.change is None:
        bounded = metric.high - metric.low <= 2
        known = abs(first) / 10 if math.isfinite(first) else 0.0
        plan = replace(plan, change=0.05 if bounded else known or 1.0)
    found = watch(signals([line.estimate for line in lines], plan.change or 0.05), plan)
    part = re.fullmatch(r"[a-z]+[.\[](.+?)\]?", key[1])  # an average or a class
    of = f" ({shorten(part[1])})" if part else ""
    name = f"{within_sentence(metric.name)}{of} of {key[0]}"
    if found.at is None or found.since is None:
        said = (
            f"No change of {name} is flagged in {counted(found.looks, 'look')}"
            f"{_alone(lines[0].estimate, lines[-1].estimate, plan)}."
            if found.looks
            else f"This is the first check of {name}; later ones are compared with it."
        )
        return Followed(key, found.looks, False, None, said)
    neither = metric.better is Better.NEITHER
    worse = None if neither else found.upward is (metric.better is Better.LOWER)
    return Followed(key, found.looks, True, worse, _flagged(name, lines, found))


def _alone(first: Estimate, last: Estimate, plan: Plan) -> str:
    """Say why none is flagged where the last check alone would differ from the first one."""
    error = math.hypot(_error(first), _error(last))
    if not abs(last.value - first.value) > normal_quantile(0.95) * error > 0:
        return ""
    return (
        f", though it went from {significant(first.value)} at the first check to "
        f"{significant(last.value)}: false alarms are limited over all {plan.looks:,} planned "
        "looks together, so a single look must differ by more than two files that are compared "
        "once (evalboard shift)"
    )


def _flagged(name: str, lines: Sequence[Line], found: Watched) -> str:
    assert found.at is not None
    assert found.since is not None
    side = "higher" if found.upward else "lower"
    start, last = lines[found.since], lines[found.at]
    return (
        f"Since the check of {start.time} ({start.file}) {name} is {side} than before: "
        f"{significant(start.estimate.value)} there, {significant(lines[0].estimate.value)} at the "
        f"first check; flagged by the check of {last.time}."
    )


def signals(checks: Sequence[Estimate], change: float) -> list[Signal | None]:
    """Return how far each check lies from those before it, by its interval; the first is none.

    A check without an interval is no look. Shares are followed by the rows that they are of, as
    over time; other numbers by their standard errors, as if they were normal.
    """
    known = [one if _error(one) else None for one in checks]
    if all(one is None or one.method == "wilson" for one in known):
        rows = np.array([0.0 if one is None else _rows_of(one) for one in known])
        right = rows * [0.0 if one is None else one.value for one in known]
        first = int(np.searchsorted(np.cumsum(rows), FEWEST)) + 1
        after = of_shares(np.round(right, 6), rows).signals(first, change, None)
        return [*[None] * min(first, len(rows)), *after]
    found: list[Signal | None] = []
    weight = total = 0.0
    for one in known:
        if one is None:
            found.append(None)
            continue
        error = _error(one)
        apart = math.sqrt(error**2 + 1 / weight) if weight else math.inf
        far = one.value - total / weight if weight else 0.0
        found.append(Signal(far / apart, 0.0, change / apart) if weight else None)
        weight, total = weight + 1 / error**2, total + one.value / error**2
    return found


def _error(one: Estimate) -> float:
    """Return the standard error that an interval tells of; 0 where there is none."""
    if one.low is None or one.high is None or one.level is None:
        return 0.0
    return (one.high - one.low) / (2 * normal_quantile(one.level))


def _rows_of(one: Estimate) -> float:
    """Return the rows that a share is of, by Wilson's interval, whose width they make."""
    assert one.level is not None
    z = normal_quantile(one.level)
    half = z * _error(one)
    # half (1 + z² u) = z sqrt(p (1 - p) u + z² u² / 4), where u is one by the rows.
    a, b = z**4 * (half**2 - 0.25), z**2 * (2 * half**2 - one.value * (1 - one.value))
    rows = -2 * a / (b + math.sqrt(b**2 - 4 * a * half**2))
    return round(rows) if math.isclose(rows, round(rows), rel_tol=1e-6) else rows


def shown(made: History) -> Mapping[str, object]:
    """Return what is said of a history as JSON."""
    plan = made.plan
    numbers = [
        {
            **dict(zip(("model", "group", "metric"), one.series, strict=True)),
            "looks": one.looks,
            "changed": one.changed,
            "worse": one.worse,
            "said": one.said,
        }
        for one in made.followed
    ]
    told = {"looks": plan.looks, "error": plan.error, "change": plan.change}
    return {"added": made.added, "checks": made.checks, "plan": told, "numbers": numbers}
