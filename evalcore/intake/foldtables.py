"""Fold scores as only one tool writes them, rewritten with a row per fold."""

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa

from evalcore.intake.labels import as_labels
from evalcore.intake.model import Choices, Table, Task
from evalcore.intake.stacked import joined_cells
from evalcore.intake.translate import rewrite, text, with_columns

_SPLIT = re.compile(r"split(?P<fold>\d+)_(?P<score>test_.+)")
_REPEATED = re.compile(r"(?P<fold>.+)\.(?P<repeat>.+)")


def cv_results(table: Table) -> Table:
    """Turn a row per setting, with a column per split, into a row per setting and split."""
    cells: dict[str, dict[str, pa.ChunkedArray]] = {}
    for name in table.names:
        if match := _SPLIT.fullmatch(name):
            cells.setdefault(match["score"], {})[match["fold"]] = table.columns[name]
    folds = list(dict.fromkeys(fold for of_fold in cells.values() for fold in of_fold))
    rows = pa.array(np.tile(np.arange(table.n), len(folds)))
    columns = {
        "setting": _settings(table).take(rows),
        "fold": text([fold for fold in folds for _ in range(table.n)]),
    }
    for score, of_fold in cells.items():
        blank = text([None] * table.n)
        parts = [of_fold.get(fold, blank).cast(pa.string()) for fold in folds]
        columns[score] = pa.chunked_array([chunk for part in parts for chunk in part.chunks])
    source = replace(table.source, rows=len(rows))
    hints = Choices(task=Task.FOLDS, fold="fold", model="setting")
    return replace(table, columns=columns, source=source, hints=hints)


def _settings(table: Table) -> pa.ChunkedArray:
    """Name each row by the parameters that differ between rows."""
    params = [name for name in table.names if name.startswith("param_")]
    several = [name for name in params if len(table.columns[name].unique()) > 1]
    settings = table.columns["params"].cast(pa.string())
    if several:
        settings = joined_cells(
            table, several, lambda name: f"{name.removeprefix('param_')}=", between=", "
        )
    if len(settings.unique()) == table.n and not settings.null_count:
        return settings
    return text([f"setting {row + 1}" for row in range(table.n)])


def caret_resamples(table: Table) -> Table:
    """Split names such as "Fold01.Rep1" into fold and repeat."""
    hints = Choices(task=Task.FOLDS, fold="Resample", model="")
    names = as_labels(table.columns["Resample"], "Resample").names
    if not names or not all(_REPEATED.fullmatch(name) for name in names):
        return replace(table, hints=hints)
    parts = {part: _part(table, part) for part in ("fold", "repeat")}
    hints = replace(hints, fold="Resample", repeat="repeat")
    changed = {"Resample": parts["fold"], "repeat": parts["repeat"]}
    return replace(with_columns(table, changed), hints=hints)


def _part(table: Table, part: str) -> pa.ChunkedArray:
    def of(name: str) -> str:
        match = _REPEATED.fullmatch(name)
        assert match is not None
        return match[part]

    return rewrite(table.columns["Resample"], "Resample", of)
