"""Drawing resamples of many models while the rest of the page can be used."""

from evalcore.contests.draws import Draws
from pages.widgets.progress import one_by_one


def drawn_one_by_one(draws: Draws) -> None:
    """Draw the models one after the other; a click elsewhere on the page stops the work.

    What was drawn by then is kept, so that the next run goes on from there.
    """
    for place in one_by_one(range(len(draws.contest.contenders)), "Resampling"):
        if draws.drawable(place):
            draws.of(place)
