"""Columns of predictions, with their model and class, and columns of metadata beside them."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Floats
from evalcore.text import shorten
from evalread.columns import as_labels, as_numbers, is_number, same_by_value
from evalread.dataset import CHOSEN, DEPENDENT, Choices, Confidence, Reason, Table
from evalread.detection.profile import (
    WORDS,
    Kind,
    PredictionColumn,
    Profile,
    about_class,
    lowered,
    model_name,
    names_method,
    names_model,
    owner_of,
    pieces,
    plain,
    remembered,
    sample,
    speaks_of_prediction,
    truth_word,
)
from evalread.detection.scores import by_class_words, centres, end_of, with_sets
from evalread.notices import as_role, refusal
from evalread.rewriting import rows_sum_to_one


def ambiguous(role: str, choice: str, names: Sequence[str], which: str = "") -> EvalError:
    """Return the question which of several columns plays a role, with the answers to it.

    `which` of the sentences of `notices.txt` puts it.
    """
    candidates = " or ".join(f'"{shorten(name)}"' for name in names[:6])
    more = f" (or one of {len(names) - 6} others)" if len(names) > 6 else ""
    offers = as_role(names[:6], f"the {role}", choice)
    return refusal(f"ambiguous{which}", role=role, names=f"{candidates}{more}", offers=offers)


def which_truth(table: Table, columns: Sequence[Profile], spoken: Sequence[Profile]) -> EvalError:
    """Return the question which of several columns is the truth.

    Where all columns named like predictions are probabilities of yes or no, and none of these is
    named like a truth or has two values, it says that perhaps none is.
    """
    scores = [column.name for column in spoken if column.unit and column.distinct > 2]
    likely = (c.plain in WORDS.truth or truth_word(c.name) or c.distinct == 2 for c in columns)
    some = 0 < len(scores) == len(spoken) and not rows_sum_to_one(table, scores)
    which = "/unlabelled" if some and not any(likely) else ""
    return ambiguous("truth", "truth", [column.name for column in columns], which)


def predictions_by_name(
    table: Table, columns: Iterable[Profile], classes: Collection[str], *, numeric_truth: bool
) -> list[PredictionColumn]:
    """Find the columns whose names say that they hold predictions."""
    columns, known, ordered = list(columns), frozenset(classes), tuple(classes)
    numbers = _numbers_of_models([column.name for column in columns], known)
    found = []
    for column in columns:
        own = () if numeric_truth or column.name in numbers else ordered
        asked = (known, own, numeric_truth)
        if asked not in column.told:
            column.told[asked] = _prediction(column, *asked)
        found.append(column.told[asked])
    predictions = [one for one in found if one is not None]
    predictions = _without_ends(predictions) if numeric_truth else predictions
    predictions = [_model_of_one_letter(one, predictions) for one in predictions]
    predictions = with_sets(table, by_class_words(predictions, classes), columns, ordered)
    return _join_model_names(_without_stray_classes(predictions, classes))


def _prediction(
    column: Profile, classes: frozenset[str], in_names: tuple[str, ...], numeric_truth: bool
) -> PredictionColumn | None:
    """Return what a column predicts by its name; `in_names` are the classes it may be called by."""
    numbers, shares = column.mostly_numeric or column.lists, column.holds_some(classes)
    about = not (shares or column.mostly_numeric) and column.words[-1] in WORDS.about
    if column.moment or truth_word(column.name) or about:
        return None
    if numbers and (probability := _probability(column, in_names)):
        return probability
    words = pieces(owner_of(column.name)[1])
    kinds = set(map(str.lower, words))
    if kinds & WORDS.unpredicted:
        return None
    # "decision" may stand above labels as well as above the values of a decision function.
    # A score of whole numbers that are several classes, as a rating is, is one of them.
    label_by_name = kinds & WORDS.score <= WORDS.label or (len(classes) > 2 and column.whole)
    holds_labels = label_by_name and column.holds_only(classes)
    scored = bool(kinds & WORDS.score)
    if scored and numbers and not holds_labels:
        kind, said = Kind.NUMBER if numeric_truth else Kind.SCORE, "score"
    else:
        # "category" beside "truth" is as well a category of the rows.
        fits = column.holds_only(classes) if column.plain in WORDS.faint_truth else shares
        labelled = kinds & WORDS.label and (numeric_truth or fits)
        models = (names_model(words) or names_method(words)) and (numbers or shares)
        models = models or (column.plain in WORDS.model and column.holds_only(classes))
        told = kinds & WORDS.prediction or labelled or models or (holds_labels and scored)
        if not told or (numeric_truth and not numbers):
            return None
        kind = Kind.NUMBER if numeric_truth else _kind_by_values(column, classes)
        said = "predicted label" if kind is Kind.LABEL else "prediction"
    reason = Reason(f"named like a {said}", _agreement(column, kind, classes))
    unit = column.unit and said == "score"
    return PredictionColumn(column.name, kind, model_name(column.name), reason, unit=unit)


_NUMBER_AT_END = re.compile(r"(.*[ _.-]|[a-zA-Z]*)(\d+)")


def _numbers_of_models(names: Iterable[str], classes: frozenset[str]) -> set[str]:
    """Return the columns that end in a number of which only some are classes: those of models.

    Such are "score_1" and "score_2" of the classes 0 and 1, and a lone "0", as pandas calls a
    column without a name.
    """
    numbered: dict[str, dict[str, str]] = {}
    for match in map(_NUMBER_AT_END.fullmatch, (n for n in names if n[-1:].isdecimal())):
        if match and (speaks_of_prediction(match[0]) or not match[1]):
            numbered.setdefault(match[1], {})[match[2]] = match[0]
    bare = numbered.pop("", {})
    models = [of for of in numbered.values() if len(of) > 1 == len(of.keys() & classes)]
    models += [bare] if bare.keys() == {"0"} else []
    return {name for of in models for name in of.values()}


def _without_ends(predictions: list[PredictionColumn]) -> list[PredictionColumn]:
    """Drop the ends of intervals: both of a pair, and "yhat_lower" beside "yhat"."""
    ends = {one.column: end for one in predictions if (end := end_of(one.column))}
    centre = [one for one in predictions if one.column not in ends]
    known = {name for one in centre for name in (one.column, one.model)}
    known_ends = {(end.stem, end.upper) for end in ends.values()}
    known |= {stem for stem, upper in known_ends if centre and (stem, not upper) in known_ends}
    return [
        one for one in predictions if one.column not in ends or ends[one.column].stem not in known
    ]


def _model_of_one_letter(
    one: PredictionColumn, predictions: Sequence[PredictionColumn]
) -> PredictionColumn:
    """Call the model of "p_score" p, though "p" is a word for probability, beside "q_score"."""
    if one.model or one.kind is not Kind.SCORE:
        return one
    first, *rest = pieces(one.column)
    if len(first) > 1 or not rest:
        return one
    beside = any(other.model and [*pieces(other.column)][1:] == rest for other in predictions)
    return replace(one, model=first) if beside and first.lower() in WORDS.score else one


def _probability(column: Profile, classes: tuple[str, ...]) -> PredictionColumn | None:
    """Take a column that is named after a class for its probability."""
    owner, own = owner_of(column.name)
    if (about := about_class(own, classes)) is None:
        return None
    of, rest = about
    scored = own == of or not WORDS.score.isdisjoint(lowered(own))
    if column.whole and not (scored or column.unit):
        return None  # labels of a model called 1, as in "pred_1"
    sure = _agreement(column, Kind.PROBABILITY, frozenset())
    reason = Reason(f'named after the class "{of}"', sure)
    model = " ".join(filter(None, (owner, rest)))
    return PredictionColumn(column.name, Kind.PROBABILITY, model, reason, of, unit=column.unit)


def _agreement(column: Profile, kind: Kind, classes: frozenset[str]) -> Confidence:
    """Tell how well the values fit what the name says."""
    if kind is Kind.LABEL:
        fits, allows = column.holds_only(classes), column.holds_some(classes)
    elif kind is Kind.NUMBER:
        fits, allows = column.numeric, column.mostly_numeric
    else:
        fits, allows = column.unit, column.mostly_numeric
    if fits:
        return Confidence.SURE
    return Confidence.LIKELY if allows else Confidence.GUESS


def _kind_by_values(column: Profile, classes: frozenset[str]) -> Kind:
    # Labels stay labels however many numbers they are.
    called_label = column.whole and not WORDS.label.isdisjoint(column.words)
    if column.continuous and not (called_label or column.holds_only(classes)):
        return Kind.SCORE
    return Kind.LABEL


def _without_stray_classes(
    predictions: list[PredictionColumn], classes: Collection[str]
) -> list[PredictionColumn]:
    """Drop columns that only happen to be called like a class: one alone among several classes."""
    named = [one for one in predictions if one.kind is Kind.PROBABILITY and one.of is not None]
    bare = [one for one in named if one.column.lower() == str(one.of).lower()]
    stray = bare if len(bare) == 1 < len(classes) else named if len(named) == 1 else []
    enough = len(predictions) > 1 and (stray is bare or len(classes) > 2)
    gone = {one.column for one in stray} if enough else ()
    return [one for one in predictions if one.column not in gone]


def _join_model_names(predictions: list[PredictionColumn]) -> list[PredictionColumn]:
    """Give "model_A" to the model A where "score_A" or "label_A" speaks of it."""
    known = {one.model for one in predictions}
    short = {name: " ".join(pieces(name)[1:]) for name in known if names_model(pieces(name))}
    return [
        replace(one, model=short[one.model]) if short.get(one.model) in known else one
        for one in predictions
    ]


def of_the_truth(
    found: list[PredictionColumn], truth: str, others: Iterable[Profile], classes: Collection[str]
) -> list[PredictionColumn]:
    """Leave out predictions of another column, in other labels or on another scale.

    Each of these only where others are predictions of the truth.
    """
    columns, own = {column.name: column for column in others}, target_words(truth)
    if own and any(target_words(one.model) == own for one in found):
        targets = set(map(target_words, columns)) - {own, ()}
        found = [one for one in found if target_words(one.model) not in targets]
    labels = [columns[one.column] for one in found if one.kind is Kind.LABEL]
    sharing = {column.name for column in labels if column.holds_some(classes)}
    strange = {column.name for column in labels if _in_words(column)} - sharing
    texts = {name for name in strange if columns[name].unique}
    gone = strange if sharing else texts if len(found) > len(texts) else set()
    found = [one for one in found if one.column not in gone]
    # Numbers beyond [0, 1] called scores, beside label and probability of a nameless model.
    score = Kind.SCORE
    nameless = {one.kind for one in found if not one.model and (one.unit or one.kind is not score)}
    if not {Kind.LABEL, score} <= nameless:
        return found
    return [one for one in found if one.unit or not (one.model and one.kind is score)]


def _in_words(column: Profile) -> bool:
    """Whether labels are words, which are spelt alike in all columns, unlike "True" and 1."""
    words = {label.casefold() for label in column.labels}
    return bool(words) and not words <= {"true", "false"} and not all(map(is_number, words))


def target_words(name: str) -> tuple[str, ...]:
    """Return the words of a name in small letters, without those that stand above any truth."""
    words = lowered(name) if name else ()
    if len(words) == 1 or WORDS.vague_truth.isdisjoint(words):
        return words
    return tuple(word for word in words if word not in WORDS.vague_truth)


def predictions_by_value(
    columns: Sequence[Profile], classes: Collection[str], *, numeric_truth: bool
) -> list[PredictionColumn]:
    """Find predictions in a file whose column names tell nothing.

    Raises:
        EvalError: "ambiguous" where several columns of numbers could be the prediction.
    """
    # Names, not profiles: comparing profiles with each other takes long in a wide table.
    known, found = frozenset(classes), dict[str, tuple[Kind, str]]()
    if not numeric_truth:
        labels = (c.name for c in columns if c.holds_only(known) and not c.constant)
        found = dict.fromkeys(labels, (Kind.LABEL, "its values are classes of the truth"))
    numbers = [c for c in columns if c.numeric and c.name not in found and not _is_metadata(c)]
    # What numbers the rows is perhaps their rank: alone, it is asked about.
    numbers = [column for column in numbers if not column.numbering] or numbers
    names = [column.name for column in numbers]
    if numeric_truth:
        reason = "other columns are quantiles or interval ends around it"
        found = dict.fromkeys(centres(names), (Kind.NUMBER, reason))
    else:
        unit = (column.name for column in numbers if column.unit)
        found |= dict.fromkeys(unit, (Kind.SCORE, "its values lie between 0 and 1"))
    # A score alone decides nothing among several classes.
    if not found and (numeric_truth or len(known) < 3):
        kind, role = (Kind.NUMBER, "prediction") if numeric_truth else (Kind.SCORE, "score")
        # Several may as well be features.
        if len(names) > 1 or any(column.numbering for column in numbers):
            raise ambiguous(role, f"{role}s", names)
        found = dict.fromkeys(names, (kind, "the only numeric column apart from the truth"))
    return [
        # pandas calls a column without a name by its number.
        PredictionColumn(
            column.name,
            found[column.name][0],
            "" if column.name.isdigit() else column.name,
            Reason(found[column.name][1], Confidence.GUESS),
            unit=column.unit,
        )
        for column in columns
        if column.name in found
    ]


AS_NEAR = 4.0
"""Features and earlier values seldom have a squared error of so little more than a model's."""


