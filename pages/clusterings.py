"""Clusterings: how many clusters are there?"""

from pages.session import clusterings, current
from pages.widgets import clusterings_parts, guard
from pages.widgets.cluster_overview import all_models
from pages.widgets.headline import headline

dataset = guard.need_dataset()
made = clusterings_parts.judged(dataset)
headline(*clusterings_parts.finding(made))
clusterings_parts.pictures(dataset, made)
if clusterings.points(dataset, current.model(dataset)) is not None:
    clusterings_parts.gap(dataset)
all_models(dataset, next(iter(made)))
