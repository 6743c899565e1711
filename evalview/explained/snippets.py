"""The Python that gives the same number, with evalcore and scikit-learn, or draws a figure.

A call speaks of `truth`, `decision`, `score`, `probabilities`, `prediction`, `cluster` and
`features`; of two classes truth and decision are 1 for the positive one, of K they are codes.
Left out is whatever scikit-learn defines otherwise, or has no function for.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from evalcore.metrics.metric import Estimate, Family, Metric
from evalcore.metrics.probability import SPIEGELHALTER_P
from evalcore.options import Options
from evalcore.plan import Expected
from evalread.dataset import NO_CHOICES, SCHEMA, Choices

WEIGHT = ", sample_weight=weight"
"""Stands in every call that takes weights."""

Calls = Mapping[str, str]


def _weighted(function: str, arguments: str, *settings: str) -> str:
    return f"{function}({', '.join((arguments, *settings))}{WEIGHT})"


def _decided(function: str, *settings: str) -> str:
    return _weighted(function, "truth, decision", *settings)


def _scored(function: str, *settings: str) -> str:
    return _weighted(function, "truth, score", *settings)


def _of_classes(function: str, *settings: str) -> str:
    return _weighted(function, "truth, probabilities", *settings)


def _columns(function: str, average: str) -> str:
    truth = "label_binarize(truth, classes=range(probabilities.shape[1]))"
    return _weighted(function, f"{truth}, probabilities", f'average="{average}"')


def _numbers(function: str, *settings: str) -> str:
    return _weighted(function, "truth, prediction", *settings)


_LABELS = "labels=range(len(classes))"

_OF_TWO: Calls = {
    "accuracy": _decided("accuracy_score"),
    "balanced_accuracy": _decided("balanced_accuracy_score"),
    "precision": _decided("precision_score"),
    "recall": _decided("recall_score"),
    "f1": _decided("f1_score"),
    "f0_5": _decided("fbeta_score", "beta=0.5"),
    "f2": _decided("fbeta_score", "beta=2"),
    "specificity": _decided("recall_score", "pos_label=0"),
    "npv": _decided("precision_score", "pos_label=0"),
    "mcc": _decided("matthews_corrcoef"),
    "cohen_kappa": _decided("cohen_kappa_score"),
    "youden_j": _decided("balanced_accuracy_score", "adjusted=True"),
    "jaccard": _decided("jaccard_score"),
    "error_rate": _decided("zero_one_loss"),
    "fpr": f"1 - {_decided('recall_score', 'pos_label=0')}",
    "fnr": f"1 - {_decided('recall_score')}",
    "fdr": f"1 - {_decided('precision_score')}",
    "for": f"1 - {_decided('precision_score', 'pos_label=0')}",
    "lr_plus": f"{_decided('class_likelihood_ratios')}[0]",
    "lr_minus": f"{_decided('class_likelihood_ratios')}[1]",
    "tp": f"{_decided('confusion_matrix', 'labels=[0, 1]')}[1, 1]",
    "fp": f"{_decided('confusion_matrix', 'labels=[0, 1]')}[0, 1]",
    "fn": f"{_decided('confusion_matrix', 'labels=[0, 1]')}[1, 0]",
    "tn": f"{_decided('confusion_matrix', 'labels=[0, 1]')}[0, 0]",
    "roc_auc": _scored("roc_auc_score"),
    "partial_roc_auc": _scored("roc_auc_score", "max_fpr=0.1"),
    "gini": f"2 * {_scored('roc_auc_score')} - 1",
    "average_precision": _scored("average_precision_score"),
    "brier": _scored("brier_score_loss"),
    "brier_skill_score": _scored("d2_brier_score"),
    "log_loss": _scored("log_loss", "labels=[0, 1]"),
}

_OF_MANY: Calls = {
    "accuracy": _decided("accuracy_score"),
    "error_rate": _decided("zero_one_loss"),
    "balanced_accuracy": _decided("balanced_accuracy_score"),
    "mcc": _decided("matthews_corrcoef"),
    "cohen_kappa": _decided("cohen_kappa_score"),
    "weighted_kappa_linear": _decided("cohen_kappa_score", _LABELS, 'weights="linear"'),
    "weighted_kappa_quadratic": _decided("cohen_kappa_score", _LABELS, 'weights="quadratic"'),
    "roc_auc_ovr_macro": _of_classes("roc_auc_score", 'multi_class="ovr"'),
    "roc_auc_ovr_weighted": _of_classes("roc_auc_score", 'multi_class="ovr"', 'average="weighted"'),
    # Weights would not be used for pairs of classes, so this call takes none.
    "roc_auc_hand_till": 'roc_auc_score(truth, probabilities, multi_class="ovo")',
    "average_precision_ovr_macro": _columns("average_precision_score", "macro"),
    "average_precision_ovr_micro": _columns("average_precision_score", "micro"),
    "log_loss": _of_classes("log_loss", _LABELS),
    "brier_multiclass": _of_classes("brier_score_loss", _LABELS, "scale_by_half=False"),
}

_VALUES: Calls = {
    "rmse": _numbers("root_mean_squared_error"),
    "mae": _numbers("mean_absolute_error"),
    "r2": _numbers("r2_score"),
    # Weighted medians are defined in more than one way.
    "medae": "median_absolute_error(truth, prediction)",
    "max_error": "max_error(truth, prediction)",
    "mse": _numbers("mean_squared_error"),
    "explained_variance": _numbers("explained_variance_score"),
    "mape": _numbers("mean_absolute_percentage_error"),
    "msle": _numbers("mean_squared_log_error"),
    "rmsle": _numbers("root_mean_squared_log_error"),
    "pinball": _numbers("mean_pinball_loss", "alpha=0.5"),
}

_POINTS: Calls = {
    "silhouette": "silhouette_score(features, cluster)",
    "calinski_harabasz": "calinski_harabasz_score(features, cluster)",
    "davies_bouldin": "davies_bouldin_score(features, cluster)",
}

_AGREEMENT: Calls = {
    "adjusted_rand_index": "adjusted_rand_score(truth, cluster)",
    "ami_arithmetic": "adjusted_mutual_info_score(truth, cluster)",
    "rand_index": "rand_score(truth, cluster)",
    "fowlkes_mallows": "fowlkes_mallows_score(truth, cluster)",
    "v_measure": "v_measure_score(truth, cluster)",
    "homogeneity": "homogeneity_score(truth, cluster)",
    "completeness": "completeness_score(truth, cluster)",
    "nmi_arithmetic": "normalized_mutual_info_score(truth, cluster)",
    "mutual_information": "mutual_info_score(truth, cluster)",
}

_BY_FAMILY: Mapping[Family, Calls] = MappingProxyType(
    {
        Family.COUNTS: _OF_TWO,
        Family.RANKING: _OF_TWO,
        Family.PROBABILITY: _OF_TWO,
        Family.VALUES: _VALUES,
        Family.POINTS: _POINTS,
        Family.AGREEMENT: _AGREEMENT,
    }
)


def sklearn_call(metric: Metric, *, classes: int = 2, weighted: bool = False) -> str:
    """Return the call that gives the same number; "" where there is none.

    >>> from evalcore.metrics.decisions import RECALL
    >>> sklearn_call(RECALL), sklearn_call(RECALL, classes=3)
    ('recall_score(truth, decision)', '')
    """
    many = classes > 2 and _BY_FAMILY[metric.family] is _OF_TWO
    call = (_OF_MANY if many else _BY_FAMILY[metric.family]).get(metric.key, "")
    if weighted:
        return call if WEIGHT in call else ""
    return call.replace(WEIGHT, "")


def sklearn_imports(call: str) -> str:
    """Return the lines that import what a call uses.

    >>> sklearn_imports("2 * roc_auc_score(truth, score) - 1")
    'from sklearn.metrics import roc_auc_score'
    """
    used = [name for name in re.findall(r"\b(\w+)\(", call) if name not in ("range", "len")]
    lines = []
    if "label_binarize" in used:
        used.remove("label_binarize")
        lines.append("from sklearn.preprocessing import label_binarize")
    return "\n".join([f"from sklearn.metrics import {used[0]}", *lines])


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
            "import evalcore as ec",
            "",
            loading(place),
            f"evaluation = ec.evaluate(dataset, threshold={place.threshold!r})",
            f"evaluation.{place.among}[{place.model!r}].{where}[{metric.key!r}].value",
        ]
    )


def sklearn_code(metric: Metric, place: Place) -> str:
    """Return the Python that gives the number with scikit-learn; "" where it has no such number.

    The rows are read by evalcore, so that both speak of the same ones.
    """
    call = sklearn_call(metric, classes=place.classes, weighted=place.weighted)
    other = place.part or place.group == "items"
    if not call or other or ("probabilities" in call and not place.sums):
        return ""
    likeliest = place.way == "argmax" and "decision" in call
    first = ["from evalcore.evaluation.condense import decide"] if likeliest else []
    return "\n".join(
        [
            "import evalcore as ec",
            *first,
            *sklearn_imports(call).splitlines(),
            "",
            loading(place),
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
        where = "p_top_label" if adjusted else "top_label"
    return "\n".join(
        [
            "import evalcore as ec",
            "from evalcore.evaluation.estimates import judge_classes",
            "from evalcore.evaluation.condense import condense",
            "",
            loading(place),
            f"scores = condense(dataset)[{place.model!r}].class_scores",
            f"options = ec.Options(bins={options.bins}, binning={options.binning!r})",
            f"judge_classes(scores, options).{where}" + f"[{metric.key!r}].value" * (not adjusted),
        ]
    )


def loading(place: Place) -> str:
    """Return the line that reads the files as they were read here."""
    names = repr(place.files[0] if len(place.files) == 1 else [*place.files])
    return f"dataset = ec.read({', '.join([names, *_roles(place.choices)])})"


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
    return "outcomes.label" if place.way == "labels" else 'decide(outcomes, "argmax")'


def _roles(choices: Choices) -> Iterator[str]:
    """Return what was settled about the columns, as arguments of `ec.read`."""
    for one in SCHEMA:
        value = getattr(choices, one.field)
        if value != getattr(NO_CHOICES, one.field):
            shown = value.value if isinstance(value, Enum) else _plain(value)
            yield f"{one.option.replace('-', '_')}={shown!r}"


def _plain(value: object) -> object:
    """Return mappings, nested ones too, as dictionaries."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return value


