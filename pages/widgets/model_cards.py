"""The main numbers of one model as cards, each with what it means and how it is made."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.intake.model import Dataset
from evalcore.metrics import catalog
from evalcore.results import Estimates
from pages.widgets.explain import explain, stands_behind
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
        where = shown[card.metric.key].place
        explain(card, stands_behind(dataset, model, where, card.metric, card.estimate))

    score_cards([_card(name, group, facts) for name, group in shown.items()], explained, key=key)


def _card(key: str, group: Group, facts: Facts) -> Card:
    metric, estimate = catalog.by_key()[key], group.metrics[key]
    return Card(metric, estimate, facts.sentence(key), facts.rows_behind(key))
