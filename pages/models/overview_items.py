"""The Summary of right and wrong answers, part by part."""

from collections.abc import Mapping, Sequence
from functools import partial

from evalcore.errors import Notice
from evalcore.evaluation.estimates import ACCURACY_OF_ITEMS
from evalcore.metrics.metric import Estimate
from evalcore.text import count, counted
from evalread.dataset import Dataset
from evalview import figures, headlines, text
from evalview.escape import visible
from evalview.explained import cards
from evalview.words import at_start, spoken
from pages.session import computed
from pages.widgets import chart, explain, guard, progress, summary, tables

KEY = ACCURACY_OF_ITEMS.key

PICTURES = "Pictures"


def alone(dataset: Dataset) -> tuple[str, str]:
    """Return how often the only model is right."""
    (model,) = dataset.models
    accuracy = computed.items(dataset, model)[KEY]
    return headlines.of_items(spoken(dataset, model), accuracy, dataset.models[model].n)


def told(dataset: Dataset, model: str, names: Sequence[str], way: str) -> summary.Told:
    """Return how many of 100 items models get right."""
    every = {name: computed.items(dataset, name)[KEY] for name in names}
    items, accuracy = computed.tables(dataset)[model].n, computed.items(dataset, model)[KEY]
    wrong, who = items * (1 - accuracy.value), at_start(spoken(dataset, model))
    shares = {
        name: cards.Share(one, computed.tables(dataset)[name].n) for name, one in every.items()
    }
    unit, columns = cards.out_of_hundred({"right": shares})
    return summary.Told(
        columns=columns,
        unit=unit,
        said=f"{who} gets {cards.missed(items, accuracy)} of {counted(items, 'item')} wrong.",
        dots=(cards.Dots("Items", items - wrong, wrong, "right", "wrong"),),
    )


def numbers(dataset: Dataset, model: str) -> None:
    """Show how often a model is right."""
    guard.section("How often it is right")
    accuracy = computed.items(dataset, model)[KEY]
    card = cards.Card(ACCURACY_OF_ITEMS, accuracy, rows=computed.tables(dataset)[model].n)

    def explained(card: cards.Card) -> None:
        behind = explain.stands_behind(dataset, model, "items", card.metric, card.estimate)
        explain.explain(card, behind)

    explain.score_cards([card], explained, key="items")


def pictures(dataset: Dataset, model: str) -> None:
    """Show the accuracy of each model with its interval, and of each group of items."""
    if len(dataset.models) > 1:
        every = {name: computed.items(dataset, name)[KEY] for name in dataset.models}
        figure = figures.draw_intervals(chart.of_all(dataset, model), ACCURACY_OF_ITEMS, every)
        chart.show(figure, figures.intervals_alt(ACCURACY_OF_ITEMS, every), key="intervals")
    by_group = {name: computed.items_by_group(dataset, name) for name in dataset.models}
    sizes = {group: items.n for group, items in computed.tables(dataset)[model].groups.items()}
    if not sizes:
        return
    column = visible(dataset.roles.group or "group")
    guard.section(
        f"By {column}", "Each group of items separately: smaller groups are less certain."
    )
    tables.text_table(
        [
            {column: visible(group), "items": count(n), **_of_models(by_group, group)}
            for group, n in sizes.items()
        ],
        alt=f"How often each model is right, by {column}",
    )


def _of_models(by_group: Mapping[str, Mapping[str, Estimate]], group: str) -> dict[str, str]:
    return {
        visible(name): text.with_interval(found[group]) if group in found else ""
        for name, found in by_group.items()
    }


def all_models(dataset: Dataset, model: str) -> None:
    """Show the numbers of all models under each other."""
    if len(dataset.models) > 1:
        guard.section("All models")
        rows = progress.judged_one_by_one(dataset, partial(computed.items, dataset))
        explain.all_models(dataset, rows, [ACCURACY_OF_ITEMS], way="labels", where="items")


def remarks(dataset: Dataset, model: str) -> list[Notice]:
    """Return what must be known before believing the numbers of a model: nothing of its own."""
    return []
