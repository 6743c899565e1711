"""How often verdicts are wrong about equal models, and how often they show what they promise.

    python benchmarks/verdicts.py [repeats]

Every file is drawn anew; of equal models a verdict is wrong if it names any two as different. The
size of file that is promised to show a difference in 80% of files is worked out from one large
file, and files of that size are drawn. docs/statistics.md tells what was found.
"""

import sys
from dataclasses import replace
from math import comb, pi, sqrt

import numpy as np
from scipy.special import ndtri

from evalcore.compare import conclude
from evalcore.comparison.candidate import candidate
from evalcore.comparison.candidates import Candidates
from evalcore.comparison.catalog import TESTS
from evalcore.comparison.from_folds import from_folds
from evalcore.comparison.from_rows import from_rows
from evalcore.comparison.results import Comparison
from evalcore.metrics.catalog import find
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, Floats, NumericOutcomes
from evalcore.plan import Expected, plan
from evalcore.predictions import FoldScores

ERRORS = ("rmse", "mae")
MAIN = {
    "roc_auc": "delong",
    "accuracy": "mcnemar_mid_p",
    **dict.fromkeys(ERRORS, "diebold_mariano"),
}
ROWS = {"roc_auc": 200, "accuracy": 100, "rmse": 50, "f1": 100}
AHEAD = {"roc_auc": 0.5, "accuracy": 0.5, "rmse": 0.3, "mae": 0.3}
"""By how much the first model is better where one is: shift of its scores, or less noise."""


def judged(key: str, n: int, models: int, seed: int, ahead: float = 0.0) -> Comparison:
    """Return what is concluded about models on n rows drawn anew; errors are half shared."""
    rng = np.random.default_rng(seed)
    metric, shared = find(key), rng.normal(size=n)
    noise = (shared + rng.normal(size=(models, n))) / np.sqrt(2)
    noise[0] *= 1 - ahead if key in ERRORS else 1
    truth = (rng.random(n) < 0.4).astype(np.int8)
    entered = []
    for place, own in enumerate(noise):
        entered.append(
            candidate(
                f"m{place}", _outcomes(key, truth, own, ahead * (place == 0)), metric, "labels"
            )
        )
    chosen = Candidates(metric, tuple(one for one in entered if one), True, None, ())
    evidence = from_rows(chosen, Options(resamples=400, seed=seed))
    main = [test for test in TESTS if test.key == MAIN.get(key, "paired_bootstrap")]
    return conclude(evidence, tests=main)


def _outcomes(
    key: str, truth: np.ndarray, noise: Floats, ahead: float
) -> BinaryOutcomes | NumericOutcomes:
    if key in ERRORS:
        return NumericOutcomes(truth=np.zeros(len(noise)), prediction=noise)
    score = (1.2 + ahead) * (truth - 0.5) + noise
    classes = ("no", "yes")
    if key == "roc_auc":
        return BinaryOutcomes(classes=classes, truth=truth, score=score)
    return BinaryOutcomes(classes=classes, truth=truth, label=(score > 0).astype(np.int8))


def wrong(key: str, models: int, repeats: int) -> tuple[float, float]:
    """Return how often any two equal models are called different, and how often for sure."""
    found = []
    for seed in range(repeats):
        pairs = judged(key, ROWS[key], models, seed).verdict.pairs.values()
        found.append([any(p.better for p in pairs), any(p.better and p.sure for p in pairs)])
    any_at_all, sure = np.mean(found, axis=0)
    return float(any_at_all), float(sure)


def wrong_on_groups(key: str, models: int, repeats: int) -> tuple[float, float]:
    """Return the same of equal models on 40 groups of 10 rows whose errors are half the group's."""
    found, unit = [], np.repeat(np.arange(40), 10)
    metric = find(key)
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        truth = (rng.random(400) < 0.4).astype(np.int8)
        entered = []
        for place in range(models):
            noise = (rng.normal(size=40)[unit] + rng.normal(size=400)) / np.sqrt(2)
            score = 1.2 * (truth - 0.5) + noise
            label = (score > 0).astype(np.int64) if key == "accuracy" else None
            own = BinaryOutcomes(
                classes=("no", "yes"),
                truth=truth,
                score=None if key == "accuracy" else score,
                label=label,
                unit=unit,
            )
            entered.append(candidate(f"m{place}", own, metric, "labels"))
        chosen = Candidates(metric, tuple(one for one in entered if one), True, None, ())
        pairs = conclude(from_rows(chosen, Options(resamples=400, seed=seed))).verdict.pairs
        named = [pair for pair in pairs.values() if pair.better]
        found.append([bool(named), any(pair.sure for pair in named)])
    any_at_all, sure = np.mean(found, axis=0)
    return float(any_at_all), float(sure)


