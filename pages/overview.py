"""Overview: how good is each model, and how sure is that?"""

from evalcore.intake.model import Task
from pages.session import computed, current, findings
from pages.widgets import binary_overview, class_overview, guard, sayings
from pages.widgets.headline import headline, section
from pages.widgets.notices import notices
from pages.widgets.pickers import pick_model, pick_way

dataset = guard.need_dataset()
threshold = current.threshold(dataset)
leader = findings.leading(dataset)
own = findings.own_number(dataset, leader, threshold)
headline(sayings.leading(leader, dataset.table.n), sayings.closest(leader, own))

model = pick_model(dataset)
decisions = computed.decisions(dataset, model, threshold)

if dataset.roles.task is Task.BINARY:
    binary_overview.numbers(dataset, model)
    binary_overview.pictures(dataset, model)
else:
    class_overview.numbers(dataset, model)

section("All models")
way = pick_way(list(decisions))
if dataset.roles.task is Task.BINARY:
    binary_overview.all_models(dataset, way)
else:
    class_overview.all_models(dataset, way)
    class_overview.averages(decisions[way])
    class_overview.classes(dataset, model, decisions[way])

told = [*dataset.notices, *findings.notices(dataset, model, threshold)]
if told:
    section("To know before believing these numbers")
    notices(told)
