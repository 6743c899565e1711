"""Profiles of columns, from a sample of their cells, and the words in their names."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache, wraps
from typing import TypeVar

import numpy as np
import pyarrow as pa

from evalcore.errors import EvalError
from evalcore.outcomes import Floats
from evalread.columns import MOST_LABELS, Numbers, as_labels, as_numbers, holds_lists, same_by_value
from evalread.dataset import CHOSEN, Reason, Source, Table


def word_set(words: str) -> frozenset[str]:
    """Return words that stand apart by spaces."""
    return frozenset(words.split())


TRUTH = (
    "y_true", "y_valid", "y_val", "y_dev", "y_eval",
    "true_label", "label_true", "truth", "ground_truth", "groundtruth", "gold",
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

PREDICTION = word_set(
    "pred preds predicted prediction predictions predict yhat hat forecast forecasts response "
    "fitted estimate estimated est calc calculated computed simulated modelled modeled "
    "projected projection guess ypred prediccion predicción prevision prévision prédiction "
    "prédit predito previsto predetto vorhersage vorhergesagt prognose ist modelo 预测 "
    "预测值 预测标签 argmax classified assigned"
)
LABEL = word_set("label labels class classes cls decision category clase")
SCORE = word_set(
    "score scores prob probs proba probas probability probabilities p confidence conf rating "
    "logit logits margin distance likelihood risk pd scoring decision wahrscheinlichkeit "
    "probabilité probabilidad probabilità probabilidade 概率"
)
FILLER = word_set("y the of for is test model modell modele modèle ypred")

ID = word_set(
    "id ids row_id rowid row row_ids row_index row_number rownum index idx key uuid guid "
    "uid sample_id sampleid doc_id case_id inst inst# record_id example_id item_id"
)
FOLD = word_set(
    "fold folds fold_id fold_no fold_nr fold_number fold_idx fold_index cv_fold cvfold kfold "
    "k_fold test_fold outer_fold outer_split inner_fold split cv_split resample"
)
WEIGHT = word_set("weight weights sample_weight w sample_weights case_weight")
COUNT = word_set(
    "n count counts freq frequency frequencies cases occurrences observations examples n_obs nobs "
    "n_cases n_rows n_samples n_examples num_examples num_rows num_samples sample_count row_count "
    "obs_count anzahl häufigkeit haeufigkeit effectif nombre conteo frecuencia conteggio frequenza"
)
GROUP = word_set("group groups segment slice cohort subgroup stratum")
MODEL = word_set(
    "model model_name model_id learner_id algorithm classifier estimator learner method"
)
REPEAT = word_set(
    "repeat repeats repeat_id rep repetition iteration cv_repeat seed run run_id trial"
)
DATASET = word_set("dataset data_set dataset_id dataset_name benchmark problem")
TRAIN_SIZE = word_set(
    "n_train train_size n_training training_size train_n size_train train_rows train_samples"
)
TEST_SIZE = word_set(
    "n_test test_size n_testing testing_size test_n size_test test_rows test_samples"
)
CLUSTER = word_set(
    "cluster clusters clustering kmeans dbscan hdbscan optics hclust ward agglomerative gmm "
    "spectral pam birch leiden louvain hierarchical meanshift phenograph flowsom walktrap infomap "
    "kmedoids kmodes kprototypes mclust cutree"
)
METHODS = word_set(
    "lstm gru rnn cnn mlp ann dnn nn transformer bert roberta resnet gpt llm rf randomforest "
    "xgb xgboost lgb lgbm lightgbm catboost gbm gbr gbdt adaboost dt tree forest cart svm svr "
    "svc knn lr logreg logistic ols ridge lasso elasticnet glm gam naivebayes arima sarima "
    "sarimax prophet ets holt tbats persistence baseline ensemble stacking blend ai vit "
    "efficientnet densenet vgg mobilenet inception yolo gemini claude llama mistral qwen "
    "deepseek gemma bart distilbert deberta electra xlnet fasttext vader textblob lda qda"
)
"""What methods are called that models are made by; whole names of columns of predictions."""

SPREAD = word_set("std sd stdev stddev se sem sigma var variance uncertainty unc")
"""How far predictions scatter: never a prediction themselves."""

NEVER = word_set(
    "correct error err errors residual residuals resid loss diff difference date time timestamp "
    "datetime ts"
)
"""Columns that follow from truth and prediction, or say when: never a truth, never a score."""

_PLACE = re.compile(r" \(column \d+\)'*$")
_CAMEL = re.compile(r"(?<=[a-oq-z])(?=[A-Z])|(?<=[a-z]p)(?=[A-Z])")  # "pH" is one word
_BREAK = re.compile(r"[\s_.\-:/|()\[\]=]+")
_NUMBERED = re.compile(rf"({'|'.join(sorted(PREDICTION))})(\d+)", re.IGNORECASE)


_KNOWN = 1 << 15
"""Names of which answers are kept: more than a table has columns."""

_MOST_KEPT = 500
"""Letters of a name of which they are kept: labels, which are asked about too, may be texts."""

Answer = TypeVar("Answer")


def _remembered(tells: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """Return a function of a name that works each answer out once: many rules ask the same."""
    once = lru_cache(_KNOWN)(tells)

    @wraps(tells)
    def look(name: str) -> Answer:
        return once(name) if len(name) <= _MOST_KEPT else tells(name)

    return look


@_remembered
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


@_remembered
def plain(name: str) -> str:
    """Write a column name in lower case with underscores, for look-up.

    >>> plain("True Label"), plain("yTrue")
    ('true_label', 'y_true')
    """
    return "_".join(pieces(name)).lower()


FEW_CLASSES = 20
"""Distinct values that a column of classes mostly has at most: digits, grades and ratings do."""

_CELLS = 2_000_000
"""Cells of a table that are looked at, which takes about a second."""

_MOST_ROWS = 30_000
"""Rows that are looked at: a label in one of 10,000 rows is among them some three times."""

_FEWEST_ROWS = 60
"""Rows that are looked at however many columns there are: 20 from each of three places."""

_MOST_DECIMAL_LABELS = 50
"""Distinct numbers with decimals that may be labels, such as ratings by halves."""

_DAY = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
_DATE = re.compile(rf"({_DAY})([T ]\d{{1,2}}:\d{{2}}.*)?|\d{{1,2}}:\d{{2}}(:\d{{2}}.*)?")
"""A date, a time, or both, as spreadsheets and ISO 8601 write them."""


@dataclass(frozen=True)
class Profile:
    """The values of a column on the sampled rows.

    Attributes:
        name: The column.
        labels: The distinct values as labels, numbers in plain form; empty if there are too many,
            or numbers that are not whole.
        distinct: How many distinct values there are, blank cells left out.
        present: How many sampled cells are not missing.
        numeric: Whether all present cells are numbers (percentages included).
        mostly_numeric: Whether at least half of them are.
        whole: Whether all numbers are whole.
        low: The smallest number; NaN where there is none.
        high: The largest number; NaN where there is none.
        counting: Whether the values are whole numbers that rise by one from row to row.
        lists: Whether the cells are lists.
        moment: Whether the column holds dates or times.
    """

    name: str
    labels: frozenset[str]
    distinct: int
    present: int
    numeric: bool = False
    mostly_numeric: bool = False
    whole: bool = False
    low: float = np.nan
    high: float = np.nan
    counting: bool = False
    lists: bool = False
    moment: bool = False

    @property
    def constant(self) -> bool:
        """Whether there is at most one distinct value."""
        return self.distinct <= 1

    @property
    def unique(self) -> bool:
        """Whether no value repeats, over enough rows to tell."""
        return self.distinct == self.present and self.present > 5

    @property
    def continuous(self) -> bool:
        """Whether the values are numbers as scores are, and labels seldom."""
        return self.numeric and (not self.whole or self.distinct > FEW_CLASSES)

    def holds_only(self, labels: Collection[str]) -> bool:
        """Tell whether the values are labels, and all among these."""
        return bool(self.labels) and self.labels <= members(labels)

    def holds_some(self, labels: Collection[str]) -> bool:
        """Tell whether some of the values are among these labels."""
        return not self.labels.isdisjoint(members(labels))

    @property
    def unit(self) -> bool:
        """Whether all values are numbers in [0, 1]."""
        return self.numeric and self.low >= 0 and self.high <= 1


def profiles(table: Table) -> Mapping[str, Profile]:
    """Look at every column of a table."""
    return {name: profile(table, name) for name in table.columns}


def profile(table: Table, name: str) -> Profile:
    """Look at one column of a table."""
    return _profile(name, sample(table, name), table.source)


def sample(table: Table, name: str, most: int = _MOST_ROWS) -> pa.ChunkedArray:
    """Return a column's cells at the sampled rows, which are the same for every column."""
    column = table.columns[name]
    parts = _sampled_rows(table.n, len(table.columns), most)
    slices = [chunk for start, length in parts for chunk in column.slice(start, length).chunks]
    return pa.chunked_array(slices, column.type)


