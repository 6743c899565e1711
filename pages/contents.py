"""The pages, in reading order: what each is called, what it answers, which data can fill it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from evalcore.contests.foldwise import MOST_FOLDS
from evalcore.intake.model import Dataset, Task
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Measurable, Points
from pages.session import stated

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Entry:
    """A page.

    Attributes:
        name: Its file without ".py", which is also its address.
        title: Its name for people.
        section: The heading under which it is listed.
        answers: The question it answers, one line.
        needs: Completes "This page needs ..."; empty if it needs no data.
        fills: Whether a data set has what the page shows.
    """

    name: str
    title: str
    section: str
    answers: str
    needs: str = ""
    fills: Callable[[Dataset], bool] = lambda dataset: True

    @property
    def page(self) -> Page:
        """The page as Streamlit knows it."""
        return st.Page(
            HERE / f"{self.name}.py",
            title=self.title,
            url_path=self.name,
            default=self.name == "start",
            help=self.answers,
        )

    def fits(self, dataset: Dataset | None) -> bool:
        """Whether the page has something to show."""
        return not self.needs or (dataset is not None and self.fills(dataset))


CLASSES = (Task.BINARY, Task.MULTICLASS)
JUDGED = (*CLASSES, Task.REGRESSION, Task.CLUSTERING)


def first_page(task: Task) -> str:
    """Return the page on which results of this kind of question begin."""
    return "comparison.py" if task is Task.FOLDS else "overview.py"


def _is_judged(dataset: Dataset) -> bool:
    return dataset.roles.task in JUDGED


def _has_classes(dataset: Dataset) -> bool:
    return dataset.roles.task in CLASSES


def _has_numbers(dataset: Dataset) -> bool:
    return dataset.roles.task is Task.REGRESSION


def _has_points(dataset: Dataset) -> bool:
    return any(isinstance(found, Points) for found in dataset.clusterings.values())


def _has_measurable(dataset: Dataset) -> bool:
    return any(isinstance(found, Measurable) for found in dataset.clusterings.values())


def _has_groups(dataset: Dataset) -> bool:
    others = len(dataset.clusterings) + (dataset.true_class is not None)
    return bool(dataset.clusterings) and others > 1


def _has_clusterings(dataset: Dataset) -> bool:
    return len(dataset.clusterings) > 1


def _has_stated(dataset: Dataset) -> bool:
    return dataset.roles.task is Task.REGRESSION and bool(stated.found(dataset))


def _has_rivals(dataset: Dataset) -> bool:
    scored = dataset.fold_scores
    return len(dataset.models if scored is None else scored.models) > 1


def _has_judged_rivals(dataset: Dataset) -> bool:
    return len(dataset.models) > 1


def _has_folds(dataset: Dataset) -> bool:
    folded = dataset.fold is not None and 2 <= len(dataset.fold.names) <= MOST_FOLDS
    scored = dataset.fold_scores is not None and _has_rivals(dataset)
    return scored or (folded and bool(dataset.models))


def _has_scores(dataset: Dataset) -> bool:
    return _has_class_scores(dataset) or any(
        isinstance(outcomes, BinaryOutcomes) and outcomes.score is not None
        for outcomes in dataset.models.values()
    )


def _has_probabilities(dataset: Dataset) -> bool:
    return _has_class_scores(dataset) or any(
        isinstance(outcomes, BinaryOutcomes) and outcomes.probability
        for outcomes in dataset.models.values()
    )


def _has_class_scores(dataset: Dataset) -> bool:
    return any(
        isinstance(outcomes, ClassOutcomes) and outcomes.probabilities is not None
        for outcomes in dataset.models.values()
    )


CONTENTS = (
    Entry("start", "Open a file", "Start", "Where are the predictions?"),
    Entry("data", "What was read", "Start", "Which column means what?"),
    Entry(
        "overview",
        "Overview",
        "Start",
        "How good is each model, and how sure is that?",
        needs="what was true and what was predicted for each row, or clusters",
        fills=_is_judged,
    ),
    Entry(
        "confusion",
        "Confusion matrix",
        "Each model",
        "What is mistaken for what?",
        needs="a true class and a predicted one for each row",
        fills=_has_classes,
    ),
    Entry(
        "thresholds",
        "Thresholds",
        "Each model",
        "What does moving the threshold win, and what does it cost?",
        needs="a yes-or-no question, or classes, and a score for each row",
        fills=_has_scores,
    ),
    Entry(
        "costs",
        "Costs",
        "Each model",
        "Which threshold is cheapest?",
        needs="a yes-or-no question, or classes, and a score for each row",
        fills=_has_scores,
    ),
    Entry(
        "calibration",
        "Calibration",
        "Each model",
        "Can the probabilities be taken at their word?",
        needs="a probability of the class, or of each class, for each row",
        fills=_has_probabilities,
    ),
    Entry(
        "errors",
        "Errors",
        "Each model",
        "Where, and how far, is it off?",
        needs="predicted numbers beside the true ones",
        fills=_has_numbers,
    ),
    Entry(
        "stated",
        "Intervals",
        "Each model",
        "Do the stated intervals hold what they promise?",
        needs="predicted numbers with quantiles or both ends of an interval",
        fills=_has_stated,
    ),
    Entry(
        "comparison",
        "Comparison",
        "Between models",
        "Which model is better, and how sure is that?",
        needs="two models or more, judged on rows or on folds",
        fills=_has_rivals,
    ),
    Entry(
        "bootstrap",
        "Bootstrap",
        "Between models",
        "Would other rows of this kind show the same model ahead?",
        needs="two models or more, judged on rows",
        fills=_has_judged_rivals,
    ),
    Entry(
        "cross_validation",
        "Cross-validation",
        "Between models",
        "Is it the same fold after fold?",
        needs="folds, and predictions or two models that were scored on them",
        fills=_has_folds,
    ),
    Entry(
        "leaderboard",
        "Leaderboard",
        "Between models",
        "How do all models stand, by every metric?",
        needs="two models or more, judged on rows or on folds",
        fills=_has_rivals,
    ),
    Entry(
        "silhouettes",
        "Silhouettes",
        "Clusterings",
        "Which points would fit another cluster better?",
        needs="clusters, and the features or distances that they were made on",
        fills=_has_measurable,
    ),
    Entry(
        "agreement",
        "Agreement",
        "Clusterings",
        "Does a clustering find the same groups?",
        needs="clusters beside true classes, or a second clustering",
        fills=_has_groups,
    ),
    Entry(
        "clusterings",
        "How many clusters?",
        "Clusterings",
        "Which number of clusters do the points speak for?",
        needs="two clusterings or more",
        fills=_has_clusterings,
    ),
    Entry(
        "grouping",
        "Group the points",
        "Clusterings",
        "Would another method group the points otherwise?",
        needs="clusters, and the numeric features that they were made on",
        fills=_has_points,
    ),
    Entry(
        "roc_steps",
        "ROC step by step",
        "Learn",
        "How does a sorted list of rows become a curve?",
        needs="a yes-or-no question, or classes, and a score for each row",
        fills=_has_scores,
    ),
    Entry(
        "splitting",
        "Splitting the rows",
        "Learn",
        "How well will a model do on rows that it has not seen?",
    ),
    Entry("overfitting", "Over-fitting", "Learn", "When does a model learn its rows by heart?"),
    Entry("glossary", "Glossary", "Learn", "What does each number mean?"),
)
