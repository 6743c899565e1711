"""Which column holds the truth: what speaks for and against each, and what values prove."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Floats
from evalcore.text import counted, listed
from evalread.columns import as_numbers, is_number as spells_number, labels_of, same_labels
from evalread.dataset import NO_CHOICES, Choices, Confidence, Evidence, Reason, Table, Task
from evalread.detection.predictions import predictions_by_name, target_words, which_truth
from evalread.detection.profile import (
    FEW_CLASSES,
    WORDS,
    Kind,
    Profile,
    about_class,
    lowered,
    model_name,
    names_model,
    pieces,
    plain,
    sample,
    speaks_of_prediction,
    truth_word,
)
from evalread.detection.scores import end_of, is_confidence, label_of_high, surrounds
from evalread.notices import paragraphs, refusal
from evalread.rewriting import leaves_two, rows_sum_to_one


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
    def paired(self) -> list[tuple[str, str, bool]]:
        """Columns, what is named after each, and whether a word says that it is predicted."""
        return list(_paired(self))

    @cached_property
    def predicted(self) -> frozenset[str]:
        """The labels that are predicted, as far as choices or names tell."""
        return self.labels or self._labels_under(WORDS.spoken)

    @cached_property
    def strange(self) -> bool:
        """Whether at most two labels are predicted, and no candidate holds them."""
        few = 0 < len(self.labels or self._labels_under(WORDS.prediction)) <= 2
        return few and not any(self.shares(column) for column in self.unspoken)

    @cached_property
    def only_numbers(self) -> Sequence[Profile]:
        """The columns of numbers that are no prediction, and that these may be of."""
        return _only_numbers(self)

    @cached_property
    def foreseen(self) -> list[tuple[str, float]]:
        """The columns that predicted numbers follow, the nearest first, and their correlation."""
        return [(name, rho) for _, name, rho in sorted(_foreseen(self))]

    def _labels_under(self, words: frozenset[str]) -> frozenset[str]:
        called = (c for c in self.spoken if set(c.plain.split("_")) & words)
        return frozenset(label for c in called if not c.continuous for label in c.labels)

    def shares(self, column: Profile) -> bool:
        """Return whether at least half of a column's labels are among those that are predicted."""
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


def _each(columns: Iterable[Profile]) -> Found:
    return [(column.name, "") for column in columns]


def named(words: Collection[str], facts: Facts) -> Found:
    """Find columns by their whole name."""
    return _each(column for column in facts.candidates if column.plain in words)


def response(facts: Facts) -> Found:
    """Find the response, as statistics calls what is modelled, beside predictions called so."""
    words = WORDS.prediction - WORDS.response
    predicted = any(words.intersection(column.words) for column in facts.spoken)
    called = any(c.plain in WORDS.truth or truth_word(c.name) for c in facts.candidates)
    return named(WORDS.response, facts) if predicted and not called else []


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
    return [(column, f'"{of}"') for column, of, surely in facts.paired if surely]


def by_its_score(facts: Facts) -> Found:
    """Find "churn" beside "churn_score", which may as well be a label and score of one model.

    Also "final_grade" beside "predicted_grade".
    """
    return [(column, f'"{of}"') for column, of, surely in facts.paired if not surely]


def _measures(column: Profile) -> bool:
    return column.numeric and not column.counting


def _paired(facts: Facts) -> Iterator[tuple[str, str, bool]]:
    """Yield columns, what is named after each, and whether a word says that it is predicted."""
    numbers = {column.plain: column.name for column in facts.free if _measures(column)}
    predicting, scores = dict[str, str](), dict[str, str]()
    for spoken in sorted(facts.spoken, key=lambda column: -len(column.name)):
        of = predicting if WORDS.prediction.intersection(spoken.words) else scores
        of |= dict.fromkeys(_predicted_names(spoken.name), spoken.name)
    vague = WORDS.label | WORDS.filler | WORDS.id | WORDS.vague
    for column in facts.candidates:
        stem = _stem_of_truth(column)
        if stem is None and speaks_of_prediction(column.name):
            continue
        bare = () if WORDS.label.intersection(column.words) else target_words(column.name)
        about = (stem or column.plain, "_".join(bare))
        last = column.words[-1] if len(column.words) > 1 else ""
        surely = [predicting.get(name) for name in about] + [numbers.get(stem or "")]
        maybe = [scores.get(name) for name in about]
        maybe += [predicting.get(last)] if last not in vague else []
        for pairs in (surely, maybe):
            if pair := next((one for one in pairs if one not in (None, column.name)), None):
                yield column.name, pair, pairs is surely
                break


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
        return
    for labels in sets:
        found = predictions_by_name(facts.table, facts.free, sorted(labels), numeric_truth=False)
        for column in (column for column in with_labels if column.labels == labels):
            named = {one.of for one in found if one.of and one.column != column.name}
            if len(named) > 1 and len(named) * 2 > len(labels):
                yield column.name, ""


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
    return _each(facts.only_numbers)