class Drawing(NamedTuple):
    """How a figure is drawn.

    Attributes:
        function: The function of `figures`.
        looked_at: Which of its arguments say what is looked at.
        settled: Its other arguments, as Python.
    """

    function: str
    looked_at: tuple[str, ...] = ("model",)
    settled: str = ""


_MODEL_AT = ("model", "threshold")
_COMPARED = ("metric", "threshold")
_COSTED = ("model", "costs", "prevalence")

OF_TWO_CLASSES: Mapping[str, Drawing] = MappingProxyType(
    {
        "gain": Drawing("gain"),
        "lift": Drawing("lift"),
        "ks": Drawing("ks"),
        "det": Drawing("det"),
        "metrics": Drawing("metrics"),
        "expected-cost": Drawing("expected_cost", _COSTED),
        "cost-curve": Drawing("cost_curve", (*_COSTED, "threshold")),
        "optimum": Drawing("optimum", _COSTED),
        "decision": Drawing("decision_curve", ("model", "prevalence")),
        "predictive-values": Drawing("predictive_values", (*_MODEL_AT, "prevalence")),
    }
)
"""Figures that are drawn of two classes alone."""

DRAWINGS: Mapping[str, Drawing] = MappingProxyType(
    {
        "roc": Drawing("roc", _MODEL_AT),
        "precision-recall": Drawing("precision_recall", _MODEL_AT),
        "calibration": Drawing("calibration_curve", ("model", "label")),
        "reliability": Drawing("reliability", ("model", "label")),
        "recalibration": Drawing("recalibration", ("model", "label")),
        "matrix": Drawing("confusion_matrix", ("model", "rule", "threshold")),
        "decided-likeliest": Drawing(
            "cheapest_decisions", ("model", "costs", "shares"), "likeliest=True"
        ),
        "decided-cheapest": Drawing("cheapest_decisions", ("model", "costs", "shares")),
        "models": Drawing("intervals", _COMPARED),
        "differences": Drawing("differences", _COMPARED),
        "pairwise": Drawing("pairwise", _COMPARED),
        "resampled": Drawing("resampled", _COMPARED),
        "resampled-differences": Drawing("resampled_differences", _COMPARED),
        "folds": Drawing("fold_scores", _COMPARED),
        "folds-alone": Drawing("fold_mean", _COMPARED),
        "ranks": Drawing("ranks", _COMPARED),
        "slopes-data set": Drawing("slopes", _COMPARED),
        "fold-areas": Drawing("fold_areas"),
        "roc-folds": Drawing("fold_roc"),
        "predicted-actual": Drawing("predicted_actual"),
        "residuals": Drawing("residuals"),
        "bland-altman": Drawing("bland_altman"),
        "error-curve": Drawing("error_curve"),
        "error-histogram": Drawing("error_histogram"),
        "error-groups": Drawing("error_groups"),
        "normal": Drawing("normal_quantiles"),
        "quantiles": Drawing("quantile_calibration"),
        "coverage": Drawing("coverage"),
        "silhouette": Drawing("silhouette"),
        "map": Drawing("cluster_map"),
        "contingency": Drawing("contingency"),
        "gap-curve": Drawing("gap_curve"),
        **{
            f"by-{metric}": Drawing("by_clusters", (), f"metric={metric!r}")
            for metric in ("silhouette", "within_ss", "calinski_harabasz", "davies_bouldin")
        },
        **OF_TWO_CLASSES,
    }
)
"""By the key of the figure."""


