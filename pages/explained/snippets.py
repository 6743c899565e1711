"""The Python that gives the same number: with evalcore, and with scikit-learn."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum

from evalcore.intake.model import NO_CHOICES, Choices
from evalcore.metrics.calibration_tests import SPIEGELHALTER_P
from evalcore.metrics.sklearn_calls import sklearn_call, sklearn_imports
from evalcore.metrics.spec import Metric
from evalcore.options import Options

_MEANS = {
    "truth": "outcomes.truth",
    "score": "outcomes.score",
    "probabilities": "outcomes.probabilities",
    "prediction": "outcomes.prediction",
    "weight": "outcomes.weight",
    "classes": "dataset.classes",
}
"""Where the words of a call of scikit-learn are found in what evalcore has read."""


@dataclass(frozen=True)
class Place:
    """Where a number is found.

    Attributes:
        files: The names of the files, in the order they were opened.
        choices: What was settled about their columns.
        model: The model.
        group: "ranking", "probability", "values" or "decisions".
        way: For decisions: "labels", "threshold" or "argmax"; "" otherwise.
        threshold: The threshold.
        classes: How many classes there are; 0 for predicted numbers.
        weighted: Whether rows have weights.
        sums: Whether the probabilities of each row sum to 1, as scikit-learn wants them.
        among: Where an evaluation keeps what is looked at: "models" or "clusterings".
        part: For a class or an average, where it is in its group: "per_class['a']"; "" otherwise.
        costs: What each decision costs, truth by truth.
        prevalence: The share of positives among all cases.
        shares: Those of several classes; None for those of the rows.
        label: Of several classes the one that is set against all others.
        metric: What models are compared by; None for the usual one.
    """

    files: Sequence[str]
    choices: Choices
    model: str
    group: str
    way: str = ""
    threshold: float = 0.5
    classes: int = 2
    weighted: bool = False
    sums: bool = True
    among: str = "models"
    part: str = ""
    costs: tuple[float, ...] = (0, 1, 1, 0)
    prevalence: float = 0.5
    shares: tuple[float, ...] | None = None
    label: str = ""
    metric: str | None = None


def evalcore_code(metric: Metric, place: Place) -> str:
    """Return the Python that gives the number with evalcore."""
    part = place.part or ("metrics" if place.way else place.group)
    where = f"decisions[{place.way!r}].{part}" if place.way else part
    return "\n".join(
        [
            *imports(place, "from evalcore.evaluate import evaluate"),
            "from evalcore.options import Options",
            "",
            *loading(place),
            f"evaluation = evaluate(dataset, Options(threshold={place.threshold!r}))",
            f"evaluation.{place.among}[{place.model!r}].{where}[{metric.key!r}].value",
        ]
    )


def sklearn_code(metric: Metric, place: Place) -> str:
    """Return the Python that gives the number with scikit-learn; "" where it has no such number.

    The rows are read by evalcore, so that both speak of the same ones.
    """
    call = sklearn_call(metric, classes=place.classes, weighted=place.weighted)
    if not call or place.part or ("probabilities" in call and not place.sums):
        return ""
    likeliest = place.way == "argmax" and "decision" in call
    first = ["from evalcore.evaluation.decided import decided"] if likeliest else []
    return "\n".join(
        [
            *imports(place, *first),
            *sklearn_imports(call).splitlines(),
            "",
            *loading(place),
            f"outcomes = dataset.{place.among}[{place.model!r}]",
            *(_points(call) if place.among == "clusterings" else _meanings(call, place)),
            call,
        ]
    )


def calibration_code(metric: Metric, place: Place, options: Options) -> str:
    """Return the Python that gives a number of the calibration of a class.

    `place.part` is the class, "" for the likeliest of each row.
    """
    adjusted = metric.key == SPIEGELHALTER_P.key
    if place.part:
        where = f"{'p_values' if adjusted else 'classes'}[{place.part!r}]"
    else:
        where = "p_decided" if adjusted else "decided"
    return "\n".join(
        [
            *imports(
                place,
                "from evalcore.evaluate import condense",
                "from evalcore.evaluation.class_calibration import judge_classes",
            ),
            "from evalcore.options import Options",
            "",
            *loading(place),
            f"scores = condense(dataset)[{place.model!r}].class_scores",
            f"options = Options(bins={options.bins}, binning={options.binning!r})",
            f"judge_classes(scores, options).{where}" + f"[{metric.key!r}].value" * (not adjusted),
        ]
    )


def imports(place: Place, *lines: str) -> list[str]:
    """Return the lines that import what `loading` needs, and those given."""
    settled = _settled(place.choices)
    named = re.findall(r"\b(FeatureKind|Task|Scale)\.", settled)
    kinds = sorted({"Choices", *named}) if settled else []
    model = [f"from evalcore.intake.model import {', '.join(kinds)}"] if kinds else []
    return ["from pathlib import Path", "", *lines, "from evalcore.intake import load", *model]


def loading(place: Place) -> list[str]:
    """Return the lines that read the files as they were read here."""
    settled = _settled(place.choices)
    return [
        f"names = {list(place.files)!r}",
        "files = [(name, Path(name).read_bytes()) for name in names]",
        f"dataset = load(files, {settled})" if settled else "dataset = load(files)",
    ]


def _meanings(call: str, place: Place) -> list[str]:
    said = set(re.findall(r"\w+", call.replace("sample_weight", "")))
    means = {**_MEANS, "decision": _decision(place)}
    return [f"{name} = {meaning}" for name, meaning in means.items() if name in said]


def _points(call: str) -> list[str]:
    """Return where a call finds features or classes of the points that are in a cluster."""
    if "features" in call:
        return [
            "used = outcomes.cluster >= 0",
            "features, cluster = outcomes.features[used], outcomes.cluster[used]",
        ]
    return [
        "rows = slice(None) if outcomes.rows is None else outcomes.rows - 1",
        "truth, cluster = dataset.true_class.codes[rows], outcomes.cluster",
        "used = (truth >= 0) & (cluster >= 0)",
        "truth, cluster = truth[used], cluster[used]",
    ]


def _decision(place: Place) -> str:
    if place.way == "threshold":
        return f"outcomes.score >= {place.threshold!r}"
    return "outcomes.label" if place.way == "labels" else 'decided(outcomes, "argmax")'


def _settled(choices: Choices) -> str:
    """Return the choices as Python; "" where everything is detected."""
    given = {field.name: getattr(choices, field.name) for field in fields(choices)}
    chosen = {n: value for n, value in given.items() if value != getattr(NO_CHOICES, n)}
    return f"Choices({', '.join(f'{n}={_python(v)}' for n, v in chosen.items())})" * bool(chosen)


def _python(value: object) -> str:
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key!r}: {_python(part)}' for key, part in value.items())}}}"
    return repr(value)
