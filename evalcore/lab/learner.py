"""Models of scikit-learn that are trained in a few milliseconds, with one dial each at most."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from evalcore.lab.material import Material
from evalcore.outcomes import Floats

Kind = Literal["decision tree", "nearest neighbours", "linear", "naive Bayes"]

DIALS: dict[Kind, str] = {"decision tree": "depth", "nearest neighbours": "neighbours"}
"""What makes a model simpler or more complex."""


@dataclass(frozen=True)
class Learner:
    """How a model is made; `dial` is the depth of a tree or the number of neighbours."""

    kind: Kind = "decision tree"
    dial: int = 5


def kinds(material: Material) -> tuple[Kind, ...]:
    """Return the models that these rows can train."""
    every: tuple[Kind, ...] = ("decision tree", "nearest neighbours", "linear", "naive Bayes")
    return every if material.classes else every[:3]


def trained(learner: Learner, rows: Material) -> Any:
    """Return a model of scikit-learn, trained on all of the rows.

    Where all rows are of one class, it says that class.
    """
    if rows.classes and len(np.unique(rows.truth)) < 2:
        from sklearn.dummy import DummyClassifier

        return DummyClassifier(strategy="most_frequent").fit(rows.features, rows.truth)
    return _model(learner, rows).fit(rows.features, rows.truth)


def losses(model: Any, rows: Material) -> Floats:
    """Return (n,) 1 for each wrong class and 0 for each right one, or the absolute errors."""
    return loss_of(np.asarray(model.predict(rows.features), dtype=np.float64), rows)


def loss_of(predicted: Floats, rows: Material) -> Floats:
    """Return (n,) losses of predictions."""
    off: Floats = np.abs(predicted - rows.truth)
    return (off > 0).astype(np.float64) if rows.classes else off


def _model(learner: Learner, rows: Material) -> Any:
    from sklearn import linear_model, naive_bayes, neighbors, tree
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    classes, near = bool(rows.classes), min(learner.dial, rows.n)
    match learner.kind:
        case "decision tree":
            kind = tree.DecisionTreeClassifier if classes else tree.DecisionTreeRegressor
            return kind(max_depth=learner.dial, random_state=0)
        case "nearest neighbours":
            by = neighbors.KNeighborsClassifier if classes else neighbors.KNeighborsRegressor
            return make_pipeline(StandardScaler(), by(near))
        case "linear":
            one = linear_model.LogisticRegression() if classes else linear_model.LinearRegression()
            return make_pipeline(StandardScaler(), one)
        case "naive Bayes":
            return naive_bayes.GaussianNB()
