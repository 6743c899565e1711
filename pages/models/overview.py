"""Overview: how good is each model, and how sure is that?"""

from evalcore.dataset import Task
from pages.models import overview_binary, overview_classes, overview_clusters, overview_values
from pages.widgets import guard, notices
from pages.widgets.guard import headline
from pages.widgets.inputs import pick_model

PARTS = {
    Task.BINARY: overview_binary,
    Task.MULTICLASS: overview_classes,
    Task.REGRESSION: overview_values,
    Task.CLUSTERING: overview_clusters,
}
"""What the page shows, by task."""


def page() -> None:
    """Show the page."""
    dataset = guard.need_dataset()
    parts = PARTS[dataset.roles.task]
    headline(*parts.finding(dataset))
    model = pick_model(dataset)
    told = [*dataset.notices, *parts.remarks(dataset, model)]
    notices.warnings(told)
    parts.numbers(dataset, model)
    parts.pictures(dataset, model)
    parts.all_models(dataset, model)
    notices.remarks(told)
