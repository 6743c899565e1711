"""Which columns hold predictions, of which model and class; and which stand beside them."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evalcore.dataset import CHOSEN, Choices, Confidence, Reason, Table, Task
from evalcore.errors import EvalError, Offer
from evalcore.text import listed, shorten
from evalread.columns import MERGE, MISSING_WORDS, spelt_apart
from evalread.profile import (
    COUNT,
    FOLD,
    GROUP,
    ID,
    LABEL,
    NEVER,
    PREDICTION,
    SCORE,
    TRUTH,
    WEIGHT,
    Kind,
    Part,
    Profile,
    about_class,
    model_name,
    names_model,
    owner_of,
    pieces,
    plain,
)
from evalread.scores import centres, end_of

_TRUE_AND_FALSE = {
    "0": ("no", "false", "neg", "negative"),
    "1": ("yes", "true", "pos", "positive"),
}
"""What the classes 0 and 1 are called in names of columns."""


def by_class_words(parts: Sequence[Part], classes: Collection[str]) -> list[Part]:
    """Take "yes_score" beside "no_score" for probabilities, if every class has such a column.

    With the classes 0 and 1 also "prob_true" beside "prob_false", and the like.
    """
    words = _words(classes)
    owners: dict[tuple[str, ...], dict[str, Part]] = {}
    for part in parts:
        if found := _class_in(part, words):
            of, model = found
            owners.setdefault(model, {})[of] = part
    changed = {
        part.column: _about(part, of, model)
        for model, chances in owners.items()
        if len(chances) == len(classes) > 1
        for of, part in chances.items()
    }
    return [changed.get(part.column, part) for part in parts]


def _words(classes: Collection[str]) -> Mapping[tuple[str, ...], str]:
    """Return the pieces of each class -> the class; a bare number may as well name a model."""
    if set(classes) == set(_TRUE_AND_FALSE):
        return {(word,): of for of, words in _TRUE_AND_FALSE.items() for word in words}
    return {_small(of): of for of in classes if not of.isdigit()}


def _small(name: str) -> tuple[str, ...]:
    return tuple(piece.lower() for piece in pieces(name))


def _class_in(
    part: Part, words: Mapping[tuple[str, ...], str]
) -> tuple[str, tuple[str, ...]] | None:
    """Return the class that the name of a score's model ends with, and what stands before it."""
    if part.kind is not Kind.SCORE or not part.unit:
        return None
    told, small = pieces(part.model), _small(part.model)
    found = [(at, words[small[at:]]) for at in range(len(told)) if small[at:] in words]
    return (found[0][1], told[: found[0][0]]) if found else None


def _about(part: Part, of: str, model: tuple[str, ...]) -> Part:
    reason = replace(part.reason, text=f'named after the class "{of}"')
    return replace(part, kind=Kind.PROBABILITY, of=of, model=" ".join(model), reason=reason)


def ambiguous(role: str, choice: str, names: Sequence[str]) -> EvalError:
    """Return the question which of several columns plays a role, with the answers to it."""
    told = " or ".join(f'"{shorten(name)}"' for name in names[:6])
    more = f" (or one of {len(names) - 6} others)" if len(names) > 6 else ""
    return EvalError(
        "ambiguous",
        f"The {role} could be {told}{more}. Choose which column it is.",
        offers=[Offer(f'"{shorten(name)}" is the {role}', choice, name) for name in names[:6]],
    )


def no_predictions(
    truth: str, task: Task, others: Sequence[Profile], classes: Sequence[str]
) -> EvalError:
    """Return the error for a table with a truth but no predictions, naming the other columns."""
    names = listed([column.name for column in others]) or "none"
    apart = "".join(
        f" {listed(group, 6)} count as {len(group)} classes; write them alike if they are one."
        for group in spelt_apart(classes)
    )
    blank = ""
    words = [name for name in classes if name.lower() in MISSING_WORDS]
    if words and task is Task.MULTICLASS:
        blank = f" {listed(words)} counts as a class; leave its cells blank if it means none."
    wanted = {
        Task.BINARY: "a score or a predicted label",
        Task.MULTICLASS: "a predicted label or one probability column per class",
        Task.REGRESSION: "a predicted number",
        Task.CLUSTERING: "a cluster",
        Task.FOLDS: "a score per fold",
    }[task]
    return EvalError(
        "no-predictions",
        f'"{truth}" holds the truth, but no column looks like a prediction. The other columns '
        f"are: {names}. Choose the one that holds {wanted}.{apart}{blank}",
        offers=[MERGE] if apart else [],
    )


