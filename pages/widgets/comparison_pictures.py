"""A comparison as pictures: the models, how far they are apart, and the folds."""

import streamlit as st

from evalcore.comparison.results import Comparison
from evalcore.fold_scores import FoldScores
from evalcore.metrics import catalog
from pages.figures import differences, folds, intervals
from pages.figures.scene import Scene
from pages.widgets.chart import chart


def pictures(scene: Scene, made: Comparison) -> None:
    """Show each model with its interval, and each pair with that of the difference."""
    metric = catalog.by_key().get(made.metric)
    left, right = st.columns(2)
    if metric is not None:
        with left:
            figure = intervals.draw(scene, metric, made.models)
            chart(figure, intervals.alt(metric, made.models), key="models")
    with right if metric is not None else st.container():
        chart(differences.draw(scene, made), differences.alt(made), key="differences")


def fold_by_fold(scene: Scene, made: Comparison, scores: FoldScores) -> None:
    """Show what each model scored on each fold."""
    figure = folds.draw(scene, scores, made.metric_name, made.better)
    chart(figure, folds.alt(scores, made.metric_name, made.better), key="folds")