def wrong_on_folds(models: int, repeats: int) -> tuple[float, float]:
    """Return the same of equal methods on ten folds of 100 rows, each trained on the other nine.

    A method puts a row into the class whose mean is nearer, by a feature of its own.
    """
    found, truth = [], np.arange(100) % 2
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        feature, fold = truth + rng.normal(size=(models, 100)), rng.permutation(100) % 10
        score = np.zeros((models, 10))
        for part in range(10):
            kept, out = fold != part, fold == part
            means = [feature[:, kept & (truth == code)].mean(axis=1) for code in (0, 1)]
            middle = np.mean(means, axis=0)[:, np.newaxis]
            score[:, part] = ((feature[:, out] > middle) == truth[out]).mean(axis=1)
        sizes = {"n_train": np.full(10, 90.0), "n_test": np.full(10, 10.0)}
        names = tuple(f"m{place}" for place in range(models)), tuple(map(str, range(10)))
        scores = FoldScores(metric="accuracy", models=names[0], score=score, fold=names[1], **sizes)
        pairs = conclude(from_folds(scores)).verdict.pairs.values()
        found.append([any(p.better for p in pairs), any(p.better and p.sure for p in pairs)])
    any_at_all, sure = np.mean(found, axis=0)
    return float(any_at_all), float(sure)


def shown(key: str, models: int, repeats: int) -> tuple[int, float]:
    """Return the rows that are promised to show the first model's lead, and how often they do."""
    large = judged(key, 300_000, 2, 1, AHEAD[key])
    size = large.sample_size
    assert size is not None
    gap = large.gap("m0", "m1")
    assert gap is not None
    each = 0.05 / comb(models, 2)
    ratio = (ndtri(1 - each / 2) + ndtri(0.8)) / (ndtri(0.975) + ndtri(0.8))
    assert size.rows_needed is not None
    n = round(size.rows_needed * ratio**2)
    ahead = [
        judged(key, n, models, seed, AHEAD[key]).verdict.is_ahead("m0", "m1")
        for seed in range(repeats)
    ]
    return n, float(np.mean(ahead))


def planned(key: str, models: int, repeats: int) -> tuple[int, float]:
    """Return the rows that a plan asks for to show the first model's lead, and how often they do.

    The plan knows the second model's value, the difference and how alike the two are; the mean
    losses of both are taken to vary alike.
    """
    rows = 300_000
    large = judged(key, rows, 2, 1, AHEAD[key])
    gap, value = large.gap("m0", "m1"), large.models["m1"].value
    assert gap is not None
    assert gap.low is not None
    assert gap.high is not None
    # Of the absolute value of standard normal noise.
    spread = sqrt(1 - 2 / pi) if key == "mae" else None
    expected = Expected(key, value, share=0.4 if key == "roc_auc" else 1.0, deviation=spread)
    error = (gap.high - gap.low) / 2 / ndtri(0.975)
    apart = expected.variance(value - gap.difference, rows)
    alone = expected.variance(value, rows)
    alike = (alone + apart - error**2) / (2 * sqrt(alone * apart))
    made = plan(replace(expected, alike=alike, models=models), difference=abs(gap.difference))
    assert made.rows_for_difference is not None
    ahead = [
        judged(key, made.rows_for_difference, models, seed, AHEAD[key]).verdict.is_ahead("m0", "m1")
        for seed in range(repeats)
    ]
    return made.rows_for_difference, float(np.mean(ahead))


def best(models: int, share: float, repeats: int) -> list[float]:
    """Return what choosing the best of equal models does to its area under the ROC curve.

    200 rows, area 0.80, noise all its own: mean excess and coverage of the leader as it is shown,
    and the same corrected.
    """
    area, excess = 0.8, []
    shift = float(np.sqrt(2) * ndtri(area))
    metric, options = find("roc_auc"), Options()
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        truth = (rng.random(200) < share).astype(np.int8)
        entered = []
        for place in range(models):
            score = truth * shift + rng.normal(size=200)
            own = BinaryOutcomes(classes=("no", "yes"), truth=truth, score=score)
            entered.append(candidate(f"m{place}", own, metric, "labels"))
        chosen = Candidates(metric, tuple(one for one in entered if one), True, None, ())
        made = conclude(from_rows(chosen, options), tests=[])
        shown = made.models[made.order[0]]
        told = made.corrected or shown
        for one in (shown, told):
            excess += [one.value - area, one.low <= area <= one.high]
    means: list[float] = np.mean(np.reshape(excess, (repeats, 4)), axis=0).tolist()
    return means


def _print_wrong(repeats: int) -> None:
    says = "wrong {:.3f}, surely {:.3f}"
    for key in ROWS:
        for models in (2, 5, 20) if key != "f1" else (2, 5):
            print(key, models, says.format(*wrong(key, models, repeats)))
    for key in ("roc_auc", "accuracy"):
        for models in (2, 5, 20):
            print(key, models, "groups,", says.format(*wrong_on_groups(key, models, repeats)))


def main() -> None:
    """Print all of them, for 2, 5 and 20 models."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for models in (2, 5, 20):
        for share in (0.3, 0.1):
            shown_as = "excess {:+.3f}, held by {:.3f}; corrected {:+.3f}, {:.3f}"
            print("best of", models, share, shown_as.format(*best(models, share, repeats)))
    _print_wrong(repeats)
    for models in (2, 5, 20):
        print(
            "folds", models, "wrong {:.3f}, surely {:.3f}".format(*wrong_on_folds(models, repeats))
        )
    for key in AHEAD:
        for models in (2, 5, 20):
            print(key, models, "{} rows show it in {:.3f}".format(*shown(key, models, repeats)))
            if key != "rmse":
                told = planned(key, models, repeats)
                print(key, models, "{} planned rows show it in {:.3f}".format(*told))


if __name__ == "__main__":
    main()
