"""The prediction files of known tools: one declaration each, the most particular first."""

import re
from dataclasses import replace

from evalcore.errors import Notice
from evalcore.intake.foldtables import caret_resamples, cv_results
from evalcore.intake.labels import as_labels, plain_if_numbers
from evalcore.intake.model import Choices, Scale, Table
from evalcore.intake.profile import profile
from evalcore.intake.signatures import Signature
from evalcore.intake.translate import (
    by_label,
    by_lists,
    in_classes,
    label_numbers,
    parsed,
    rewrite,
    rows_sum_to_one,
    said,
    spread_objects,
    stacked_settings,
    text,
    vectors,
    weka,
    with_columns,
)
from evalcore.intake.wording import listed


def _caret(table: Table) -> Table:
    known = {"pred", "obs", "rowIndex", "Resample", "weights", "column 1"}
    classes = set(as_labels(table.columns["obs"], "obs").names)
    settings = [name for name in table.names if name not in known | classes]
    rows = [name for name in ("rowIndex", "Resample") if name in table.columns]
    return stacked_settings(table, settings, rows, lambda name: f"{name}=")


def _tidymodels(table: Table) -> Table:
    settings = [name for name in (".config",) if name in table.columns]
    rows = [name for name in (".row", "id", "id2") if name in table.columns]
    return stacked_settings(table, settings, rows, lambda _: "")


def _datarobot(table: Table) -> Table:
    """Take positive class and threshold from their columns; the target from the common prefix."""
    ending = "_PREDICTION"
    stems = sorted((n.removesuffix(ending) for n in table.names if n.endswith(ending)), key=len)
    target = stems[0]
    classes = {
        stem.removeprefix(f"{target}_"): stem + ending
        for stem in stems[1:]
        if stem.startswith(f"{target}_")
    }
    positive = as_labels(table.columns["POSITIVE_CLASS"], "POSITIVE_CLASS").names
    hints = Choices(
        truth=target if target in table.columns else None,
        labels={"": target + ending},
        probabilities={"": classes} if classes else None,
        positive=positive[0] if len(positive) == 1 else None,
    )
    if "THRESHOLD" in table.columns:
        own = as_labels(table.columns["THRESHOLD"], "THRESHOLD").names
        cut = f"DataRobot cut its labels at {listed(own, 3)}."
        table = said(table, Notice("own-threshold", cut))
    return replace(table, hints=hints)


def _pycaret(table: Table) -> Table:
    """Take the target from the place where PyCaret leaves it: the last column of the data."""
    place = table.names.index("prediction_label")
    target = table.names[place - 1] if place else None
    return replace(table, hints=Choices(truth=target))


def _h2o(table: Table) -> Table:
    classes, others = profile(table, "predict").labels, table.names[1:]
    # A class that is never predicted has a column too.
    named = others if rows_sum_to_one(table, others) else [n for n in others if n in classes]
    columns = dict(zip(named, named, strict=True))
    return replace(table, hints=Choices(labels={"": "predict"}, probabilities={"": columns}))


def _bigquery(table: Table) -> Table:
    name = next(n for n in table.names if re.fullmatch("predicted_.+_probs", n))
    return by_label(name, "label", "prob")(table)


def _vertex(table: Table) -> Table:
    """Match scores to classes, and spread the fields of the instance, the truth perhaps one."""
    labels, shares = _vertex_keys(table)
    plain = by_lists("prediction", labels, shares)(table)
    return spread_objects(plain, "instance") if "instance" in plain.columns else plain


def _vertex_keys(table: Table) -> tuple[str, str]:
    first = parsed(table.columns["prediction"][0].as_py())
    for keys in (("classes", "scores"), ("displayNames", "confidences")):
        if isinstance(first, dict) and all(isinstance(first.get(key), list) for key in keys):
            return keys
    return "", ""


def _has_vertex_keys(table: Table) -> bool:
    return _vertex_keys(table) != ("", "")