def with_what_is_near(
    table: Table, found: list[PredictionColumn], others: Iterable[Profile], truth: str
) -> list[PredictionColumn]:
    """Return the predictions, and the columns as near the truth where only methods are named so.

    Raises:
        EvalError: "ambiguous", where another column leaves less than half of a truth's variance.
    """
    numbers = (one.column for one in found if one.kind is Kind.NUMBER)
    names = [name for name in numbers if names_method(pieces(name))]
    if not names or len(names) < len(found):
        return found
    free = (c for c in others if c.continuous and not (end_of(c.name) or _is_metadata(c)))

    def sampled(name: str) -> Floats:
        return as_numbers(sample(table, name), name, table.source).values

    def error(name: str) -> float:
        return float(np.nanmean((sampled(name) - true) ** 2))

    true = sampled(truth)
    half, worst = np.nanvar(true) / 2, max(map(error, names))
    errors = {c.name: error(c.name) for c in free if c.name not in names}
    near = [name for name, one in errors.items() if one < half]
    if any(errors[name] > AS_NEAR * worst for name in near):
        raise ambiguous("prediction", "predictions", [*names, *near])
    why = Reason(f'as close to "{truth}" as "{names[0]}" is', Confidence.LIKELY)
    return [*found, *(PredictionColumn(name, Kind.NUMBER, name, why) for name in near)]


