"""Thresholds: what does moving the threshold win, and what does it cost?"""

from evalcore.evaluation.decisions import OF_ONE_CLASS
from pages.session import computed, explored, findings
from pages.widgets import guard
from pages.widgets.headline import section
from pages.widgets.metric_list import metric_list
from pages.widgets.notices import notices
from pages.widgets.threshold_explorer import threshold_explorer

dataset = guard.need_dataset()
threshold = threshold_explorer(dataset)
notices(findings.notices(dataset, explored.model(dataset), threshold))

section(
    "Every number at this threshold", "Each with its interval; point at a name for its meaning."
)
decided = {
    name: computed.decisions(dataset, name, threshold)["threshold"].metrics
    for name in explored.shown(dataset)
}
metric_list(decided, OF_ONE_CLASS)
