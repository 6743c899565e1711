"""What packages for R write: caret, tidymodels, mlr3, broom."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from evalcore.intake.foldtables import caret_resamples
from evalcore.intake.labels import as_labels
from evalcore.intake.model import Choices, Table
from evalcore.intake.profile import profile
from evalcore.intake.signatures import Signature, overlay
from evalcore.intake.stacked import joined_cells, stacked_settings
from evalcore.intake.translate import (
    rows_sum_to_one,
    with_columns,
)


def _caret(table: Table) -> Table:
    known = {"pred", "obs", "rowIndex", "Resample", "weights", "column 1"}
    classes = {label for n in ("obs", "pred") for label in as_labels(table.columns[n], n).names}
    others = [name for name in table.names if name not in known | classes]
    settings = [name for name in others if name not in _rare_classes(table, classes, others)]
    rows = [name for name in ("rowIndex", "Resample") if name in table.columns]
    return stacked_settings(table, settings, rows, lambda name: f"{name} ")


def _rare_classes(table: Table, classes: Collection[str], others: Sequence[str]) -> Sequence[str]:
    """Return the columns of classes that no row has: without them probabilities sum to less."""
    shares = [name for name in table.names if name in classes]
    if not shares or rows_sum_to_one(table, shares):
        return []
    unit = [name for name in others if profile(table, name).unit]
    ways = [unit, *([name] for name in unit)]
    return next((way for way in ways if rows_sum_to_one(table, [*shares, *way])), [])


def _tidymodels(table: Table) -> Table:
    settings = [name for name in (".config",) if name in table.columns]
    rows = [name for name in (".row", "id", "id2") if name in table.columns]
    stacked = stacked_settings(table, settings, rows, lambda _: "")
    if not {"id", "id2"} <= set(table.names):
        return stacked
    # In repeated cross-validation the fold is named by both: "Repeat1" and "Fold01".
    fold = joined_cells(table, ["id", "id2"], between=" ")
    hints = overlay(Choices(fold="id and id2"), stacked.hints)
    return replace(with_columns(stacked, {"id and id2": fold}), hints=hints)


_DIAGNOSTICS = (".hat", ".sigma", ".cooksd", ".std.resid", ".se.fit")


def _broom(table: Table) -> Table:
    """Leave out what tells of the fit, not of predictions."""
    return with_columns(table, {}, drop=_DIAGNOSTICS)


R: tuple[Signature, ...] = (
    Signature(
        tool="caret resamples",
        columns="`Resample`, `MODEL~METRIC`",
        says="one score per model and fold, to compare models by",
        needs=("Resample", ".+~.+"),
        translate=caret_resamples,
    ),
    Signature(
        tool="caret",
        columns="`pred, obs`, often `rowIndex, Resample`, a column per class, tuning columns",
        says="`obs` is the truth, `Resample` the fold, each tuning setting a model",
        needs=("pred", "obs"),
        translate=_caret,
        truth="obs",
        fold="Resample",
        rows="rowIndex",
    ),
    Signature(
        tool="tidymodels",
        columns="`.pred_class`, `.pred_CLASS`; `.pred` for regression; `.row`, `.config`, `id`",
        says="`.pred_CLASS` is the probability of a class, `id` the resample, each `.config` a "
        "model",
        needs=(r"\.pred(_class|_.+)?",),
        translate=_tidymodels,
        label=r"\.pred_class",
        probability=r"\.pred_(?!class$|lower$|upper$)(?P<of>.+)",
        prediction=r"\.pred",
        fold="id",
        rows=r"\.row",
    ),
    Signature(
        tool="mlr3",
        columns="`row_ids, truth, response, prob.CLASS`",
        says="`response` is the prediction, `prob.CLASS` the probability of a class",
        needs=("row_ids", "truth", "response"),
        truth="truth",
        label="response",
        probability=r"prob\.(?P<of>.+)",
        weight="weights",
        rows="row_ids",
    ),
    Signature(
        tool="broom",
        columns="the data, `.fitted`, perhaps `.resid`, `.hat`, `.sigma`, `.cooksd`, `.std.resid`",
        says="`.fitted` is the prediction, of a glm its log-odds unless told otherwise",
        needs=(r"\.fitted", r"\.(resid|hat|sigma|cooksd|std\.resid|se\.fit)"),
        translate=_broom,
    ),
)
