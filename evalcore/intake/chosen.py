"""What the user has chosen, checked against the table."""

from collections.abc import Iterator

from evalcore.errors import EvalError
from evalcore.intake.model import Choices, Table
from evalcore.intake.predictions import Kind, Part


def check_choices(table: Table, choices: Choices) -> None:
    """Check that every chosen column exists.

    Raises:
        EvalError: "no-such-column", naming the columns there are.
    """
    for column in chosen_columns(choices):
        if column not in table.columns:
            listed = ", ".join(f'"{name}"' for name in table.names[:12])
            more = ", …" if len(table.names) > 12 else ""
            raise EvalError(
                "no-such-column",
                f'There is no column "{column}". The columns are: {listed}{more}.',
                column=column,
            )


def chosen_columns(choices: Choices) -> frozenset[str]:
    """Return every column that the user has given a role."""
    side = (choices.truth, choices.fold, choices.weight, choices.group, choices.id)
    features = choices.features or ()
    clusters = (choices.clusterings or {}).values()
    predicted = (part.column for part in chosen_parts(choices))
    return frozenset(column for column in (*side, *features, *clusters, *predicted) if column)


def chosen_parts(choices: Choices) -> list[Part]:
    """Return the prediction columns the user has chosen; empty if they are to be detected."""
    return list(_parts(choices))


def _parts(choices: Choices) -> Iterator[Part]:
    kinds = (
        (Kind.SCORE, choices.scores),
        (Kind.LABEL, choices.labels),
        (Kind.NUMBER, choices.predictions),
    )
    for kind, mapping in kinds:
        for model, column in (mapping or {}).items():
            yield Part(column, kind, "" if model == column else model, "chosen")
    for model, of_class in (choices.probabilities or {}).items():
        for name, column in of_class.items():
            yield Part(column, Kind.PROBABILITY, model, "chosen", name)