def named_parts(
    columns: Iterable[Profile], classes: Collection[str], *, numeric_truth: bool
) -> list[Part]:
    """Find the columns whose names say that they hold predictions."""
    ordered = sorted(classes, key=len, reverse=True)
    columns = list(columns)
    parts = (_part(column, ordered, numeric_truth=numeric_truth) for column in columns)
    found = [part for part in parts if part is not None]
    if numeric_truth:
        found = _without_ends(found)
    named = by_class_words([_by_letter(part, found) for part in found], classes)
    named = _without_unnamed(named, columns, classes)
    return _same_models(_without_stray_classes(_numbered(named, classes), classes))


def _part(column: Profile, classes: Sequence[str], *, numeric_truth: bool) -> Part | None:
    if column.moment:
        return None
    numbers = column.mostly_numeric or column.lists
    if not numeric_truth and numbers and (part := _probability(column, classes)):
        return part
    words = pieces(owner_of(column.name)[1])
    kinds = {word.lower() for word in words}
    if kinds & NEVER:
        return None
    model = model_name(column.name)
    # "decision" may stand above labels as well as above the values of a decision function.
    hard = kinds & SCORE <= LABEL and column.holds_only(classes)
    if kinds & SCORE and numbers and not hard:
        kind = Kind.NUMBER if numeric_truth else Kind.SCORE
        reason = Reason("named like a score", _agreement(column, kind, classes))
        return Part(column.name, kind, model, reason, unit=column.unit)
    labelled = kinds & LABEL and (numeric_truth or column.labels & set(classes))
    models = names_model(words) and (numbers or bool(column.labels & set(classes)))
    if kinds & PREDICTION or labelled or models:
        kind = _kind_by_values(column, classes, numeric_truth=numeric_truth)
        told = "predicted label" if kind is Kind.LABEL else "prediction"
        reason = Reason(f"named like a {told}", _agreement(column, kind, classes))
        return Part(column.name, kind, model, reason)
    return None


def _without_ends(parts: list[Part]) -> list[Part]:
    """Drop the ends of intervals: both of a pair, and "yhat_lower" beside "yhat"."""
    ends = {part.column: end for part in parts if (end := end_of(part.column))}
    centre = [part for part in parts if part.column not in ends]
    known = {name for part in centre for name in (part.column, part.model)}
    sides = {(end.stem, end.upper) for end in ends.values()}
    known |= {stem for stem, upper in sides if centre and (stem, not upper) in sides}
    return [
        part for part in parts if part.column not in ends or ends[part.column].stem not in known
    ]


def _by_letter(part: Part, parts: Sequence[Part]) -> Part:
    """Call the model of "p_score" p, though "p" is a word for probability, beside "q_score"."""
    first, *rest = pieces(part.column)
    if part.model or part.kind is not Kind.SCORE or len(first) > 1 or not rest:
        return part
    beside = any(other.model and [*pieces(other.column)][1:] == rest for other in parts)
    return replace(part, model=first) if beside and first.lower() in SCORE else part


def _probability(column: Profile, classes: Sequence[str]) -> Part | None:
    """Take a column that is named after a class for its probability."""
    owner, own = owner_of(column.name)
    about = about_class(own, classes)
    if about is None or _labels_by_number(column, own, about[0]):
        return None
    of, rest = about
    sure = _agreement(column, Kind.PROBABILITY, classes)
    reason = Reason(f'named after the class "{of}"', sure)
    model = " ".join(filter(None, (owner, rest)))
    return Part(column.name, Kind.PROBABILITY, model, reason, of, unit=column.unit)


