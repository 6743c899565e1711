"""Profiles of columns, from a sample of their cells, and the words in their names."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache, wraps
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa

from evalcore.errors import EvalError
from evalcore.outcomes import Floats
from evalread.columns import MOST_LABELS, as_labels, as_numbers, holds_lists, once, same_by_value
from evalread.dataset import NO_CHOICES, Choices, Reason, Table


class _Words:
    """The words of `evalread/words.txt` by what they are used for: `WORDS.fold`."""

    def __init__(self) -> None:
        text = Path(__file__).parents[1].joinpath("words.txt").read_text("utf-8")
        found = re.findall(r"^(\w+)(?: \|.*)?\n((?: {4}.+\n)+)", text, re.MULTILINE)
        self.in_order = {use: tuple(words.split()) for use, words in found}
        self.__dict__ |= {use: frozenset(words) for use, words in self.in_order.items()}
        self.sure_truth = self.truth - self.faint_truth
        self.spoken = self.prediction | self.score

    def __getattr__(self, use: str) -> frozenset[str]:
        raise AttributeError(f"words.txt has no paragraph {use}")


WORDS = _Words()

_MODELLING = re.compile("(regression|regressor|classification|classifier)$")
_PLACE = re.compile(r" \(column \d+\)'*$")
_CAMEL = re.compile(r"(?<=[a-oq-z])(?=[A-Z])|(?<=[a-z]p)(?=[A-Z])")  # "pH" is one word
_BREAK = re.compile(r"[\s_.\-:/|()\[\]=]+")
_NUMBERED = re.compile(rf"({'|'.join(sorted(WORDS.prediction))})(\d+)", re.IGNORECASE)


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
def lowered(name: str) -> tuple[str, ...]:
    """Return the pieces of a column name in small letters."""
    return tuple(map(str.lower, pieces(name)))


@_remembered
def plain(name: str) -> str:
    """Write a column name in lower case with underscores, for look-up.

    >>> plain("True Label"), plain("yTrue")
    ('true_label', 'y_true')
    """
    return "_".join(lowered(name))


@_remembered
def words_of(name: str) -> frozenset[str]:
    """Return the words of a name in small letters, also those inside a word.

    >>> sorted(words_of("CV_TrainAcc_mean")), sorted(words_of("precision@5 (F1)"))
    (['acc', 'cv', 'mean', 'train'], ['5', 'f1', 'precision'])
    """
    parts = (part for piece in pieces(name) for part in re.split(r"\W+", piece) if part)
    return frozenset(word.lower() for part in parts for word in pieces(part))


def is_metric(name: str) -> bool:
    """Tell whether a name is that of a metric, whatever it was measured on.

    >>> [is_metric(name) for name in ("Mean_AUC", "F1 (macro)", "val_acc", "income")]
    [True, True, True, False]
    """
    return not words_of(name).isdisjoint(WORDS.metric)


FEW_CLASSES = 20
"""Distinct values that a column of classes mostly has at most: digits, grades and ratings do."""

_CELLS = 2_000_000
"""Cells of a table that are looked at, which takes about a second."""

_MOST_ROWS = 30_000
"""Rows that are looked at: a label in one of 10,000 rows is among them some three times."""

_FEWEST_ROWS = 60
"""Rows that are looked at however many columns there are: 20 from each of three places."""

_FEW_ROWS = 10
"""Of so few rows each may be of a class of its own."""

_MOST_DECIMAL_LABELS = 50
"""Distinct numbers with decimals that may be labels, such as ratings by halves."""

_DAY = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
_DATE = re.compile(rf"({_DAY})([T ]\d{{1,2}}:\d{{2}}.*)?|\d{{1,2}}:\d{{2}}(:\d{{2}}.*)?")
"""A date, a time, or both, as spreadsheets and ISO 8601 write them."""


@dataclass(frozen=True, eq=False)
class Profile:
    """The values of a column on the sampled rows."""

    name: str
    # Distinct values as labels, numbers in plain form; none where they are too many or not whole.
    labels: frozenset[str]
    # Distinct values, blank cells left out, and how many cells are not missing.
    distinct: int
    present: int
    # Whether all cells that are not missing are numbers, percentages included; at least half of
    # them; all of them whole.
    numeric: bool = False
    mostly_numeric: bool = False
    whole: bool = False
    low: float = np.nan
    high: float = np.nan
    # Whether the values are whole numbers that rise by one from row to row.
    counting: bool = False
    lists: bool = False
    # Whether the column holds dates or times.
    moment: bool = False

    @cached_property
    def plain(self) -> str:
        """Its name in lower case with underscores."""
        return plain(self.name)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The pieces of its name in small letters."""
        return lowered(self.name)

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
        return bool(self.labels) and self.labels <= frozenset(labels)

    def holds_some(self, labels: Collection[str]) -> bool:
        """Tell whether some of the values are among these labels."""
        return not self.labels.isdisjoint(labels)

    @property
    def unit(self) -> bool:
        """Whether all values are numbers in [0, 1]."""
        return self.numeric and self.low >= 0 and self.high <= 1