def _sampled_rows(rows: int, columns: int, most: int) -> list[tuple[int, int]]:
    """Return (start, length) of the parts to look at."""
    wanted = max(_FEWEST_ROWS, min(most, _CELLS // columns))
    if rows <= wanted:
        return [(0, rows)]
    part = wanted // 3
    return [(0, part), (rows // 2, part), (rows - part, part)]


def _profile(name: str, column: pa.ChunkedArray, source: Source) -> Profile:
    kind = column.type
    if holds_lists(column):
        return Profile(name, frozenset(), 0, len(column) - column.null_count, lists=True)
    if pa.types.is_temporal(kind):
        return Profile(name, frozenset(), len(column.unique()), len(column), moment=True)
    numbers, share = _numbers(column, name, source)
    if numbers is None:
        return replace(_of_text(column, name), mostly_numeric=share >= 0.5)
    values = numbers.values[~np.isnan(numbers.values)]
    return _of_numbers(values / 100 if numbers.percent else values, column, name)


def _of_text(column: pa.ChunkedArray, name: str) -> Profile:
    try:
        labels = as_labels(column, name)
    except EvalError:  # too many to be labels
        return Profile(name, frozenset(), len(column.unique()), len(column))
    present = int((labels.codes >= 0).sum())
    moment = bool(labels.names) and all(map(_DATE.fullmatch, labels.names))
    return Profile(name, frozenset(labels.names), len(labels.names), present, moment=moment)


def _of_numbers(values: Floats, column: pa.ChunkedArray, name: str) -> Profile:
    if not len(values):
        return Profile(name, frozenset(), 0, 0)
    distinct = len(np.unique(values))
    whole = bool((values == np.floor(values)).all())
    labels: frozenset[str] = frozenset()
    if distinct <= MOST_LABELS and (whole or distinct <= _MOST_DECIMAL_LABELS):
        labels = frozenset(same_by_value([as_labels(column, name)])[0].names)
    return Profile(
        name,
        labels,
        distinct,
        len(values),
        numeric=True,
        mostly_numeric=True,
        whole=whole,
        low=float(values.min()),
        high=float(values.max()),
        counting=len(values) > 2 and _counts_up(values, len(column)),
    )


def _counts_up(values: Floats, rows: int) -> bool:
    if len(values) != rows or not np.isfinite(values).all():
        return False
    steps = np.diff(values)
    # Between the sampled parts of a long column the count goes on with a leap.
    return int((steps != 1).sum()) <= (2 if rows > 100 else 0) and bool((steps > 0).all())


def _numbers(column: pa.ChunkedArray, name: str, source: Source) -> tuple[Numbers | None, float]:
    """Return the column as numbers, or None and the share of cells that are numbers."""
    try:
        return as_numbers(column, name, source), 1.0
    except EvalError as error:
        return None, 1 - len(error.rows) / max(1, min(len(column), 1000))


BETWEEN = ": "
"""Stands between the name of a table and that of its column, where several were joined."""

_SEPARATORS = " _.-:=/("

_SPELLINGS: tuple[Callable[[str], str], ...] = (
    lambda name: name,
    str.lower,
    lru_cache(20_000)(lambda name: re.sub(r"[\W_]", "_", name.lower())),
)
"""How the class in a column's name may be written: as it is, in small letters, with underscores."""


def owner_of(name: str) -> tuple[str, str]:
    """Split "rf: score" into the table it is from and its own name."""
    owner, between, own = name.partition(BETWEEN)
    return (owner, own) if between else ("", name)


@_remembered
def model_name(column: str) -> str:
    """Return what is left of a column's name without the words for predictions.

    >>> model_name("logreg_score"), model_name("score_A"), model_name("y_pred")
    ('logreg', 'A', '')
    >>> model_name("naive_bayes_score")
    'naive bayes'
    >>> model_name("model_A")
    'model_A'
    >>> model_name("rf: y_score")
    'rf'
    """
    owner, own = owner_of(column)
    if owner:
        return " ".join(filter(None, (owner, model_name(own))))
    words = pieces(column)
    if words[:1] == ("model",) and len(words) > 1 and not _spoken(words[1:]):
        return column
    kept = [word for word in words if word.lower() not in PREDICTION | LABEL | SCORE | FILLER]
    return " ".join(kept)


def names_nothing(model: str, words: Sequence[str] = ()) -> bool:
    """Tell whether a model's name only says that something is predicted, as its column's may.

    `words` are what is predicted: the classes, or the column of the truth.

    >>> names_nothing("y_pred"), names_nothing("p_fraud", ["honest", "fraud"])
    (True, True)
    >>> names_nothing("income_pred", ["income"]), names_nothing("logreg_score")
    (True, False)
    """
    left = model_name(model)
    return not left or plain(left) in map(plain, words)


@_remembered
def speaks_of_prediction(column: str) -> bool:
    """Tell whether a column's name says that it holds predictions.

    >>> speaks_of_prediction("y_score"), speaks_of_prediction("model_A")
    (True, True)
    >>> speaks_of_prediction("income")
    False
    """
    words = pieces(owner_of(column)[1])
    lowered = {word.lower() for word in words}
    named = bool(lowered & (PREDICTION | SCORE)) or names_method(words) or names_model(words)
    return named and not truth_word(column)


def _spoken(words: Iterable[str]) -> bool:
    return any(word.lower() in PREDICTION | LABEL | SCORE for word in words)


TRUTH_WORDS = word_set(
    "true truth actual actuals target gold observed obs soll expected outcome outcomes "
    "measured experimental exp human manual expert consensus gt ref reference"
)
_TRUE_SCORES = TRUTH_WORDS - {"target", "outcome", "outcomes", "exp"}


@_remembered
def truth_word(name: str) -> bool:
    """Tell whether a name begins or ends with a word for the truth, and predicts nothing.

    >>> truth_word("target_churn"), truth_word("human_score"), truth_word("prob_true")
    (True, True, False)
    """
    words = [word.lower() for word in pieces(name)]
    spoken = set(words) & ((PREDICTION | SCORE) - TRUTH_WORDS)
    if spoken:  # a score that was given is a truth, the probability of being true is none
        return words[0] in _TRUE_SCORES and spoken <= {"score", "scores", "rating"}
    return bool({words[0], words[-1]} & TRUTH_WORDS) or "truth" in words


def names_method(words: Sequence[str]) -> bool:
    """Tell whether a column is called after a method, such as "resnet50" or "RF"."""
    bare = {word.lower().rstrip("0123456789") for word in words} - {""}
    return bool(bare) and bare <= METHODS


def names_model(words: Sequence[str]) -> bool:
    """Tell whether a column is called "model_A": a model by a name that is no column's."""
    return len(words) > 1 and words[0] == "model" and "_".join(words) not in MODEL


_CLASS_FIRST = re.compile(
    rf"((?:class|label)[ _.-]?[^ _.-]+)[ _.-]({'|'.join(sorted(SCORE))})$", re.IGNORECASE
)
"""A class before the word for its probability, as in "class_0_prob"."""


class Classes(tuple[str, ...]):
    """Classes in order, ready to be looked up: a wide table asks for each of its columns."""

    @cached_property
    def members(self) -> frozenset[str]:
        """The classes."""
        return frozenset(self)

    @cached_property
    def endings(self) -> list[tuple[int, list[dict[str, str]]]]:
        """For each length of a written class, the longest first: spelling -> written -> class."""
        found: dict[int, list[dict[str, str]]] = {}
        for spelling, written in enumerate(_SPELLINGS):
            for of in self:
                ending = written(of)
                spelt = found.setdefault(len(ending), [{} for _ in _SPELLINGS])
                spelt[spelling].setdefault(ending, of)
        return sorted(found.items(), key=lambda one: -one[0])


def members(labels: Collection[str]) -> frozenset[str]:
    """Return labels as a set."""
    return labels.members if isinstance(labels, Classes) else frozenset(labels)


def about_class(name: str, classes: Sequence[str]) -> tuple[str, str] | None:
    """Return the class a column is named after, and the model; the longest class name wins.

    Of names as long as each other, the one that is spelt as the class is goes first.

    >>> about_class("prob_Non_Fraud", ["Fraud", "Non Fraud"])
    ('Non Fraud', '')
    >>> about_class("rf_p_yes", ["Yes", "yes"]), about_class("Yes", ["no", "yes"])
    (('yes', 'rf'), ('yes', ''))
    >>> about_class("class_0_prob", ["0", "1"])
    ('0', '')
    """
    bare = _CLASS_FIRST.sub(r"\2_\1", _PLACE.sub("", name).strip())
    names = [written(bare) for written in _SPELLINGS]
    known = classes if isinstance(classes, Classes) else Classes(classes)
    for length, spelt in known.endings:
        stem = bare[: len(bare) - length]
        for name_written, places in zip(names, spelt, strict=True):
            of = places.get(name_written[len(name_written) - length :] if length else "")
            if of is None or len(name_written) < length:
                continue
            if len(name_written) == length or _names_probability(stem, of):
                return of, model_name(stem.rstrip(_SEPARATORS))
    return None


def _names_probability(stem: str, of: str) -> bool:
    """Tell whether "prob_", "p" (of a number), "logreg_p_" ... stand before the class."""
    if not stem or not of:
        return False
    if stem[-1] not in _SEPARATORS:
        return stem.lower() in ("p", "prob", "proba") and of.isdigit()
    words = [word.lower() for word in pieces(stem.rstrip(_SEPARATORS))]
    return any(word in SCORE | PREDICTION for word in words)


class Kind(Enum):
    """What a column of predictions holds."""

    LABEL = "label"
    SCORE = "score"
    PROBABILITY = "probability"
    NUMBER = "number"


@dataclass(frozen=True)
class PredictionColumn:
    """One column of one model's predictions.

    Attributes:
        model: The model's name as the column tells it; "" if it tells none.
        of: For a probability: the class it is about.
        reason: Why the column is taken for this.
        unit: Whether its values lie in [0, 1], as far as that is known.
    """

    column: str
    kind: Kind
    model: str
    reason: Reason
    of: str | None = None
    unit: bool = False

    @property
    def is_score(self) -> bool:
        """Whether it is a score whose name says so, or that nobody has chosen."""
        return self.kind is Kind.SCORE and self.reason != CHOSEN
