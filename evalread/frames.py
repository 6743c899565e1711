"""Data frames in and out: for notebooks, where predictions are already in memory."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

import pyarrow as pa
from pyarrow import parquet

from evalcore.dataset import NO_CHOICES, Choices, Dataset
from evalcore.errors import EvalError
from evalcore.results import Estimates, Evaluation, ModelEvaluation
from evalread.loading import load

if TYPE_CHECKING:
    import pandas as pd


def load_frame(frame: pd.DataFrame, choices: Choices = NO_CHOICES) -> Dataset:
    """Return the data set in a data frame of predictions, as if it had been a file.

    The index is left out. Columns are recognised by name and by value; `choices` settle what is.

    Raises:
        EvalError: The columns cannot be used; the message says what is wrong and what to do.

    >>> import pandas as pd
    >>> data = load_frame(pd.DataFrame({"truth": [0, 1, 1], "score": [0.2, 0.9, 0.7]}))
    >>> data.roles.truth, data.classes, list(data.models)
    ('truth', ('0', '1'), ['score'])
    """
    try:
        table = pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, ValueError) as error:
        raise EvalError(
            "frame",
            f"The data frame cannot be used: {'. '.join(map(str, error.args))}. Every column takes "
            "a name of its own and values of one type.",
        ) from error
    held = BytesIO()
    parquet.write_table(table, held)
    return load([("frame.parquet", held.getvalue())], choices)


def estimates_frame(evaluation: Evaluation) -> pd.DataFrame:
    """Return every number of an evaluation, one a row, with its interval.

    The columns: name (of the model or clustering), group ("ranking", "labels" ...), part ("all",
    "class" or "average"), of (which class or average), metric (its key), value, low, high, method,
    level, why, note. NaN is undefined, and `why` says for what reason.
    """
    import pandas as pd

    columns = ("name", "group", "part", "of", "metric", *_SHOWN)
    return pd.DataFrame(list(_rows(evaluation)), columns=list(columns))


_SHOWN = ("value", "low", "high", "method", "level", "why", "note")

_Row = tuple[object, ...]


def _rows(evaluation: Evaluation) -> Iterator[_Row]:
    for name, judged in evaluation.judged.items():
        for group, estimates in judged.metrics.items():
            yield from _of(estimates, (name, group, "all", ""))
        if isinstance(judged, ModelEvaluation):
            yield from _parts(name, judged)


def _parts(name: str, judged: ModelEvaluation) -> Iterator[_Row]:
    for way, decisions in judged.decisions.items():
        for of, estimates in decisions.per_class.items():
            yield from _of(estimates, (name, way, "class", of))
        for of, estimates in decisions.averages.items():
            yield from _of(estimates, (name, way, "average", of))
    for of, estimates in judged.class_ranking.items():
        yield from _of(estimates, (name, "ranking", "class", of))


def _of(estimates: Estimates, where: tuple[str, ...]) -> Iterator[_Row]:
    for key, one in estimates.items():
        yield (*where, key, *(getattr(one, shown) for shown in _SHOWN))