def _agreement(column: Profile, kind: Kind, classes: Collection[str]) -> Confidence:
    """Tell how well the values fit what the name says."""
    if kind is Kind.LABEL:
        fits, allows = column.holds_only(classes), bool(column.labels & set(classes))
    elif kind is Kind.NUMBER:
        fits, allows = column.numeric, column.mostly_numeric
    else:
        fits, allows = column.unit, column.mostly_numeric
    if fits:
        return Confidence.SURE
    return Confidence.LIKELY if allows else Confidence.GUESS


def _labels_by_number(column: Profile, own: str, of: str) -> bool:
    """Tell labels of a model called 1, as in "pred_1", from the probability of the class 1."""
    scored = own == of or {piece.lower() for piece in pieces(own)} & SCORE
    return not scored and column.whole and not column.unit


def _kind_by_values(column: Profile, classes: Sequence[str], *, numeric_truth: bool) -> Kind:
    if numeric_truth:
        return Kind.NUMBER
    if column.continuous and not column.holds_only(classes):
        return Kind.SCORE
    return Kind.LABEL


def _numbered(parts: list[Part], classes: Collection[str]) -> list[Part]:
    """Take "score_1" beside "score_2" for models where 1 is a class and 2 is none."""
    stems: dict[str, set[str]] = {}
    for part in parts:
        stem, number = _split_number(part.column)
        stems.setdefault(stem, set()).add(number)
    changed = []
    for part in parts:
        stem, number = _split_number(part.column)
        numbers = stems[stem]
        models = len(numbers & set(classes)) == 1 and len(numbers) > 1
        if part.kind is Kind.PROBABILITY and part.of == number and models:
            reason = replace(part.reason, text="named like a score")
            part = replace(part, kind=Kind.SCORE, model=number, of=None, reason=reason)
        changed.append(part)
    return changed


def _split_number(column: str) -> tuple[str, str]:
    match = re.fullmatch(r"(.*[ _.-])(\d+)", column)
    return (match[1], match[2]) if match else (column, "")


def _without_unnamed(
    parts: list[Part], columns: Sequence[Profile], classes: Collection[str]
) -> list[Part]:
    """Take a lone "0", as pandas calls a column without a name, for what its values are."""
    chances = [part for part in parts if part.kind is Kind.PROBABILITY]
    if len(chances) != 1 or owner_of(chances[0].column)[1] != "0":
        return parts
    column = next(column for column in columns if column.name == chances[0].column)
    kind = _kind_by_values(column, list(classes), numeric_truth=False)
    reason = Reason("the one column beside the truth, without a name", Confidence.GUESS)
    changed = replace(chances[0], kind=kind, of=None, reason=reason)
    return [changed if part is chances[0] else part for part in parts]


def _without_stray_classes(parts: list[Part], classes: Collection[str]) -> list[Part]:
    """Drop columns that only happen to be called like a class: one alone, with no other word."""
    chances = [part for part in parts if part.kind is Kind.PROBABILITY and part.of is not None]
    bare = [part for part in chances if part.column.lower() == str(part.of).lower()]
    if len(bare) == 1 and len(classes) > 1 and len(parts) > 1:
        return [part for part in parts if part not in bare]
    return parts


def _same_models(parts: list[Part]) -> list[Part]:
    """Give "model_A" to the model A where "score_A" or "label_A" speaks of it."""
    known = {part.model for part in parts}
    short = {name: " ".join(pieces(name)[1:]) for name in known if names_model(pieces(name))}
    return [
        replace(part, model=short[part.model]) if short.get(part.model) in known else part
        for part in parts
    ]


def of_one_target(parts: list[Part], truth: str, others: Sequence[Profile]) -> list[Part]:
    """Drop predictions named after other columns where some are named after the truth."""
    own = target_words(truth)
    targets = {target_words(c.name) for c in others} - {()}
    of_truth = [part for part in parts if target_words(part.model) == own != ()]
    if not of_truth or any(part.reason == CHOSEN for part in parts):
        return parts
    return [p for p in parts if p in of_truth or target_words(p.model) not in targets]


