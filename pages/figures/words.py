"""Names as people read them: in sentences, and on axes that have little room."""

from collections.abc import Sequence
from textwrap import wrap

from evalread.dataset import Dataset
from evalread.detection.profile import model_name, plain
from evalread.detection.scores import surrounds
from pages import escape, text

BARE = frozenset({"yes", "no", "true", "false", "y", "n", "t", "f"})
"""Names of classes that say nothing by themselves."""


def named(label: str) -> str:
    """Return a class name as it stands in a sentence: in quotes unless it is a noun of its own.

    >>> named("fraud"), named("1"), named("a > b"), named("yes")
    ('fraud', '“1”', '“a > b”', '“yes”')
    """
    shown = escape.visible(label)
    plain = shown.replace(" ", "").replace("_", "").isalpha()
    return shown if plain and shown.lower() not in BARE else f"“{shown}”"


def is_noun(label: str) -> bool:
    """Whether the name of a class says what a row is without the column's name beside it.

    >>> is_noun("fraud"), is_noun("yes"), is_noun("1")
    (True, False, False)
    """
    return named(label) == label


def rows_of(column: str, label: str, rows: float) -> str:
    """Return so many rows of a class in a sentence; `column` is that of the truth.

    >>> rows_of("diagnosis", "malignant", 47), rows_of("churned", "yes", 1)
    ('47 malignant rows', '1 row with churned = yes')
    >>> rows_of("", "1", 2)
    '2 rows of “1”'
    """
    shown = text.abbreviate(label, LONGEST)
    if is_noun(label):
        return f"{text.count(rows)} {named(shown)} {'row' if rows == 1 else 'rows'}"
    if not column:
        return f"{text.counted(rows, 'row')} of {named(shown)}"
    return f"{text.counted(rows, 'row')} with {class_of(column, label)}"


def class_of(column: str, label: str) -> str:
    """Return a class as a noun in a sentence; `column` is that of the truth.

    >>> class_of("diagnosis", "malignant"), class_of("churned", "yes")
    ('malignant', 'churned = yes')
    """
    shown = text.abbreviate(label, LONGEST)
    if is_noun(label) or not column:
        return named(shown)
    return f"{escape.visible(text.abbreviate(column, LONGEST))} = {escape.visible(shown)}"


LONGEST = 28
"""Characters of the name of a class or a column in a sentence."""


def on_two_lines(name: str, width: int = 13) -> str:
    """Return a name, escaped, on two lines at most, each about `width` letters wide.

    >>> on_two_lines("logistic regression"), on_two_lines("rf")
    ('logistic<br>regression', 'rf')
    """
    lines = wrap(text.abbreviate(name.replace("_", " "), 2 * width), width) or [""]
    return "<br>".join(map(escape.plotly, lines[:2]))


FEW = 8
"""With more names under each other, each has one line only."""


def under_each_other(names: Sequence[str]) -> list[str]:
    """Return names, escaped, for rows under each other."""
    few = len(names) <= FEW
    return [
        on_two_lines(name) if few else escape.plotly(text.abbreviate(name, 18)) for name in names
    ]


THE_MODEL, THE_CLUSTERING = "the model", "the clustering"
CLUSTER_COLUMNS = frozenset({"cluster", "clusters", "clustering", "cluster_id", "label", "labels"})


def spoken(dataset: Dataset, name: str) -> str:
    """Return a model or clustering as a sentence names it, "the model" where its name is none.

    That is so where there is one only, called after a column that just says what it holds. Tables
    and downloads keep that name.
    """
    alone = len(dataset.models) + len(dataset.clusterings) == 1
    if alone and name in dataset.clusterings:
        return THE_CLUSTERING if plain(name) in CLUSTER_COLUMNS else escape.visible(name)
    # What is left may only be what is predicted.
    nothing = {"", *map(plain, (dataset.roles.truth, *dataset.classes))}
    is_named = plain(model_name(name)) not in nothing and not surrounds(name)
    return escape.visible(name) if is_named or not alone else THE_MODEL


def at_start(who: str) -> str:
    """Return who is spoken of as a sentence begins: a name stays as it is written.

    >>> at_start("the model"), at_start("rf")
    ('The model', 'rf')
    """
    return f"T{who[1:]}" if who in (THE_MODEL, THE_CLUSTERING) else who


def predictions_of(who: str) -> str:
    """Return whose predictions, where there is anything to tell.

    >>> predictions_of("random forest"), predictions_of("the model")
    ('predictions of random forest', 'predictions')
    """
    return "predictions" if who == THE_MODEL else f"predictions of {who}"