def _lm_eval(table: Table) -> Table:
    """Turn a metric of 0 and 1 into the answers "right" and "wrong", beside what should be."""
    declared = parsed(table.columns["metrics"][0].as_py()) if "metrics" in table.columns else []
    names = [n for n in declared if n in table.columns] if isinstance(declared, list) else []
    binary = [name for name in names if profile(table, name).holds_only({"0", "1"})]
    if not binary:
        return table
    answers = {"0": "wrong", "1": "right"}
    answered = rewrite(
        table.columns[binary[0]],
        binary[0],
        lambda cell: answers.get(plain_if_numbers([cell])[0], cell),
    )
    plain = with_columns(
        table, {"due": text(["right"] * table.n), "answered": answered}, drop=["target"]
    )
    settings = ["filter"] if "filter" in table.columns else []
    stacked = stacked_settings(plain, settings, ["doc_id"], lambda _: "")
    return replace(stacked, hints=replace(stacked.hints, truth="due", positive="right"))


def _no_truth_numbers(table: Table) -> bool:
    headless = all(re.fullmatch(r"column \d+", name) for name in table.names)
    return headless and rows_sum_to_one(table, table.names)


def _class_headers(table: Table) -> bool:
    first = profile(table, table.names[0])
    return rows_sum_to_one(table, table.names[1:]) and (first.unique or first.counting)


def _predicts_columns(table: Table) -> bool:
    return table.names[0] == "predict" and profile(table, "predict").holds_only(table.names)


def _confident(table: Table) -> bool:
    scores = profile(table, "score")
    return scores.unit and scores.low >= 1 / max(2, profile(table, "label").distinct)


def _numeric_actual(table: Table) -> bool:
    return profile(table, "actual").mostly_numeric


