"""The names that people and tools give to columns."""

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


TRUTH = (
    "y_true", "true_label", "label_true", "truth", "ground_truth", "groundtruth", "gold",
    "gold_label", "true_class", "class_true", "actual_label", "actual_class", "label_actual",
    "actual", "actuals", "actual_value", "true_value", "y_test", "y_actual", "ytrue", "ytest",
    "true", "gt", "observed", "obs", "correct_label", "correct_class", "correct_answer",
    "reference", "target", "targets", "expected", "outcome",
    "label", "labels", "class", "y", "clase", "clase_real", "klasse", "soll", "sollwert", "real",
    "valor_real", "verdadero", "vrai", "vérité", "verite", "réel", "reale", "wahr", "wahrheit",
    "tatsächlich", "istwert", "ist", "真实", "真实值", "真实标签", "category", "response_true",
)  # fmt: skip
"""Names of the truth, the surest first."""

FAINT_TRUTH = frozenset({"label", "labels", "class", "y", "category", "outcome", "real"})
"""Names that may also stand above a prediction."""

PREDICTION = _set(
    "pred preds predicted prediction predictions predict yhat hat forecast forecasts response "
    "fitted estimate estimated guess ypred prediccion predicción prevision prévision prédiction "
    "prédit predito previsto predetto vorhersage vorhergesagt prognose ist modelo 预测 预测值 "
    "预测标签"
)
LABEL = _set("label labels class classes cls decision category clase")
SCORE = _set(
    "score scores prob probs proba probas probability probabilities p confidence conf rating "
    "logit logits margin distance likelihood risk pd scoring decision wahrscheinlichkeit "
    "probabilité probabilidad probabilità probabilidade 概率"
)
FILLER = _set("y the of for is test model modell modele modèle ypred")

ID = _set(
    "id ids row_id rowid row row_ids row_index row_number rownum index idx key uuid guid "
    "uid sample_id sampleid doc_id case_id inst inst# record_id example_id item_id"
)
FOLD = _set("fold folds fold_id cv_fold kfold split cv_split resample")
WEIGHT = _set("weight weights sample_weight w sample_weights case_weight")
COUNT = _set("n count counts freq frequency cases")
GROUP = _set("group groups segment slice cohort subgroup stratum")
MODEL = _set("model model_name model_id learner_id algorithm classifier estimator learner method")
REPEAT = _set("repeat repeats repeat_id rep repetition iteration cv_repeat seed")
DATASET = _set("dataset data_set dataset_id dataset_name benchmark problem")
TRAIN_SIZE = _set(
    "n_train train_size n_training training_size train_n size_train train_rows train_samples"
)
TEST_SIZE = _set("n_test test_size n_testing testing_size test_n size_test test_rows test_samples")
CLUSTER = _set(
    "cluster clusters clustering kmeans dbscan hdbscan optics hclust ward agglomerative gmm "
    "spectral pam birch"
)
NEVER = _set(
    "correct error err errors residual residuals resid loss diff difference date time timestamp "
    "datetime ts"
)
"""Columns that follow from truth and prediction, or say when: never a truth, never a score."""

POSITIVE = (
    "1", "true", "yes", "y", "positive", "pos", "fraud", "fraudulent", "spam", "malignant",
    "churn", "churned", "default", "sick", "disease", "diseased", "ill", "case", "event",
    "defect", "defective", "failure", "fail", "anomaly", "abnormal", "outlier", "attack", "toxic",
    "hit", "bad", "ja", "si", "sí", "oui", "t", "p", "+", "+1",
)  # fmt: skip
"""Labels that mean "this is what one looks for"."""

NEGATIVE = _set(
    "0 -1 false no n negative neg legit legitimate genuine ham benign normal healthy control "
    "none good nein non f - ok retained stayed"
)

_PLACE = re.compile(r" \(column \d+\)'*$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BREAK = re.compile(r"[\s_.\-:/|()\[\]=]+")
_NUMBERED = re.compile(rf"({'|'.join(sorted(PREDICTION))})(\d+)", re.IGNORECASE)


def pieces(name: str) -> tuple[str, ...]:
    """Split a column name at its separators, or at capitals if it has none; at least one piece.

    >>> pieces("RF_score"), pieces("PredictedLabel"), pieces("prob (column 4)"), pieces("yhat1")
    (('RF', 'score'), ('Predicted', 'Label'), ('prob',), ('yhat', '1'))
    """
    bare = _PLACE.sub("", name).strip()
    parts = [part for part in _BREAK.split(bare) if part]
    if len(parts) == 1:
        parts = _CAMEL.split(parts[0])
    if any(numbered := [_NUMBERED.fullmatch(part) for part in parts]):
        pairs = zip(parts, numbered, strict=True)
        parts = [piece for part, match in pairs for piece in (match.groups() if match else (part,))]
    return tuple(parts) or (bare,)


def plain(name: str) -> str:
    """Write a column name in lower case with underscores, for look-up.

    >>> plain("True Label"), plain("yTrue")
    ('true_label', 'y_true')
    """
    return "_".join(pieces(name)).lower()