def drawing_code(key: str, place: Place) -> str:
    """Return the Python that draws a figure; "" where it is not known."""
    drawing = DRAWINGS.get(key)
    if drawing is None or (place.classes > 2 and key in OF_TWO_CLASSES):
        return ""
    looked_at = _looked_at(place)
    said = [f"{name}={looked_at[name]!r}" for name in drawing.looked_at if name in looked_at]
    arguments = ", ".join(["dataset", *said, *filter(None, [drawing.settled])])
    shown = [
        "import evalcore as ec",
        "from evalview import figures",
        "",
        loading(place),
        f"figures.{drawing.function}({arguments}).show()",
    ]
    return "\n".join(shown) + "\n"


def _looked_at(place: Place) -> Mapping[str, object]:
    """Return what is looked at, by the name of the argument; what says nothing is left out."""
    several = place.classes > 2
    every: Mapping[str, object] = {
        "model": place.model,
        "threshold": place.threshold,
        "metric": place.metric,
        "rule": place.way or None,
        "label": place.label if several else None,
        "costs": place.costs or None,
        "prevalence": place.prevalence,
        "shares": place.shares,
    }
    return {name: value for name, value in every.items() if value is not None}


_PLANNED = """\
import numpy as np
import plotly.graph_objects as go

from evalcore.plan import Expected, plan

expected = EXPECTED
at = np.geomspace(50, 100_000, 60).round()
made = [plan(expected, rows=rows) for rows in at]
figure = go.Figure()
figure.add_scatter(x=at, y=[one.smallest_difference for one in made], name="difference")
figure.add_scatter(x=at, y=[one.high - one.low for one in made], name="width")
figure.update_xaxes(type="log", title="rows")
figure.show()
"""


def planned_code(expected: Expected) -> str:
    """Return the Python that draws what rows would show."""
    return _PLANNED.replace("EXPECTED", repr(expected))


Snippets = Mapping[str, str]
"""Python by the package that it shows."""


def snippets(metric: Metric, estimate: Estimate, place: Place) -> Snippets:
    """Return the Python that gives a number.

    That of scikit-learn only where it gives the same: it shows others where one is undefined, and
    judges all points where a sample was.
    """
    made = {"evalcore": evalcore_code(metric, place)}
    same = estimate.defined and estimate.method != "sample"
    theirs = sklearn_code(metric, place) if same else ""
    return made | ({"scikit-learn": theirs} if theirs else {})