def with_what_ranks(
    table: Table,
    found: list[PredictionColumn],
    others: Iterable[Profile],
    truth: str,
    classes: Collection[str],
) -> list[PredictionColumn]:
    """Return the scores, and where only methods are named so, what ranks two classes like them.

    Names of methods say nothing of how the other models are called: "lgbm" may stand beside "v3".
    """
    names = [one.column for one in found if one.kind is Kind.SCORE]
    if not names or len(names) < len(found) or not all(names_method(pieces(n)) for n in names):
        return found
    free = [c for c in others if c.unit and not (c.name in names or _is_metadata(c))]
    free = [column for column in free if not column.holds_only(classes)]
    leads = leads_of(table, [*names, *(column.name for column in free)], truth) if free else {}
    first = [leads.get(name, 0.0) for name in names]
    sign, least = (1, min(first)) if min(first) > 0 else (-1, -max(first))
    if least < RANKS:
        return found
    near = [column.name for column in free if sign * leads[column.name] > least / 2]
    why = Reason(f'ranks "{truth}" much as "{names[0]}" does', Confidence.LIKELY)
    return [*found, *(PredictionColumn(name, Kind.SCORE, name, why, unit=True) for name in near)]


def without_what_ranks_nothing(
    table: Table, found: list[PredictionColumn], truth: str
) -> list[PredictionColumn]:
    """Return the scores known by their values alone without shares that only look like one.

    Such a column ranks two classes no better than chance would, beside one that surely does and
    is not called like it: "humidity" beside "v3", but not "m2" beside "m1".
    """
    names = [one.column for one in found if one.kind is Kind.SCORE]
    leads = leads_of(table, names, truth) if len(names) > 1 else {}
    chance = 2 / np.sqrt(max(len(sample(table, truth)), 1))
    if not leads or max(map(abs, leads.values())) < max(RANKS, chance):
        return found
    stems = {name.rstrip("0123456789") for name, lead in leads.items() if abs(lead) >= chance}
    gone = {n for n, lead in leads.items() if abs(lead) < chance} - {
        name for name in names if name.rstrip("0123456789") in stems
    }
    return [one for one in found if one.column not in gone]


