"""Choosing rows and a model to train for a lesson."""

from dataclasses import dataclass, replace

from evalread.dataset import Dataset
from evalview.explained.drawings_of_lessons import Taught
from evalview.lab.training import DIALS, Kind, Learner, kinds
from pages.session import lessons
from pages.widgets.inputs import list_box, whole_number

ROWS = {
    "patients": "patients, four visits each",
    "tumours": "tumours (breast cancer)",
    "flowers": "flowers (iris)",
    "illness": "illness (a number)",
    lessons.OWN: "your file",
}
USUAL: dict[Kind, int] = {"decision tree": 5, "nearest neighbours": 1}
MOST = 20
"""The largest depth or number of neighbours: beyond it little changes in so few rows."""


@dataclass(frozen=True, eq=False)
class Chosen(lessons.Setup):
    """What the reader chose to train, and on what.

    Attributes:
        own: Whether the rows are those of the file.
        whose: Whose rows they are, as a sentence.
    """

    own: bool = False
    whose: str = ""

    @property
    def classes(self) -> bool:
        """Whether classes are predicted, and not numbers."""
        return bool(self.lesson.rows.classes)

    @property
    def trains(self) -> bool:
        """Whether there are features to train on."""
        return self.lesson.rows.features.shape[1] > 0

    @property
    def model(self) -> str:
        """What the model is called."""
        return _called(self.learner.kind, self.classes)

    def taught(self, scheme: str = "k-fold", folds: int = 10) -> Taught:
        """Return what the code of a figure says is shown."""
        return Taught(self.name, self.seed, self.learner, scheme, folds)

    @property
    def loss(self) -> str:
        """What an error is, as it stands on an axis."""
        return "share of rows that are wrong" if self.classes else "mean absolute error"


def origin_of_rows(name: str, dataset: Dataset | None) -> str:
    """Say whose rows are shown, where a file is open that they are not from."""
    beside = "" if dataset is None else ", not your file"
    return f"{name[:1].upper()}{name[1:]}{beside}."


def choose(dataset: Dataset | None, *, first: str, kind: Kind, own: bool) -> Chosen:
    """Show the choices, opening on these rows and this model; `own` rows are offered, or not."""
    have = {key: label for key, label in ROWS.items() if own or key != lessons.OWN}
    key = list_box("Rows", have, key="rows", usual=first, width=210)
    seed = whole_number(
        "Seed", (0, 9999), 0, key="seed", width=90,
        about="Another seed draws other rows, and the same scheme gives another estimate."
    )  # fmt: skip
    rows = lessons.lesson(dataset, key, seed)
    own = key == lessons.OWN
    whose = origin_of_rows(rows.rows.name, None if own else dataset)
    made = Chosen(lessons.name(dataset, key), seed, rows, Learner(), own, whose)
    return replace(made, learner=_learner(made, kind)) if made.trains else made


def _learner(chosen: Chosen, kind: Kind) -> Learner:
    able = {one: _called(one, chosen.classes) for one in kinds(chosen.lesson.rows)}
    model = list_box("Model", able, key="trained", usual=kind, width=180)
    return Learner(model, _dial(model))


def _called(kind: Kind, classes: bool) -> str:
    return ("logistic" if classes else "linear") + " regression" if kind == "linear" else kind


def _dial(model: Kind) -> int:
    if model not in DIALS:
        return 1
    key = DIALS[model]
    return whole_number(key.capitalize(), (1, MOST), USUAL[model], key=key, width=115)
