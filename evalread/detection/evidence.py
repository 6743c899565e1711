"""What speaks for and against a column as the truth: the rules of `evidence.txt`."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from evalread.dataset import Confidence, Evidence, Reason, Table
from evalread.detection.predictions import predictions_by_name, target_words
from evalread.detection.profile import (
    FEW_CLASSES,
    WORDS,
    Profile,
    lowered,
    model_name,
    names_model,
    pieces,
    plain,
    speaks_of_prediction,
    truth_word,
)
from evalread.detection.scores import end_of, is_confidence, label_of_high, surrounds
from evalread.notices import paragraphs
from evalread.rewriting import rows_sum_to_one


@dataclass(frozen=True, eq=False)
class Facts:
    """What rules look at: the columns of a file that have no other role.

    Those `chosen` are known to be predictions, and about `labels`, if there are any.
    """

    table: Table
    free: Sequence[Profile]
    chosen: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()

    @cached_property
    def candidates(self) -> tuple[Profile, ...]:
        """The columns that may be the truth as far as their values go."""
        readable = (c for c in self.free if c.present and not (c.moment or c.lists))
        # A text without repeats is an id; a column called after a model is its own.
        told = (c for c in readable if c.mostly_numeric or not c.unique)
        others = (c for c in told if not names_model(pieces(c.name)) and c.plain not in WORDS.model)
        return tuple(column for column in others if column.name not in self.chosen)

    @cached_property
    def unspoken(self) -> tuple[Profile, ...]:
        """The candidates whose names say nothing of predictions."""
        return tuple(c for c in self.candidates if not speaks_of_prediction(c.name))

    @cached_property
    def spoken(self) -> tuple[Profile, ...]:
        """The columns whose names speak of predictions."""
        return tuple(column for column in self.free if speaks_of_prediction(column.name))

    @cached_property
    def predicted(self) -> frozenset[str]:
        """The labels that are predicted, as far as choices or names tell."""
        return self.labels or self._labels_under(WORDS.spoken)

    @cached_property
    def strange(self) -> bool:
        """Whether at most two labels are predicted, and no candidate holds them."""
        few = 0 < len(self.labels or self._labels_under(WORDS.prediction)) <= 2
        return few and not any(self.shares(column) for column in self.unspoken)

    def _labels_under(self, words: frozenset[str]) -> frozenset[str]:
        called = (c for c in self.spoken if set(c.plain.split("_")) & words)
        return frozenset(label for c in called if not c.continuous for label in c.labels)

    def shares(self, column: Profile) -> bool:
        """Tell whether at least half of a column's labels are among those that are predicted."""
        shared = len(column.labels & self.predicted)
        return not column.continuous and shared > 0 and shared * 2 >= len(column.labels)


Found = Iterable[tuple[str, str]]
"""Columns, each with what was found of it."""


@dataclass(frozen=True)
class Rule:
    """One thing that speaks for a column, or with negative points against it; see `evidence.txt`.

    A margin of `MARGIN` points settles which column is the truth.
    """

    points: int
    says: str
    finds: Callable[[Facts], Found]
    example: str
    about: str
    counter: str
    confidence: Confidence = Confidence.LIKELY


MARGIN = 2
"""Points between the best column and the next from which the best is read without a question.

Rules weigh 1 where only values speak, about 4 for a faint name and 9 for a plain one: 2 is more
than any one guess, and less than any name.
"""


def weigh(facts: Facts) -> Mapping[str, tuple[Evidence, ...]]:
    """Return what every rule says of every column that any speaks for."""
    found: dict[str, list[Evidence]] = {}
    for rule in RULES:
        for column, what in rule.finds(facts):
            reason = Reason(rule.says.format(what), rule.confidence)
            found.setdefault(column, []).append(Evidence(column, rule.points, reason))
    for_it = {name for name, said in found.items() if any(one.points > 0 for one in said)}
    return {name: tuple(said) for name, said in found.items() if name in for_it}


def _each(columns: Iterable[Profile]) -> Found:
    return [(column.name, "") for column in columns]


def named(words: Collection[str], facts: Facts) -> Found:
    """Find columns by their whole name."""
    return _each(column for column in facts.candidates if column.plain in words)


def by_word(facts: Facts) -> Found:
    """Find "actual_sales", "target_churn" or "prob1_outcome"."""
    others = (column for column in facts.candidates if column.plain not in WORDS.truth)
    return _each(c for c in others if truth_word(c.name) and not surrounds(c.name))


