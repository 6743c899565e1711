"""Small data sets written in a line, and what an evaluation says of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.options import Options
from evalcore.results import Evaluation, ModelEvaluation
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset
from evalread.loading import load

QUICK = Options(resamples=200)


def data(text: str) -> Dataset:
    return load([("rows.csv", text.encode())])


def rows(*columns: list[Any], header: str) -> Dataset:
    lines = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    return data("\n".join([header, *lines]))


def only(evaluation: Evaluation) -> ModelEvaluation:
    (model,) = evaluation.models.values()
    return model


def notice(evaluation: Evaluation, code: str) -> str:
    return next(n.message for n in evaluation.notices if n.code == code)


def codes(evaluation: Evaluation) -> set[str]:
    return {n.code for n in evaluation.notices}


def noisy(n: int, seed: int = 0, pull: float = 1.5) -> tuple[NDArray[np.int64], NDArray[Any]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    return truth, np.round(1 / (1 + np.exp(-rng.normal(size=n) - pull * (truth - 0.5))), 3)


def seeded(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def score_table(truth: list[int], score: list[float]) -> ScoreTable:
    return ScoreTable.from_scores(np.array(truth, dtype=np.int8), np.array(score))