def profiles(table: Table) -> Mapping[str, Profile]:
    """Return the profile of every column of a table."""
    return {name: profile(table, name) for name in table.columns}


def sample(table: Table, name: str, most: int = _MOST_ROWS) -> pa.ChunkedArray:
    """Return a column's cells at the sampled rows, which are the same for every column."""
    column, rows = table.columns[name], table.n
    wanted = max(_FEWEST_ROWS, min(most, _CELLS // len(table.columns)))
    if rows <= wanted:
        return column
    part = wanted // 3
    starts = (0, rows // 2, rows - part)
    slices = [chunk for start in starts for chunk in column.slice(start, part).chunks]
    return pa.chunked_array(slices, column.type)


@once
def profile(table: Table, name: str) -> Profile:
    """Return the profile of one column of a table, which is looked at once."""
    column = sample(table, name)
    if holds_lists(column):
        return Profile(name, frozenset(), 0, len(column) - column.null_count, lists=True)
    if pa.types.is_temporal(column.type):
        return Profile(name, frozenset(), len(column.unique()), len(column), moment=True)
    try:
        numbers = as_numbers(column, name, table.source)
    except EvalError as error:
        words = len(error.rows) * 2 > max(1, min(len(column), 1000))
        return replace(_of_text(column, name), mostly_numeric=not words)
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
    # Decimals of which most rows have their own are measured, as most columns of wide tables are.
    measured = not whole and distinct > max(len(values) / 2, _FEW_ROWS)
    if distinct <= MOST_LABELS and (whole or distinct <= _MOST_DECIMAL_LABELS) and not measured:
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
        counting=whole and len(values) > 2 and _counts_up(values, len(column)),
    )


def _counts_up(values: Floats, rows: int) -> bool:
    if len(values) != rows or not np.isfinite(values).all():
        return False
    steps = np.diff(values)
    # Between the sampled parts of a long column the count goes on with a leap.
    return int((steps != 1).sum()) <= (2 if rows > 100 else 0) and bool((steps > 0).all())


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
    spoken = WORDS.spoken | WORDS.label
    if names_method(words):
        return " ".join(words)
    if words[0].lower() == "model" and len(words) > 1 and spoken.isdisjoint(lowered(column)[1:]):
        return column
    return " ".join(word for word in words if word.lower() not in spoken | WORDS.filler)


@_remembered
def speaks_of_prediction(column: str) -> bool:
    """Tell whether a column's name says that it holds predictions.

    >>> speaks_of_prediction("y_score"), speaks_of_prediction("model_A")
    (True, True)
    >>> speaks_of_prediction("income")
    False
    """
    own = owner_of(column)[1]
    named = names_method(pieces(own)) or names_model(pieces(own))
    return (named or not WORDS.spoken.isdisjoint(lowered(own))) and not truth_word(column)


@_remembered
def truth_word(name: str) -> bool:
    """Tell whether a name begins or ends with a word for the truth, and predicts nothing.

    >>> truth_word("target_churn"), truth_word("human_score"), truth_word("prob_true")
    (True, True, False)
    """
    words = lowered(name)
    spoken = set(words) & (WORDS.spoken - WORDS.true)
    if spoken:  # a score that was given is a truth, the probability of being true is none
        return words[0] in WORDS.given and spoken <= WORDS.measured_score
    return bool({words[0], words[-1]} & WORDS.true) or "truth" in words


def names_method(words: Sequence[str]) -> bool:
    """Tell whether a column is called after a method: "resnet50", "RF", "Linear Regression"."""
    bare = {word.lower().rstrip("0123456789") for word in words} - {""}
    stems = {_MODELLING.sub("", word) for word in bare} - {""}
    told = bool(stems & WORDS.method) or len(bare) > 1
    return bool(stems) and told and stems <= WORDS.method | WORDS.of_method


def names_model(words: Sequence[str]) -> bool:
    """Tell whether a column is called "model_A": a model by a name that is no column's."""
    name = "_".join(words).lower()
    return name.startswith("model_") and name not in WORDS.model


_CLASS_FIRST = re.compile(
    rf"((?:class|label)[ _.-]?[^ _.-]+)[ _.-]({'|'.join(sorted(WORDS.score))})$", re.IGNORECASE
)
"""A class before the word for its probability, as in "class_0_prob"."""


@lru_cache(64)
def _spelt(classes: tuple[str, ...]) -> tuple[list[int], list[Mapping[str, str]]]:
    """Return how long classes are written, the longest first, and each spelling's classes.

    Of several classes that are written alike, the first is meant.
    """
    spelt = [{written(of): of for of in reversed(classes)} for written in _SPELLINGS]
    lengths = {len(written) for classes_so in spelt for written in classes_so} - {0}
    return sorted(lengths, reverse=True), [*spelt]


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
    lengths, spelt = _spelt(tuple(classes))
    known = list(zip([written(bare) for written in _SPELLINGS], spelt, strict=True))
    for length in lengths:
        stem = bare[:-length]
        for written, classes_so in known:
            of = classes_so.get(written[-length:])
            if of is not None and (not stem or _names_probability(stem, of)):
                return of, model_name(stem.rstrip(_SEPARATORS))
    return None


def _names_probability(stem: str, of: str) -> bool:
    """Tell whether "prob_", "p" (of a number), "logreg_p_" ... stand before the class."""
    if not stem or not of:
        return False
    if stem[-1] not in _SEPARATORS:
        return stem.lower() in ("p", "prob", "proba") and of.isdigit()
    words = [word.lower() for word in pieces(stem.rstrip(_SEPARATORS))]
    return any(word in WORDS.score | WORDS.prediction for word in words)


class Kind(Enum):
    """What a column of predictions holds."""

    LABEL = "label"
    SCORE = "score"
    PROBABILITY = "probability"
    NUMBER = "number"


@dataclass(frozen=True)
class PredictionColumn:
    """One column of predictions of a model, whose name is "" if the column tells none.

    A probability is `of` a class. `unit` tells whether values lie in [0, 1], as far as is known.
    """

    column: str
    kind: Kind
    model: str
    reason: Reason
    of: str | None = None
    unit: bool = False


@dataclass(frozen=True, eq=False)
class View:
    """A table with the profile of each column, and what is known of it: what rules look at."""

    table: Table
    known: Choices = NO_CHOICES

    @cached_property
    def columns(self) -> Mapping[str, Profile]:
        """The profile of each column."""
        return profiles(self.table)

    def role(self, role: str, found: Iterable[str]) -> str | None:
        """Return the column that is chosen for a role, none if so chosen, else the first found."""
        chosen: str | None = getattr(self.known, role)
        return next(iter(found), None) if chosen is None else chosen or None

    @cached_property
    def truths(self) -> list[str]:
        """The columns that are called the truth by a name that is nothing else."""
        return [name for name, column in self.columns.items() if column.plain in WORDS.sure_truth]
