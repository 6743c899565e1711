"""The pages, in reading order: what each is called, what it answers, which data can fill it."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import streamlit as st
from streamlit.navigation.page import Page

from evalcore.dataset import Dataset, Task
from pages.session import findings


@dataclass(frozen=True)
class Entry:
    """A page.

    Attributes:
        name: Its address, and the name of its module.
        room: The package that its module stands in, below `pages`; "" for none.
        title: Its name for people.
        section: The heading under which it is listed.
        answers: The question it answers, one line.
        needs: Completes "This page needs ..."; empty if it needs no data.
        fills: Whether a data set has what the page shows.
        brings_rows: Whether it shows rows of its own unless those of the file are asked for; it
            then says itself whose they are.
    """

    name: str
    room: str
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
            self.run,
            title=self.title,
            url_path=self.name,
            default=self.name == "start",
            help=self.answers,
        )

    def run(self) -> None:
        """Show the page; its module is imported when it is first shown."""
        module = ".".join(part for part in ("pages", self.room, self.name) if part)
        import_module(module).page()

    def fits(self, dataset: Dataset | None) -> bool:
        """Whether the page has something to show."""
        return not self.needs or (dataset is not None and self.fills(dataset))


def page(name: str) -> Page:
    """Return the page with this address."""
    return next(entry.page for entry in CONTENTS if entry.name == name)


def first_page(task: Task) -> Page:
    """Return the page on which results of this kind of question begin."""
    return page("comparison" if task is Task.FOLDS else "overview")


CONTENTS = (
    Entry("start", "", "Open a file", "Start", "Where are the predictions?"),
    Entry("data", "", "What was read", "Start", "Which column means what?"),
    Entry(
        "overview",
        "models",
        "Overview",
        "Start",
        "How good is each model, and how sure is that?",
        needs="what was true and what was predicted for each row, or clusters",
        fills=findings.is_judged,
    ),
    Entry(
        "confusion",
        "models",
        "Confusion matrix",
        "Each model",
        "What is mistaken for what?",
        needs="a true class and a predicted one for each row",
        fills=findings.has_classes,
    ),
    Entry(
        "thresholds",
        "models",
        "Thresholds",
        "Each model",
        "What does moving the threshold win, and what does it cost?",
        needs="a yes-or-no question, or classes, and a score for each row",
        fills=findings.has_scores,
    ),
    Entry(
        "costs",
        "models",
        "Costs",
        "Each model",
        "Which threshold is cheapest?",
        needs="a yes-or-no question, or classes, and a score for each row",
        fills=findings.has_scores,
    ),
    Entry(
        "calibration",
        "models",
        "Calibration",
        "Each model",
        "Can the probabilities be taken at their word?",
        needs="a probability of the class, or of each class, for each row",
        fills=findings.has_probabilities,
    ),
    Entry(
        "errors",
        "models",
        "Errors",
        "Each model",
        "Where, and how far, is it off?",
        needs="predicted numbers beside the true ones",
        fills=findings.has_numbers,
    ),
    Entry(
        "stated",
        "models",
        "Intervals",
        "Each model",
        "Do the stated intervals hold what they promise?",
        needs="predicted numbers with quantiles or both ends of an interval",
        fills=findings.has_stated,
    ),
    Entry(
        "comparison",
        "between",
        "Comparison",
        "Between models",
        "Which model is better, and how sure is that?",
        needs="two models or more, judged on rows or on folds",
        fills=findings.has_several,
    ),
    Entry(
        "bootstrap",
        "between",
        "Bootstrap",
        "Between models",
        "Would other rows of this kind show the same model ahead?",
        needs="two models or more, judged on rows",
        fills=findings.has_several_on_rows,
    ),
    Entry(
        "cross_validation",
        "between",
        "Cross-validation",
        "Between models",
        "Is it the same fold after fold?",
        needs="folds, and predictions or two models that were scored on them",
        fills=findings.has_folds,
    ),
    Entry(
        "leaderboard",
        "between",
        "Leaderboard",
        "Between models",
        "How do all models stand, by every metric?",
        needs="two models or more, judged on rows or on folds",
        fills=findings.has_several,
    ),
    Entry(
        "silhouettes",
        "clusters",
        "Silhouettes",
        "Clusterings",
        "Which points would fit another cluster better?",
        needs="clusters, and the features or distances that they were made on",
        fills=findings.has_measurable,
    ),
    Entry(
        "agreement",
        "clusters",
        "Agreement",
        "Clusterings",
        "Does a clustering find the same groups?",
        needs="clusters beside true classes, or a second clustering",
        fills=findings.has_groups,
    ),
    Entry(
        "clusterings",
        "clusters",
        "How many clusters?",
        "Clusterings",
        "Which number of clusters do the points speak for?",
        needs="two clusterings or more",
        fills=findings.has_clusterings,
    ),
    Entry(
        "grouping",
        "clusters",
        "Group the points",
        "Clusterings",
        "Would another method group the points otherwise?",
        needs="clusters, and the numeric features that they were made on",
        fills=findings.has_points,
    ),
    Entry(
        "roc_steps",
        "lessons",
        "ROC step by step",
        "Learn",
        "How does a sorted list of rows become a curve?",
        needs="a yes-or-no question, or classes, and a score for each row",
        fills=findings.has_scores,
    ),
    Entry(
        "splitting",
        "lessons",
        "Splitting the rows",
        "Learn",
        "How well will a model do on rows that it has not seen?",
        brings_rows=True,
    ),
    Entry(
        "overfitting",
        "lessons",
        "Over-fitting",
        "Learn",
        "When does a model learn its rows by heart?",
        brings_rows=True,
    ),
    Entry(
        "distances",
        "lessons",
        "Distances",
        "Learn",
        "How far are two rows apart?",
        brings_rows=True,
    ),
    Entry("glossary", "lessons", "Glossary", "Learn", "What does each number mean?"),
)