def _only_numbers(facts: Facts) -> Sequence[Profile]:
    numbers = [column for column in facts.free if _measures(column) and not column.constant]
    predicted = any(speaks_of_prediction(column.name) for column in numbers)
    stems = {end.stem for column in numbers if (end := end_of(column.name))}
    no_ends = [c for c in numbers if not surrounds(c.name) and c.name not in stems]
    may_be = {column.name for column in facts.unspoken}
    others = [column for column in no_ends if column.name in may_be]
    others = [column for column in others if not column.numbering]
    one_of_two = len(others) == 1 < len(numbers)
    asked = len(others) > 1 and (predicted or len(no_ends) < len(numbers))
    return others if (one_of_two or asked) and not facts.strange else []


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
    for alike in (names for names in by_labels.values() if 1 < len(names) <= _MOST_ALIKE):
        models, found = {name: model_name(name) for name in alike}, dict[str, str]()
        for label, own in models.items():
            # The score of a model that has a label of its own says nothing of another one.
            others = set(models.values()) - {own}
            for score in (score for score in scores if model_name(score) not in others):
                goes = label_of_high(facts.table, label, score)
                if goes or is_confidence(facts.table, label, score):
                    found.setdefault(label, score)
        # If a score tells them all apart it is perhaps a perfect one.
        if len(found) < len(alike):
            yield from ((label, f'"{score}"') for label, score in found.items())


_MOST_LIKE, _ROWS_ALIKE = 20, 5_000
"""Columns that are held against predicted numbers, and rows of these that are looked at."""

_FOLLOWS = 0.3
"""Rank correlation from which predictions, be they weak, are of a column, or rest on it."""


def nearest(facts: Facts) -> Found:
    """Find the numbers that predicted ones follow, on their scale; of several the nearest."""
    return [(name, f"{rho:.2f}") for name, rho in facts.foreseen[:1]]


def words_beside_numbers(facts: Facts) -> Found:
    """Find three words or more beside numbers, where all that is predicted are such numbers."""
    words = [c for c in facts.unspoken if not c.mostly_numeric and len(c.labels) > 2]
    if not (words and facts.spoken and any(_measures(column) for column in facts.unspoken)):
        return
    predicted = [c for c in facts.spoken if not surrounds(c.name)]
    for column in words if all(map(_is_plain_number, predicted)) else ():
        if not any(about_class(one.name, sorted(column.labels)) for one in predicted):
            yield column.name, ""


def _is_plain_number(column: Profile) -> bool:
    """Return whether a column is of numbers that neither lie in [0, 1] nor are called scores."""
    return column.continuous and not column.unit and WORDS.score.isdisjoint(column.words)


def _foreseen(facts: Facts) -> Iterator[tuple[float, str, float]]:
    """Yield how far predicted numbers are from each column that they follow, and how much so.

    The distance is the median one, in quartile ranges of the column.
    """
    spoken = (c for c in facts.spoken if _is_plain_number(c) and not surrounds(c.name))
    predicted = [column.name for column in islice(spoken, _MOST_LIKE)]
    numbers = [c for c in facts.only_numbers if c.distinct > 2] if predicted else []
    if len(numbers) > _MOST_LIKE:
        return

    def cells(name: str) -> Floats:
        return as_numbers(sample(facts.table, name, _ROWS_ALIKE), name, facts.table.source).values

    answers = [cells(name) for name in predicted]
    for column in numbers:
        found = [_likeness(cells(column.name), answer) for answer in answers]
        far, rho = (float(np.median(part)) for part in zip(*found, strict=True))
        if rho >= _FOLLOWS:
            yield far, column.name, rho


