"""What is known by its values as much as by its names: H2O, Hugging Face, boosters, and others."""

import re
from collections.abc import Mapping
from dataclasses import replace

from evalcore.intake.model import Choices, Scale, Table
from evalcore.intake.profile import profile
from evalcore.intake.signatures import Signature
from evalcore.intake.translate import in_classes, label_numbers, rows_sum_to_one


def _h2o(table: Table) -> Table:
    classes, others = profile(table, "predict").labels, table.names[1:]
    # A class that is never predicted has a column too.
    named = others if rows_sum_to_one(table, others) else [n for n in others if n in classes]
    columns = dict(zip(named, named, strict=True))
    return replace(table, hints=Choices(labels={"": "predict"}, probabilities={"": columns}))


def _predicts_columns(table: Table) -> bool:
    return table.names[0] == "predict" and profile(table, "predict").holds_only(table.names)


def _confident(table: Table) -> bool:
    scores = profile(table, "score")
    return scores.unit and scores.low >= 1 / max(2, profile(table, "label").distinct)


def _signed_classes(table: Table) -> bool:
    return rows_sum_to_one(table, table.names[1:])


def _predicts_models(table: Table) -> bool:
    # Its own three header rows have told already.
    return table.source.tool is None and bool(_orange_models(table))


def _orange_models(table: Table) -> Mapping[str, Mapping[str, str]]:
    """Return model -> class -> column, for models "SVM" that have "SVM (yes)", "SVM (no)" ..."""
    models: dict[str, dict[str, str]] = {}
    for name in table.names:
        match = re.fullmatch(r"(?P<model>.+) \((?P<of>.+)\)", name)
        if match and match["model"] in table.columns:
            models.setdefault(match["model"], {})[match["of"]] = name
    return {
        model: chances
        for model, chances in models.items()
        if profile(table, model).holds_only(chances)
        and rows_sum_to_one(table, list(chances.values()))
    }


def _orange(table: Table) -> Table:
    models = _orange_models(table)
    hints = Choices(labels={model: model for model in models}, probabilities=models)
    return replace(table, hints=hints)


def _no_truth_numbers(table: Table) -> bool:
    headless = all(re.fullmatch(r"column \d+", name) for name in table.names)
    return headless and rows_sum_to_one(table, table.names)


def _class_headers(table: Table) -> bool:
    first = profile(table, table.names[0])
    return rows_sum_to_one(table, table.names[1:]) and (first.unique or first.counting)


BY_VALUES: tuple[Signature, ...] = (
    Signature(
        tool="H2O",
        columns="`predict`, then `p0, p1` or a column per class",
        says="`predict` is cut at H2O's own threshold; `p0` is the probability of 0",
        needs=("predict", r"p-?\d+"),
        label="predict",
        probability=r"p(?P<of>-?\d+)",
    ),
    Signature(
        tool="H2O",
        columns="`predict`, then a column per class",
        says="`predict` is cut at H2O's own threshold; the others are probabilities",
        needs=("predict",),
        proof=_predicts_columns,
        translate=_h2o,
    ),
    Signature(
        tool="Hugging Face",
        columns="`label, score`",
        says="`score` is the probability of the predicted class",
        needs=("label", "score"),
        lacks=("(?!label$|score$|id$|index$|text$|sequence$|column 1$).+",),
        proof=_confident,
        translate=label_numbers,
        label="label",
        score="score",
        scale=Scale.CONFIDENCE,
    ),
    Signature(
        tool="Orange",
        columns="`MODEL`, `MODEL (CLASS)`, perhaps `Fold`",
        says="`MODEL` is the predicted class, `MODEL (CLASS)` the probability of one",
        needs=(r".+ \(.+\)",),
        proof=_predicts_models,
        translate=_orange,
        fold="Fold",
    ),
    Signature(
        tool="LIBSVM",
        columns="`labels`, then a column per class",
        says="`labels` is the prediction, the others are probabilities",
        needs=("labels", r"[+-]?\d+"),
        lacks=(r"(?!labels$)(?![+-]?\d+$).*",),
        proof=_signed_classes,
        label="labels",
        probability=r"(?P<of>[+-]?\d+)",
    ),
    Signature(
        tool="LightGBM or XGBoost",
        columns="no header, one column of numbers per class",
        says="columns are the classes 0, 1, ... in this order",
        needs=("column 1", "column 2"),
        proof=_no_truth_numbers,
        translate=in_classes,
        probability=r"probability_(?P<of>\d+)",
    ),
    Signature(
        tool="AutoGluon",
        columns="an unnamed first column, then one column per class",
        says="each column is the probability of the class it is named after",
        needs=("column 1",),
        proof=_class_headers,
        probability=r"(?!column 1$)(?P<of>.+)",
        rows="column 1",
    ),
)
