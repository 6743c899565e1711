"""Thresholds: what does moving the threshold win, and what does it cost?"""

from evalcore.evaluation.decisions import OF_ONE_CLASS
from evalcore.intake.model import Task
from pages.session import current, explored, findings
from pages.session.question import asked
from pages.widgets import guard, sayings
from pages.widgets.class_curves import class_curves
from pages.widgets.class_picker import pick_class
from pages.widgets.headline import section
from pages.widgets.metric_list import metric_list
from pages.widgets.notices import notices
from pages.widgets.threshold_explorer import threshold_explorer

dataset = guard.need_dataset()
is_binary = dataset.roles.task is Task.BINARY
question = asked(dataset, None if is_binary else pick_class(dataset))
threshold_explorer(dataset, question)

model = explored.model(dataset, question)
if is_binary:
    notices(findings.notices(dataset, model, current.threshold(dataset, model)))
    where = "at this threshold" if current.view().own is None else "at each model's own threshold"
    section(f"Every number {where}", sayings.at_thresholds(dataset.models.values()))
    names = explored.shown(dataset, question)
    decided = {name: explored.decided(dataset, question, name).metrics for name in names}
    metric_list(decided, OF_ONE_CLASS)
else:
    section("Every class against all others", "The hardest to tell from the others come first.")
    class_curves(dataset, model)
