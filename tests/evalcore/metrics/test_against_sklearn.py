"""Metrics with the same definition in scikit-learn give the same numbers on random rows."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

from evalcore.metrics import catalog
from evalcore.metrics.decisions import f_beta
from evalcore.metrics.multiclass import AVERAGES, top_k_accuracy
from evalcore.metrics.probability import log_loss_clipped
from evalcore.metrics.ranking import partial_roc_auc
from evalcore.tables.classes import ClassScores
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.scores import ScoreTable

METRIC = catalog.by_key()
SEEDS = range(5)

Peer = Callable[..., float]

LABELS: dict[str, Peer] = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "mcc": sk.matthews_corrcoef,
    "cohen_kappa": sk.cohen_kappa_score,
    "jaccard": sk.jaccard_score,
    "error_rate": sk.zero_one_loss,
    "f0_5": lambda y, d, **w: sk.fbeta_score(y, d, beta=0.5, **w),
    "f2": lambda y, d, **w: sk.fbeta_score(y, d, beta=2, **w),
    "specificity": lambda y, d, **w: sk.recall_score(y, d, pos_label=0, **w),
    "npv": lambda y, d, **w: sk.precision_score(y, d, pos_label=0, **w),
    "lr_plus": lambda y, d, **w: sk.class_likelihood_ratios(y, d, **w)[0],
    "lr_minus": lambda y, d, **w: sk.class_likelihood_ratios(y, d, **w)[1],
}

SCORES: dict[str, Peer] = {
    "roc_auc": sk.roc_auc_score,
    "average_precision": sk.average_precision_score,
    "partial_roc_auc": lambda y, s, **w: sk.roc_auc_score(y, s, max_fpr=0.1, **w),
    "brier": sk.brier_score_loss,
    "log_loss": sk.log_loss,
    "brier_skill_score": sk.d2_brier_score,
}


def rows(seed: int, classes: int = 2) -> dict[str, Any]:
    """Truth, labels, tied probabilities and whole weights of 300 rows."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, 300)
    pull = np.eye(classes)[truth] * rng.uniform(0, 3)
    given = np.exp(rng.normal(size=(300, classes)) + pull)
    given = np.round(given / given.sum(axis=1, keepdims=True), 2) + 0.01
    given /= given.sum(axis=1, keepdims=True)
    return {
        "truth": truth,
        "label": np.where(rng.random(300) < 0.7, truth, rng.integers(0, classes, 300)),
        "given": given,
        "weight": rng.integers(1, 5, 300).astype(float),
    }


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", LABELS)
def test_count_metrics(key: str, seed: int):
    r = rows(seed)
    table = ConfusionMatrix.from_codes(r["truth"], r["label"], ("no", "yes"), r["weight"])
    theirs = LABELS[key](r["truth"], r["label"], sample_weight=r["weight"])
    assert METRIC[key](table.binary()) == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", SCORES)
def test_score_metrics(key: str, seed: int):
    r = rows(seed)
    table = ScoreTable.from_scores(r["truth"], r["given"][:, 1], r["weight"])
    theirs = SCORES[key](r["truth"], r["given"][:, 1], sample_weight=r["weight"])
    assert METRIC[key](table) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("max_fpr", [0.01, 0.2, 0.5, 1.0])
def test_partial_area_at_other_rates(max_fpr: float):
    r = rows(0)
    table = ScoreTable.from_scores(r["truth"], r["given"][:, 1])
    theirs = sk.roc_auc_score(r["truth"], r["given"][:, 1], max_fpr=max_fpr)
    assert partial_roc_auc(max_fpr)(table) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("beta", [0.1, 1, 3, 10])
def test_f_at_other_betas(beta: float):
    r = rows(1)
    table = ConfusionMatrix.from_codes(r["truth"], r["label"], ("no", "yes"))
    theirs = sk.fbeta_score(r["truth"], r["label"], beta=beta)
    assert f_beta(beta)(table.binary()) == pytest.approx(theirs, rel=1e-12)


def test_log_loss_clips_as_scikit_learn_does_at_its_own_epsilon():
    truth, score = np.array([1, 0, 1]), np.array([0.0, 1.0, 0.5])
    theirs = sk.log_loss(truth, score)
    mine = log_loss_clipped(np.finfo(np.float64).eps)(ScoreTable.from_scores(truth, score))
    assert mine == pytest.approx(theirs, rel=1e-12)


