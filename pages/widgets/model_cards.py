"""The main numbers of one model as cards, each with what it means and how it is made."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.intake.model import Dataset
from evalcore.metrics import catalog
from evalcore.results import Estimates
from pages.session import current
from pages.widgets.explain import explain
from pages.widgets.score_card import Card, score_cards
from pages.widgets.sentences import Facts


@dataclass(frozen=True, eq=False)
class Group:
    """Metrics of one kind.

    Attributes:
        place: Where an evaluation keeps them: "ranking", "decisions.threshold".
        metrics: All of them, by key.
        keys: Those to show, in this order.
    """

    place: str
    metrics: Estimates
    keys: Sequence[str]


def model_cards(
    dataset: Dataset, model: str, groups: Sequence[Group], facts: Facts, *, key: str
) -> None:
    """Show the numbers of a model, each with its sentence and what opens from it."""
    shown = {name: group for group in groups for name in group.keys if name in group.metrics}

    def explained(card: Card) -> None:
        name = card.metric.key
        explain(card, facts.counts, code(dataset, model, shown[name].place, name))

    score_cards([_card(name, group, facts) for name, group in shown.items()], explained, key=key)


def code(dataset: Dataset, model: str, place: str, key: str) -> str:
    """Return the Python that gives the same number."""
    group, _, way = place.partition(".")
    where = f"decisions[{way!r}].metrics" if way else group
    name, threshold = dataset.table.source.name, current.threshold(dataset)
    return (
        "from pathlib import Path\n\n"
        "from evalcore.evaluate import evaluate\n"
        "from evalcore.intake import load\n"
        "from evalcore.options import Options\n\n"
        f"name = {name!r}\n"
        "dataset = load([(name, Path(name).read_bytes())])\n"
        f"evaluation = evaluate(dataset, Options(threshold={threshold!r}))\n"
        f"evaluation.models[{model!r}].{where}[{key!r}].value"
    )


def _card(key: str, group: Group, facts: Facts) -> Card:
    metric, estimate = catalog.by_key()[key], group.metrics[key]
    return Card(metric, estimate, facts.sentence(key), facts.rows_behind(key))
