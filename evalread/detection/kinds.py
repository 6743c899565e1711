"""Files that hold something else than predictions: the kinds of `kinds.txt`, and their signs."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice, Offer
from evalcore.text import listed, shorten
from evalread.columns import is_number
from evalread.dataset import Choices, Roles, Table, Task
from evalread.detection.metrics import FEWEST_DRAWS, holds_fold_scores, is_metric, words_of
from evalread.detection.profile import WORDS, Profile, plain, profile, sample, speaks_of_prediction
from evalread.rewriting import paragraphs, rows_sum_to_one

Names = Sequence[str]


@dataclass(frozen=True)
class File:
    """A table and its columns, as the tests for kinds look at them."""

    table: Table
    columns: Mapping[str, Profile]
    choices: Choices

    @cached_property
    def words(self) -> Mapping[str, frozenset[str]]:
        """The words in each column's name."""
        return {name: words_of(name) for name in self.columns}

    def called(self, words: Collection[str]) -> list[str]:
        """Return the columns that have one of these words in their name."""
        return [name for name, found in self.words.items() if not found.isdisjoint(words)]

    def numbers(self, names: Names) -> list[str]:
        """Return those columns that hold numbers in half of their rows, or "0.91 ± 0.02"."""
        columns = [self.columns[name] for name in names]
        texts = [c.name for c in columns if c.labels and all(map(_ESTIMATE.fullmatch, c.labels))]
        return [c.name for c in columns if c.mostly_numeric or c.name in texts]

    @cached_property
    def truths(self) -> list[str]:
        """The columns that are called the truth by a name that is nothing else."""
        return [name for name in self.columns if plain(name) in WORDS.sure_truth]

    @cached_property
    def predicted(self) -> list[str]:
        """The columns that are called predictions, and are no metric and no set of labels."""
        named = self.called(WORDS.prediction)
        return [n for n in named if not (is_metric(n) or self.words[n] & WORDS.set)]

    @cached_property
    def metrics(self) -> list[str]:
        """The columns that are called like a metric, and do not say right or wrong of a row."""
        named = self.numbers([name for name in self.columns if is_metric(name)])
        # "f1" beside "f2" and "f3" is one of many columns.
        counted = {name for name in self.columns if re.fullmatch(r"[a-zA-Z]\d+", name)}
        few = {name for name in counted if name.lower() not in ("f1", "r2")}
        numbered = counted if few else set()
        return [n for n in named if n not in numbered and not self.columns[n].holds_only("01")]

    @cached_property
    def is_prediction_file(self) -> bool:
        """Whether what is called the truth has labels or numbers as a prediction, and no text."""
        named = [column for name, column in self.columns.items() if plain(name) in WORDS.truth]
        others = [c for name, c in self.columns.items() if plain(name) not in WORDS.truth]
        return any(self._predicts(truth, other) for truth in named for other in others)

    def _predicts(self, truth: Profile, other: Profile) -> bool:
        """Tell whether a column is predicted by another, by its name or by two common labels."""
        if joins_labels(truth):
            return False
        if other.name not in self.predicted:
            return len(truth.labels & other.labels) > 1 and not other.numeric
        alike = truth.labels & other.labels or (truth.continuous and other.continuous)
        return bool(alike) and not (self.is_prose(truth.name) and self.is_prose(other.name))

    @cached_property
    def speaks(self) -> bool:
        """Whether a name tells of a truth or a prediction, be it faintly and beside scores."""
        repeated = (c for c in self.columns.values() if c.distinct < c.present)
        faint = any(column.plain in WORDS.faint_truth for column in repeated)
        scores = [name for name in self.called(WORDS.score) if not is_metric(name)]
        return bool(self.truths or self.predicted or (faint and scores))

    def is_prose(self, name: str) -> bool:
        """Tell whether a column holds sentences: cells that differ, of four words and more."""
        column = self.columns[name]
        shown = column.numeric or column.lists or column.moment
        if shown or column.distinct * 2 < column.present:
            return False
        spaces = pc.mean(pc.count_substring(sample(self.table, name, 1000).cast("string"), " "))
        return (spaces.as_py() or 0) >= 3


