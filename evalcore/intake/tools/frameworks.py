"""What libraries write: scikit-learn, Surprise, OpenML, CatBoost, Spark ML, ML.NET, PyCaret."""

from dataclasses import replace

from evalcore.errors import Notice
from evalcore.intake.foldtables import cv_results
from evalcore.intake.model import Choices, Scale, Table
from evalcore.intake.positive import label_of_high
from evalcore.intake.profile import Profile, profile
from evalcore.intake.signatures import Signature
from evalcore.intake.translate import said, vectors
from evalcore.intake.words import FAINT_TRUTH, TRUTH, plain


def _pycaret(table: Table) -> Table:
    """Take the target by its name, or from the place where PyCaret leaves it, which is said."""
    target = _target(table)
    found = replace(table, hints=Choices(truth=target))
    if target is None or _named(table):
        return found
    told = f'"{target}" was taken for the target: it stands just before "{_label(table)}".'
    return said(found, Notice("target-by-place", told, column=target))


def _label(table: Table) -> str:
    return next(name for name in ("prediction_label", "Label") if name in table.columns)


def _target(table: Table) -> str | None:
    """Return the target that its name or its place proves; None where detection has to ask."""
    fit = _like_the_label(table)
    if named := _named(table):
        sure = [name for name in named if name in fit or plain(name) not in FAINT_TRUTH]
        return sure[0] if len(sure) == 1 else None
    place = table.names.index(_label(table))
    return fit[0] if place and fit == [table.names[place - 1]] else None


def _named(table: Table) -> list[str]:
    """Return the columns that are called like a truth, the predicted label left aside."""
    return [n for n in table.names if plain(n) in TRUTH and n != _label(table)]


def _like_the_label(table: Table) -> list[str]:
    """Return the columns before the predicted label that it may predict, by their values."""
    before = table.names[: table.names.index(_label(table))]
    label = profile(table, _label(table))
    return [name for name in before if _predicts(label, profile(table, name))]


def _predicts(label: Profile, target: Profile) -> bool:
    """Tell whether most labels are the same, or numbers lie in the same range."""
    if label.numeric and target.numeric and (label.continuous or target.continuous):
        return not target.counting and label.low <= target.high and target.low <= label.high
    return 2 * len(label.labels & target.labels) > max(len(label.labels), len(target.labels))


def _is_last(table: Table) -> bool:
    return table.names[-1] == "prediction_label" and _target(table) is not None


def _scores_its_label(table: Table) -> bool:
    """Tell the probability of the predicted label from that of one class, cut at a threshold."""
    score = "prediction_score" if "prediction_score" in table.columns else "Score"
    return label_of_high(table, _label(table), score) is None


def _says_how_sure(table: Table) -> bool:
    """Tell a predicted "Label" with its probability from a truth with the score of one class."""
    scores, labels = profile(table, "Score"), profile(table, "Label")
    # Of two classes, the predicted one has at least one half.
    sure = scores.unit and scores.low >= 1 / max(2, labels.distinct)
    at_home = table.names[-2:] == ("Label", "Score")
    return sure and at_home and _scores_its_label(table) and bool(_like_the_label(table))


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
        needs=("Label", "Score"),
        lacks=("prediction_label",),
        proof=_says_how_sure,
        translate=_pycaret,
        label="Label",
        score="Score",
        scale=Scale.CONFIDENCE,
    ),
    Signature(
        tool="PyCaret",
        columns="features, the target, `prediction_label` last",
        says="`prediction_label` is the predicted class or number",
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
