"""What services and programs write: clouds, workbenches, statistical packages, boosters."""

import re
from collections.abc import Mapping
from dataclasses import replace

from evalcore.errors import Notice
from evalcore.text import listed
from evalread.columns import as_labels
from evalread.dataset import Choices, Scale, Table
from evalread.detection.profile import FAINT_TRUTH, TRUTH, plain, profile, speaks_of_prediction
from evalread.signatures import (
    Signature,
    by_label,
    by_lists,
    by_pairs,
    in_classes,
    label_numbers,
    parsed,
    rows_sum_to_one,
    spread_objects,
    with_notice,
)

_ENDING = "_PREDICTION"


def _datarobot(table: Table) -> Table:
    """Take positive class and threshold from their columns; the target from the common prefix."""
    target, classes = _datarobot_classes(table)
    column = table.columns.get("POSITIVE_CLASS")
    positive = as_labels(column, "POSITIVE_CLASS").names if column is not None else ()
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
    message = f"DataRobot cut its labels at {listed(cuts, 3)}"
    number = _number(cuts[0]) if len(cuts) == 1 else None
    if number is None or table.hints.positive is None:
        return with_notice(table, Notice("own-threshold", f"{message}."))
    notice = Notice("own-threshold", f"{message}; that is the threshold here until you choose one.")
    return with_notice(replace(table, threshold=number), notice)


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


_SUFFIX = r"[ _]*(?P<parenthesis>\()?(?P<model>[^()]*)(?(parenthesis)\))"
"""KNIME's name of a model: "_RF" or " (RF)"."""

_CONFIDENCE = r"Prediction \(.+\) \(Confidence\)"

_MODELER = re.compile(r"\$(?P<code>[A-Z]{1,3})-(?P<target>.+)")


def _modeler(table: Table) -> Table:
    """Tell predictions from their confidences: "$CC-drug" is the confidence of "$C-drug"."""
    found = {name: match for name in table.names if (match := _MODELER.fullmatch(name))}
    known = {(match["code"], match["target"]) for match in found.values()}
    predicted, scores = {}, {}
    for name, match in found.items():
        code, target = match["code"], match["target"]
        if code[-1] in "PC" and (code[:-1], target) in known:
            scores[code[:-1]] = name
        else:
            predicted[code] = name
    targets = [match["target"] for match in found.values() if match["target"] in table.columns]
    hints = Choices(
        truth=targets[0] if targets else None,
        labels=predicted,
        scores=scores or None,
    )
    return replace(table, hints=hints)


WORKBENCHES: tuple[Signature, ...] = (
    Signature(
        tool="KNIME",
        columns="`Prediction (TARGET)`, `Prediction (TARGET) (Confidence)`",
        says="the confidence is the probability of the predicted class",
        needs=(_CONFIDENCE,),
        lacks=(r"P \(.+",),
        label=r"Prediction \((?P<target>.+)\)(?<!\(Confidence\))",
        score=_CONFIDENCE,
        scale=Scale.CONFIDENCE,
    ),
    Signature(
        tool="KNIME",
        columns="`P (TARGET=CLASS)`, `Prediction (TARGET)`, each with a suffix per model",
        says="`P (TARGET=CLASS)` is the probability of a class",
        needs=(r"Prediction \(.+\).*",),
        label=rf"Prediction \((?P<target>.+?)\){_SUFFIX}(?<!\(Confidence\))",
        probability=rf"P \((?P<target>[^=]+)=(?P<of>.+?)\){_SUFFIX}",
    ),
    Signature(
        tool="RapidMiner",
        columns="`prediction(TARGET)`, `confidence(CLASS)`",
        says="`confidence(CLASS)` is the probability of a class",
        needs=(r"prediction\(.+\)",),
        label=r"prediction\((?P<target>.+)\)",
        probability=r"confidence\((?P<of>.+)\)",
    ),
    Signature(
        tool="SPSS Modeler",
        columns="`$L-TARGET, $LP-TARGET`, with other letters for other models",
        says="`$L-` is the predicted class, `$LP-` (or `$LC-`) its probability",
        needs=(r"\$[A-Z]{1,3}-.+",),
        translate=_modeler,
        scale=Scale.CONFIDENCE,
    ),
)


