"""From files to a data set in one call."""

from collections.abc import Sequence

from evalcore.errors import EvalError
from evalcore.intake.binding import bind
from evalcore.intake.joining import by_file, join
from evalcore.intake.model import NO_CHOICES, Choices, Dataset, Table
from evalcore.intake.reading import read
from evalcore.intake.roles import detect

MOST_FILES = 50


def load(files: Sequence[tuple[str, bytes]], choices: Choices = NO_CHOICES) -> Dataset:
    r"""Read, detect and bind: the whole way from (name, bytes) pairs to checked outcomes.

    Raises:
        EvalError: The files cannot be used; the message says what is wrong and what to do.

    >>> data = load([("p.csv", b"truth,score\n1,0.9\n0,0.2\n1,0.7\n")])
    >>> data.roles.truth, data.roles.positive, list(data.models)
    ('truth', '1', ['score'])
    """
    table = read_all(files, choices)
    return bind(table, detect(table, choices))


def read_all(files: Sequence[tuple[str, bytes]], choices: Choices = NO_CHOICES) -> Table:
    """Read one file, or several joined on their id, to a table ready for detection.

    Raises:
        EvalError: A file cannot be read, or the files cannot be joined.
    """
    if not files:
        raise EvalError("no-files", "There is no file.")
    if len(files) > MOST_FILES:
        raise EvalError("too-many-files", f"At most {MOST_FILES} files are read together.")
    tables = [read(name, data, choices) for name, data in files]
    return tables[0] if len(tables) == 1 else join(by_file(tables), choices.id)