RANKS = 0.1
"""So far from one half is the area under the ROC curve of what surely ranks two classes."""


def leads_of(table: Table, names: Iterable[str], truth: str) -> dict[str, float]:
    """Return how far each area under the ROC curve is above one half; nothing but of two classes.

    The higher of two labels in order counts as the positive one. Looked at on a sample of rows.
    """
    labels = same_by_value([as_labels(sample(table, truth), truth)])[0]
    if len(labels.names) != 2:
        return {}
    leads = {}
    for name in names:
        values = as_numbers(sample(table, name), name, table.source).values
        low, high = (np.sort(values[(labels.codes == k) & ~np.isnan(values)]) for k in (0, 1))
        below = np.searchsorted(low, high) + np.searchsorted(low, high, "right")
        leads[name] = float(below.mean() / 2 / len(low) - 0.5) if len(low) and len(high) else 0.0
    return leads


def _is_metadata(column: Profile) -> bool:
    told = column.plain in WORDS.beside or not WORDS.unpredicted.isdisjoint(column.words)
    return told or column.counting or column.constant


def check_choices(table: Table, choices: Choices) -> None:
    """Check that every chosen column exists.

    Raises:
        EvalError: "no-such-column", naming the columns there are.
    """
    for column in chosen_columns(choices):
        if column not in table.columns:
            raise no_such_column(column, table.names)
    if choices.truth in {one.column for one in chosen_predictions(choices)}:
        raise refusal("two-roles", column=choices.truth)


