"""Files with one score per fold: not rows to evaluate, and to be told from them."""

from collections.abc import Mapping

import pyarrow.compute as pc

from evalcore.errors import EvalError
from evalcore.intake.model import Table
from evalcore.intake.profile import Profile
from evalcore.intake.words import FOLD, TRUTH, plain

_MOST_ROWS = 100_000
_PER_FOLD = ("caret resamples", "scikit-learn cv_results_")


def refuse_fold_scores(table: Table, columns: Mapping[str, Profile]) -> None:
    """Refuse a table with a row per fold, or per fold and model.

    Raises:
        EvalError: "fold-scores".
    """
    if table.source.tool in _PER_FOLD:
        raise fold_scores(table.source.name)
    folds = [name for name in columns if plain(name) in FOLD]
    named = any(plain(name) in TRUTH for name in columns)
    if named or not folds or table.n > _MOST_ROWS:
        return
    keys = [n for n, c in columns.items() if c.labels and (c.whole or not c.numeric)]
    cells = [pc.fill_null(table.columns[name].cast("string"), "") for name in keys]
    joined = pc.binary_join_element_wise(*cells, "\x1f") if len(cells) > 1 else cells[0]
    if len(joined.unique()) == table.n:
        raise fold_scores(table.source.name)


def fold_scores(name: str) -> EvalError:
    """Return the error for a file with one score per fold."""
    return EvalError(
        "fold-scores",
        f'"{name}" holds one score per fold, not one row per example: models can be compared on '
        "it, but nothing else can be computed from it.",
    )
