"""What speaks for and against a column as the truth: independent rules, each a row of a table."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evalread.dataset import Confidence, Evidence, ModelRoles, Reason, Table
from evalread.detection import profile as names
from evalread.detection.predictions import predictions_by_name, target_words
from evalread.detection.profile import Profile, model_name, pieces, plain, speaks_of_prediction
from evalread.detection.scores import confidence_scale, end_of, label_of_high, surrounds
from evalread.signatures import rows_sum_to_one


@dataclass(frozen=True, eq=False)
class Facts:
    """What rules look at: the free columns of a file, and what is known of its predictions.

    Attributes:
        free: Columns that have no other role.
        chosen: Those of them that are known to be predictions.
        labels: The classes that predictions are known to be about; empty where none is.
    """

    table: Table
    free: Sequence[Profile]
    chosen: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()

    @cached_property
    def candidates(self) -> tuple[Profile, ...]:
        """The columns that may be the truth as far as their values go."""
        return tuple(c for c in self.free if c.name not in self.chosen and _may_be_truth(c))

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
        return self.labels or self._labels_under(names.PREDICTION | names.SCORE)

    @cached_property
    def strange(self) -> bool:
        """Whether at most two labels are predicted, and no candidate holds them."""
        few = 0 < len(self.labels or self._labels_under(names.PREDICTION)) <= 2
        return few and not any(self.shares(column) for column in self.unspoken)

    def _labels_under(self, words: frozenset[str]) -> frozenset[str]:
        called = (c for c in self.spoken if set(plain(c.name).split("_")) & words)
        return frozenset(label for c in called if not c.continuous for label in c.labels)

    def shares(self, column: Profile) -> bool:
        """Tell whether at least half of a column's labels are among those that are predicted."""
        shared = len(column.labels & self.predicted)
        return not column.continuous and shared > 0 and shared * 2 >= len(column.labels)


def _may_be_truth(column: Profile) -> bool:
    text_without_repeats = column.unique and not column.mostly_numeric
    own = names.names_model(pieces(column.name)) or plain(column.name) in names.MODEL
    return column.present > 0 and not (column.moment or column.lists or text_without_repeats or own)


@dataclass(frozen=True)
class Rule:
    """One thing that speaks for a column as the truth, or with negative points against it.

    Attributes:
        points: How much it weighs; a margin of `MARGIN` settles which column is the truth.
        says: The reason, as a reader is told it; {} stands for what was found.
        finds: From facts to the columns it is true of, with what was found.
        example: A small file, as CSV, of which it is true.
        about: The column of the example.
        counter: A file like it of which it is not true.
    """

    points: int
    says: str
    finds: Callable[[Facts], Iterable[tuple[str, str]]]
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


Found = Iterable[tuple[str, str]]


def _named(kept: Collection[str]) -> Callable[[Facts], Found]:
    def finds(facts: Facts) -> Found:
        named = [column.name for column in facts.candidates if plain(column.name) in kept]
        return [(name, "") for name in named]

    return finds


def _by_word(facts: Facts) -> Found:
    """Find "actual_sales", "target_churn" or "prob1_outcome"."""
    plain_names = {column.name for column in facts.candidates if plain(column.name) in names.TRUTH}
    for column in facts.candidates:
        called = names.truth_word(column.name) and not surrounds(column.name)
        if called and column.name not in plain_names:
            yield column.name, ""


_HAPPENED = names.word_set(
    "won win result winner died dead death survived churned defaulted diagnosis disease "
    "happened occurred converted clicked bought sold readmitted relapsed recovered default "
    "recid recidivated mortality recurrence relapse readmission attrition churn fraud spam "
    "duplicate conversion dropout failure success admitted approved accepted malignant cancer "
    "sepsis stroke hospitalized infected toxic toxicity sentiment emotion intent species "
    "polarity stance"
)
"""Words for what became of something, which models are made to foresee."""


def _by_event(facts: Facts) -> Found:
    for column in facts.unspoken:
        words = [word.lower() for word in pieces(column.name)]
        if {words[0], words[-1]} & _HAPPENED and column.labels:
            yield column.name, ""


def _by_its_prediction(facts: Facts) -> Found:
    """Find "income" beside "predicted_income", "a_outcome" beside "a", and the like."""
    predicted = {name: column for column in _predicting(facts) for name in _predicted_names(column)}
    numbers = {plain(c.name): c.name for c in facts.free if c.numeric and not c.counting}
    yield from _pairs(facts, predicted, numbers)