_ESTIMATE = re.compile(r"\s*[-+]?[\d.,]+\s*%?\s*(±|\+/?-|\(|\[).*")


BETWEEN_LABELS = re.compile(r"\s*[|;]\s*")


def joins_labels(column: Profile) -> bool:
    """Tell whether cells hold "a|b" where "a" stands by itself, too."""
    several = [label for label in column.labels if BETWEEN_LABELS.search(label)]
    parts = {part for label in several for part in BETWEEN_LABELS.split(label)}
    return len(several) > 1 and bool(parts & column.labels)


ROWS_NEEDED = (
    "Numbers and intervals are worked out anew: open the file that holds a row per example, with "
    "its truth and what each model predicted."
)


@dataclass(frozen=True)
class FileKind:
    """One kind of file; `kinds.txt` says what its fields mean."""

    code: str
    says: str
    found: Callable[[File], Names]
    example: str
    counter: str
    remedy: str = ROWS_NEEDED
    truths: tuple[int, int] = (0, 0)
    offer: Offer | None = None


def refuse_other_kinds(table: Table, columns: Mapping[str, Profile], choices: Choices) -> None:
    """Refuse a file of another task, unless somebody or its tool says which column is the truth.

    Raises:
        EvalError: What the file is and what can be done, with the code of its kind.
    """
    if choices.truth or choices.clusterings or choices.features or choices.fold_scores:
        return
    file = File(table, columns, choices)
    if choices.task in (Task.CLUSTERING, Task.FOLDS) or file.is_prediction_file:
        return
    for kind in KINDS:
        if names := list(kind.found(file)):
            judged = names[slice(*kind.truths)]
            offers = [Offer(f'Judge "{shorten(name)}"', "truth", name) for name in judged]
            raise EvalError(
                kind.code,
                f"{kind.says.format(listed(names, 6), listed(table.names))} {kind.remedy}",
                offers=[*offers, *filter(None, [kind.offer])],
            )


def report(file: File) -> Names:
    """Find a text in place of a table."""
    (only, *more) = file.columns
    titled = only.startswith(("===", "#", '"""'))
    return [only] if not more and (titled or file.is_prose(only)) else []


def mlflow(file: File) -> Names:
    """Find scores of answers as MLflow calls them, "toxicity/v1/score"."""
    return [name for name in file.columns if re.fullmatch(r".+/v\d+(/\w+)?", name)]


def judged(file: File) -> Names:
    """Find what a judge said of answers, where no other column says what was right."""
    told = file.called(WORDS.judgement)
    right = file.called(WORDS.person_judging) or any(plain(n) in WORDS.truth for n in file.columns)
    return file.called(WORDS.judge) if told and not right else []


_CORNERS = (
    "xmin ymin xmax ymax", "x_min y_min x_max y_max", "x_center y_center width height",
    "x1 y1 x2 y2", "left top right bottom", "x y width height", "x y w h",
)  # fmt: skip
"""How the corners of boxes are called; the later names mean more than boxes."""


def boxes(file: File) -> Names:
    """Find the corners of boxes, or a column of boxes."""
    named = {plain(name): name for name in file.columns}
    for corners in _CORNERS if file.called(WORDS.image) else _CORNERS[:3]:
        found = [next((named[n] for n in named if n.endswith(one)), "") for one in corners.split()]
        if len(set(found) - {""}) == 4 and len(named) > 4 and file.numbers(found) == found:
            return found
    return file.called(WORDS.boxes)