WHOLE: dict[str, Peer] = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "mcc": sk.matthews_corrcoef,
    "cohen_kappa": sk.cohen_kappa_score,
    "weighted_kappa_linear": lambda y, d, **w: sk.cohen_kappa_score(y, d, weights="linear", **w),
    "weighted_kappa_quadratic": lambda y, d, **w: sk.cohen_kappa_score(
        y, d, weights="quadratic", **w
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", WHOLE)
def test_metrics_of_the_whole_matrix(key: str, seed: int):
    r, function = rows(seed, classes=5), METRIC[key].over_classes
    table = ConfusionMatrix.from_codes(r["truth"], r["label"], tuple("abcde"), r["weight"])
    assert function is not None
    theirs = WHOLE[key](r["truth"], r["label"], sample_weight=r["weight"])
    assert function(table.counts) == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", AVERAGES)
@pytest.mark.parametrize("key", ["precision", "recall", "f1"])
def test_averages_over_classes(key: str, kind: str, seed: int):
    r = rows(seed, classes=5)
    table = ConfusionMatrix.from_codes(r["truth"], r["label"], tuple("abcde"), r["weight"])
    theirs = LABELS[key](r["truth"], r["label"], average=kind, sample_weight=r["weight"])
    mine = AVERAGES[kind](METRIC[key], table.one_vs_rest()).value
    assert mine == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("key", ["precision", "recall", "f1", "f2"])
@pytest.mark.parametrize("seed", SEEDS)
def test_averages_are_over_the_labels_of_the_truth(key: str, seed: int):
    r = rows(seed, classes=4)
    truth = np.where(r["truth"] == 3, 0, r["truth"])  # decided, but never true
    table = ConfusionMatrix.from_codes(truth, r["label"], tuple("abcd"))
    theirs = LABELS[key](truth, r["label"], average="macro", labels=np.unique(truth))
    assert AVERAGES["macro"](METRIC[key], table.one_vs_rest()).value == pytest.approx(theirs)


RANKED: dict[str, Peer] = {
    "roc_auc_ovr_macro": lambda y, p, w: sk.roc_auc_score(
        y, p, multi_class="ovr", average="macro", sample_weight=w
    ),
    "roc_auc_ovr_weighted": lambda y, p, w: sk.roc_auc_score(
        y, p, multi_class="ovr", average="weighted", sample_weight=w
    ),
    "average_precision_ovr_macro": lambda y, p, w: sk.average_precision_score(
        np.eye(p.shape[1])[y], p, average="macro", sample_weight=w
    ),
    "average_precision_ovr_micro": lambda y, p, w: sk.average_precision_score(
        np.eye(p.shape[1])[y], p, average="micro", sample_weight=w
    ),
    "average_precision_ovr_weighted": lambda y, p, w: sk.average_precision_score(
        np.repeat(np.eye(p.shape[1])[y], w.astype(int), axis=0),
        np.repeat(p, w.astype(int), axis=0),
        average="weighted",
    ),
    "log_loss": lambda y, p, w: sk.log_loss(y, p, sample_weight=w),
    "brier_multiclass": lambda y, p, w: sk.brier_score_loss(
        y, p, sample_weight=w, scale_by_half=False
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", RANKED)
def test_metrics_of_class_probabilities(key: str, seed: int):
    r, function = rows(seed, classes=4), METRIC[key].over_classes
    scores = ClassScores.from_probabilities(r["truth"], r["given"], tuple("abcd"), r["weight"])
    assert function is not None
    theirs = RANKED[key](r["truth"], r["given"], r["weight"])
    assert function(scores) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_hand_and_till_is_the_macro_one_vs_one_area(seed: int):
    r = rows(seed, classes=4)
    scores = ClassScores.from_probabilities(r["truth"], r["given"], tuple("abcd"))
    theirs = sk.roc_auc_score(r["truth"], r["given"], multi_class="ovo", average="macro")
    assert METRIC["roc_auc_hand_till"](scores) == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k_accuracy_where_nothing_is_tied(k: int):
    rng = np.random.default_rng(7)
    truth, given = rng.integers(0, 4, 200), rng.dirichlet(np.ones(4), 200)
    scores = ClassScores.from_probabilities(truth, given, tuple("abcd"))
    theirs = sk.top_k_accuracy_score(truth, given, k=k)
    assert top_k_accuracy(k)(scores) == pytest.approx(theirs, rel=1e-12)