def no_such_column(name: str, names: Sequence[str], role: str = "") -> EvalError:
    """Return the refusal of a column that is not there, with those that are."""
    return refusal("no-such-column", column=name, role=role, names=names)


def chosen_columns(choices: Choices) -> tuple[str, ...]:
    """Return every column that the user has given a role, once; an empty one is no column."""
    metadata = (
        choices.truth,
        choices.fold,
        choices.weight,
        choices.group,
        choices.id,
        choices.date,
    )
    folds = (choices.repeat, choices.dataset, choices.train_size, choices.test_size)
    scores = (choices.fold_scores or {}).values()
    clusters = (choices.clusterings or {}).values()
    predicted = (one.column for one in chosen_predictions(choices))
    # Of a role that one column has, empty says "none"; a model or a feature needs a column.
    one_each = filter(None, (*metadata, *folds))
    marks = (choices.correct or {}).values()
    columns = (*one_each, *scores, *(choices.features or ()), *clusters, *predicted, *marks)
    return tuple(dict.fromkeys(columns))


def chosen_predictions(choices: Choices) -> list[PredictionColumn]:
    """Return the prediction columns the user has chosen; empty if they are to be detected."""
    given = {
        Kind.SCORE: choices.scores or {},
        Kind.LABEL: choices.labels or {},
        Kind.NUMBER: choices.predictions or {},
    }
    chances = choices.probabilities or {}
    keys = Counter(key for columns in (*given.values(), chances) for key in columns)
    # A key that is only the column's own name names no model.
    chosen = [
        PredictionColumn(column, kind, "" if key == column and keys[key] == 1 else key, CHOSEN)
        for kind, columns in given.items()
        for key, column in columns.items()
    ]
    return chosen + [
        PredictionColumn(column, Kind.PROBABILITY, model, CHOSEN, of)
        for model, of_class in chances.items()
        for of, column in of_class.items()
    ]


_MOST_GROUPS = 50
"""Distinct values of a group; more are ids or numbers."""

_FEWEST_UNITS = 10
"""Distinct values from which a column named like what rows belong to is no slice of the rows."""

_SLICE = Reason("named like a group, with few distinct values", Confidence.LIKELY)


@dataclass(frozen=True)
class Metadata:
    """The side columns, and why each is one.

    Columns that are `excluded` never are truth or prediction; those with a role are among them.
    """

    fold: str | None
    weight: str | None
    group: str | None
    id: str | None
    excluded: frozenset[str]
    reasons: Mapping[str, Reason]


