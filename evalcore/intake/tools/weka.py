"""Weka's output of predictions as CSV, and its data with predictions as ARFF."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import Notice
from evalcore.intake.labels import as_labels
from evalcore.intake.model import Scale, Table
from evalcore.intake.numbers import as_numbers
from evalcore.intake.profile import profile
from evalcore.intake.signatures import Signature
from evalcore.intake.translate import rewrite, said, text, with_columns


def _plain(table: Table) -> Table:
    """Split "1:yes" at the first colon, read "?" as missing, tell the folds apart."""
    changed = {name: rewrite(table.columns[name], name, _label) for name in ("actual", "predicted")}
    return _with_folds(with_columns(table, changed))


def _label(cell: str) -> str:
    name = cell.partition(":")[2] if ":" in cell else cell
    return "" if name == "?" else name.strip("'")


def _with_distribution(table: Table) -> Table:
    """Name each column of the distribution after the class that has its number in the labels."""
    numbered: dict[str, str] = {}
    for name in ("actual", "predicted"):
        cells = as_labels(table.columns[name], name).names
        numbered |= {cell.partition(":")[0]: _label(cell) for cell in cells if ":" in cell}
    shares = _shares(table.names)
    changed = {
        f"distribution of {numbered.get(str(place)) or f'class {place}'}": pc.replace_substring(
            table.columns[name].cast(pa.string()), "*", ""
        )
        for place, name in enumerate(shares, start=1)
    }
    return with_columns(_plain(table), changed, drop=shares)


def _shares(names: Sequence[str]) -> list[str]:
    """Return the column "distribution" and the nameless ones to its right."""
    start = names.index("distribution")
    return [names[start], *(n for n in names[start + 1 :] if n.startswith("column "))]


def _with_folds(table: Table) -> Table:
    """Take each new start of `inst#` at 1 for the next fold, if it counts up in between."""
    if "fold" in table.columns or not profile(table, "inst#").whole:
        return table
    counts = as_numbers(table.columns["inst#"], "inst#", table.source).values
    starts = counts == 1
    folds = int(starts.sum())
    if folds < 2 or not starts[0] or not (np.diff(counts)[~starts[1:]] == 1).all():
        return table
    message = f'"inst#" starts anew {folds} times: these were taken for {folds} folds.'
    fold = text([str(number) for number in np.cumsum(starts)])
    return said(with_columns(table, {"fold": fold}), Notice("folds", message))


def _numeric_actual(table: Table) -> bool:
    return profile(table, "actual").mostly_numeric


WEKA: tuple[Signature, ...] = (
    Signature(
        tool="Weka",
        columns="`inst#, actual, predicted, error, distribution`, unnamed columns to its right",
        says="labels are written `1:name`, `*` marks the predicted class, `?` is missing",
        needs=("inst#", "actual", "predicted", "error", "distribution"),
        translate=_with_distribution,
        truth="actual",
        label="predicted",
        probability="distribution of (?P<of>.+)",
        fold="fold",
        rows="",
    ),
    Signature(
        tool="Weka",
        columns="`inst#, actual, predicted, error, prediction`",
        says="labels are written `1:name`, `prediction` is the probability of the predicted "
        "class, `?` is missing",
        needs=("inst#", "actual", "predicted", "error", "prediction"),
        translate=_plain,
        truth="actual",
        label="predicted",
        score="prediction",
        scale=Scale.CONFIDENCE,
        fold="fold",
        rows="",
    ),
    Signature(
        tool="Weka",
        columns="`inst#, actual, predicted, error` with numbers",
        says="`error` is predicted minus actual, and is not used",
        needs=("inst#", "actual", "predicted", "error"),
        proof=_numeric_actual,
        translate=_with_folds,
        truth="actual",
        prediction="predicted",
        fold="fold",
        rows="",
    ),
    Signature(
        tool="Weka",
        columns="the data, `prediction margin`, `predicted TARGET`",
        says="`prediction margin` tells how far the true class is ahead, so that it is no score",
        needs=("prediction margin", "predicted ?.+"),
        label="predicted ?(?P<target>.+)",
    ),
    Signature(
        tool="Weka",
        columns="the data, `classification`, `distribution_CLASS`",
        says="`distribution_CLASS` is the probability of a class",
        needs=("classification", "distribution_.+"),
        label="classification",
        probability="distribution_(?P<of>.+)",
    ),
)
