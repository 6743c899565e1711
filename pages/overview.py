"""Overview: how good is each model, and how sure is that?"""

from evalcore.intake.model import Task
from pages.session import current, findings
from pages.widgets import binary_overview, class_overview, guard, sayings
from pages.widgets.headline import headline, section
from pages.widgets.notices import notices
from pages.widgets.pickers import pick_model

dataset = guard.need_dataset()
threshold = current.threshold(dataset)
leader = findings.leading(dataset)
own = findings.own_number(dataset, leader, threshold)
headline(sayings.leading(leader), sayings.closest(leader, own))
model = pick_model(dataset)

parts = binary_overview if dataset.roles.task is Task.BINARY else class_overview
parts.numbers(dataset, model)
parts.pictures(dataset, model)
parts.all_models(dataset, model)

told = [*dataset.notices, *findings.notices(dataset, model, threshold)]
if told:
    section("To know before believing these numbers")
    notices(told)
