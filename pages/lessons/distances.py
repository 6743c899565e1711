"""Distances: how far apart are two rows?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.outcomes import Codes, Floats, Points
from evalread.dataset import Dataset
from evalview import escape, figures, text
from evalview.explained.drawings_of_lessons import Taught, lesson_code
from evalview.figures import layout, theme
from evalview.figures.lessons import NAMED, written
from evalview.lab import steps, training
from pages.lessons import lesson, rows
from pages.session import current, lessons
from pages.widgets import bar, chart, guard, inputs, tables


def page() -> None:
    """Show two rows, points equally far by one order, and the distances by all orders."""
    top, choices = guard.top_and_choices()
    with choices:
        pair = ask(current.dataset())
    with top:
        if pair.own:
            bar.show()
        guard.headline(*finding(pair))
    left, right = st.columns(2)
    with left:
        circle(pair.order)
    with right:
        working(pair)
        orders(pair)
    by = {"distance": pair.order, "manhattan": 1.0, "euclidean": 2.0, "chebyshev": np.inf}
    numbers = {name: pair.by(order).distance for name, order in by.items()}
    lesson.show_below("distances", {"order": pair.order, **numbers})


ORDERS = {"1": 1.0, "1.5": 1.5, "2": 2.0, "3": 3.0, "5": 5.0, "10": 10.0, "∞": np.inf}
FEATURES = ("sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)")
SHOWN, MEASURED = 50, 20_000
OPENED = 5
"""The place of the row that is shown first: which flower is nearest to it depends on the order."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two rows, and the order by which they are apart.

    Attributes:
        features: Names of the d features.
        number: (n,) the numbers of all rows.
        value: (n, d) their features, standardised or not.
        place: Which two of them.
        order: The order of the distance.
        whose: Whose rows these are, as a sentence; "" for those of the file.
    """

    features: Sequence[str]
    number: Codes
    value: Floats
    place: tuple[int, int]
    order: float
    whose: str = ""

    @property
    def own(self) -> bool:
        """Whether the rows are those of the file."""
        return not self.whose

    @property
    def row(self) -> tuple[int, int]:
        """The numbers of the two rows."""
        first, second = self.number[list(self.place)]
        return int(first), int(second)

    def by(self, order: float) -> steps.MinkowskiTerms:
        """Return how far they are apart by an order."""
        return steps.minkowski(*self.value[list(self.place)], order)


def ask(dataset: Dataset | None) -> Pair:
    """Show the two rows and the order to pick."""
    points, features, whose = _points(dataset)
    row = np.arange(1, points.n + 1) if points.rows is None else points.rows
    ends = int(row[0]), int(row[-1])
    first, second = (
        inputs.whole_number(f"{name} row", ends, usual, key=f"{name.lower()}-row", width=130)
        for name, usual in (("First", int(row[: OPENED + 1][-1])), ("Second", ends[1]))
    )
    order: str = st.select_slider(
        "Order p", list(ORDERS), "2", key="minkowski", bind="query-params", width=240
    )
    scaled = st.toggle("Standardise features", key="standardise", bind="query-params")
    places = np.searchsorted(row, (first, second))
    used = layout.standardised(points) if scaled else points
    place = int(places[0]), int(places[1])
    return Pair(features, row, used.features, place, ORDERS[order], whose)


def finding(pair: Pair) -> tuple[str, str]:
    """Return how far the two rows are apart, by this order and by those that have names."""
    named = (f"{name} {text.number(pair.by(p).distance)}" for p, name in NAMED.items())
    first, second = pair.row
    noun = "Rows" if pair.own else "Iris flowers"
    lead = f"{pair.whose} {', '.join(named)}. ".lstrip()
    return (
        f"{noun} {first:,} and {second:,} are {text.number(pair.by(pair.order).distance)} apart "
        f"by {written(pair.order)}",
        f"{lead}The higher the order, the more the largest difference dominates.",
    )


def circle(order: float) -> None:
    """Show which places are equally far from the middle."""
    scene = theme.Scene(names=("p",), look=chart.look())
    code = lesson_code("unit-circle", Taught(order=order))
    chart.show(
        figures.draw_unit_circle(scene, order),
        figures.unit_circle_alt(order),
        key="unit-circle",
        code=code,
    )


def working(pair: Pair) -> None:
    """Show the distance worked out, the features that count most first."""
    made = pair.by(pair.order)
    order = np.argsort(-made.difference, kind="stable")[:SHOWN]
    first, second = pair.row
    twice = " again" if first == second else ""
    frame = pd.DataFrame(
        {
            "feature": [escape.visible(pair.features[place]) for place in order],
            f"row {first}": pair.value[pair.place[0], order],
            f"row {second}{twice}": pair.value[pair.place[1], order],
            "difference": made.difference[order],
            "share of the sum": made.share[order],
        }
    )
    share = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
    tables.show(frame, hide_index=True, key="apart", alt="The distance, feature by feature",
                 column_config={"share of the sum": share})  # fmt: skip
    st.caption(_formula(pair.order))


def orders(pair: Pair) -> None:
    """Show the distance by every order, and the row that is then nearest to the first."""
    if len(pair.value) > MEASURED:
        return
    rows = [_by_order(pair, order) for order in ORDERS.values()]
    tables.text_table(rows, alt="The distance and the nearest row by order")
    st.caption("With another order another row may be the nearest.")


def _by_order(pair: Pair, order: float) -> dict[str, str]:
    near = steps.nearest(pair.value, pair.place[0], order)
    far = steps.minkowski(pair.value[pair.place[0]], pair.value[near], order).distance
    name = f" ({NAMED[order]})" if order in NAMED else ""
    return {
        "order": f"{written(order)}{name}",
        "distance": text.number(pair.by(order).distance),
        f"nearest to row {pair.row[0]:,}": f"row {pair.number[near]:,}, {text.number(far)} away",
    }


def _formula(order: float) -> str:
    if np.isinf(order):
        return "Chebyshev: the largest difference is the distance; all others are ignored."
    if order == 1:
        return "Manhattan: the differences are added."
    if order == 2:
        return "Euclidean: the differences are squared and added; the distance is the square root."
    return (
        f"Each difference is raised to the power {order:g}; the distance is the sum to the power "
        f"1/{order:g}."
    )


def _points(dataset: Dataset | None) -> tuple[Points, Sequence[str], str]:
    own = None if dataset is None else lessons.points(dataset)
    if dataset is not None and own is not None and own.n > 1:
        return own, dataset.roles.features, ""
    flowers = training.SAMPLES["flowers"]()
    cluster = flowers.truth.astype(np.int64)
    points = Points(names=flowers.classes, cluster=cluster, features=flowers.features)
    return points, FEATURES, rows.origin_of_rows("the iris data", dataset)
