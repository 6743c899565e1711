"""The pages, in reading order: what each is called, what it answers, which data can fill it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from evalcore.intake.model import Dataset, Task
from pages.session import fits

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
        brings_rows: Whether it shows rows of its own unless those of the file are asked for; it
            then says itself whose they are.
    """

    name: str
    title: str
    section: str
    answers: str
    needs: str = ""
    fills: Callable[[Dataset], bool] = lambda dataset: True
    brings_rows: bool = False

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


def first_page(task: Task) -> str:
    """Return the page on which results of this kind of question begin."""
    return "comparison.py" if task is Task.FOLDS else "overview.py"


CONTENTS = (
    Entry("start", "Open a file", "Start", "Where are the predictions?"),
    Entry("data", "What was read", "Start", "Which column means what?"),
    Entry(
        "overview",
        "Overview",
        "Start",
        "How good is each model, and how sure is that?",
        needs="what was true and what was predicted for each row, or clusters",
        fills=fits.is_judged,
    ),
    Entry(
        "confusion",
        "Confusion matrix",
        "Each model",
        "What is mistaken for what?",
        needs="a true class and a predicted one for each row",
        fills=fits.has_classes,
    ),
    Entry(
        "thresholds",
        "Thresholds",
        "Each model",
        "What does moving the threshold win, and what does it cost?",
        needs="a yes-or-no question, or classes, and a score for each row",
        fills=fits.has_scores,
    ),
    Entry(
        "costs",
        "Costs",
        "Each model",
        "Which threshold is cheapest?",
        needs="a yes-or-no question, or classes, and a score for each row",
        fills=fits.has_scores,
    ),
    Entry(
        "calibration",
        "Calibration",
        "Each model",
        "Can the probabilities be taken at their word?",
        needs="a probability of the class, or of each class, for each row",
        fills=fits.has_probabilities,
    ),
    Entry(
        "errors",
        "Errors",
        "Each model",
        "Where, and how far, is it off?",
        needs="predicted numbers beside the true ones",
        fills=fits.has_numbers,
    ),
    Entry(
        "stated",
        "Intervals",
        "Each model",
        "Do the stated intervals hold what they promise?",
        needs="predicted numbers with quantiles or both ends of an interval",
        fills=fits.has_stated,
    ),
    Entry(
        "comparison",
        "Comparison",
        "Between models",
        "Which model is better, and how sure is that?",
        needs="two models or more, judged on rows or on folds",
        fills=fits.has_rivals,
    ),
    Entry(
        "bootstrap",
        "Bootstrap",
        "Between models",
        "Would other rows of this kind show the same model ahead?",
        needs="two models or more, judged on rows",
        fills=fits.has_judged_rivals,
    ),
    Entry(
        "cross_validation",
        "Cross-validation",
        "Between models",
        "Is it the same fold after fold?",
        needs="folds, and predictions or two models that were scored on them",
        fills=fits.has_folds,
    ),
    Entry(
        "leaderboard",
        "Leaderboard",
        "Between models",
        "How do all models stand, by every metric?",
        needs="two models or more, judged on rows or on folds",
        fills=fits.has_rivals,
    ),
    Entry(
        "silhouettes",
        "Silhouettes",
        "Clusterings",
        "Which points would fit another cluster better?",
        needs="clusters, and the features or distances that they were made on",
        fills=fits.has_measurable,
    ),
    Entry(
        "agreement",
        "Agreement",
        "Clusterings",
        "Does a clustering find the same groups?",
        needs="clusters beside true classes, or a second clustering",
        fills=fits.has_groups,
    ),
    Entry(
        "clusterings",
        "How many clusters?",
        "Clusterings",
        "Which number of clusters do the points speak for?",
        needs="two clusterings or more",
        fills=fits.has_clusterings,
    ),
    Entry(
        "grouping",
        "Group the points",
        "Clusterings",
        "Would another method group the points otherwise?",
        needs="clusters, and the numeric features that they were made on",
        fills=fits.has_points,
    ),
    Entry(
        "roc_steps",
        "ROC step by step",
        "Learn",
        "How does a sorted list of rows become a curve?",
        needs="a yes-or-no question, or classes, and a score for each row",
        fills=fits.has_scores,
    ),
    Entry(
        "splitting",
        "Splitting the rows",
        "Learn",
        "How well will a model do on rows that it has not seen?",
        brings_rows=True,
    ),
    Entry(
        "overfitting",
        "Over-fitting",
        "Learn",
        "When does a model learn its rows by heart?",
        brings_rows=True,
    ),
    Entry("distances", "Distances", "Learn", "How far are two rows apart?", brings_rows=True),
    Entry("glossary", "Glossary", "Learn", "What does each number mean?"),
)