def _by_its_score(facts: Facts) -> Found:
    """Find "churn" beside "churn_score", which may as well be a label and score of one model.

    Also "final_grade" beside "predicted_grade".
    """
    predicting = _predicting(facts)
    scores = [column.name for column in facts.spoken if column.name not in predicting]
    stems = {name: column for column in scores for name in _predicted_names(column)}
    surely = dict(_by_its_prediction(facts))
    named = {name: of for name, of in _pairs(facts, stems, {}) if name not in surely}
    yield from named.items()
    told = {*surely, *named}
    ends = {name: column for column in predicting for name in _predicted_names(column)}
    for column in facts.unspoken:
        words = [word.lower() for word in pieces(column.name)]
        if len(words) > 1 and words[-1] in ends.keys() - _VAGUE and column.name not in told:
            yield column.name, f'"{ends[words[-1]]}"'


_VAGUE = names.LABEL | names.FILLER | names.ID | {"value", "values", "type", "name"}


def _predicting(facts: Facts) -> list[str]:
    """Return the columns named by a word for predictions; the shortest name is the last."""
    spoken = sorted((column.name for column in facts.spoken), key=len, reverse=True)
    return [name for name in spoken if {*map(str.lower, pieces(name))} & names.PREDICTION]


def _pairs(facts: Facts, predicted: Mapping[str, str], numbers: Mapping[str, str]) -> Found:
    for column in facts.candidates:
        stem = _stem_of_truth(column.name)
        bare = () if {*plain(column.name).split("_")} & names.LABEL else target_words(column.name)
        about = (stem or plain(column.name), "_".join(bare))
        said = next((predicted[name] for name in about if name in predicted), None)
        pair = said or numbers.get(stem or "", column.name)
        if pair != column.name and (stem or not _speaks(column)):
            yield column.name, f'"{pair}"'


def _speaks(column: Profile) -> bool:
    return speaks_of_prediction(column.name)


def _stem_of_truth(name: str) -> str | None:
    """Return what a name says beside a word for the truth at its end; None where it has none."""
    words = [word.lower() for word in pieces(name)]
    if len(words) < 2 or not names.truth_word(name):
        return None
    kept = words[1:] if words[0] in names.TRUTH_WORDS else words[:-1]
    return "_".join(word for word in kept if word not in names.FILLER) or None


def _predicted_names(column: str) -> set[str]:
    """Return what a prediction may be of: "predicted_rating" of "rating", a score itself."""
    words = [word.lower() for word in pieces(column)]
    rest = [word for word in words if word not in names.PREDICTION]
    named = {plain(model_name(column)), "_".join(target_words(model_name(column)))}
    of_rest = {"_".join(rest)} if len(rest) < len(words) else set()
    return (named - names.PREDICTION - names.SCORE | of_rest) - {"", plain(column)}


_MOST_NAMES = 100_000
"""Comparisons of names with labels; a table too wide for them is not searched so."""


def _by_class_columns(facts: Facts) -> Found:
    """Find the column whose values are the names of other columns."""
    with_labels = [column for column in facts.unspoken if len(column.labels) > 1]
    # Many columns have the same labels: in a wide table each is looked up once for all of them.
    sets = dict.fromkeys(column.labels for column in with_labels)
    if len(sets) * len(facts.free) > _MOST_NAMES:
        return
    named = {labels: _named_after(labels, facts.free) for labels in sets}
    for column in with_labels:
        if len({of for of, by in named[column.labels] if by != column.name}) > 1:
            yield column.name, ""


def _named_after(labels: Collection[str], columns: Sequence[Profile]) -> list[tuple[str, str]]:
    """Return the classes that columns are named after, each with the column."""
    predictions = predictions_by_name(columns, sorted(labels), numeric_truth=False)
    return [(one.of, one.column) for one in predictions if one.of is not None]


def _sharing(facts: Facts) -> Found:
    return [(column.name, "") for column in facts.unspoken if facts.shares(column)]


def _two_beside_shares(facts: Facts) -> Found:
    """Find columns of two values where all that is predicted lies between 0 and 1."""
    scores = [column for column in facts.spoken if column.numeric]
    if scores and all(c.unit for c in scores) and any(c.continuous for c in scores):
        yield from ((column.name, "") for column in facts.unspoken if column.distinct == 2)


def _rating(facts: Facts) -> Found:
    """Find a rating beside its prediction; else a rating is itself a score."""
    predicted = [c for c in facts.free if {*map(str.lower, pieces(c.name))} & names.PREDICTION]
    rated = [column.name for column in facts.candidates if plain(column.name) in _RATINGS]
    if predicted:
        yield from ((name, "") for name in rated)


