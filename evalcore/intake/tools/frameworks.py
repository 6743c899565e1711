"""What libraries write: scikit-learn, Surprise, OpenML, CatBoost, Spark ML, ML.NET, PyCaret."""

from dataclasses import replace

from evalcore.intake.foldtables import cv_results
from evalcore.intake.model import Choices, Scale, Table
from evalcore.intake.positive import label_of_high
from evalcore.intake.profile import profile
from evalcore.intake.signatures import Signature
from evalcore.intake.translate import vectors


def _pycaret(table: Table) -> Table:
    """Take the target from the place where PyCaret leaves it: the last column of the data."""
    return replace(table, hints=Choices(truth=_target(table)))


def _label(table: Table) -> str:
    return next(name for name in ("prediction_label", "Label") if name in table.columns)


def _target(table: Table) -> str | None:
    """Return the column before the predicted label, unless it holds other labels."""
    label = _label(table)
    place = table.names.index(label)
    if not place:
        return None
    target, said = (profile(table, name) for name in (table.names[place - 1], label))
    numbers = target.numeric and said.numeric and (target.continuous or said.continuous)
    return target.name if numbers or target.labels & said.labels else None


def _is_last(table: Table) -> bool:
    return table.names[-1] == "prediction_label" and _target(table) is not None


def _scores_its_label(table: Table) -> bool:
    """Tell the probability of the predicted label from that of one class, cut at a threshold."""
    score = next(name for name in ("prediction_score", "Score") if name in table.columns)
    at_home = table.names[-2:] == ("Label", "Score") or score != "Score"
    return at_home and label_of_high(table, _label(table), score) is None


FRAMEWORKS: tuple[Signature, ...] = (
    Signature(
        tool="scikit-learn cv_results_",
        columns="`params`, `split0_test_SCORE` ...",
        says="one score per setting and fold, each setting a model to compare",
        needs=("params", r"split\d+_test_.+"),
        translate=cv_results,
    ),
    Signature(
        tool="Surprise",
        columns="`uid, iid, r_ui, est`",
        says="`r_ui` is the rating, `est` its prediction",
        needs=("uid", "iid", "r_ui", "est"),
        truth="r_ui",
        prediction="est",
    ),
    Signature(
        tool="OpenML",
        columns="`repeat, fold, sample, row_id, prediction, correct, confidence.CLASS`",
        says="`correct` is the true label, `confidence.CLASS` the probability of a class",
        needs=("fold", "row_id", "prediction", "correct"),
        truth="correct",
        label="prediction",
        probability=r"confidence\.(?P<of>.+)",
        fold="fold",
        rows="row_id",
    ),
    Signature(
        tool="CatBoost",
        columns="`SampleId, RawFormulaVal, Probability, Class, Label`",
        says="`Label` is the truth, `Class` the predicted label, `Probability` that of the "
        "positive class",
        needs=("SampleId|RawFormulaVal", "Probability"),
        lacks=("Probability:Class=.+",),
        truth="Label",
        label="Class",
        score="Probability",
        rows="SampleId",
    ),
    Signature(
        tool="CatBoost",
        columns="`Probability:Class=CLASS`",
        says="`Label` is the truth, `Class` the predicted label, `Probability:Class=CLASS` the "
        "probability of a class",
        needs=("Probability:Class=.+",),
        truth="Label",
        label="Class",
        probability="Probability:Class=(?P<of>.+)",
        rows="SampleId",
    ),
    Signature(
        tool="CatBoost",
        columns="`RawFormulaVal` or `RawFormulaVal:Class=CLASS` without `Probability`",
        says="raw values rank the rows, but are no probabilities until you read them as log-odds",
        needs=("RawFormulaVal(:Class=.+)?",),
        truth="Label",
        label="Class",
        score="RawFormulaVal",
        probability="RawFormulaVal:Class=(?P<of>.+)",
        rows="SampleId",
    ),
    Signature(
        tool="Spark ML",
        columns="`label, rawPrediction, probability, prediction`",
        says="`probability` holds one number per class, that of class 0 first",
        needs=("probability", "prediction", "rawPrediction"),
        translate=vectors("probability"),
        truth="label|indexedLabel",
        label="prediction",
        probability=r"probability_(?P<of>\d+)",
    ),
    Signature(
        tool="ML.NET",
        columns="`Label, Score, Probability, PredictedLabel`",
        says="`Probability` is that of the positive class; `Score` is a raw value, and is not used",
        needs=("Label", "Score", "Probability", "PredictedLabel"),
        truth="Label",
        label="PredictedLabel",
        score="Probability",
    ),
    Signature(
        tool="PyCaret",
        columns="features, the target, `prediction_label, prediction_score`",
        says="`prediction_score` is the probability of the predicted class",
        needs=("prediction_label", "prediction_score"),
        proof=_scores_its_label,
        translate=_pycaret,
        label="prediction_label",
        score="prediction_score",
        scale=Scale.CONFIDENCE,
    ),
    Signature(
        tool="PyCaret",
        columns="features, the target, `Label, Score` last",
        says="`Label` is the predicted class, `Score` its probability",
        needs=("Label", "Score", ".+"),
        proof=lambda table: _scores_its_label(table) and _target(table) is not None,
        translate=_pycaret,
        label="Label",
        score="Score",
        scale=Scale.CONFIDENCE,
    ),
    Signature(
        tool="PyCaret",
        columns="features, the target, `prediction_label` last",
        says="`prediction_label` predicts the column before it",
        needs=("prediction_label",),
        lacks=("prediction_score.*",),
        proof=_is_last,
        translate=_pycaret,
        label="prediction_label",
    ),
    Signature(
        tool="PyCaret",
        columns="features, the target, `prediction_label, prediction_score_CLASS`",
        says="`prediction_score_CLASS` is the probability of a class",
        needs=("prediction_label", "prediction_score_.+"),
        translate=_pycaret,
        label="prediction_label",
        probability="prediction_score_(?P<of>.+)",
    ),
)
