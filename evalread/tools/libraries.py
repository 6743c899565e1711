"""What libraries and packages write: Weka, R, scikit-learn and its kin, lm-evaluation-harness."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice
from evalcore.text import listed
from evalread.columns import as_labels, as_numbers, plain_if_numbers
from evalread.dataset import Choices, Scale, Table
from evalread.detection.folds import caret_resamples, cross_validated, cv_results
from evalread.detection.longform import joined_cells, settings_as_models
from evalread.detection.profile import FAINT_TRUTH, TRUTH, Profile, plain, profile
from evalread.detection.scores import label_of_high
from evalread.signatures import (
    Signature,
    overlay,
    parsed,
    rewrite,
    rows_sum_to_one,
    text,
    vectors,
    with_columns,
    with_notice,
)


def _weka(table: Table) -> Table:
    """Split "1:yes" at the first colon, read "?" as missing, tell the folds apart."""
    changed = {
        name: rewrite(table.columns[name], name, _weka_label) for name in ("actual", "predicted")
    }
    return _with_folds(with_columns(table, changed))


def _weka_label(cell: str) -> str:
    name = cell.partition(":")[2] if ":" in cell else cell
    return "" if name == "?" else name.strip("'")


def _with_distribution(table: Table) -> Table:
    """Name each column of the distribution after the class that has its number in the labels."""
    numbered: dict[str, str] = {}
    for name in ("actual", "predicted"):
        cells = as_labels(table.columns[name], name).names
        numbered |= {cell.partition(":")[0]: _weka_label(cell) for cell in cells if ":" in cell}
    shares = _shares(table.names)
    changed = {
        f"distribution of {numbered.get(str(place)) or f'class {place}'}": pc.replace_substring(
            table.columns[name].cast(pa.string()), "*", ""
        )
        for place, name in enumerate(shares, start=1)
    }
    return with_columns(_weka(table), changed, drop=shares)


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
    return with_notice(with_columns(table, {"fold": fold}), Notice("folds", message))


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
        translate=_weka,
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


def _caret(table: Table) -> Table:
    known = {"pred", "obs", "rowIndex", "Resample", "weights", "column 1"}
    classes = {label for n in ("obs", "pred") for label in as_labels(table.columns[n], n).names}
    others = [name for name in table.names if name not in known | classes]
    settings = [name for name in others if name not in _rare_classes(table, classes, others)]
    rows = [name for name in ("rowIndex", "Resample") if name in table.columns]
    return settings_as_models(table, settings, rows, lambda name: f"{name} ")


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
    with_models = settings_as_models(table, settings, rows, lambda _: "")
    if not {"id", "id2"} <= set(table.names):
        return with_models
    # In repeated cross-validation the fold is named by both: "Repeat1" and "Fold01".
    fold = joined_cells(table, ["id", "id2"], between=" ")
    hints = overlay(Choices(fold="id and id2"), with_models.hints)
    return replace(with_columns(with_models, {"id and id2": fold}), hints=hints)


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


def _pycaret(table: Table) -> Table:
    """Take the target by its name, or from the place where PyCaret leaves it, which is said."""
    target = _target(table)
    found = replace(table, hints=Choices(truth=target))
    if target is None or _named(table):
        return found
    message = (
        f'"{target}" was taken for the target: it stands just before "{_label_column(table)}".'
    )
    return with_notice(found, Notice("target-by-place", message, column=target))


def _label_column(table: Table) -> str:
    return next(name for name in ("prediction_label", "Label") if name in table.columns)


def _target(table: Table) -> str | None:
    """Return the target that its name or its place proves; None where detection has to ask."""
    fit = _like_the_label(table)
    if named := _named(table):
        sure = [name for name in named if name in fit or plain(name) not in FAINT_TRUTH]
        return sure[0] if len(sure) == 1 else None
    place = table.names.index(_label_column(table))
    return fit[0] if place and fit == [table.names[place - 1]] else None


def _named(table: Table) -> list[str]:
    """Return the columns that are called like a truth, the predicted label left aside."""
    return [n for n in table.names if plain(n) in TRUTH and n != _label_column(table)]


def _like_the_label(table: Table) -> list[str]:
    """Return the columns before the predicted label that it may predict, by their values."""
    before = table.names[: table.names.index(_label_column(table))]
    label = profile(table, _label_column(table))
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
    return label_of_high(table, _label_column(table), score) is None


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
        tool="scikit-learn cross_validate",
        columns="`fit_time, score_time, test_SCORE` ..., perhaps `model`",
        says="one score per fold, each model's folds in the order of its rows",
        needs=("fit_time", "score_time", "test_.+"),
        translate=cross_validated,
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


_ANSWERS = {"0": "wrong", "1": "right"}


def _right_or_wrong(table: Table) -> Table:
    """Turn a metric of 0 and 1 into the answers "right" and "wrong", beside what should be."""
    metrics = _binary_metrics(table)
    answered = rewrite(
        table.columns[metrics[0]],
        metrics[0],
        lambda cell: _ANSWERS.get(plain_if_numbers([cell])[0], cell),
    )
    due = text(["right"] * table.n)
    plain = with_columns(table, {"due": due, "answered": answered}, drop=["target"])
    settings = ["filter"] if "filter" in table.columns else []
    with_models = settings_as_models(plain, settings, ["doc_id"], lambda _: "")
    hints = replace(with_models.hints, truth="due", positive="right")
    return _with_metric(replace(with_models, hints=hints), metrics)


def _binary_metrics(table: Table) -> list[str]:
    """Return the metrics that are 0 or 1 in each row; at least one, or the file tells nothing."""
    declared = parsed(table.columns["metrics"][0].as_py()) if "metrics" in table.columns else []
    names = [n for n in declared if n in table.columns] if isinstance(declared, list) else []
    binary = [name for name in names if profile(table, name).holds_only({"0", "1"})]
    if not binary:
        known = listed(names, 4) or "none"
        raise EvalError(
            "no-right-or-wrong",
            f"No metric of the file is 0 or 1 for each question, so that nothing is right or wrong "
            f"(metrics: {known}). Run the harness with one such as acc or exact_match.",
        )
    return binary


def _with_metric(table: Table, metrics: Sequence[str]) -> Table:
    others = f"; {listed(metrics[1:], 3)} would tell it too" if len(metrics) > 1 else ""
    message = f'An answer is right where "{metrics[0]}" is 1{others}.'
    return with_notice(table, Notice("right-or-wrong", message))


LANGUAGE: tuple[Signature, ...] = (
    Signature(
        tool="lm-evaluation-harness",
        columns="`doc_id, target, filtered_resps, filter, metrics, METRIC`",
        says="each row tells only whether the answer was right; each `filter` is a model",
        needs=("doc_id", "target", "filtered_resps"),
        translate=_right_or_wrong,
        label="answered",
        rows="doc_id",
    ),
)
