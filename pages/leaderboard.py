"""Leaderboard: how do all models stand, by every metric?"""

import streamlit as st

from pages.session import current, rivals
from pages.widgets import comparison_words, guard, leaderboard_parts, scenes
from pages.widgets.headline import headline
from pages.widgets.notices import remarks, warnings

dataset = guard.need_dataset()
top = st.container()
options = current.options(dataset)
metrics = leaderboard_parts.pick_metrics(dataset)
found = leaderboard_parts.judged(dataset, metrics, options)
if not found:
    guard.show_unfit("a metric that two models or more give")
    st.stop()
main = next(iter(found.values()))
with top:
    headline(*comparison_words.finding(main))
    warnings(main.notices)
scene = scenes.of_rivals(dataset)
leaderboard_parts.table(found)
folds = rivals.fold_scores(dataset, next(iter(found)), options)
leaderboard_parts.pictures(scene, found, folds)
# How rows are decided is said below the table.
remarks([notice for notice in main.notices if notice.code != "decisions"])