_RATINGS = names.word_set("rating ratings r_ui")


def _few_values(facts: Facts) -> Found:
    """Find columns of labels; what holds none of two predicted labels is a feature."""
    if facts.strange:
        return
    for column in facts.unspoken:
        few = column.labels and 1 < column.distinct <= names.FEW_CLASSES
        if few and not (column.continuous or column.counting):
            yield column.name, ""


def _only_number(facts: Facts) -> Found:
    """Find the numbers beside predictions, or the one of two that is none."""
    if facts.strange:
        return []
    numbers = [c for c in facts.free if c.numeric and not (c.counting or c.constant)]
    predicted = {c.name for c in numbers if _speaks(c)}
    stems = {end.stem for c in numbers if (end := end_of(c.name))}
    no_ends = [c for c in numbers if not surrounds(c.name) and c.name not in stems]
    may_be = {column.name for column in facts.candidates} - predicted
    others = [c for c in no_ends if c.name in may_be]
    one_of_two = len(others) == 1 < len(numbers)
    asked = len(others) > 1 and (predicted or len(no_ends) < len(numbers))
    return [(column.name, "") for column in others] if one_of_two or asked else []


_PERIODS = names.word_set(
    "year years season epoch epochs month week day hour quarter cycle step steps round "
    "lap generation minute batch iteration version"
)
_BANDS = names.word_set(
    "band bands bin bins bucket tier segment stratum quantile quintile quartile decile "
    "bracket percentile topic"
)
_PERSON = names.word_set("sex gender race ethnicity age nationality geschlecht sexe sexo")


def _last_word(words: frozenset[str]) -> Callable[[Facts], Found]:
    def finds(facts: Facts) -> Found:
        for column in facts.candidates:
            own = pieces(column.name)
            if len(own) < 3 and own[-1].lower() in words:
                yield column.name, ""

    return finds


def _other_classes(facts: Facts) -> Found:
    """Find labels of which none is a class of the probabilities that sum to one."""
    chances = [c for c in facts.free if c.unit and _speaks(c) and len(pieces(c.name)) > 1]
    stems: dict[str, list[str]] = {}
    for column in chances:
        stems.setdefault(pieces(column.name)[0].lower(), []).append(column.name)
    for found in stems.values():
        of = [pieces(name)[-1] for name in found]
        if len(found) < 2 or any(word.isdigit() for word in of):
            continue
        if not rows_sum_to_one(facts.table, found):
            continue
        classes = {word.casefold() for word in of}
        for column in facts.unspoken:
            labels = {label.casefold() for label in column.labels}
            ends = {pieces(label)[-1].casefold() for label in column.labels if label}
            if labels and not (labels | ends) & classes and column.distinct != len(found):
                yield column.name, f"{len(found)} classes"


_MOST_ALIKE = 6
"""Columns with the same two labels, and scores, that are tried with each other: 6 make 36 pairs."""


_ROWS_THAT_TELL = 20
"""Rows from which two labels are hardly parted by a score by chance: one in some 10,000."""


def _of_a_score(facts: Facts) -> Found:
    """Find labels that a score decides or is the confidence in, beside others of the same kind."""
    if facts.table.n < _ROWS_THAT_TELL:
        return
    by_labels: dict[frozenset[str], list[str]] = {}
    for column in facts.candidates:
        if len(column.labels) == 2:
            by_labels.setdefault(column.labels, []).append(column.name)
    scores = [c.name for c in facts.spoken if c.unit and c.continuous][:_MOST_ALIKE]
    for alike in by_labels.values():
        if 1 < len(alike) <= _MOST_ALIKE:
            of = {name: _its_score(facts.table, name, scores) for name in alike}
            # If a score tells them all apart it is perhaps a perfect one.
            if None in of.values():
                yield from ((name, f'"{score}"') for name, score in of.items() if score)


def _its_score(table: Table, label: str, scores: Sequence[str]) -> str | None:
    """Return the score that goes with a label, by its height or as the confidence in it."""
    for score in scores:
        of = ModelRoles(label=label, score=score)
        if label_of_high(table, label, score) or confidence_scale(table, [of]):
            return score
    return None


