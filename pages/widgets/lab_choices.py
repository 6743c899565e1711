"""Choosing rows and a model to train for a lesson."""

from dataclasses import dataclass

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.lab.learner import DIALS, Kind, Learner, kinds
from evalcore.lab.material import SAMPLES, Lesson
from pages.session import lessons

ROWS = {
    "patients": "patients, four visits each",
    "tumours": "tumours (breast cancer)",
    "flowers": "flowers (iris)",
    "illness": "progress of an illness (numbers)",
    lessons.OWN: "your file",
}
USUAL: dict[Kind, int] = {"decision tree": 5, "nearest neighbours": 1}
CALLED = {"linear": "linear (or logistic) regression"}
MOST = 20


@dataclass(frozen=True, eq=False)
class Chosen:
    """What is trained on what.

    Attributes:
        name: Names the rows in caches.
        seed: Of every random choice.
        lesson: The rows.
        learner: The model.
    """

    name: str
    seed: int
    lesson: Lesson
    learner: Learner

    @property
    def classes(self) -> bool:
        """Whether classes are predicted, and not numbers."""
        return bool(self.lesson.rows.classes)

    @property
    def loss(self) -> str:
        """What an error is, as it stands on an axis."""
        return "share of rows that are wrong" if self.classes else "mean absolute error"


def choose(dataset: Dataset | None, *, first: str, kind: Kind) -> Chosen:
    """Show the choices, opening on these rows and this model."""
    have = [key for key in SAMPLES if key in ROWS]
    if lessons.own(dataset) is not None:
        have.append(lessons.OWN)
    key = st.selectbox(
        "Rows", have, index=have.index(first), key="rows", bind="query-params",
        format_func=lambda key: ROWS[key], width=260,
    )  # fmt: skip
    seed = int(
        st.number_input(
            "Seed", 0, 9999, 0, key="seed", bind="query-params", width=110,
            help="Another seed deals other rows: the same scheme then says something else.",
        )
    )  # fmt: skip
    rows = lessons.lesson(dataset, key, seed)
    able = kinds(rows.rows)
    model = st.selectbox(
        "Model", able, index=able.index(kind), key="trained", bind="query-params",
        format_func=lambda kind: CALLED.get(kind, kind), width=240,
    )  # fmt: skip
    return Chosen(lessons.name(dataset, key), seed, rows, Learner(model, _dial(model)))


def _dial(model: Kind) -> int:
    if model not in DIALS:
        return 1
    key = DIALS[model]
    return int(
        st.number_input(
            key.capitalize(), 1, MOST, USUAL[model], key=key, bind="query-params", width=130
        )
    )
