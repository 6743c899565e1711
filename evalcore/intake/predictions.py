"""Which columns hold predictions, of which model, and of which class."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from evalcore.intake.assignment import CHOSEN, Confidence, Reason
from evalcore.intake.classwords import by_class_words
from evalcore.intake.modelnames import about_class, model_name, names_model, owner_of
from evalcore.intake.parts import Kind, Part
from evalcore.intake.profile import Profile
from evalcore.intake.quantiles import centres, end_of
from evalcore.intake.question import ambiguous
from evalcore.intake.words import (
    FOLD,
    GROUP,
    ID,
    LABEL,
    NEVER,
    PREDICTION,
    SCORE,
    TRUTH,
    WEIGHT,
    pieces,
    plain,
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