def hits(file: File) -> Names:
    """Find the column that says of each row which of the four outcomes it is."""
    outcomes, errors = WORDS.four_outcomes, WORDS.error_outcomes
    several = [column for column in file.columns.values() if len(column.labels) > 1]
    few = (c for c in several if not c.numeric and len(c.labels) <= len(outcomes))
    texts = ((column.name, {*map(plain, column.labels)}) for column in few)
    found = [name for name, labels in texts if labels <= outcomes and labels & errors]
    rest = [column.labels for column in several if column.name not in found]
    # Two columns of the same labels are a truth and its prediction.
    return found if len(set(rest)) == len(rest) else []


def survival(file: File) -> Names:
    """Find a time and whether the event came; "status" is one beside a risk or a "time"."""
    at_risk = bool(file.called(WORDS.risk))
    timed = {"status"} if any(plain(name) == "time" for name in file.columns) else set()
    events = _only(file, WORDS.event | ({"status", "e"} if at_risk else timed))
    events = [name for name in events if file.columns[name].distinct == 2]
    columns = (file.columns[n] for n in _only(file, WORDS.duration | ({"t"} if at_risk else set())))
    long = [c.name for c in columns if c.continuous and c.low >= 0 and not c.counting]
    # "prob_died" is about "died", whenever it was.
    named = {file.words[name] - WORDS.score for name in file.called(WORDS.score)}
    events = [n for n in events if file.words[n] not in named and n not in long]
    told = all(file.words[name] & WORDS.risk for name in file.predicted)
    return [long[0], events[0]] if told and long and events else []


def _only(file: File, words: frozenset[str]) -> list[str]:
    """Return the columns called by one of these words, with few others beside it."""
    return [name for name in file.called(words) if file.words[name] <= WORDS.beside_event | words]


def ranking(file: File) -> Names:
    """Find a query, a document and how relevant it is."""
    grades = file.called(WORDS.relevance)
    grades += file.called({"label"}) if file.called(WORDS.ranked) else []
    found = [file.called(WORDS.query), file.called(WORDS.document), file.numbers(grades)]
    first = {name for columns in found for name in columns[:1]}
    return [columns[0] for columns in found] if len(first) == 3 else []


def targets(file: File) -> Names:
    """Find several truths, each with predictions that are named after it."""
    stems = {name: words - WORDS.spoken - {"y"} for name, words in file.words.items()}
    predicted = {name: stems[name] for name in file.called(WORDS.spoken)}
    named = {stem for name, stem in predicted.items() if file.words[name] & WORDS.prediction}
    of_truth: dict[frozenset[str], str] = {}
    for name in file.columns.keys() - predicted.keys():
        stem = stems[name] - WORDS.about_truth
        # "rf_label" beside "rf_score" is the label that a model gave.
        bare = stem - {"label"} if stem - {"label"} in named else stem
        of_truth.setdefault(bare, name)
    found = {name for stem, name in of_truth.items() if stem in predicted.values()}
    several = len(found) > 1 and frozenset() not in of_truth
    return [name for name in file.columns if name in found] if several else []


def labels(file: File) -> Names:
    """Find several truths of two values each."""
    found = targets(file)
    return found if all(file.columns[name].distinct == 2 for name in found) else []


def labels_in_a_cell(file: File) -> Names:
    """Find cells of several labels: lists, or "a|b" where "a" and "b" stand by themselves, too."""
    named = (column for column in file.columns.values() if column.plain in WORDS.truth)
    return [column.name for column in named if column.lists or joins_labels(column)]


def sets(file: File) -> Names:
    """Find sets of labels, of which one is right with some probability."""
    named = file.called(WORDS.prediction | {"conformal"})
    named = [name for name in named if file.words[name] & WORDS.set]
    others = [n for n in file.columns if speaks_of_prediction(n) and n not in named]
    return [] if others else named


def texts(file: File) -> Names:
    """Find sentences in place of labels, on both sides."""
    first = [name for name in file.truths if file.is_prose(name)][:1]
    named = file.called(WORDS.prediction | WORDS.answer) if first else []
    second = [n for n in named if n not in file.truths and file.is_prose(n)][:1]
    return [*first, *second] if second else []


