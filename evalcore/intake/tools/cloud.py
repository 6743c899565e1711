"""What services write: DataRobot, BigQuery ML, Vertex AI, SageMaker Autopilot, Azure ML."""

import re
from collections.abc import Mapping
from dataclasses import replace

from evalcore.errors import Notice
from evalcore.intake.labels import as_labels
from evalcore.intake.model import Choices, Scale, Table
from evalcore.intake.signatures import Signature
from evalcore.intake.translate import by_label, by_lists, by_pairs, parsed, said, spread_objects
from evalcore.intake.wording import listed

_ENDING = "_PREDICTION"


def _datarobot(table: Table) -> Table:
    """Take positive class and threshold from their columns; the target from the common prefix."""
    target, classes = _datarobot_classes(table)
    told = table.columns.get("POSITIVE_CLASS")
    positive = as_labels(told, "POSITIVE_CLASS").names if told is not None else ()
    hints = Choices(
        truth=target if target in table.columns else None,
        labels={"": target + _ENDING},
        probabilities={"": classes} if classes else None,
        positive=positive[0] if len(positive) == 1 else None,
    )
    return _datarobot_threshold(replace(table, hints=hints))


def _datarobot_classes(table: Table) -> tuple[str, Mapping[str, str]]:
    """Return the target, the shortest name before the ending, and the column of each class."""
    stems = sorted((n.removesuffix(_ENDING) for n in table.names if n.endswith(_ENDING)), key=len)
    target = stems[0]
    classes = {
        stem.removeprefix(f"{target}_"): stem + _ENDING
        for stem in stems[1:]
        if stem.startswith(f"{target}_")
    }
    return target, classes


def _has_datarobot_classes(table: Table) -> bool:
    return len(_datarobot_classes(table)[1]) > 1


def _datarobot_threshold(table: Table) -> Table:
    """Use DataRobot's own threshold where it is one number for all rows."""
    if "THRESHOLD" not in table.columns:
        return table
    cuts = as_labels(table.columns["THRESHOLD"], "THRESHOLD").names
    told = f"DataRobot cut its labels at {listed(cuts, 3)}"
    number = _number(cuts[0]) if len(cuts) == 1 else None
    if number is None or table.hints.positive is None:
        return said(table, Notice("own-threshold", f"{told}."))
    notice = Notice("own-threshold", f"{told}; that is the threshold here until you choose one.")
    return said(replace(table, threshold=number), notice)


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


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


CLOUD: tuple[Signature, ...] = (
    Signature(
        tool="DataRobot",
        columns="`TARGET_CLASS_PREDICTION, TARGET_PREDICTION, THRESHOLD, POSITIVE_CLASS`",
        says="`TARGET_PREDICTION` is cut at `THRESHOLD`, `POSITIVE_CLASS` is the positive class",
        needs=(".+_PREDICTION", "POSITIVE_CLASS"),
        translate=_datarobot,
    ),
    Signature(
        tool="DataRobot",
        columns="`TARGET_CLASS_PREDICTION, TARGET_PREDICTION`",
        says="`TARGET_CLASS_PREDICTION` is the probability of a class",
        needs=(".+_PREDICTION",),
        proof=_has_datarobot_classes,
        translate=_datarobot,
    ),
    Signature(
        tool="BigQuery ML",
        columns="`predicted_TARGET`, `predicted_TARGET_probs` with a list of `{label, prob}`",
        says="probabilities are matched to classes by their label",
        needs=("predicted_.+_probs",),
        translate=_bigquery,
        label="predicted_(?P<target>((?!_probs).)+)",
        probability="predicted_(?P<target>.+)_probs of (?P<of>.+)",
    ),
    Signature(
        tool="BigQuery ML",
        columns="`predicted_TARGET, probability, baseline_prediction_value, prediction_value`",
        says="`probability` is that of the predicted label",
        needs=("predicted_.+", "probability", "baseline_prediction_value", "prediction_value"),
        label="predicted_(?P<target>.+)",
        score="probability",
        scale=Scale.CONFIDENCE,
    ),
    Signature(
        tool="BigQuery ML",
        columns="`forecast_value`, `prediction_interval_lower_bound`, `..._upper_bound`",
        says="`forecast_value` is the prediction",
        needs=("forecast_timestamp", "forecast_value"),
        prediction="forecast_value",
    ),
    Signature(
        tool="Vertex AI",
        columns="`prediction` with `classes` and `scores`, `instance`",
        says="scores are matched to classes by name, since their order varies",
        needs=("prediction",),
        proof=_has_vertex_keys,
        translate=_vertex,
        probability=r"prediction of (?P<of>.+)",
    ),
    Signature(
        tool="SageMaker Autopilot",
        columns="`predicted_label, probability, labels, probabilities`",
        says="`probabilities` are those of the classes in `labels`",
        needs=("predicted_label", "labels", "probabilities"),
        translate=by_pairs("probabilities", "labels"),
        label="predicted_label",
        probability="probabilities of (?P<of>.+)",
    ),
    Signature(
        tool="Azure ML",
        columns='`Scored Labels`, `Scored Probabilities`, `Scored Probabilities for Class "CLASS"`',
        says="`Scored Probabilities` are those of the positive class, or of the class they name",
        needs=("Scored Labels",),
        label="Scored Labels",
        score="Scored Probabilities",
        probability='Scored Probabilities( for Class |_)"?(?P<of>[^"]+)"?',
    ),
)
