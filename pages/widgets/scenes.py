"""What the figures of a page have in common, from what is looked at."""

from evalcore.intake.model import Dataset
from pages.figures.scene import Scene
from pages.figures.spoken import spoken
from pages.figures.words import named
from pages.session import current
from pages.session.question import Question
from pages.widgets.chart import look


def of_models(dataset: Dataset, model: str) -> Scene:
    """Return the scene in which the models of a yes-or-no question are drawn."""
    negative, positive = dataset.classes
    return Scene(
        names=tuple(dataset.models),
        chosen=model,
        called=spoken(dataset, model),
        positive=named(positive),
        negative=named(negative),
        threshold=current.threshold(dataset, model),
        look=look(),
    )


def of_question(dataset: Dataset, question: Question, model: str) -> Scene:
    """Return the scene of a yes-or-no question, be it one class against all others."""
    negative, positive = question.classes
    return Scene(
        names=tuple(dataset.models),
        chosen=model,
        called=spoken(dataset, model),
        positive=named(positive),
        negative=named(negative),
        look=look(),
    )


def of_classes(dataset: Dataset) -> Scene:
    """Return the scene in which classes are drawn, each against all others."""
    return Scene(
        names=dataset.classes,
        positive="the class",
        negative="all others",
        look=look(),
    )


def of_rivals(dataset: Dataset, chosen: str | None = None) -> Scene:
    """Return the scene in which models or clusterings are drawn that no class tells apart."""
    scored = dataset.fold_scores
    names = current.names(dataset) if scored is None else scored.models
    called = None if chosen is None else spoken(dataset, chosen)
    return Scene(names=names, chosen=chosen, called=called, look=look())