def _likeness(true: Floats, said: Floats) -> tuple[float, float]:
    """Return how far numbers are from others, and their rank correlation; 0 on another scale."""
    both = np.isfinite(true) & np.isfinite(said)
    if both.sum() < _ROWS_THAT_TELL:
        return np.inf, 0.0
    true, said = true[both], said[both]
    low, quarter, rest, high = np.quantile(true, (0.05, 0.25, 0.75, 0.95))
    reach = np.diff(np.quantile(said, (0.25, 0.75)))[0]
    if not (low <= np.median(said) <= high and 0 < reach <= 3 * (rest - quarter)):
        return np.inf, 0.0
    rho = np.corrcoef(_ranks(true), _ranks(said))[0, 1]
    return float(np.median(np.abs(true - said)) / (rest - quarter)), float(rho)


def _ranks(values: Floats) -> Floats:
    """Return the rank of each value; equal ones share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def _rules() -> Iterable[Rule]:
    functions = {
        function.__name__: function
        for function in (
            *(named, response, by_word, by_event, by_its_prediction, by_its_score),
            *(by_class_columns, sharing, two_beside_shares, rating, few_values),
            *(only_number, last_word, other_classes, of_a_score, nearest, words_beside_numbers),
        )
    }
    for (points, says), fields in paragraphs("evidence.txt", 2):
        function, *words = fields.pop("finds").split()
        finds = partial(functions[function], *(getattr(WORDS, use) for use in words))
        confidence = Confidence(fields.pop("confidence", Confidence.LIKELY))
        yield Rule(int(points), says, finds, confidence=confidence, **fields)


RULES: tuple[Rule, ...] = tuple(_rules())
"""Every rule about the truth; they are independent of each other, and their points add up."""

_MOST_TRIED = 6
"""Columns for which it is looked up what would predict them: those that most speaks for."""


def candidates(facts: Facts) -> Mapping[str, tuple[Evidence, ...]]:
    """Return what speaks for and against each column as the truth, the likeliest column first.

    Evidence stands in the order in which a reader would name it.
    """
    said: dict[str, list[Evidence]] = {column.name: [] for column in facts.candidates}
    for rule in RULES:
        for column, what in rule.finds(facts):
            reason = Reason(rule.says.format(what), rule.confidence)
            said[column].append(Evidence(column, rule.points, reason))
    spoken_for = (name for name, found in said.items() if any(one.points > 0 for one in found))
    tried = sorted(spoken_for, key=lambda name: -points(said[name]))[:_MOST_TRIED]
    for likely in (column for column in facts.candidates if column.name in tried):
        said[likely.name] += _of_its_predictions(facts, likely)
    return {name: tuple(said[name]) for name in sorted(tried, key=lambda name: -points(said[name]))}


def points(evidence: Iterable[Evidence]) -> int:
    """Return the sum of what speaks for a column and against it."""
    return sum(one.points for one in evidence)


def _of_its_predictions(facts: Facts, truth: Profile) -> Iterator[Evidence]:
    """Yield what speaks for and against the predictions that a truth would have."""
    others = {column.name: column for column in facts.free if column.name != truth.name}
    if facts.chosen or not others:
        return
    numeric = is_number(facts.table, truth, list(others.values()), NO_CHOICES)
    classes = () if numeric else sorted(truth.labels)
    named = predictions_by_name(facts.table, others.values(), classes, numeric_truth=numeric)
    own = {label.casefold() for label in truth.labels}
    labels = [others[one.column].labels for one in named if one.kind is Kind.LABEL]
    predicted = {label.casefold() for one in labels for label in one}
    if predicted and not own & predicted and not any(map(spells_number, own)):
        weight, says = -6, "it holds none of the predicted labels"
    elif named:
        weight, says = 2, "columns are named like predictions of it"
    elif not any(
        (c.mostly_numeric and not (c.counting or c.constant))
        or (c.lists or speaks_of_prediction(c.name) or c.holds_only(truth.labels))
        for c in others.values()
    ):
        weight, says = -4, "no column predicts it"
    else:
        return
    yield Evidence(truth.name, weight, Reason(says, Confidence.LIKELY))


def find_truth(facts: Facts) -> tuple[str, Reason, tuple[Evidence, ...]]:
    """Return the truth among columns that have no other role, the reason, and all evidence.

    Raises:
        EvalError: "no-truth" where nothing looks like it, "ambiguous" where the margin between
            several columns is small, "no-predictions" where nothing predicts any of these.
    """
    found = candidates(facts)
    best, *others = [name for name, said in found.items() if points(said) > 0] or [""]
    if not best:
        raise _no_truth(facts, found)
    close = [name for name in others if points(found[name]) > points(found[best]) - MARGIN]
    columns = {column.name: column for column in facts.candidates}
    truth = columns[best]
    rivals = [name for name in close if not _say_the_same(facts.table, truth, columns[name])]
    # pandas calls the second of two columns that are called "label" "label.1".
    again = columns.get(f"{best}.1")
    if again and again.labels == truth.labels and again.name not in rivals:
        rivals.append(again.name)
    if rivals:
        raise which_truth(facts.table, [columns[n] for n in (best, *rivals)], facts.spoken)
    reason = next(one.reason for one in found[best] if one.points > 0)
    evidence = tuple(one for said in found.values() for one in said)
    return best, _with_confidence(truth, reason, facts), evidence


def _say_the_same(table: Table, one: Profile, other: Profile) -> bool:
    """Return whether two columns hold the same label in each row."""
    if not one.labels or one.labels != other.labels:
        return False
    first, second = same_labels([labels_of(table, column.name) for column in (one, other)])
    return first.names == second.names and bool((first.codes == second.codes).all())


def _with_confidence(column: Profile, reason: Reason, facts: Facts) -> Reason:
    """Say what the values are, and be less sure where they do not fit a truth."""
    text = f"{reason.text}; {counted(column.distinct, 'distinct value')}"
    # A score of 0 and 1 says nothing about a truth in words.
    words = {label for label in facts.predicted if not spells_number(label)}
    if words and not column.numeric:
        fits = len(column.labels & words) * 2 >= len(column.labels) > 0
    else:
        fits = (column.numeric and not column.counting) or 1 < column.distinct <= FEW_CLASSES
    return Reason(text, reason.confidence if fits else Confidence.GUESS)


def _no_truth(facts: Facts, found: Mapping[str, object]) -> EvalError:
    """Return the refusal of a table without truth, naming its columns and those left blank."""
    names = [column.name for column in facts.free]
    if not facts.spoken and any(c.labels for c in facts.candidates if c.name in found):
        return refusal("no-predictions/none", names=names)
    called = [c for c in facts.free if c.plain in WORDS.truth or truth_word(c.name)]
    blank = [column.name for column in called if not column.present]
    said = f" {listed(blank)} has such a name, but no value in any row." if blank else ""
    return refusal("no-truth", names=names, blank=said)


def is_number(table: Table, truth: Profile, others: Sequence[Profile], choices: Choices) -> bool:
    """Return whether the truth is a number to be predicted, rather than a class."""
    if choices.task:
        return choices.task is Task.REGRESSION
    if choices.predictions:
        return True
    if choices.labels or choices.scores or choices.probabilities or not truth.numeric:
        return False
    ends = (end.upper for c in others if c.numeric and (end := end_of(c.name)))
    if not truth.whole or len({*ends}) == 2:  # which only numbers have
        return True
    if truth.distinct == 2 or truth.holds_only({"0", "1"}):
        return False
    if _called_label(truth) and any(
        _called_label(column) and speaks_of_prediction(column.name) for column in others
    ):
        return False  # labels by name, however many numbers they are
    predictions = predictions_by_name(table, others, sorted(truth.labels), numeric_truth=False)
    if any(one.kind is Kind.PROBABILITY for one in predictions):
        return False
    beyond = truth.low < 0 or truth.high > 1
    shares = {p.column for p in predictions if p.kind is Kind.SCORE and p.unit and beyond}
    predicted = {one.column for one in predictions} - shares
    if shares and not predicted:
        return False  # a share of 1 is no prediction of numbers beyond it
    numbers = [c for c in others if c.numeric and (not predicted or c.name in predicted)]
    return bool(numbers) and not _classify(table, truth, numbers, choices)


def _classify(table: Table, truth: Profile, numbers: Sequence[Profile], known: Choices) -> bool:
    """Return whether numbers are classes, or scores of the two that codes of missing ones leave."""
    same = any(column.holds_only(truth.labels) for column in numbers)
    few = 2 < len(truth.labels) <= FEW_CLASSES and any(c.unit and c.continuous for c in numbers)
    ignored = known.ignore_labels or ()
    return same or (few and leaves_two(labels_of(table, truth.name).counts, ignored))


def _called_label(column: Profile) -> bool:
    return column.whole and not (WORDS.label - {"decision"}).isdisjoint(column.words)
