"""What the user has chosen, checked against the table."""

from collections import Counter
from collections.abc import Mapping

from evalcore.errors import EvalError
from evalcore.intake.assignment import CHOSEN
from evalcore.intake.model import Choices, Table
from evalcore.intake.parts import Kind, Part
from evalcore.intake.wording import listed


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


def chosen_columns(choices: Choices) -> frozenset[str]:
    """Return every column that the user has given a role; an empty one is no column."""
    side = (choices.truth, choices.fold, choices.weight, choices.group, choices.id)
    folds = (choices.repeat, choices.dataset, choices.train_size, choices.test_size)
    scores = (choices.fold_scores or {}).values()
    clusters = (choices.clusterings or {}).values()
    predicted = (part.column for part in chosen_parts(choices))
    # Of a role that one column has, empty says "none"; a model or a feature needs a column.
    one_each = filter(None, (*side, *folds))
    return frozenset((*one_each, *scores, *(choices.features or ()), *clusters, *predicted))


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
