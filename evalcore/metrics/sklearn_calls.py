"""The call of scikit-learn that gives the same number, for every metric that it defines alike.

A call speaks of `truth`, `decision`, `score`, `probabilities`, `prediction`, `cluster` and
`features`; of two classes truth and decision are 1 for the positive one, of K they are codes.
Left out is whatever scikit-learn defines otherwise, or has no function for.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from evalcore.metrics.spec import Family, Metric

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

    >>> from evalcore.metrics.rates import RECALL
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
