"""How often intervals hold the true value, and tests find a difference that is not there.

    python benchmarks/coverage.py                    every case; repeat it to go on where it stopped
    python benchmarks/coverage.py --quick            fewer files of each case: a first impression
    python benchmarks/coverage.py --only scores      cases whose name begins so
    python benchmarks/coverage.py --write            the tables of docs/statistics.md, again

Files are drawn from models whose true value of every metric is known, and evaluated as the product
does. Results go to a file of lines, one a run of files, from which the tables are made.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np
from scipy.special import expit, logit, ndtri
from scipy.stats import norm

from evalcore.compare import compare
from evalcore.evaluation.decisions import decisions
from evalcore.evaluation.estimates import estimate_values, judge_probabilities, rank
from evalcore.metrics.catalog import METRICS, find
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, NumericOutcomes
from evalcore.predictions import Predictions
from evalcore.results import ModelTables
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.scores import ScoreTable

ROWS = (30, 100, 1000)
WITHIN = (0.93, 0.98)
"""What the coverage of a 95% interval should be."""

RUN, RUNS, QUICK_RUNS = 50, 6, 2
"""Files in a run, and runs of each case: 300 files tell a coverage to 1.3 points."""

POPULATION = 200_000
"""Rows that stand for the truth where there is no formula."""

RESAMPLES = 500
PAGE = Path(__file__).parents[1] / "docs" / "statistics.md"

Found = Mapping[str, Estimate]


@dataclass(frozen=True)
class Case:
    """A kind of file, such as "scores, 100 rows, 5% positive, good model"."""

    kind: str
    rows: int
    shape: str
    model: str

    @property
    def key(self) -> str:
        """The case in a line of results."""
        return f"{self.kind}/{self.rows}/{self.shape}/{self.model}"


def cases() -> list[Case]:
    """Return every case of every kind."""
    made = [
        *product(["scores"], ROWS, ["balanced", "5%"], ["good", "excellent", "overconfident"]),
        *product(["classes"], ROWS[1:], ["balanced", "one at 2%"], ["good", "excellent"]),
        *product(["values"], ROWS, ["normal", "skewed"], ["good", "excellent"]),
        *product(["tests"], ROWS, ["balanced", "5%", "numbers"], ["good"]),
    ]
    return [Case(*parts) for parts in made]


# Scores: normal in both classes, those of positives shifted. Probabilities are what follows from
# that by Bayes; those of the overconfident model have twice the log odds.

AREAS = {"good": 0.8, "excellent": 0.98, "overconfident": 0.8}


def _shares(case: Case) -> tuple[float, float]:
    share = 0.5 if case.shape == "balanced" else 0.05
    return share, float(ndtri(AREAS[case.model]) * np.sqrt(2))


def _scored(case: Case, rows: int, rng: np.random.Generator) -> tuple[Any, Any]:
    share, shift = _shares(case)
    truth = (rng.random(rows) < share).astype(np.int8)
    odds = shift * (rng.normal(size=rows) + shift * truth) - shift**2 / 2 + logit(share)
    return truth, expit(odds * (2 if case.model == "overconfident" else 1))


def _of_scores(case: Case, rows: int, rng: np.random.Generator, options: Options) -> Found:
    """Return every metric of one file; decisions are made where both rates are equal."""
    truth, score = _scored(case, rows, rng)
    table = ScoreTable.from_scores(truth, score)
    if not (table.positives and table.negatives):
        return {}
    model = ModelTables(n=rows, classes=("no", "yes"), scores=table, probability=True)
    share, _ = _shares(case)
    odds = logit(share) * (2 if case.model == "overconfident" else 1)
    counts = table.at(float(expit(odds)))
    cells = np.array([[counts.tn, counts.fp], [counts.fn, counts.tp]])
    decided = decisions(ConfusionMatrix(("no", "yes"), cells), options)
    averages = {f"macro {key}": e for key, e in decided.averages["macro"].items()}
    found = {**decided.metrics, **averages}
    return {**found, **rank(model, options), **judge_probabilities(model, options)}


# Classes: a matrix of five.


def _class_shares(case: Case) -> Any:
    even = np.full(5, 0.2) if case.shape == "balanced" else np.array([0.02, *[0.245] * 4])
    right = 0.7 if case.model == "good" else 0.97
    among = np.full((5, 5), (1 - right) / 4)
    np.fill_diagonal(among, right)
    return even[:, np.newaxis] * among


def _of_classes(case: Case, rows: int, rng: np.random.Generator, options: Options) -> Found:
    shares = _class_shares(case)
    cells = rows * shares if rows > max(ROWS) else rng.multinomial(rows, shares.ravel())
    matrix = ConfusionMatrix(tuple("abcde"), np.reshape(cells, (5, 5)))
    decided = decisions(matrix, options)
    averages = {f"macro {key}": e for key, e in decided.averages["macro"].items()}
    weighted = {f"weighted {key}": e for key, e in decided.averages["weighted"].items()}
    return {**decided.metrics, **averages, **weighted}


# Numbers: normal, or log-normal truth with errors as skewed.


def _numbers(case: Case, rows: int, rng: np.random.Generator) -> NumericOutcomes:
    size = 0.75 if case.model == "good" else 0.2
    if case.shape == "normal":
        truth, error = rng.normal(50, 10, rows), rng.normal(0, 10, rows)
    else:
        truth, error = np.exp(rng.normal(3, 0.5, rows)), 5 * rng.gamma(2, 1, rows) - 10
    return NumericOutcomes(truth=truth, prediction=np.maximum(truth + size * error, 0.1))


def _of_values(case: Case, rows: int, rng: np.random.Generator, options: Options) -> Found:
    return estimate_values(_numbers(case, rows, rng), options)


KINDS: Mapping[str, Callable[..., Found]] = {
    "scores": _of_scores,
    "classes": _of_classes,
    "values": _of_values,
}

OF_CALIBRATED = ("ece", "mce", "brier_reliability")
AT_K = ("precision_at_k", "recall_at_k")
"""Their true value depends on the number of rows: it is the mean over files of that size."""


@cache
def truths(case: Case) -> Mapping[str, float]:
    """Return the true value of every metric of a case."""
    rng, once = np.random.default_rng(11), Options(resamples=100)
    if case.kind == "classes":
        return {key: e.value for key, e in _of_classes(case, 10**9, rng, once).items()}
    many = KINDS[case.kind](case, POPULATION, rng, once)
    known = {key: e.value for key, e in many.items()}
    if case.kind == "scores":
        known |= _exact(case)
        known |= {key: _mean_at_k(case, key) for key in AT_K}
        known["prevalence"] = _shares(case)[0]
        if case.model != "overconfident":
            known |= dict.fromkeys(OF_CALIBRATED, 0.0)
    return known


def _exact(case: Case) -> Mapping[str, float]:
    share, shift = _shares(case)
    rate, n = float(norm.cdf(shift / 2)), 1e12
    found, spared = rate * share * n, rate * (1 - share) * n
    counts = BinaryCounts(found, (1 - share) * n - spared, share * n - found, spared)
    known = {m.key: float(m(counts)) for m in METRICS if m.needs is BinaryCounts}
    area = AREAS[case.model]
    return known | {"roc_auc": area, "gini": 2 * area - 1, "ks_statistic": 2 * rate - 1}


def _mean_at_k(case: Case, key: str) -> float:
    rng, metric = np.random.default_rng(12), find(key)
    values = []
    for _ in range(1000):
        table = ScoreTable.from_scores(*_scored(case, case.rows, rng))
        values.append(float(metric(table)) if table.positives else np.nan)
    return float(np.nanmean(values))


# Tests: two models that are equally good, each with errors of its own.


def _pair(case: Case, rng: np.random.Generator) -> Predictions:
    if case.shape == "numbers":
        truth, shared = rng.normal(size=case.rows), rng.normal(size=case.rows)
        models: dict[str, Any] = {
            name: NumericOutcomes(
                truth=truth, prediction=truth + (shared + rng.normal(size=case.rows)) / 2
            )
            for name in "AB"
        }
        return Predictions(digest="", classes=(), models=models)
    share, shift = _shares(case)
    truth = (rng.random(case.rows) < share).astype(np.int8)
    shared = rng.normal(size=case.rows)
    classes = ("no", "yes")
    models = {}
    for name in "AB":
        own = (shared + rng.normal(size=case.rows)) / np.sqrt(2) + shift * truth
        called = (own > shift / 2).astype(np.int8)
        models[name] = BinaryOutcomes(classes=classes, truth=truth, score=own, label=called)
    return Predictions(digest="", classes=classes, models=models)


COMPARED = {
    "balanced": ("accuracy", "f1", "mcc", "roc_auc", "average_precision"),
    "5%": ("accuracy", "f1", "mcc", "roc_auc", "average_precision"),
    "numbers": ("rmse", "mae", "r2"),
}


def _tested(case: Case, rng: np.random.Generator) -> Iterator[tuple[str, bool]]:
    pair = _pair(case, rng)
    for metric in COMPARED[case.shape]:
        made = compare(pair, _options(rng), metric=metric)
        for one in made.tests:
            p = one.finding.p_value
            if np.isfinite(p):
                yield f"{metric} {one.test}", bool(p < 0.05)


def _options(rng: np.random.Generator) -> Options:
    """Return the settings of one file: what chance in the draws does must differ between files."""
    return Options(resamples=RESAMPLES, seed=int(rng.integers(1 << 30)))


def run(task: tuple[Case, int]) -> dict[str, Any]:
    """Return how many files of one run held the true value, or had a small p, of how many."""
    case, number = task
    counted: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    rng = np.random.default_rng([number, *case.key.encode()])
    for _ in range(RUN):
        for key, hit in _tested(case, rng) if case.kind == "tests" else _held(case, rng):
            counted[key][0] += hit
            counted[key][1] += 1
    return {"case": case.key, "run": number, "held": dict(counted)}


def _held(case: Case, rng: np.random.Generator) -> Iterator[tuple[str, bool]]:
    known = truths(case)
    for key, found in KINDS[case.kind](case, case.rows, rng, _options(rng)).items():
        true = known.get(key, np.nan)
        if found.low is not None and found.high is not None and np.isfinite(true):
            slack = 1e-9 * max(1.0, abs(true))
            yield key, found.low - slack <= true <= found.high + slack


def simulate(path: Path, runs: int, only: str) -> None:
    """Make the runs that the file of results does not hold yet."""
    done = {(line["case"], line["run"]) for line in _lines(path)}
    tasks = [
        (case, number)
        for number, case in product(range(runs), cases())
        if case.key.startswith(only) and (case.key, number) not in done
    ]
    with ProcessPoolExecutor(2) as pool, path.open("a", encoding="utf-8") as results:
        for at, line in enumerate(pool.map(run, tasks), 1):
            results.write(json.dumps(line) + "\n")
            results.flush()
            print(f"{at} of {len(tasks)}: {line['case']}", file=sys.stderr)


def _lines(path: Path) -> list[dict[str, Any]]:
    return (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    )


FEWEST = 20
"""With fewer files in which a number has an interval nothing is said of it."""

Rates = Mapping[str, Mapping[tuple[str, ...], tuple[float, float]]]


def rates(path: Path, kind: str) -> Rates:
    """Return by metric or test, by rows, shape and model, the share of files and their number."""
    sums: dict[str, dict[tuple[str, ...], Any]] = defaultdict(
        lambda: defaultdict(lambda: np.zeros(2))
    )
    for line in _lines(path):
        own, *where = line["case"].split("/")
        if own == kind:
            for key, counts in line["held"].items():
                sums[key][tuple(where)] += counts
    return {
        key: {where: (hits / n, n) for where, (hits, n) in by.items() if n >= FEWEST}
        for key, by in sums.items()
    }


def table(found: Rates, kind: str) -> str:
    """Return a table of Markdown: a row for each metric, a column for rows and shape."""
    own = [case for case in cases() if case.kind == kind]
    columns = list(dict.fromkeys((str(case.rows), case.shape) for case in own))
    models = list(dict.fromkeys(case.model for case in own))
    head = " | ".join(f"{rows}, {shape}" for rows, shape in columns)
    lines = [f"| | {head} |", "| --- |" + " --- |" * len(columns)]
    for key, by in found.items():
        cells = [
            " / ".join(_shown(by.get((rows, shape, model)), kind) for model in models)
            for rows, shape in columns
        ]
        lines.append(f"| `{key}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _shown(found: tuple[float, float] | None, kind: str) -> str:
    """Return a rate, bold where chance in the files does not explain that it is out of bounds."""
    if found is None:
        return "-"
    rate, n = found
    low, high = (0.0, 0.05) if kind == "tests" else WITHIN
    chance = 2 * np.sqrt(0.05 * 0.95 / n)
    bad = not low - chance <= rate <= high + chance
    text = f"{rate:.2f}" if rate == 1 else f"{rate:.2f}"[1:]
    return f"**{text}**" if bad else text


def write(path: Path) -> None:
    """Write the tables between the marks of the page."""
    text = PAGE.read_text("utf-8")
    for kind in (*KINDS, "tests"):
        start, end = f"<!-- {kind} -->", f"<!-- end of {kind} -->"
        before, rest = text.split(start)
        text = f"{before}{start}\n{table(rates(path, kind), kind)}\n{end}{rest.split(end)[1]}"
    PAGE.write_text(text, "utf-8")


def main() -> None:
    """Simulate, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--results", type=Path, default=Path(gettempdir()) / "coverage.jsonl")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.write:
        write(asked.results)
        return
    simulate(asked.results, QUICK_RUNS if asked.quick else RUNS, asked.only)
    for kind in (*KINDS, "tests"):
        print(table(rates(asked.results, kind), kind), "\n")


if __name__ == "__main__":
    main()
