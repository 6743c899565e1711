"""Thresholds that keep a promise: how much is found, or how much is flagged."""

import numpy as np

from evalcore.tables.scores import ScoreTable


def threshold_finding(table: ScoreTable, recall: float) -> float:
    """Return the highest score at which at least this share of the positives is found.

    `recall` lies in (0, 1]; NaN where there are no positives.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1]))
    >>> threshold_finding(table, 0.9), threshold_finding(table, 0.5)
    (0.4, 0.9)
    """
    if not table.positives:
        return np.nan
    found = table.tp / table.positives
    return float(table.threshold[found.searchsorted(recall)])


def threshold_flagging(table: ScoreTable, share: float) -> float:
    """Return the lowest score at which at most this share of the rows is flagged.

    NaN where the highest score alone is shared by more rows.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1]))
    >>> threshold_flagging(table, 0.7), threshold_flagging(table, 0.1)
    (0.5, nan)
    """
    if not table.n:
        return np.nan
    flagged = (table.tp + table.fp) / table.n
    rows = int(flagged.searchsorted(share, side="right"))
    return float(table.threshold[rows - 1]) if rows else np.nan


def threshold_precise(table: ScoreTable, precision: float) -> float:
    """Return the lowest score at which at least this share of the flagged rows is positive.

    NaN where no threshold reaches it.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1]))
    >>> threshold_precise(table, 0.6), threshold_precise(table, 1.0)
    (0.4, 0.9)
    """
    reached = np.flatnonzero(table.tp / (table.tp + table.fp) >= precision)
    return float(table.threshold[reached[-1]]) if len(reached) else np.nan


def threshold_flagging_rows(table: ScoreTable, rows: float) -> float:
    """Return the lowest score at which at most so many rows are flagged; NaN where none is.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1]))
    >>> threshold_flagging_rows(table, 2)
    0.5
    """
    flagged = int((table.tp + table.fp).searchsorted(rows, side="right"))
    return float(table.threshold[flagged - 1]) if flagged else np.nan
