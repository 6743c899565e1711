"""Files that hold something else than predictions: what the kinds of `kinds.txt` are told by."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import takewhile

import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice, Offer
from evalcore.text import listed, shorten
from evalread.columns import is_number
from evalread.dataset import Choices, Roles, Table, Task
from evalread.detection.profile import (
    WORDS,
    Profile,
    View,
    is_metric,
    plain,
    profile,
    sample,
    speaks_of_prediction,
    words_of,
)
from evalread.notices import notice, paragraphs
from evalread.rewriting import rows_sum_to_one

_ESTIMATE = re.compile(r"\s*[-+]?[\d.,]+\s*%?\s*(±|\+/?-|\(|\[).*")
_BETWEEN_LABELS = re.compile(r"\s*[|;]\s*")

_CORNERS = (
    "xmin ymin xmax ymax", "x_min y_min x_max y_max", "x_center y_center width height",
    "x1 y1 x2 y2", "left top right bottom", "x y width height", "x y w h",
)  # fmt: skip
"""How the corners of boxes are called; the last four mean more than boxes if no image is named."""

_MOST_BANDS = 100
"""Bands of a table of means: percentiles; more rows are examples."""

_MOST_TRUTHS = 20
"""Columns called the truth of which predictions are looked for; nobody means more."""

_MOST_METRICS = 200
"""Metrics that somebody lists, or columns beside them; more are something else."""


@dataclass(frozen=True, eq=False)
class File(View):
    """A table, as the kinds of `kinds.txt` describe it."""

    def called(self, words: Collection[str]) -> list[str]:
        """Return the columns that have one of these words in their name."""
        named = {name for word in words for name in self._by_word.get(word, ())}
        return [name for name in self.columns if name in named] if named else []

    @cached_property
    def _by_word(self) -> Mapping[str, list[str]]:
        """The columns with each word that is in a name."""
        found: dict[str, list[str]] = {}
        for name in self.columns:
            for word in words_of(name):
                found.setdefault(word, []).append(name)
        return found

    def named(self, said: str) -> Collection[str]:
        """Return the columns that a word of a description names: see `_names_columns`."""
        if said not in self._named:
            each = map(self._told_by, said.split("|"))
            self._named[said] = frozenset().union(*each)
        return self._named[said]

    def _told_by(self, said: str) -> Collection[str]:
        if said[0] == '"':
            return self.called([said[1:-1]])
        told: Collection[str] = getattr(self, said, ())
        return told if hasattr(File, said) else self.called(getattr(WORDS, said))

    @cached_property
    def _named(self) -> dict[str, Collection[str]]:
        """The columns that each word names which was asked for so far."""
        return {}

    @cached_property
    def predicted(self) -> Collection[str]:
        """The columns that are called predictions, and are no metric and no set of labels."""
        named = self.called(WORDS.prediction)
        return {n for n in named if not (is_metric(n) or words_of(n) & WORDS.set)}

    @cached_property
    def predicted_labels(self) -> Collection[str]:
        """The labels of all predictions."""
        return frozenset().union(*(self.columns[name].labels for name in self.predicted))

    @cached_property
    def label_sets(self) -> Mapping[frozenset[str], int]:
        """How many columns hold each set of labels."""
        return Counter(column.labels for column in self.columns.values())

    @cached_property
    def stems(self) -> set[frozenset[str]]:
        """What the names of predictions and scores are about."""
        return {words_of(n) - WORDS.spoken for n in [*self.predicted, *self.called(WORDS.score)]}

    @cached_property
    def metrics(self) -> Collection[str]:
        """The columns that are called like a metric, and do not say right or wrong of a row."""
        columns = [c for name, c in self.columns.items() if is_metric(name)]
        # "f1" beside "f2" and "f3" is one of many columns.
        counted = {name for name in self.columns if re.fullmatch(r"[a-zA-Z]\d+", name)}
        numbered = counted if {*map(str.lower, counted)} - {"f1", "r2"} else set()
        fit = (c for c in columns if c.name not in numbered and not c.holds_only("01"))
        return {c.name for c in fit if holds_numbers(c)}

    @cached_property
    def telling(self) -> Collection[str]:
        """The columns whose names tell of a truth or a prediction, be it faintly beside scores."""
        scored = any(not is_metric(name) for name in self.called(WORDS.score))
        repeated = (c for c in self.columns.values() if scored and c.distinct < c.present)
        faint = [column.name for column in repeated if column.plain in WORDS.faint_truth]
        return {*self.truths, *self.predicted, *faint}

    @cached_property
    def targets(self) -> Collection[str]:
        """The truths, where several have predictions that are named after them."""
        # "y_true" is about nothing, but "true_y" beside "true_x" is a coordinate.
        blank = set() if any("x" in words_of(name) for name in self.predicted) else {"y"}
        stems = {name: words_of(name) - WORDS.spoken - blank for name in self.columns}
        predicted = {name: stems[name] for name in self.called(WORDS.spoken)}
        named = {stem for name, stem in predicted.items() if words_of(name) & WORDS.prediction}
        of_truth: dict[frozenset[str], str] = {}
        for name in self.columns.keys() - predicted.keys():
            stem = stems[name] - WORDS.about_truth
            # "rf_label" beside "rf_score" is the label that a model gave.
            bare = stem - {"label"} if stem - {"label"} in named else stem
            of_truth.setdefault(bare, name)
        found = [name for stem, name in of_truth.items() if stem in predicted.values()]
        return found if len(found) > 1 and frozenset() not in of_truth else []

    @cached_property
    def corners(self) -> Collection[str]:
        """The corners of boxes, or columns of boxes."""
        named = {plain(name): name for name, c in self.columns.items() if holds_numbers(c)}
        for four in map(str.split, _CORNERS if self.called(WORDS.image) else _CORNERS[:3]):
            ends = (next((named[n] for n in named if n.endswith(one)), "") for one in four)
            found = [*takewhile(bool, ends)]
            if len({*found}) == 4 < len(self.columns):
                return found
        return self.called(WORDS.boxes)

    @cached_property
    def chances(self) -> Collection[str]:
        """The probabilities of three classes and more that no column holds."""
        scores = (self.columns[name] for name in self.called(WORDS.score))
        named = [column.name for column in scores if column.unit and not column.whole]
        classes = {" ".join(sorted(words_of(name) - WORDS.score)) for name in named} - {""}
        if not 2 < len(named) == len(classes) or not rows_sum_to_one(self.table, named):
            return []
        others = [column for name, column in self.columns.items() if name not in named]
        coded = any(column.distinct == len(named) for column in others)
        held = any(label.lower() in classes for column in others for label in column.labels)
        return [] if coded or held else named

    @cached_property
    def banded(self) -> Collection[str]:
        """The columns that name bands, each once, where no truth holds labels: of means by band."""
        truths = (c for c in self.columns.values() if c.plain in WORDS.truth)
        if self.table.n > _MOST_BANDS or not all(c.continuous for c in truths):
            return []
        own = [c for c in self.columns.values() if c.counting or _TRAITS["naming"](self, c)]
        return [c.name for c in own if words_of(c.name) & WORDS.band]

    @cached_property
    def is_prediction_file(self) -> bool:
        """Whether what is called the truth has labels or numbers as a prediction, and no text."""
        if self.banded:
            return False
        named = [column for name, column in self.columns.items() if plain(name) in WORDS.truth]
        others = [c for name, c in self.columns.items() if plain(name) not in WORDS.truth]
        named = named[:_MOST_TRUTHS]
        return any(self._predicts(truth, other) for truth in named for other in others)

    def _predicts(self, truth: Profile, other: Profile) -> bool:
        """Return whether a column is predicted by another, by its name or by two common labels."""
        if joins_labels(truth):
            return False
        if other.name not in self.predicted:
            return len(truth.labels & other.labels) > 1 and not other.numeric
        alike = truth.labels & other.labels or (truth.continuous and other.continuous)
        return bool(alike) and not (self.is_prose(truth) and self.is_prose(other))

    def is_prose(self, column: Profile) -> bool:
        """Return whether a column holds sentences: cells that differ, of four words and more."""
        shown = column.numeric or column.lists or column.moment
        if shown or column.distinct * 2 < column.present:
            return False
        cells = sample(self.table, column.name, 1000).cast("string")
        return (pc.mean(pc.count_substring(cells, " ")).as_py() or 0) >= 3

    def find(self, described: str, taken: Collection[str] = ()) -> list[str]:
        """Return the columns that are described; none where there are not as many as needed."""
        words = described.split()
        amount = words.pop(0) if words[0] in _AMOUNTS else ""
        others = set(taken)
        left = [column for name, column in self.columns.items() if name not in others]
        # Few columns are named: only these are looked at further.
        for said in sorted(words, key=lambda said: not _names_columns(said)):
            if not left:
                return []
            if _names_columns(said):
                named = self.named(said)
                left = [column for column in left if column.name in named] if named else []
            else:
                is_so = _trait(said)
                left = [column for column in left if is_so(self, column)]
        found = [column.name for column in left]
        return (found[:1] if amount == "first" else found) if _AMOUNTS[amount](self, found) else []


@cache
def _names_columns(said: str) -> bool:
    """Return whether a word of a description names columns, rather than is true of each or not."""
    if "|" in said:
        return all(map(_names_columns, said.split("|")))
    named = hasattr(File, said) or said in WORDS.in_order
    return said[0] == '"' or (named and said not in _TRAITS)


def joins_labels(column: Profile) -> bool:
    """Return whether cells hold "a|b" where "a" stands by itself, too."""
    several = [label for label in column.labels if _BETWEEN_LABELS.search(label)]
    parts = {part for label in several for part in _BETWEEN_LABELS.split(label)}
    return len(several) > 1 and bool(parts & column.labels)


def holds_numbers(column: Profile) -> bool:
    """Return whether a column holds numbers in half of its rows, or "0.91 ± 0.02"."""
    texts = bool(column.labels) and all(map(_ESTIMATE.fullmatch, column.labels))
    return column.mostly_numeric or texts


def _tells_hits(column: Profile) -> bool:
    """Return whether cells say which of the four outcomes a row is, and some are errors."""
    named = (plain(label) for label in column.labels)
    return all(one in WORDS.four_outcomes for one in named) and any(
        plain(label) in WORDS.error_outcomes for label in column.labels
    )


def _lists_metrics(column: Profile) -> bool:
    """Return whether most labels of a column are names of metrics."""
    if column.numeric or len(column.labels) > _MOST_METRICS:
        return False
    called = sum(map(is_metric, column.labels))
    return called > 1 and called * 2 >= len(column.labels)


def _is_key(column: Profile) -> bool:
    """Return whether a column tells rows apart, by its name or as their numbers."""
    named = column.plain in WORDS.id or column.plain.endswith("_id")
    if named and column.unique:
        return True
    return column.counting and words_of(column.name).isdisjoint(WORDS.about_truth | WORDS.spoken)


_OF_SURVIVAL = WORDS.beside_event | WORDS.event | WORDS.duration

Trait = Callable[[File, Profile], bool]

_TRAITS: Mapping[str, Trait] = {
    "only": lambda file, _: len(file.columns) == 1,
    "prose": File.is_prose,
    "number": lambda _, column: holds_numbers(column),
    "numeral": lambda _, column: is_number(column.name),
    "blank": lambda _, column: not column.present,
    "two_valued": lambda _, column: column.distinct == 2,
    "naming": lambda _, column: not column.numeric and column.distinct == column.present,
    "lasting": lambda _, column: column.continuous and column.low >= 0 and not column.counting,
    "brief": lambda _, column: words_of(column.name) <= _OF_SURVIVAL,
    "joined": lambda _, column: column.lists or joins_labels(column),
    "outcome": lambda _, column: _tells_hits(column),
    "listing": lambda file, column: len(file.columns) <= _MOST_METRICS and _lists_metrics(column),
    "key": lambda _, column: _is_key(column),
    "speaking": lambda _, column: speaks_of_prediction(column.name),
    "validated": lambda file, column: f"val_{column.name}" in file.columns,
    "paired": lambda file, column: words_of(column.name) in file.stems,
    "shared": lambda file, column: not column.labels.isdisjoint(file.predicted_labels),
    "twin": lambda file, column: len(column.labels) > 1 < file.label_sets[column.labels],
}
"""What `kinds.txt` says of a column beside its profile and the words in its name."""


@cache
def _trait(said: str) -> Trait:
    """Return what tells whether a word of a description in `kinds.txt` is true of a column."""
    if "|" in said:
        several = [*map(_trait, said.split("|"))]
        return lambda file, column: any(is_so(file, column) for is_so in several)
    if _names_columns(said):
        return lambda file, column: column.name in file.named(said)
    match said[0], said[1:]:
        case "-", other:
            opposite = _trait(other)
            return lambda file, column: not opposite(file, column)
        case "=", use:
            return lambda _, column: column.plain in getattr(WORDS, use)
        case "~", pattern:
            whole = re.compile(pattern).fullmatch
            return lambda _, column: whole(column.name) is not None
    if said in _TRAITS:
        return _TRAITS[said]
    return lambda _, column: bool(getattr(column, said))


_AMOUNTS: Mapping[str, Callable[[File, Collection[str]], bool]] = {
    **dict.fromkeys(("", "first"), lambda _, found: len(found) > 0),
    "one": lambda _, found: len(found) == 1,
    "two": lambda _, found: len(found) > 1,
    "half": lambda file, found: 2 * len(found) >= len(file.columns),
    "most": lambda file, found: len(file.find("numeric", found)) <= len(found),
    "all": lambda file, found: len(found) == len(file.columns),
}

_ROWS_NEEDED = (
    "Evalboard computes numbers and intervals itself: open the file that holds a row per example, "
    "with its truth and what each model predicted."
)


@dataclass(frozen=True)
class FileKind:
    """One kind of file; `kinds.txt` says what its fields mean."""

    code: str
    says: str
    found: str
    example: str
    counter: str
    unless: str = ""
    fewest: str = "0"
    remedy: str = _ROWS_NEEDED
    truths: str = "0 0"
    offer: str = ""

    def columns(self, file: File) -> list[str]:
        """Return the columns by which a file is of this kind; none for another file."""
        ways = self.found.split(" or ") if file.table.n >= int(self.fewest) else []
        found = next(filter(None, (_shown(way, file) for way in ways)), [])
        return [] if found and any(map(file.find, _parts(self.unless))) else found

    def offers(self, found: Sequence[str]) -> list[Offer]:
        """Return the ways to read such a file, with the columns that tell it."""
        judged = found[slice(*map(int, self.truths.split()))]
        offers = [Offer(f'Judge "{shorten(name)}"', "truth", name) for name in judged]
        return [*offers, *([Offer(*self.offer.split(", "))] if self.offer else [])]


def _shown(way: str, file: File) -> list[str]:
    """Return the columns that are named to the reader; none where any is missing."""
    shown, _, needed = way.partition(" with ")
    found: list[str] = []
    for described in _parts(shown):
        more = file.find(described, found)
        if not more:
            return []
        found += more
    return found if all(map(file.find, _parts(needed))) else []


def _parts(described: str) -> list[str]:
    return described.split(", ") if described else []


KINDS = tuple(FileKind(*said, **fields) for said, fields in paragraphs("kinds.txt", 2))
"""Every kind of file that is refused; the first that fits names a file."""


def refuse_other_kinds(table: Table, known: Choices) -> None:
    """Refuse a file of another task, unless somebody or its tool says which column is the truth.

    Raises:
        EvalError: What the file is and what can be done, with the code of its kind.
    """
    if known.truth or known.clusterings or known.features or known.fold_scores:
        return
    file = File(table)
    if known.task in (Task.CLUSTERING, Task.FOLDS) or file.is_prediction_file:
        return
    for kind in KINDS:
        if found := kind.columns(file):
            said = kind.says.format(listed(found, 6), listed(table.names))
            raise EvalError(kind.code, f"{said} {kind.remedy}", offers=kind.offers(found))


_MOST_SLICES = 50
"""Slices that are told from each other at a glance."""


def slices_of_forecasts(table: Table, roles: Roles) -> Iterator[Notice]:
    """Offer the horizon and the series of forecasts as what errors are sliced by."""
    if roles.task is not Task.REGRESSION or roles.group:
        return
    named = [n for n in table.names if words_of(n) & WORDS.horizon and n not in roles.reasons]
    free = [name for name in named if 1 < profile(table, name).distinct <= _MOST_SLICES]
    if free:
        offers = [Offer(f'Slice by "{shorten(name)}"', "group", name) for name in free]
        yield notice("forecasts", column=free[0], names=free, offers=offers)
