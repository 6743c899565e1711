"""Profiles of columns, from a sample of their cells, and the words in their names."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache, wraps
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.errors import ROWS_LISTED
from evalcore.outcomes import Floats, Rows
from evalcore.work import once
from evalread.columns import (
    MOST_LABELS,
    by_value,
    distinct_cells,
    is_list,
    is_text,
    placed_numbers,
    text_of,
)
from evalread.dataset import NO_CHOICES, Choices, Reason, Source, Table
from evalread.notices import Mask


class _Words:
    """The words of `evalread/words.txt` by what they are used for: `WORDS.fold`."""

    def __init__(self) -> None:
        text = Path(__file__).parents[1].joinpath("words.txt").read_text("utf-8")
        found = re.findall(r"^(\w+)(?: \|.*)?\n((?: {4}.+\n)+)", text, re.MULTILINE)
        self.in_order = {use: tuple(words.split()) for use, words in found}
        self.__dict__ |= {use: frozenset(words) for use, words in self.in_order.items()}
        self.sure_truth = self.truth - self.faint_truth
        self.spoken = self.prediction | self.score
        self.clusters = self.cluster | self.clusterer
        # What many names are compared with is put together once.
        self.foretold = self.spoken - self.true
        self.of_a_model = self.spoken | self.label
        self.no_name = self.of_a_model | self.filler
        self.methods = self.method | self.of_method
        self.unpredicted = self.never | self.spread
        self.beside = self.id | self.fold | self.weight | self.group | self.never
        self.vague_truth = self.truth | self.any_truth

    def __getattr__(self, use: str) -> frozenset[str]:
        raise AttributeError(f"words.txt has no paragraph {use}")


WORDS = _Words()

_MODELLING = re.compile("(regression|regressor|classification|classifier)$")
_PLACE = re.compile(r" \(column \d+\)'*$")
_CAMEL = re.compile(r"(?<=[a-oq-z])(?=[A-Z])|(?<=[a-z]p)(?=[A-Z])")  # "pH" is one word
_PART = re.compile(r"[^\s_.:/|()\[\]=-]+")
_NUMBERED = re.compile(rf"({'|'.join(sorted(WORDS.prediction))})(\d+)", re.IGNORECASE)


_KNOWN = 1 << 17
"""Names of which answers are kept: several for each column of a table, such as its model's."""

_MOST_KEPT = 500
"""Letters of a name of which they are kept: labels, which are asked about too, may be texts."""

Answer = TypeVar("Answer")


