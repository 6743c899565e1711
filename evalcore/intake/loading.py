"""From files to a data set in one call."""

from collections.abc import Sequence

from evalcore.errors import EvalError
from evalcore.intake.binding import bind
from evalcore.intake.model import NO_CHOICES, Choices, Dataset
from evalcore.intake.readers import read
from evalcore.intake.roles import detect


def load(files: Sequence[tuple[str, bytes]], choices: Choices = NO_CHOICES) -> Dataset:
    r"""Read, detect and bind: the whole way from (name, bytes) pairs to checked outcomes.

    Raises:
        EvalError: The files cannot be used; the message says what is wrong and what to do.

    >>> data = load([("p.csv", b"truth,score\n1,0.9\n0,0.2\n1,0.7\n")])
    >>> data.roles.truth, data.roles.positive, list(data.models)
    ('truth', '1', ['score'])
    """
    if len(files) != 1:
        raise EvalError("not-yet", "One file at a time can be read for now.")
    name, data = files[0]
    table = read(name, data, choices)
    return bind(table, detect(table, choices))