RULES: tuple[Rule, ...] = (
    Rule(
        9,
        "named like the truth",
        _named(frozenset(names.TRUTH) - names.FAINT_TRUTH),
        "y_true,score\n1,0.9\n0,0.2\n",
        "y_true",
        "wealth,score\n1,0.9\n0,0.2\n",
        Confidence.SURE,
    ),
    Rule(
        5,
        "named like the truth",
        _by_word,
        "actual_sales,fitted\n1.5,1.4\n2.5,2\n",
        "actual_sales",
        "predicted_true,fitted\n1.5,1.4\n2.5,2\n",
    ),
    Rule(
        5,
        "{} is its prediction",
        _by_its_prediction,
        "income,predicted_income\n1.5,1.4\n2.5,2\n",
        "income",
        "income,predicted_rent\n1.5,1.4\n2.5,2\n",
    ),
    Rule(
        3,
        "{} may be its prediction",
        _by_its_score,
        "churn,churn_score\n1,0.9\n0,0.2\n",
        "churn",
        "rent,churn_score\n1,0.9\n0,0.2\n",
    ),
    Rule(
        3,
        "named like the truth",
        _named(names.FAINT_TRUTH),
        "label,score\n1,0.9\n0,0.2\n",
        "label",
        "labelled_by,score\n1,0.9\n0,0.2\n",
    ),
    Rule(
        3,
        "named after something that happens or not",
        _by_event,
        "team_won,score\n1,0.9\n0,0.2\n",
        "team_won",
        "team_size,score\n1,0.9\n0,0.2\n",
    ),
    Rule(
        4,
        "its values are the names of other columns",
        _by_class_columns,
        "kind,p_cat,p_dog\ncat,0.9,0.1\ndog,0.3,0.7\n",
        "kind",
        "kind,p_hen,p_cow\ncat,0.9,0.1\ndog,0.3,0.7\n",
    ),
    Rule(
        4,
        "it holds the labels that are predicted",
        _sharing,
        "seen,pred\ncat,cat\ndog,cat\n",
        "seen",
        "seen,pred\nhen,cat\ncow,cat\n",
        Confidence.GUESS,
    ),
    Rule(
        3,
        "a rating beside its prediction",
        _rating,
        "rating,prediction\n4,3.9\n2,2.5\n",
        "rating",
        "rating,truth\n4,1\n2,0\n",
    ),
    Rule(
        1,
        "the one column of labels",
        _few_values,
        "match,distance\n1,0.8\n0,3.9\n1,1.1\n",
        "match",
        "match,distance\n1,0.8\n2,3.9\n3,1.1\n",
        Confidence.GUESS,
    ),
    Rule(
        2,
        "it holds two values, beside predictions between 0 and 1",
        _two_beside_shares,
        "ill,age,risk\n1,61.5,0.9\n0,40.5,0.2\n",
        "ill",
        "ill,age,risk\n1,61.5,9\n0,40.5,2\n",
        Confidence.GUESS,
    ),
    Rule(
        1,
        "the one column of numbers that is no prediction",
        _only_number,
        "height,fitted\n1.5,1.4\n2.5,2\n",
        "height",
        "height,width\n1.5,1.4\n2.5,2\n",
        Confidence.GUESS,
    ),
    Rule(
        -6,
        "named like a point in time or a version",
        _last_word(_PERIODS),
        "season,won,score\n2020,1,0.9\n2021,0,0.2\n",
        "season",
        "seasoning,won,score\n1,1,0.9\n0,0,0.2\n",
    ),
    Rule(
        -3,
        "named like a band that something is put in",
        _last_word(_BANDS),
        "risk_band,score\nlow,0.9\nmid,0.2\n",
        "risk_band",
        "husband,score\nyes,0.9\nno,0.2\n",
    ),
    Rule(
        -2,
        "named like what a person is",
        _last_word(_PERSON),
        "sex,score\nf,0.9\nm,0.2\n",
        "sex",
        "message,score\nf,0.9\nm,0.2\n",
    ),
    Rule(
        -9,
        "the probabilities are of {}, of which it holds none",
        _other_classes,
        "shown,p_home,p_draw,p_away\nyes,0.5,0.2,0.3\nno,0.4,0.2,0.4\n",
        "shown",
        "shown,p_home,p_draw,p_away\nhome,0.5,0.2,0.3\naway,0.4,0.2,0.4\n",
    ),
    Rule(
        -6,
        "it goes with {}, as a prediction does, and another column holds the same labels",
        _of_a_score,
        "left,bought,score\n" + "yes,no,0.9\nno,no,0.2\nyes,yes,0.6\nno,no,0.1\n" * 5,
        "left",
        "left,bought,score\n" + "yes,no,0.9\nno,no,0.2\nyes,yes,0.1\nno,no,0.8\n" * 5,
    ),
)
"""Every rule about the truth; they are independent of each other, and their points add up."""