def remembered(tells: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """Return a function of a name that works each answer out once: many rules ask the same."""
    known: dict[str, Answer] = {}

    @wraps(tells)
    def look(name: str) -> Answer:
        try:
            return known[name]
        except KeyError:
            answer = tells(name)
        if len(name) <= _MOST_KEPT:
            if len(known) >= _KNOWN:
                known.clear()
            known[name] = answer
        return answer

    return look


def _bare(name: str) -> str:
    """Return a column name without the place that tells it from others that are called alike."""
    return (_PLACE.sub("", name) if "(column " in name else name).strip()


@remembered
def pieces(name: str) -> tuple[str, ...]:
    """Split a column name at its separators, or at capitals if it has none; at least one piece.

    >>> pieces("RF_score"), pieces("PredictedLabel"), pieces("prob (column 4)"), pieces("yhat1")
    (('RF', 'score'), ('Predicted', 'Label'), ('prob',), ('yhat', '1'))
    """
    bare = _bare(name)
    parts = _PART.findall(bare)
    if len(parts) == 1:
        parts = _CAMEL.split(parts[0])
    if [part for part in parts if part[-1].isdecimal() and not part.isdecimal()]:
        matches = ((part, _NUMBERED.fullmatch(part)) for part in parts)
        parts = [
            piece for part, match in matches for piece in (match.groups() if match else (part,))
        ]
    return tuple(parts) or (bare,)


@remembered
def lowered(name: str) -> tuple[str, ...]:
    """Return the pieces of a column name in small letters."""
    return tuple(map(str.lower, pieces(name)))


@remembered
def plain(name: str) -> str:
    """Write a column name in lower case with underscores, for look-up.

    >>> plain("True Label"), plain("yTrue")
    ('true_label', 'y_true')
    """
    return "_".join(lowered(name))


@remembered
def words_of(name: str) -> frozenset[str]:
    """Return the words of a name in small letters, also those inside a word.

    >>> sorted(words_of("CV_TrainAcc_mean")), sorted(words_of("precision@5 (F1)"))
    (['acc', 'cv', 'mean', 'train'], ['5', 'f1', 'precision'])
    """
    return frozenset().union(*map(_words_in, pieces(name)))


@remembered
def _words_in(piece: str) -> frozenset[str]:
    if piece.isdecimal():  # another one in each name, perhaps
        return frozenset((piece,))
    return frozenset(word for part in re.findall(r"\w+", piece) for word in lowered(part))


def is_metric(name: str) -> bool:
    """Return whether a name is that of a metric, whatever it was measured on.

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
    # Whether they number the rows in whatever order, as ids do; see `_number_rows`.
    numbering: bool = False
    lists: bool = False
    # Whether the column holds dates or times.
    moment: bool = False
    # What the column predicts by its name, once it was asked, by what was asked.
    told: dict[Any, "PredictionColumn | None"] = field(default_factory=dict, repr=False)

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
        """Return whether the values are labels, and all among these."""
        return bool(self.labels) and self.labels <= frozenset(labels)

    def holds_some(self, labels: Collection[str]) -> bool:
        """Return whether some of the values are among these labels."""
        return not self.labels.isdisjoint(labels)

    @property
    def unit(self) -> bool:
        """Whether all values are numbers in [0, 1]."""
        return self.numeric and self.low >= 0 and self.high <= 1


_AT_ONCE = 50_000
"""Cells that are looked at together, so that many short columns take no longer than one long."""


@once
def profiles(table: Table) -> Mapping[str, Profile]:
    """Return the profile of every column of a table, which is looked at once."""
    found: dict[str, Profile] = {}
    alike: dict[pa.DataType, dict[str, pa.ChunkedArray]] = {}
    for name in table.columns:
        column = sample(table, name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_nested(column.type):
            held = len(column) - column.null_count
            found[name] = Profile(name, frozenset(), 0, held, lists=True)
        elif pa.types.is_temporal(column.type):
            found[name] = Profile(name, frozenset(), len(column.unique()), len(column), moment=True)
        else:
            alike.setdefault(column.type, {})[name] = column
    for columns in map(list, (columns.items() for columns in alike.values())):
        many = max(1, _AT_ONCE // max(1, len(columns[0][1])))
        for start in range(0, len(columns), many):
            block = _Block(dict(columns[start : start + many]), table.source)
            found |= {one.name: one for one in block.profiles()}
    return MappingProxyType({name: found[name] for name in table.columns})


def profile(table: Table, name: str) -> Profile:
    """Return the profile of one column of a table."""
    return profiles(table)[name]


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


class _Block:
    """Columns of one type and length, of which each distinct cell is read once.

    `_places` are (columns, rows): where each cell stands among the distinct ones, or -1, the place
    of a missing cell at the end of what is known of them.
    """

    def __init__(self, columns: Mapping[str, pa.ChunkedArray], source: Source) -> None:
        self._names = list(columns)
        self._cells, self._places = distinct_cells(list(columns.values()))
        self._source = source

    @cached_property
    def _labels(self) -> NDArray[np.object_]:
        """What the distinct cells are called as labels; a missing one is ""."""
        return np.array([*(text_of(cell).strip() for cell in self._cells.to_pylist()), ""], object)

    def profiles(self) -> Iterator[Profile]:
        """Yield the profile of each column."""
        numbers, wrong, percent = placed_numbers(self._cells, self._places, self._source)
        numbers[percent] /= 100
        strange = np.count_nonzero(wrong, axis=1)
        plain = strange == 0
        of_numbers = iter(self._of_numbers(np.flatnonzero(plain), numbers[plain]))
        for at, count in enumerate(strange.tolist()):
            yield self._of_text(at, count) if count else next(of_numbers)

    def _of_text(self, at: int, strange: int) -> Profile:
        """Return the profile of a column in which some cells are no numbers."""
        name, rows = self._names[at], self._places.shape[1]
        called = self._labels[self._places[at]].tolist()
        readable = is_text(self._cells.type)
        if readable and is_list(next(filter(None, called), "")):
            return Profile(
                name, frozenset(), 0, rows - int((self._places[at] < 0).sum()), lists=True
            )
        mostly = not readable or min(strange, ROWS_LISTED) * 2 <= max(1, min(rows, 1000))
        labels, present = frozenset(called) - {""}, rows - called.count("")
        distinct = len(labels)
        if distinct > MOST_LABELS:  # too many to be labels
            labels, distinct, present = frozenset(), len(np.unique(self._places[at])), rows
        moment = bool(labels) and all(map(_DATE.fullmatch, labels))
        return Profile(name, labels, distinct, present, mostly_numeric=mostly, moment=moment)

    def _of_numbers(self, columns: Rows, values: Floats) -> Iterator[Profile]:
        """Yield the profiles of columns of numbers, (columns, rows) with NaN where one is missing.

        Decimals of which most rows have their own are measured, as most columns of wide tables are.
        """
        ordered = np.sort(values, axis=1)
        there = ~np.isnan(ordered)
        present = there.sum(axis=1)
        apart = (ordered[:, 1:] != ordered[:, :-1]) & there[:, 1:]
        distinct = apart.sum(axis=1) + (present > 0)
        whole = ((values == np.floor(values)) | np.isnan(values)).all(axis=1)
        measured = ~whole & (distinct > np.maximum(present / 2, _FEW_ROWS))
        few = whole | (distinct <= _MOST_DECIMAL_LABELS)
        labelled = (distinct <= MOST_LABELS) & few & ~measured
        counting = whole & (present > 2) & _count_up(values)
        apart_all = whole & (distinct == present) & (present > _FEWEST_NUMBERED)
        for k, at in enumerate(columns.tolist()):
            if not present[k]:
                yield Profile(self._names[at], frozenset(), 0, 0)
                continue
            yield Profile(
                self._names[at],
                self._number_labels(at) if labelled[k] else frozenset(),
                int(distinct[k]),
                int(present[k]),
                numeric=True,
                mostly_numeric=True,
                whole=bool(whole[k]),
                low=float(ordered[k, 0]),
                high=float(ordered[k, present[k] - 1]),
                counting=bool(counting[k]),
                numbering=bool(apart_all[k]) and _number_rows(ordered[k, : present[k]]),
            )

    def _number_labels(self, at: int) -> frozenset[str]:
        return by_value(frozenset(self._labels[self._places[at]].tolist()) - {""})


_FEWEST_NUMBERED = 20
"""Rows of which 1, 2, 3 ... may be a measurement by chance or by design."""

_REPEATS_EXPECTED = 10
"""Repeated values from which numbers without any are no measurement: by chance 1 in 20,000."""


def _number_rows(ordered: Floats) -> bool:
    """Tell rising whole numbers, all different, that number rows, from those of a measurement.

    Of n numbers drawn from m evenly spaced ones about n (n - 1) / 2 m pairs are equal, and none is
    by chance exp(-n (n - 1) / 2 m) (the birthday problem); uneven ones repeat more often still.
    """
    reach = ordered[-1] - ordered[0]
    if not reach < 2**53:  # doubles beyond that leave whole numbers out
        return False
    step = int(np.gcd.reduce(np.diff(ordered).astype(np.int64)))
    pairs = len(ordered) * (len(ordered) - 1) / 2
    return bool(pairs >= _REPEATS_EXPECTED * (reach / step + 1))


def _count_up(values: Floats) -> Mask:
    """Tell of each row of numbers whether they rise by one, with a leap between sampled parts."""
    with np.errstate(invalid="ignore", over="ignore"):
        steps = np.diff(values, axis=1)
    leaps = 2 if values.shape[1] > 100 else 0
    rising = np.isfinite(values).all(axis=1) & (steps > 0).all(axis=1)
    found: Mask = rising & (np.count_nonzero(steps != 1, axis=1) <= leaps)
    return found


BETWEEN = ": "
"""Stands between the name of a table and that of its column, where several were joined."""

_SEPARATORS = " _.-:=/("

_NO_LETTER = re.compile(r"[\W_]")


def _spellings(name: str, most: int = 1 << 30) -> tuple[str, str, str]:
    """Return how a name ends: as it is, in small letters, and these with underscores."""
    low = name.lower()[-most:]
    return name[-most:], low, _NO_LETTER.sub("_", low)


def owner_of(name: str) -> tuple[str, str]:
    """Split "rf: score" into the table it is from and its own name."""
    owner, between, own = name.partition(BETWEEN)
    return (owner, own) if between else ("", name)


@remembered
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
    words, low = pieces(column), lowered(column)
    if names_method(words):
        return " ".join(words)
    if low[0] == "model" and len(words) > 1 and WORDS.of_a_model.isdisjoint(low[1:]):
        return column
    return " ".join([w for w, small in zip(words, low, strict=True) if small not in WORDS.no_name])


@remembered
def speaks_of_prediction(column: str) -> bool:
    """Return whether a column's name says that it holds predictions.

    >>> speaks_of_prediction("y_score"), speaks_of_prediction("model_A")
    (True, True)
    >>> speaks_of_prediction("income")
    False
    """
    own = owner_of(column)[1]
    named = names_method(pieces(own)) or names_model(pieces(own))
    return (named or not WORDS.spoken.isdisjoint(lowered(own))) and not truth_word(column)


@remembered
def truth_word(name: str) -> bool:
    """Return whether a name begins or ends with a word for the truth, and predicts nothing.

    >>> truth_word("target_churn"), truth_word("human_score"), truth_word("prob_true")
    (True, True, False)
    """
    words = lowered(name)
    spoken = WORDS.foretold.intersection(words)
    if spoken:  # a score that was given is a truth, the probability of being true is none
        return words[0] in WORDS.given and spoken <= WORDS.measured_score
    return bool({words[0], words[-1]} & WORDS.true) or "truth" in words


def names_method(words: Sequence[str]) -> bool:
    """Return whether a column is called after a method: "resnet50", "RF", "Linear Regression"."""
    stems = dict[str, str]()
    for word in words:
        if bare := word.lower().rstrip("0123456789"):
            stems[bare] = _MODELLING.sub("", bare)
            if stems[bare] and stems[bare] not in WORDS.methods:
                return False
    return any(stems.values()) and (len(stems) > 1 or not WORDS.method.isdisjoint(stems.values()))


def names_model(words: Sequence[str]) -> bool:
    """Return whether a column is called "model_A": a model by a name that is no column's."""
    named = len(words) > 1 and words[0].lower() == "model"
    return named and "_".join(words).lower() not in WORDS.model


_CLASS_FIRST = re.compile(
    rf"((?:class|label)[ _.-]?[^ _.-]+)[ _.-]({'|'.join(sorted(WORDS.score))})$", re.IGNORECASE
)
"""A class before the word for its probability, as in "class_0_prob"."""


@lru_cache(64)
def _spelt(classes: tuple[str, ...]) -> tuple[list[int], list[Mapping[str, str]]]:
    """Return how long classes are written, the longest first, and each spelling's classes.

    Of several classes that are written alike, the first is meant.
    """
    written = [_spellings(of) for of in reversed(classes)]
    spelt = [dict(zip(of, reversed(classes), strict=True)) for of in zip(*written, strict=True)]
    lengths = {len(one) for classes_so in spelt for one in classes_so} - {0}
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
    lengths, spelt = _spelt(tuple(classes))
    if not lengths:
        return None
    bare = _bare(name)
    if "class" in (low := bare.lower()) or "label" in low:
        bare = _CLASS_FIRST.sub(r"\2_\1", bare)
    known = list(zip(_spellings(bare, lengths[0]), spelt, strict=True))
    for length in lengths:
        stem = bare[:-length]
        for written, classes_so in known:
            of = classes_so.get(written[-length:])
            if of is not None and (not stem or _names_probability(stem, of)):
                return of, model_name(stem.rstrip(_SEPARATORS))
    return None


def _names_probability(stem: str, of: str) -> bool:
    """Return whether "prob_", "p" (of a number), "logreg_p_" ... stand before the class."""
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
