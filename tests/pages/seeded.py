"""Files made by a seed, of every task: equal and unequal models, few and many rows, ties."""

from collections.abc import Mapping

import numpy as np

KINDS = (
    "probabilities", "labels", "classes", "numbers", "clusters", "folds", "extremes", "groups",
    "scores", "alone",
)  # fmt: skip
ROWS = (150, 24, 60)
CLASSES = np.array(["red", "green", "blue"])
Columns = dict[str, np.ndarray]


def file_of(seed: int) -> tuple[str, bytes]:
    """Return a file; every ten seeds hold each kind once, the first ten with the most rows."""
    rng = np.random.default_rng(seed)
    kind, n = KINDS[seed % len(KINDS)], ROWS[seed // len(KINDS) % len(ROWS)]
    models = int(rng.integers(2, 4))
    worse = rng.choice([0.0, 1.0], size=models) * np.arange(models)
    columns = MADE[kind](rng, n, worse)
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    return f"{kind}{seed}.csv", "\n".join(lines).encode()


def _shown(rng: np.random.Generator, truth: np.ndarray, worse: float) -> np.ndarray:
    """Return the log odds of truths, drawn again, the weaker the worse a model is."""
    return np.asarray((2 * truth - 1) * 1.5 / (1 + worse) + rng.normal(0, 1.5, len(truth)))


def _probabilities(rng: np.random.Generator, n: int, worse: np.ndarray) -> Columns:
    truth, sharp = (rng.random(n) < 0.4).astype(int), rng.choice([0.4, 1.0, 3.0])
    truth[:2] = 0, 1
    return {"truth": np.where(truth, "yes", "no")} | {
        f"m{place}_probability": (1 / (1 + np.exp(-sharp * _shown(rng, truth, one)))).round(4)
        for place, one in enumerate(worse)
    }


def _labels(rng: np.random.Generator, n: int, worse: np.ndarray) -> Columns:
    truth = (rng.random(n) < 0.5).astype(int)
    truth[:2] = 0, 1
    named = np.array(["ham", "spam"])
    said = [named[(_shown(rng, truth, one) > 0).astype(int)] for one in worse]
    said[-1] = said[0] if rng.random() < 0.4 else said[-1]
    return {"truth": named[truth]} | {f"m{k}_label": one for k, one in enumerate(said)}


def _classes(rng: np.random.Generator, n: int, worse: np.ndarray) -> Columns:
    truth = rng.integers(0, 3, n)
    truth[:3] = 0, 1, 2
    columns = {"truth": CLASSES[truth]}
    for place, one in enumerate(worse):
        odds = rng.normal(0, 1, (n, 3)) + 2 / (1 + one) * np.eye(3)[truth]
        shares = np.exp(odds) / np.exp(odds).sum(axis=1, keepdims=True)
        shares = shares.round(4)
        shares[:, 2] = (1 - shares[:, 0] - shares[:, 1]).round(4)
        columns |= {f"m{place}_prob_{name}": shares[:, k] for k, name in enumerate(CLASSES)}
    return columns


def _numbers(rng: np.random.Generator, n: int, worse: np.ndarray) -> Columns:
    truth = rng.normal(50, 10, n).round(2)
    return {"truth": truth} | {
        f"m{place}_prediction": (truth + rng.normal(0, 4 + 3 * one, n)).round(2)
        for place, one in enumerate(worse)
    }


def _clusters(rng: np.random.Generator, n: int, worse: np.ndarray) -> Columns:
    truth = rng.integers(0, 3, n)
    truth[:3] = 0, 1, 2
    centres = np.array([[0, 0], [4, 0], [0, 4]])[truth]
    columns = {"species": CLASSES[truth]}
    columns |= dict(zip("xy", (centres + rng.normal(0, 1, (n, 2))).round(3).T, strict=True))
    for place, one in enumerate(worse):
        moved = rng.random(n) < 0.1 + 0.2 * one
        columns[f"cluster_{place}"] = np.where(moved, rng.integers(0, 3, n), truth)
    return columns


def _folds(rng: np.random.Generator, n: int, worse: np.ndarray) -> Columns:
    folds = 5 if n < 100 else 10
    base = rng.normal(0.8, 0.02, folds)
    scores = [(base + rng.normal(-0.04 * one, 0.01, folds)).round(3) for one in worse]
    return {
        "model": np.repeat([f"m{place}" for place in range(len(worse))], folds),
        "fold": np.tile(np.arange(1, folds + 1), len(worse)),
        "accuracy": np.concatenate(scores),
    }


def _extremes(rng: np.random.Generator, n: int, worse: np.ndarray) -> Columns:
    """A perfect model, one of chance and one whose scores are all the same."""
    truth = np.arange(n) % 2
    constant = np.full(n, 0.5)
    scores = (truth * 0.8 + 0.1, rng.random(n).round(3), constant)[: len(worse)]
    return {"truth": truth} | {f"m{place}_score": one for place, one in enumerate(scores)}


def _groups(rng: np.random.Generator, n: int, worse: np.ndarray) -> Columns:
    return {"patient": np.arange(n) // 3} | _probabilities(rng, n, worse)


def _scores(rng: np.random.Generator, n: int, worse: np.ndarray) -> Columns:
    """Scores that are no probabilities, many of them tied, in folds."""
    truth = (rng.random(n) < 0.3).astype(int)
    truth[:2] = 0, 1
    scores = {f"m{k}_score": _shown(rng, truth, one).round() for k, one in enumerate(worse)}
    return {"truth": truth, "fold": np.arange(n) % 5} | scores


def _alone(rng: np.random.Generator, n: int, worse: np.ndarray) -> Columns:
    return _probabilities(rng, n, worse[:1])


MADE: Mapping[str, object] = {
    "probabilities": _probabilities, "labels": _labels, "classes": _classes, "numbers": _numbers,
    "clusters": _clusters, "folds": _folds, "extremes": _extremes, "groups": _groups,
    "scores": _scores, "alone": _alone,
}  # fmt: skip