def blank_truth(file: File) -> Names:
    """Find the truth that a name tells, by itself or by that of its prediction, without a value."""
    blank = [name for name, column in file.columns.items() if not column.present]
    own = {file.words[name] - WORDS.prediction for name in file.predicted}
    named = [name for name in blank if plain(name) in WORDS.truth or file.words[name] in own]
    predicted = {label for name in file.predicted for label in file.columns[name].labels}
    others = (file.columns[n] for n in file.columns.keys() - {*blank, *file.predicted})
    told = any(column.plain in WORDS.truth or column.labels & predicted for column in others)
    return [] if told else named


def numbers_above(file: File) -> Names:
    """Find a header of numbers with decimals among them, which are no names of classes."""
    numbers = [name for name in file.columns if is_number(name)]
    enough = 2 * len(numbers) >= len(file.columns) > 2
    return numbers if enough and any("." in name for name in numbers) else []


def probabilities(file: File) -> Names:
    """Find probabilities of three classes and more that no column holds."""
    scores = (file.columns[name] for name in file.called(WORDS.score))
    named = [column.name for column in scores if column.unit and not column.whole]
    classes = {" ".join(sorted(file.words[name] - WORDS.score)) for name in named} - {""}
    few = 2 < len(named) == len(classes)
    if not few or file.speaks or not rows_sum_to_one(file.table, named):
        return []
    others = [column for name, column in file.columns.items() if name not in named]
    coded = any(column.distinct == len(named) for column in others)
    held = any(label.lower() in classes for column in others for label in column.labels)
    return [] if coded or held else named


def methods(file: File) -> Names:
    """Find numbers below the names of methods, and little else but what numbers the rows."""
    spoken = WORDS.spoken - {"decision"}
    named = [n for n in file.called(WORDS.learner) if not file.words[n] & spoken]
    named = [name for name in named if file.columns[name].continuous]
    rest = [column for name, column in file.columns.items() if name not in named]
    names = [c for c in rest if c.counting or (not c.numeric and c.distinct == c.present)]
    others = len(rest) - len(names)
    few = len(named) < 2 or 2 * others > len(named) or len(names) > 1
    told = any(speaks_of_prediction(c.name) or c.plain in WORDS.truth for c in rest)
    return [] if few or told or file.table.n > _MOST_FOLDS else named


def submission(file: File) -> Names:
    """Find the one column beside ids, which is the truth or a prediction."""
    keys = {name for name, column in file.columns.items() if _is_key(column)}
    others = (column for name, column in file.columns.items() if name not in keys)
    free = [column.name for column in others if not (column.constant or column.moment)]
    return free if keys and len(free) == 1 and not file.called(WORDS.cluster) else []


def _is_key(column: Profile) -> bool:
    named = column.plain in WORDS.id or column.plain.endswith("_id")
    spoken = words_of(column.name) & (WORDS.about_truth | WORDS.spoken)
    return (named and column.unique) or (column.counting and not spoken)


def sweep(file: File) -> Names:
    """Find thresholds and what was measured at them, or the points of a curve."""
    thresholds = file.numbers(file.called(WORDS.threshold))
    measures = list(dict.fromkeys([*file.metrics, *file.called(WORDS.four)]))
    several = len([name for name in measures if name not in thresholds]) > 1
    numeric = all(column.numeric for column in file.columns.values())
    points = numeric and len(file.called({"fpr"})) == len(file.called({"tpr"})) == 1
    if file.speaks or not several or not (thresholds or points):
        return []
    return [*thresholds[:1], *(name for name in measures if name not in thresholds)]


