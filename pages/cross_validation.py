"""Cross-validation: does the same model win fold after fold?"""

import streamlit as st

from evalcore.compare import usual_fold_rope
from pages.session import current, rivals
from pages.widgets import (
    comparison_tests,
    comparison_words,
    cross_validation_parts,
    guard,
    one_model_folds,
    scenes,
)
from pages.widgets.comparison_metric import pick_metric
from pages.widgets.headline import headline, section
from pages.widgets.notices import remarks, warnings
from pages.widgets.rope_picker import pick_rope

dataset = guard.need_dataset()
top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
options = current.options(dataset)
with choices:
    metric = pick_metric(dataset)
if len(dataset.models) == 1:
    one_model_folds.show(dataset, metric, options, top=top)
    st.stop()
with choices:
    scores = rivals.fold_scores(dataset, metric, options)
    rope = pick_rope(usual_fold_rope(scores), metric) if scores is not None else None
made = rivals.of_folds(dataset, metric, options, rope)
if made is None or scores is None:
    guard.show_unfit("two folds or more on which the metric has a value")
    st.stop()
told = [*made.notices, *cross_validation_parts.odd(scores, made)]
with top:
    if dataset.models:
        headline(*comparison_words.finding_by(comparison_words.BY_FOLDS, made))
        st.caption(comparison_words.TWO_QUESTIONS)
    else:
        headline(*comparison_words.finding(made))
    warnings(told)
scene = scenes.of_rivals(dataset)
cross_validation_parts.fold_by_fold(scene, made, scores)
cross_validation_parts.likely(made)
cross_validation_parts.curves(dataset)
section("The tests")
comparison_tests.tests_table(made)
comparison_tests.refused(made)
remarks(told)