def by_event(facts: Facts) -> Found:
    """Find what is called after something that happens: "team_won"."""
    return _each(
        c for c in facts.unspoken if {c.words[0], c.words[-1]} & WORDS.happened and c.labels
    )


def by_its_prediction(facts: Facts) -> Found:
    """Find "income" beside "predicted_income", "a_outcome" beside "a", and the like."""
    predicted = {name: column for column in _predicting(facts) for name in _predicted_names(column)}
    numbers = {column.plain: column.name for column in facts.free if _measures(column)}
    yield from _pairs(facts, predicted, numbers)


def _measures(column: Profile) -> bool:
    return column.numeric and not column.counting


def by_its_score(facts: Facts) -> Found:
    """Find "churn" beside "churn_score", which may as well be a label and score of one model.

    Also "final_grade" beside "predicted_grade".
    """
    predicting = _predicting(facts)
    scores = [column.name for column in facts.spoken if column.name not in predicting]
    stems = {name: column for column in scores for name in _predicted_names(column)}
    surely = dict(by_its_prediction(facts))
    named = {name: of for name, of in _pairs(facts, stems, {}) if name not in surely}
    yield from named.items()
    ends = {name: column for column in predicting for name in _predicted_names(column)}
    vague = WORDS.label | WORDS.filler | WORDS.id | WORDS.vague
    others = (column for column in facts.unspoken if column.name not in {*surely, *named})
    for column in others:
        last = column.words[-1]
        if len(column.words) > 1 and last in ends.keys() - vague:
            yield column.name, f'"{ends[last]}"'


def _predicting(facts: Facts) -> list[str]:
    """Return the columns named by a word for predictions; the shortest name is the last."""
    spoken = sorted(facts.spoken, key=lambda column: -len(column.name))
    return [column.name for column in spoken if WORDS.prediction.intersection(column.words)]


def _pairs(facts: Facts, predicted: Mapping[str, str], numbers: Mapping[str, str]) -> Found:
    for column in facts.candidates:
        stem = _stem_of_truth(column)
        bare = () if {*column.plain.split("_")} & WORDS.label else target_words(column.name)
        about = (stem or column.plain, "_".join(bare))
        said = next((predicted[name] for name in about if name in predicted), None)
        pair = said or numbers.get(stem or "", column.name)
        if pair != column.name and (stem or not speaks_of_prediction(column.name)):
            yield column.name, f'"{pair}"'


def _stem_of_truth(column: Profile) -> str | None:
    """Return what a name says beside a word for the truth at its end; None where it has none."""
    words = column.words
    if len(words) < 2 or not truth_word(column.name):
        return None
    kept = words[1:] if words[0] in WORDS.true else words[:-1]
    return "_".join(word for word in kept if word not in WORDS.filler) or None


def _predicted_names(column: str) -> set[str]:
    """Return what a prediction may be of: "predicted_rating" of "rating", a score itself."""
    words = lowered(column)
    rest = [word for word in words if word not in WORDS.prediction]
    named = {plain(model_name(column)), "_".join(target_words(model_name(column)))}
    of_rest = {"_".join(rest)} if len(rest) < len(words) else set()
    return (named - WORDS.spoken | of_rest) - {"", plain(column)}


_MOST_NAMES = 100_000
"""Comparisons of names with labels; a table too wide for them is not searched so."""


def by_class_columns(facts: Facts) -> Found:
    """Find the column whose values are the names of other columns."""
    with_labels = [column for column in facts.unspoken if len(column.labels) > 1]
    # Many columns have the same labels: in a wide table each is looked up once for all of them.
    sets = dict.fromkeys(column.labels for column in with_labels)
    if len(sets) * len(facts.free) > _MOST_NAMES:
        return []
    after = {
        labels: predictions_by_name(facts.free, sorted(labels), numeric_truth=False)
        for labels in sets
    }
    classes = {
        c.name: {p.of for p in after[c.labels] if p.column != c.name} - {None} for c in with_labels
    }
    return _each(column for column in with_labels if len(classes[column.name]) > 1)


def sharing(facts: Facts) -> Found:
    """Find what holds the labels that are predicted."""
    return _each(column for column in facts.unspoken if facts.shares(column))


def two_beside_shares(facts: Facts) -> Found:
    """Find columns of two values where all that is predicted lies between 0 and 1."""
    scores = [column for column in facts.spoken if column.numeric]
    shares = all(c.unit for c in scores) and any(c.continuous for c in scores)
    return _each(column for column in facts.unspoken if shares and column.distinct == 2)


