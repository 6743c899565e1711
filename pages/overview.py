"""Overview: how good is each model, and how sure is that?"""

from evalcore.intake.model import Task
from pages.widgets import (
    binary_overview,
    class_findings,
    class_overview,
    cluster_overview,
    guard,
    notices,
    values_overview,
)
from pages.widgets.headline import headline
from pages.widgets.pickers import pick_model

FINDINGS = {Task.REGRESSION: values_overview, Task.CLUSTERING: cluster_overview}
PARTS = {
    Task.BINARY: binary_overview,
    Task.MULTICLASS: class_overview,
    Task.REGRESSION: values_overview,
    Task.CLUSTERING: cluster_overview,
}

dataset = guard.need_dataset()
findings = FINDINGS.get(dataset.roles.task, class_findings)
parts = PARTS[dataset.roles.task]

headline(*findings.finding(dataset))
model = pick_model(dataset)
told = [*dataset.notices, *findings.remarks(dataset, model)]
notices.warnings(told)
parts.numbers(dataset, model)
parts.pictures(dataset, model)
parts.all_models(dataset, model)
notices.remarks(told)
