"""Which of two classes is the positive one, and why."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from evalcore.errors import EvalError
from evalcore.intake.assignment import Confidence, Reason
from evalcore.intake.grouping import by_model
from evalcore.intake.labels import as_labels, plain_if_numbers, same_by_value
from evalcore.intake.model import ModelRoles, Scale, Table
from evalcore.intake.numbers import as_numbers
from evalcore.intake.parts import Kind, Part
from evalcore.intake.profile import sample
from evalcore.intake.words import NEGATIVE, POSITIVE
from evalcore.outcomes import Floats


def choose_positive(
    classes: Sequence[str], counts: Mapping[str, int], named: Iterable[str], scored: str | None
) -> tuple[str, Reason]:
    """Return the positive class of two and the reason.

    Args:
        classes: The two classes, in order.
        counts: How many rows of the truth are of each class.
        named: The classes that score columns are named after.
        scored: The class that the models' own labels say where scores are high, if any.

    >>> positive, reason = choose_positive(["no", "yes"], {"no": 3, "yes": 5}, ["no"], None)
    >>> positive, reason.text, reason.confidence.value
    ('no', 'named in the score column', 'sure')
    """
    only = set(named)
    if len(only) == 1:
        return only.pop(), Reason("named in the score column", Confidence.SURE)
    if scored is not None:
        return scored, Reason("the label that goes with high scores", Confidence.SURE)
    for word in POSITIVE:
        meant = [name for name in classes if name.casefold() == word]
        if len(meant) == 1:
            told = "1 stands for yes" if word == "1" else "the word says so"
            return meant[0], Reason(told, Confidence.LIKELY)
    for name, other in (tuple(classes), tuple(reversed(classes))):
        if name.casefold() in NEGATIVE and other.casefold() not in NEGATIVE:
            return other, Reason(f'"{name}" is the ordinary case', Confidence.LIKELY)
    first, second = (counts.get(name, 0) for name in classes)
    if first != second:
        return classes[0 if first < second else 1], Reason("the rarer class", Confidence.GUESS)
    told = "both are equally frequent; the second in order"
    return classes[1], Reason(told, Confidence.GUESS)


def scored_class(table: Table, parts: Sequence[Part]) -> str | None:
    """Return the class that every model's labels give to its high scores and to no low one.

    Only models that have a label and a score count; looked at on a sample of rows.
    """
    found = set()
    for group in by_model(parts).values():
        columns = {part.kind: part.column for part in reversed(group)}
        if {Kind.LABEL, Kind.SCORE} <= columns.keys():
            found.add(label_of_high(table, columns[Kind.LABEL], columns[Kind.SCORE]))
    return found.pop() if len(found) == 1 else None


def label_of_high(table: Table, label: str, score: str) -> str | None:
    """Return which of two predicted labels goes with every high score, and with no low one."""
    groups = list(_scores_by_label(table, label, score).items())
    for (_, low), (name, high) in (groups, groups[::-1]) if len(groups) == 2 else ():
        if low.max() < high.min():
            return name
    return None


OF_ITS_LABEL = Reason(
    "named like a score; 0.5 or more under both labels, as the probability of the label is",
    Confidence.LIKELY,
)


def confidence_scale(table: Table, models: Iterable[ModelRoles]) -> Scale | None:
    """Return CONFIDENCE where every model's score can only be that of its predicted label.

    It is then 0.5 or more under both labels, and no threshold parts them. Looked at on a sample
    of rows; None where a model shows nothing of the kind.
    """
    found = [_is_confidence(table, model) for model in models]
    return Scale.CONFIDENCE if found and all(found) else None


def _is_confidence(table: Table, model: ModelRoles) -> bool:
    # Columns named after classes say what they are about.
    if not (model.label and model.score) or model.probabilities:
        return False
    groups = list(_scores_by_label(table, model.label, model.score).values())
    if len(groups) != 2 or not all(0.5 <= part.min() <= part.max() <= 1 for part in groups):
        return False
    return label_of_high(table, model.label, model.score) is None


def _scores_by_label(table: Table, label: str, score: str) -> Mapping[str, Floats]:
    """Return the scores of the sampled rows under each of two labels that have any."""
    said = same_by_value([as_labels(sample(table, label), label)])[0]
    try:
        numbers = as_numbers(sample(table, score), score, table.source)
    except EvalError:  # binding reports it, with the row
        return {}
    values = numbers.values / 100 if numbers.percent else numbers.values
    groups = {
        name: values[(said.codes == code) & ~np.isnan(values)]
        for code, name in enumerate(said.names[:3])
    }
    return {name: part for name, part in groups.items() if len(part)} if len(groups) == 2 else {}


def find_class(classes: Sequence[str], chosen: str) -> str:
    """Return the class that a user's words mean.

    Raises:
        EvalError: "no-such-class", naming the classes there are.
    """
    wanted = {chosen, *plain_if_numbers([chosen])}
    for name in classes:
        if name in wanted:
            return name
    told = " and ".join(f'"{name}"' for name in classes)
    raise EvalError("no-such-class", f'There is no class "{chosen}"; the classes are {told}.')


def other_class(only: str, positive: str | None) -> str:
    """Name the class that a truth with one class does not hold.

    >>> other_class("1", None), other_class("cat", None), other_class("cat", "dog")
    ('0', 'not cat', 'dog')
    """
    if positive is not None and positive != only:
        return positive
    pairs = (("0", "1"), ("false", "true"), ("no", "yes"), ("negative", "positive"))
    for pair in pairs:
        if only in pair:
            return pair[1 - pair.index(only)]
    return f"not {only}"