def target_words(name: str) -> tuple[str, ...]:
    """Return the words of a name in small letters, without those that stand above any truth."""
    words = tuple(word.lower() for word in pieces(name)) if name else ()
    return words if len(words) == 1 else tuple(w for w in words if w not in ("y", *TRUTH))


def parts_by_value(
    columns: Sequence[Profile], classes: Collection[str], *, numeric_truth: bool
) -> list[Part]:
    """Find predictions in a file whose column names tell nothing.

    Raises:
        EvalError: "ambiguous" where several columns of numbers could be the prediction.
    """
    if numeric_truth:
        numbers = [column for column in columns if column.numeric and not _aside(column)]
        if amid := set(centres([column.name for column in numbers])):
            why = "other columns are quantiles, or ends of an interval, round it"
            return [_guess(c, Kind.NUMBER, why) for c in numbers if c.name in amid]
        return _only(numbers, Kind.NUMBER, "prediction", "predictions")
    # Names, not profiles: comparing profiles with each other takes long in a wide table.
    labels = {c.name for c in columns if c.holds_only(classes) and not c.constant}
    scores = [c for c in columns if c.numeric and c.name not in labels and not _aside(c)]
    in_unit = {column.name for column in scores if column.unit}
    if in_unit or labels:
        return [
            _guess(column, Kind.SCORE, "its values lie between 0 and 1")
            if column.name in in_unit
            else _guess(column, Kind.LABEL, "its values are classes of the truth")
            for column in columns
            if column.name in in_unit or column.name in labels
        ]
    return _only(scores, Kind.SCORE, "score", "scores")


def _only(columns: Sequence[Profile], kind: Kind, role: str, choice: str) -> list[Part]:
    """Take the one column of numbers there is; several may as well be features."""
    if len(columns) > 1:
        raise ambiguous(role, choice, [column.name for column in columns])
    reason = "the one column of numbers beside the truth"
    return [_guess(column, kind, reason) for column in columns]


def _guess(column: Profile, kind: Kind, why: str) -> Part:
    """Take a column for a prediction by its values alone."""
    return Part(column.name, kind, column.name, Reason(why, Confidence.GUESS), unit=column.unit)


def _aside(column: Profile) -> bool:
    words = {word.lower() for word in pieces(column.name)}
    aside = ID | FOLD | WEIGHT | GROUP | NEVER
    return bool(words & NEVER) or plain(column.name) in aside or column.counting or column.constant


def check_choices(table: Table, choices: Choices) -> None:
    """Check that every chosen column exists.

    Raises:
        EvalError: "no-such-column", naming the columns there are.
    """
    for column in chosen_columns(choices):
        if column not in table.columns:
            raise EvalError(
                "no-such-column",
                f'There is no column "{column}". The columns are: {listed(table.names)}.',
                column=column,
            )


def chosen_columns(choices: Choices) -> tuple[str, ...]:
    """Return every column that the user has given a role, once; an empty one is no column."""
    side = (choices.truth, choices.fold, choices.weight, choices.group, choices.id)
    folds = (choices.repeat, choices.dataset, choices.train_size, choices.test_size)
    scores = (choices.fold_scores or {}).values()
    clusters = (choices.clusterings or {}).values()
    predicted = (part.column for part in chosen_parts(choices))
    # Of a role that one column has, empty says "none"; a model or a feature needs a column.
    one_each = filter(None, (*side, *folds))
    every = (*one_each, *scores, *(choices.features or ()), *clusters, *predicted)
    return tuple(dict.fromkeys(every))


def chosen_parts(choices: Choices) -> list[Part]:
    """Return the prediction columns the user has chosen; empty if they are to be detected."""
    keys = Counter(key for _, mapping in _mappings(choices) for key in mapping)
    keys.update(list(choices.probabilities or ()))
    parts = []
    for kind, mapping in _mappings(choices):
        for key, column in mapping.items():
            # A key that is only the column's own name names no model.
            model = "" if key == column and keys[key] == 1 else key
            parts.append(Part(column, kind, model, CHOSEN))
    for model, of_class in (choices.probabilities or {}).items():
        for name, column in of_class.items():
            parts.append(Part(column, Kind.PROBABILITY, model, CHOSEN, name))
    return parts