def history(file: File) -> Names:
    """Find epochs, or steps, and losses or metrics at them."""
    epochs, steps = (file.numbers(file.called(words)) for words in (WORDS.epoch, WORDS.step))
    losses = [name for name in file.called(WORDS.loss) if file.columns[name].numeric]
    measured = [*dict.fromkeys([*losses, *file.metrics])]
    paired = {name.removeprefix("val_") for name in measured if name.startswith("val_")}
    told = (epochs and measured) or (steps and losses) or paired & set(measured)
    return [*epochs[:1], *measured] if told and not file.speaks else []


def draws(file: File) -> Names:
    """Find metrics of one model in many rows that only a number tells apart."""
    rest = [file.columns[name] for name in file.columns.keys() - {*file.metrics}]
    numbered = all(c.counting or c.plain in WORDS.repeat or not c.present for c in rest)
    several = len(file.columns) > 1 and file.table.n >= FEWEST_DRAWS
    return file.metrics if numbered and several else []


def finished(file: File) -> Names:
    """Find metrics and their spreads; one alone is enough beside the names of models."""
    summary = file.metrics and not file.speaks
    if not summary or holds_fold_scores(file.table, file.choices, file.columns):
        return []
    measures = list(dict.fromkeys([*file.metrics, *file.numbers(file.called(WORDS.estimate))]))
    settings = [n for n in file.columns.keys() - {*measures} if file.columns[n].numeric]
    models = [name for name in file.called(WORDS.model) if not file.columns[name].numeric]
    enough = len(measures) > 1 or models
    return measures if enough and len(settings) <= len(measures) else []


_MOST_METRICS = 200
"""Metrics that somebody lists; a longer list of words is something else."""


def listed_metrics(file: File) -> Names:
    """Find a column of names of metrics beside their values."""
    if file.truths or file.predicted or file.called(WORDS.fold):
        return []
    texts = (column for column in file.columns.values() if not column.numeric)
    words = [column for column in texts if 1 < len(column.labels) <= _MOST_METRICS]
    share = {c.name: sum(map(is_metric, c.labels)) / len(c.labels) for c in words}
    named = [c.name for c in words if share[c.name] >= 0.5 and share[c.name] * c.distinct > 1]
    return named if any(c.mostly_numeric for c in file.columns.values()) else []


_MOST_FOLDS = 1000
"""Rows that may be folds where no column says so."""


def _kinds() -> Iterator[FileKind]:
    functions = {
        function.__name__: function
        for function in (
            *(report, mlflow, judged, boxes, hits, survival, ranking, labels, targets, sets),
            *(labels_in_a_cell, texts, blank_truth, sweep, history, draws, finished),
            *(listed_metrics, numbers_above, probabilities, methods, submission),
        )
    }
    for (code, says), fields in paragraphs("kinds.txt", 2):
        more: dict[str, Any] = {**fields, "found": functions[fields["found"]]}
        if "truths" in fields:
            more["truths"] = tuple(map(int, fields["truths"].split()))
        if "offer" in fields:
            more["offer"] = Offer(*fields["offer"].split(", "))
        yield FileKind(code, says, **more)


KINDS: tuple[FileKind, ...] = tuple(_kinds())
"""Every kind of file that is refused; the first that fits names a file."""

_MOST_SLICES = 50
"""Slices that are told from each other at a glance."""


def slices_of_forecasts(table: Table, roles: Roles) -> Iterator[Notice]:
    """Offer the horizon and the series of forecasts as what errors are sliced by."""
    if roles.task is not Task.REGRESSION or roles.group:
        return
    named = [n for n in table.names if words_of(n) & WORDS.horizon and n not in roles.reasons]
    free = [name for name in named if 1 < profile(table, name).distinct <= _MOST_SLICES]
    if free:
        message = f"Errors may differ with {listed(free)}; they are worked out over all rows."
        offers = tuple(Offer(f'Slice by "{shorten(name)}"', "group", name) for name in free)
        yield Notice("forecasts", message, column=free[0], offers=offers)