def rating(facts: Facts) -> Found:
    """Find a rating beside its prediction; else a rating is itself a score."""
    predicted = any(WORDS.prediction.intersection(column.words) for column in facts.free)
    return named(WORDS.rating, facts) if predicted else []


def few_values(facts: Facts) -> Found:
    """Find columns of labels; what holds none of two predicted labels is a feature."""
    few = (c for c in facts.unspoken if c.labels and 1 < c.distinct <= FEW_CLASSES)
    fit = _each(column for column in few if not (column.continuous or column.counting))
    return [] if facts.strange else fit


def only_number(facts: Facts) -> Found:
    """Find the numbers beside predictions, or the one of two that is none."""
    numbers = [column for column in facts.free if _measures(column) and not column.constant]
    predicted = any(speaks_of_prediction(column.name) for column in numbers)
    stems = {end.stem for column in numbers if (end := end_of(column.name))}
    no_ends = [c for c in numbers if not surrounds(c.name) and c.name not in stems]
    may_be = {column.name for column in facts.unspoken}
    others = [column for column in no_ends if column.name in may_be]
    one_of_two = len(others) == 1 < len(numbers)
    asked = len(others) > 1 and (predicted or len(no_ends) < len(numbers))
    return _each(others) if (one_of_two or asked) and not facts.strange else []


def last_word(words: Collection[str], facts: Facts) -> Found:
    """Find names of one or two words by the last of them."""
    return _each(c for c in facts.candidates if len(c.words) < 3 and c.words[-1] in words)


def other_classes(facts: Facts) -> Found:
    """Find labels of which none is a class of the probabilities that sum to one."""
    stems: dict[str, list[Profile]] = {}
    for column in facts.spoken:
        if column.unit and len(column.words) > 1:
            stems.setdefault(column.words[0], []).append(column)
    for found in stems.values():
        classes = {column.words[-1].casefold() for column in found}
        numbered = any(word.isdigit() for word in classes)
        if numbered or not rows_sum_to_one(facts.table, [column.name for column in found]):
            continue
        for column in facts.unspoken:
            said = (pieces(label)[-1].casefold() for label in column.labels if label)
            labels = {label.casefold() for label in column.labels}.union(said)
            if labels and not labels & classes and column.distinct != len(found):
                yield column.name, f"{len(found)} classes"


_MOST_ALIKE = 6
"""Columns with the same two labels, and scores, that are tried with each other: 6 make 36 pairs."""

_ROWS_THAT_TELL = 20
"""Rows from which two labels are hardly parted by a score by chance: one in some 10,000."""


def of_a_score(facts: Facts) -> Found:
    """Find labels that a score decides or is the confidence in, beside others of the same kind."""
    by_labels: dict[frozenset[str], list[str]] = {}
    for column in facts.candidates:
        if len(column.labels) == 2 and facts.table.n >= _ROWS_THAT_TELL:
            by_labels.setdefault(column.labels, []).append(column.name)
    scores = [c.name for c in facts.spoken if c.unit and c.continuous][:_MOST_ALIKE]
    for alike in by_labels.values():
        if 1 < len(alike) <= _MOST_ALIKE:
            of = {name: _its_score(facts.table, name, alike, scores) for name in alike}
            # If a score tells them all apart it is perhaps a perfect one.
            if None in of.values():
                yield from ((name, f'"{score}"') for name, score in of.items() if score)


def _its_score(table: Table, label: str, alike: Sequence[str], scores: Sequence[str]) -> str | None:
    """Return the score that goes with a label, by its height or as the confidence in it.

    A score whose model has a label of its own among those alike says nothing of another one.
    """
    others = {model_name(name) for name in alike} - {model_name(label)}
    for score in (score for score in scores if model_name(score) not in others):
        if label_of_high(table, label, score) or is_confidence(table, label, score):
            return score
    return None


def _rules() -> Iterable[Rule]:
    functions = {
        function.__name__: function
        for function in (
            *(named, by_word, by_event, by_its_prediction, by_its_score, by_class_columns),
            *(sharing, two_beside_shares, rating, few_values, only_number, last_word),
            *(other_classes, of_a_score),
        )
    }
    for (points, says), fields in paragraphs("evidence.txt", 2):
        function, *words = fields.pop("finds").split()
        finds = partial(functions[function], *(getattr(WORDS, use) for use in words))
        confidence = Confidence(fields.pop("confidence", Confidence.LIKELY))
        yield Rule(int(points), says, finds, confidence=confidence, **fields)


RULES: tuple[Rule, ...] = tuple(_rules())
"""Every rule about the truth; they are independent of each other, and their points add up."""
