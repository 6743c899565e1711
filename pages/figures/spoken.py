"""Models and clusterings as sentences name them; plain text, not yet escaped for any place."""

from evalcore.intake.model import Dataset
from evalcore.intake.modelnames import names_nothing
from evalcore.intake.quantiles import surrounds
from evalcore.intake.words import plain
from pages.escape import visible

THE_MODEL, THE_CLUSTERING = "the model", "the clustering"
CLUSTER_COLUMNS = frozenset({"cluster", "clusters", "clustering", "cluster_id", "label", "labels"})


def spoken(dataset: Dataset, name: str) -> str:
    """Return a model or clustering as a sentence names it, "the model" where its name is none.

    That is so where there is one only, called after a column that just says what it holds. Tables
    and downloads keep that name.
    """
    alone = len(dataset.models) + len(dataset.clusterings) == 1
    if alone and name in dataset.clusterings:
        return THE_CLUSTERING if plain(name) in CLUSTER_COLUMNS else visible(name)
    predicted = (dataset.roles.truth, *dataset.classes)
    is_named = not (names_nothing(name, predicted) or surrounds(name))
    return visible(name) if is_named or not alone else THE_MODEL


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