def _mappings(choices: Choices) -> tuple[tuple[Kind, Mapping[str, str]], ...]:
    given = (
        (Kind.SCORE, choices.scores),
        (Kind.LABEL, choices.labels),
        (Kind.NUMBER, choices.predictions),
    )
    return tuple((kind, mapping) for kind, mapping in given if mapping)


_FEW = 50

_FOLD = Reason("named like a fold, and its values repeat", Confidence.SURE)
_WEIGHT = Reason("named like a weight", Confidence.LIKELY)
_COUNT = Reason("whole numbers named like a count, beside columns of labels", Confidence.LIKELY)
_GROUP = Reason("named like a group, with few distinct values", Confidence.LIKELY)
_ID = Reason("named like an id", Confidence.LIKELY)
_SURE_ID = Reason("named like an id, and no value repeats", Confidence.SURE)


@dataclass(frozen=True)
class SideRoles:
    """The side columns, and why.

    Attributes:
        aside: Columns that never are truth or prediction; those with a role among them.
        reasons: Column -> why it has its role.
    """

    fold: str | None
    weight: str | None
    group: str | None
    id: str | None
    aside: frozenset[str]
    reasons: Mapping[str, Reason]


def side_roles(columns: Mapping[str, Profile], choices: Choices) -> SideRoles:
    """Find fold, weight, group and id; what is chosen is kept."""
    used = chosen_columns(choices)
    free = {name: column for name, column in columns.items() if name not in used}
    reasons: dict[str, Reason] = {}

    def role(chosen: str | None, fits: Callable[[Profile], bool], told: Reason) -> str | None:
        if chosen is not None:  # an empty text says: no column at all
            reasons.update({chosen: CHOSEN} if chosen else {})
            return chosen or None
        for name, column in free.items():
            if name not in reasons and fits(column):
                reasons[name] = told
                return name
        return None

    fold = role(choices.fold, _is_fold, _FOLD)
    weight = role(choices.weight, _is_weight, _WEIGHT)
    if weight is None and choices.weight is None:
        weight = role(None, lambda column: _is_count(column, columns), _COUNT)
    group = role(choices.group, _is_group, _GROUP)
    row = role(choices.id, lambda column: _is_id(column) and column.unique, _SURE_ID)
    row = row or role(choices.id, lambda column: _is_id(column) and not _repeats(column), _ID)
    aside = {name for name, column in free.items() if _is_id(column) or _never(column)}
    return SideRoles(fold, weight, group, row, frozenset(aside | set(reasons)), reasons)


def _is_fold(column: Profile) -> bool:
    return plain(column.name) in FOLD and column.distinct > 1 and not column.unique


def _is_weight(column: Profile) -> bool:
    return plain(column.name) in WEIGHT and column.numeric


def _is_count(column: Profile, columns: Mapping[str, Profile]) -> bool:
    """Tell whether the file is a table of counts: whole numbers beside columns of labels only."""
    if plain(column.name) not in COUNT or not column.whole or column.low < 0 or column.counting:
        return False
    others = [other for other in columns.values() if other.name != column.name]
    return len(others) > 1 and all(
        o.labels and o.distinct <= _FEW and not o.continuous for o in others
    )


def _is_group(column: Profile) -> bool:
    words = [word.lower() for word in pieces(column.name)]
    named = plain(column.name) in GROUP or (len(words) > 1 and words[0] in GROUP)
    return named and 1 < column.distinct <= _FEW and not column.continuous


def _is_id(column: Profile) -> bool:
    name, words = column.name.strip().lower(), plain(column.name)
    if words in ID or name in ("unnamed: 0", "inst#") or words.endswith("_id"):
        return not (column.numeric and not column.whole)
    return name == "column 1" and (column.counting or column.unique) and not column.continuous


def _repeats(column: Profile) -> bool:
    """Tell whether few values stand in many rows, as in a class that is written as a number."""
    return column.distinct <= _FEW and column.distinct * 2 < column.present


def _never(column: Profile) -> bool:
    words = {word.lower() for word in pieces(column.name)}
    return column.moment or (bool(words & NEVER) and plain(column.name) not in TRUTH)
