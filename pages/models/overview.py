"""Overview: how good is each model, and how sure is that?"""

from importlib import import_module

from evalread.dataset import Task
from pages.widgets import guard, inputs, notices

PARTS = {
    Task.BINARY: "overview_binary",
    Task.MULTICLASS: "overview_classes",
    Task.REGRESSION: "overview_values",
    Task.CLUSTERING: "overview_clusters",
    Task.CORRECT: "overview_items",
}
"""The module with what the page shows, by task; imported when it is first shown."""


def page() -> None:
    """Show the verdict, then the numbers, the pictures and the table of all models."""
    dataset = guard.need_dataset()
    parts = import_module(f"pages.models.{PARTS[dataset.roles.task]}")
    guard.headline(*parts.finding(dataset))
    model = inputs.pick_model(dataset)
    told = [*dataset.notices, *parts.remarks(dataset, model)]
    notices.warnings(told)
    parts.numbers(dataset, model)
    parts.pictures(dataset, model)
    parts.all_models(dataset, model)
    notices.remarks(told)