def _saved(table: Table) -> bool:
    """Tell what SPSS saved from a column of that name beside predictions that are called so."""
    others = [name for name in table.names if not re.fullmatch(r"[A-Z]{3}_\d+", name)]
    beside = any(re.fullmatch(r"(PGR|RES)_\d+", name) for name in table.names)
    return beside or not any(map(speaks_of_prediction, others))


def _spss(table: Table) -> Table:
    """Tell probabilities from predicted numbers; "PRE_2" and "PGR_2" are a second model."""
    saved = {m[1]: m[0] for name in table.names if (m := re.fullmatch(r"PRE_(\d+)", name))}
    called = {number: name if len(saved) > 1 else "" for number, name in saved.items()}
    groups = {called[k]: f"PGR_{k}" for k in saved if f"PGR_{k}" in table.columns}
    numbers = {called[k]: name for k, name in saved.items()}
    chances = bool(groups) or all(profile(table, name).unit for name in saved.values())
    hints = Choices(
        labels=groups or None,
        scores=numbers if chances else None,
        predictions=None if chances else numbers,
    )
    return replace(table, hints=hints)


def _sas(table: Table) -> Table:
    """Find target and classes: "I_BAD" is the decision, "P_BAD1" the probability of BAD = 1."""
    target, decision = _sas_target(table)
    found = {name.lower(): name for name in table.names}
    truth = found.get(target.lower(), found.get(f"f_{target}".lower()))
    chances = _sas_chances(table, target)
    hints = Choices(
        truth=truth, labels={"": decision}, probabilities={"": chances} if chances else None
    )
    return replace(table, hints=hints)


def _sas_target(table: Table) -> tuple[str, str]:
    """Return the target and the column of decisions on it; empty where there is none."""
    for name in table.names:
        match = re.fullmatch(r"I_(.+)", name, re.IGNORECASE)
        if match and _sas_chances(table, match[1]):
            return match[1], name
    return "", ""


def _sas_chances(table: Table, target: str) -> Mapping[str, str]:
    start = f"p_{target}".lower()
    chances = [name for name in table.names if name.lower().startswith(start)]
    return {name[len(start) :].strip("_ "): name for name in chances if len(name) > len(start)}


def _decides(table: Table) -> bool:
    """Tell decisions on a target from columns of such names beside others that say what is what."""
    target = _sas_target(table)[0].lower()
    if not target:
        return False
    own = re.compile(rf"([a-z]_)?{re.escape(target)}.*", re.IGNORECASE)
    others = [name for name in table.names if not own.fullmatch(name)]
    there = {target, f"f_{target}"} & {name.lower() for name in table.names}
    named = any(plain(name) in TRUTH and plain(name) not in FAINT_TRUTH for name in others)
    return (bool(there) and not named) or not any(map(speaks_of_prediction, others))


STATISTICS: tuple[Signature, ...] = (
    Signature(
        tool="SPSS Statistics",
        columns="the data, `PRE_1`, perhaps `PGR_1` and `RES_1`",
        says="`PRE_1` is the predicted number or probability, `PGR_1` the predicted group",
        needs=(r"PRE_\d+",),
        proof=_saved,
        translate=_spss,
    ),
    Signature(
        tool="SAS",
        columns="`I_TARGET`, `P_TARGETCLASS`, `F_TARGET`",
        says="`I_TARGET` is the decision, `P_TARGETCLASS` the probability of a class, `F_TARGET` "
        "the truth if the target is not there itself",
        needs=("[Ii]_.+", "[Pp]_.+"),
        proof=_decides,
        translate=_sas,
    ),
    Signature(
        tool="SAS",
        columns="`_FROM_, _INTO_, IP_CLASS`",
        says="`_FROM_` is the truth, `_INTO_` the decision, `IP_CLASS` the probability of a class",
        needs=("_FROM_", "_INTO_"),
        truth="_FROM_",
        label="_INTO_",
        probability="IP_(?P<of>.+)",
    ),
    Signature(
        tool="JMP",
        columns="`Prob[CLASS]`, `Most Likely TARGET`",
        says="`Most Likely TARGET` is the predicted class, `Prob[CLASS]` the probability of one",
        needs=(r"Prob\[.+\]", "Most Likely .+"),
        label="Most Likely (?P<target>.+)",
        probability=r"Prob\[(?P<of>.+)\]",
    ),
)


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