def metadata_roles(
    columns: Mapping[str, Profile], choices: Choices, *, dependent: bool = True
) -> Metadata:
    """Find fold, weight, group and id; what is chosen is kept.

    Unless rows may be `dependent`, no group is looked for that several rows belong to.
    """
    chosen_already = chosen_columns(choices)
    free = [column for name, column in columns.items() if name not in chosen_already]
    roles: dict[str, str | None] = {role: getattr(choices, role) for role, *_ in _METADATA}
    # Of a role that one column has, an empty text says that there is none.
    reasons = {column: CHOSEN for column in (*roles.values(), choices.date) if column}
    if roles["group"] is None and dependent and (unit := _unit_of(free)):
        roles["group"] = unit.name
        reasons[unit.name] = _SLICE if unit.distinct < _FEWEST_UNITS else DEPENDENT
    for role, fits, reason in _METADATA:
        fit = (column.name for column in free if column.name not in reasons and fits(column))
        if roles[role] is None and (name := next(fit, None)):
            roles[role], reasons[name] = name, reason
    told = (c for c in free if not WORDS.never.isdisjoint(c.words))
    never = {c.name for c in told if c.plain not in WORDS.truth}
    never |= {column.name for column in free if column.moment or _is_id(column)}
    found = {role: column or None for role, column in roles.items()}
    return Metadata(**found, excluded=frozenset(never | set(reasons)), reasons=reasons)


def _unit_of(columns: Sequence[Profile]) -> Profile | None:
    """Return the column that names what rows belong to: of several with many values the coarsest.

    Rows of a patient who is seen by several readers depend on each other through both; the larger
    groups are the safer ones.
    """
    spoken = (column.name for column in columns if speaks_of_prediction(column.name))
    predicted = {word for name in spoken for word in lowered(name)}
    found = [column for column in columns if _is_unit(column) and column.plain not in predicted]
    many = [column for column in found if column.distinct >= _FEWEST_UNITS]
    return min(many or found, key=lambda column: column.distinct, default=None)


def _is_unit(column: Profile) -> bool:
    fewest = 2 if column.plain.endswith("_id") else _FEWEST_UNITS
    named = column.plain.removesuffix("_id") in WORDS.unit
    fractions = column.numeric and not column.whole
    return named and not fractions and fewest <= column.distinct < column.present


def _is_slice(column: Profile) -> bool:
    named = column.plain in WORDS.group or (column.words[0] in WORDS.group and column.words[1:])
    return bool(named) and 1 < column.distinct <= _MOST_GROUPS and not column.continuous


def _is_id(column: Profile) -> bool:
    if (named := _called_id(column.name)) is None:
        return False
    numbers_of_rows = named or column.counting or column.unique
    return numbers_of_rows and (column.whole or not column.numeric)


@remembered
def _called_id(name: str) -> bool | None:
    """Return whether a name is that of ids; None where it is not even that of the first column."""
    bare = name.strip().lower()
    of_rows = plain(name).endswith("_id") and WORDS.clusters.isdisjoint(lowered(name))
    named = plain(name) in WORDS.id or of_rows or bare in ("unnamed: 0", "inst#")
    return named or (False if bare == "column 1" else None)


_METADATA: tuple[tuple[str, Callable[[Profile], bool], Reason], ...] = (
    (
        "fold",
        lambda column: column.plain in WORDS.fold and column.distinct > 1 and not column.unique,
        Reason("named like a fold, and its values repeat", Confidence.SURE),
    ),
    (
        "weight",
        lambda column: column.plain in WORDS.weight and column.numeric,
        Reason("named like a weight", Confidence.LIKELY),
    ),
    ("group", _is_slice, _SLICE),
    (
        "id",
        lambda column: _is_id(column) and column.unique,
        Reason("named like an id, and no value repeats", Confidence.SURE),
    ),
    (
        "id",
        # Few values in many rows are classes that are numbers.
        lambda column: (
            _is_id(column)
            and (column.distinct > _MOST_GROUPS or column.distinct * 2 >= column.present)
        ),
        Reason("named like an id", Confidence.LIKELY),
    ),
)
"""Role, which columns may have it, and why."""