TOOLS: tuple[Signature, ...] = (
    Signature(
        tool="Weka",
        columns="`inst#, actual, predicted, error, distribution`, unnamed columns to its right",
        says="labels are written `1:name`; `*` marks the predicted class; `?` is missing.",
        needs=("inst#", "actual", "predicted", "error", "distribution"),
        translate=weka,
        truth="actual",
        label="predicted",
        probability="distribution of (?P<of>.+)",
        rows="",
    ),
    Signature(
        tool="Weka",
        columns="`inst#, actual, predicted, error, prediction`",
        says="labels are written `1:name`; `prediction` is the probability of the predicted label; "
        "`?` is missing.",
        needs=("inst#", "actual", "predicted", "error", "prediction"),
        translate=weka,
        truth="actual",
        label="predicted",
        score="prediction",
        scale=Scale.CONFIDENCE,
        rows="",
    ),
    Signature(
        tool="Weka",
        columns="`inst#, actual, predicted, error` with numbers",
        says="`error` is predicted minus actual, and is not used.",
        needs=("inst#", "actual", "predicted", "error"),
        proof=_numeric_actual,
        truth="actual",
        prediction="predicted",
        rows="",
    ),
    Signature(
        tool="caret resamples",
        columns="`Resample`, `MODEL~METRIC`",
        says="one score per model and fold, to compare models by.",
        needs=("Resample", ".+~.+"),
        translate=caret_resamples,
    ),
    Signature(
        tool="scikit-learn cv_results_",
        columns="`params`, `split0_test_SCORE` ...",
        says="one score per setting and fold; each setting is a model to compare.",
        needs=("params", r"split\d+_test_.+"),
        translate=cv_results,
    ),
    Signature(
        tool="caret",
        columns="`pred, obs`, often `rowIndex, Resample`, a column per class, tuning columns",
        says="`obs` is the truth, `Resample` the fold; each tuning setting is a model.",
        needs=("pred", "obs"),
        translate=_caret,
        truth="obs",
        fold="Resample",
        rows="rowIndex",
    ),
    Signature(
        tool="tidymodels",
        columns="`.pred_class`, `.pred_CLASS`; `.pred` for regression; `.row`, `.config`, `id`",
        says="`.pred_CLASS` is the probability of a class, `id` the resample; each `.config` is a "
        "model.",
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
        says="`response` is the prediction, `prob.CLASS` the probability of a class.",
        needs=("row_ids", "truth", "response"),
        truth="truth",
        label="response",
        probability=r"prob\.(?P<of>.+)",
        weight="weights",
        rows="row_ids",
    ),
    Signature(
        tool="OpenML",
        columns="`repeat, fold, sample, row_id, prediction, correct, confidence.CLASS`",
        says="`correct` is the true label.",
        needs=("row_id", "prediction", "correct", r"confidence\..+"),
        truth="correct",
        label="prediction",
        probability=r"confidence\.(?P<of>.+)",
        fold="fold",
        rows="row_id",
    ),
    Signature(
        tool="KNIME",
        columns="`P (TARGET=CLASS)`, `Prediction (TARGET)`, each with a suffix per model",
        says="`P (TARGET=CLASS)` is the probability of a class.",
        needs=(r"Prediction \(.+\).*",),
        label=r"Prediction \((?P<target>.+)\)[ _]*(?P<model>[^)]*)",
        probability=r"P \((?P<target>[^=]+)=(?P<of>.+)\)[ _]*(?P<model>[^)]*)",
    ),
    Signature(
        tool="RapidMiner",
        columns="`prediction(TARGET)`, `confidence(CLASS)`",
        says="`confidence(CLASS)` is the probability of a class.",
        needs=(r"prediction\(.+\)",),
        label=r"prediction\((?P<target>.+)\)",
        probability=r"confidence\((?P<of>.+)\)",
    ),
    Signature(
        tool="SPSS Modeler",
        columns="`$L-TARGET, $LP-TARGET`, with other letters for other models",
        says="`$LP-` is the probability of the predicted label.",
        needs=(r"\$[A-Z]{0,2}[A-OQ-Z]-.+",),
        label=r"\$(?P<model>[A-Z]{0,2}[A-OQ-Z])-(?P<target>.+)",
        score=r"\$(?P<model>[A-Z]{0,2}[A-OQ-Z])P-(?P<target>.+)",
        scale=Scale.CONFIDENCE,
    ),
    Signature(
        tool="CatBoost",
        columns="`SampleId, RawFormulaVal, Probability, Class, Label`",
        says="`Label` is the truth, `Class` the predicted label.",
        needs=("SampleId|RawFormulaVal", "Probability"),
        lacks=("Probability:Class=.+",),
        truth="Label",
        label="Class",
        score="Probability",
        rows="SampleId",
    ),
    Signature(
        tool="CatBoost",
        columns="`RawFormulaVal` without `Probability`",
        says="raw values rank the rows, but are no probabilities.",
        needs=("RawFormulaVal",),
        truth="Label",
        label="Class",
        score="RawFormulaVal",
        rows="SampleId",
    ),
    Signature(
        tool="CatBoost",
        columns="`Probability:Class=CLASS`",
        says="`Label` is the truth, `Class` the predicted label.",
        needs=("Probability:Class=.+",),
        truth="Label",
        label="Class",
        probability="Probability:Class=(?P<of>.+)",
        rows="SampleId",
    ),
    Signature(
        tool="Spark ML",
        columns="`label, rawPrediction, probability, prediction`",
        says="`probability` holds one number per class, in the order 0, 1, ...",
        needs=("probability", "prediction", "rawPrediction"),
        translate=vectors("probability"),
        truth="label|indexedLabel",
        label="prediction",
        probability=r"probability_(?P<of>\d+)",
    ),
    Signature(
        tool="DataRobot",
        columns="`TARGET_CLASS_PREDICTION, TARGET_PREDICTION, THRESHOLD, POSITIVE_CLASS`",
        says="the labels were cut at DataRobot's own threshold.",
        needs=(".+_PREDICTION", "POSITIVE_CLASS"),
        translate=_datarobot,
    ),
    Signature(
        tool="BigQuery ML",
        columns="`predicted_TARGET`, `predicted_TARGET_probs` with a list of `{label, prob}`",
        says="probabilities are matched to classes by their label.",
        needs=("predicted_.+_probs",),
        translate=_bigquery,
        label="predicted_(?P<target>((?!_probs).)+)",
        probability="predicted_(?P<target>.+)_probs of (?P<of>.+)",
    ),
    Signature(
        tool="Vertex AI",
        columns="`prediction` with `classes` and `scores`, `instance`",
        says="scores are matched to classes by name, since their order varies.",
        needs=("prediction",),
        proof=_has_vertex_keys,
        translate=_vertex,
        probability=r"prediction of (?P<of>.+)",
    ),
    Signature(
        tool="Azure ML",
        columns='`Scored Labels`, `Scored Probabilities`, `Scored Probabilities for Class "CLASS"`',
        says="`Scored Probabilities` are those of the positive class, or of the class they name.",
        needs=("Scored Labels",),
        label="Scored Labels",
        score="Scored Probabilities",
        probability='Scored Probabilities( for Class |_)"?(?P<of>[^"]+)"?',
    ),
    Signature(
        tool="ML.NET",
        columns="`Label, Score, Probability, PredictedLabel`",
        says="`Score` is the raw value, and is not used beside `Probability`.",
        needs=("Label", "Score", "Probability", "PredictedLabel"),
        truth="Label",
        label="PredictedLabel",
        score="Probability",
    ),
    Signature(
        tool="PyCaret",
        columns="features, the target, `prediction_label, prediction_score`",
        says="`prediction_score` is the probability of the predicted label.",
        needs=("prediction_label", "prediction_score"),
        translate=_pycaret,
        label="prediction_label",
        score="prediction_score",
        scale=Scale.CONFIDENCE,
    ),
    Signature(
        tool="PyCaret",
        columns="features, the target, `prediction_label, prediction_score_CLASS`",
        says="`prediction_score_CLASS` is the probability of a class.",
        needs=("prediction_label", "prediction_score_.+"),
        translate=_pycaret,
        label="prediction_label",
        probability="prediction_score_(?P<of>.+)",
    ),
    Signature(
        tool="lm-evaluation-harness",
        columns="`doc_id, target, filtered_resps, filter, metrics, METRIC`",
        says="each row tells only whether the answer was right; each `filter` is a model.",
        needs=("doc_id", "target", "filtered_resps"),
        translate=_lm_eval,
        label="answered",
        rows="doc_id",
    ),
    Signature(
        tool="H2O",
        columns="`predict`, then `p0, p1` or a column per class",
        says="`predict` is cut at H2O's own threshold; `p0` is the probability of 0.",
        needs=("predict", r"p-?\d+"),
        label="predict",
        probability=r"p(?P<of>-?\d+)",
    ),
    Signature(
        tool="H2O",
        columns="`predict`, then a column per class",
        says="`predict` is cut at H2O's own threshold; the others are probabilities.",
        needs=("predict",),
        proof=_predicts_columns,
        translate=_h2o,
    ),
    Signature(
        tool="Hugging Face",
        columns="`label, score`",
        says="`score` is the probability of the predicted label.",
        needs=("label", "score"),
        lacks=("(?!label$|score$|id$|index$|text$|sequence$|column 1$).+",),
        proof=_confident,
        translate=label_numbers,
        label="label",
        score="score",
        scale=Scale.CONFIDENCE,
    ),
    Signature(
        tool="LightGBM or XGBoost",
        columns="no header, one column of numbers per class",
        says="columns are the classes 0, 1, ... in this order.",
        needs=("column 1", "column 2"),
        proof=_no_truth_numbers,
        translate=in_classes,
        probability=r"probability_(?P<of>\d+)",
    ),
    Signature(
        tool="AutoGluon",
        columns="an unnamed first column, then one column per class",
        says="each column is the probability of the class it is named after.",
        needs=("column 1",),
        proof=_class_headers,
        probability=r"(?!column 1$)(?P<of>.+)",
        rows="column 1",
    ),
)
