"""A comparison as pictures: the models, and how far they are apart."""

import streamlit as st

from evalcore.comparison.results import Comparison
from evalcore.metrics import catalog
from pages.figures import differences, intervals
from pages.figures.scene import Scene
from pages.widgets.chart import chart

PAIRS = 6
"""So many pairs are always drawn; of more, those with the best model."""


def pictures(scene: Scene, made: Comparison) -> None:
    """Show each model with its interval, and each pair with that of the difference."""
    metric = catalog.by_key().get(made.metric)
    models = len(made.standing.order)
    height = differences.room(min(models * (models - 1) // 2, max(PAIRS, models - 1)))
    left, right = st.columns(2)
    if metric is not None:
        with left:
            figure = intervals.draw(scene, metric, made.models, height=height)
            chart(figure, intervals.alt(metric, made.models), key="models")
    with right if metric is not None else st.container():
        apart(scene, made, height=height)


def apart(scene: Scene, made: Comparison, *, height: int | None = None) -> None:
    """Show how far each pair is apart, with the interval of the difference."""
    figure = differences.draw(scene, made, height=height)
    chart(figure, differences.alt(made), key="differences")
