"""Names as people read them: in sentences, and on axes that have little room."""

from collections.abc import Sequence
from textwrap import wrap

from evalread.dataset import Dataset
from evalread.detection.profile import model_name, plain
from evalread.detection.scores import surrounds
from pages import escape, text


def named(label: str) -> str:
    """Return a class name as it stands in a sentence: in quotes unless it is a plain word.

    >>> named("fraud"), named("1"), named("a > b")
    ('fraud', '“1”', '“a > b”')
    """
    shown = escape.visible(label)
    return shown if shown.replace(" ", "").replace("_", "").isalpha() else f"“{shown}”"


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
