"""Columns that look like predictions and are not used: said, with a way to use them."""

from collections.abc import Iterator, Sequence

from evalcore.errors import Notice, Offer
from evalcore.intake.assignment import CHOSEN
from evalcore.intake.model import Roles, Table, Task
from evalcore.intake.modelnames import speaks_of_prediction
from evalcore.intake.numbers import holds_lists
from evalcore.intake.profile import Profile, profile
from evalcore.intake.unused import unused
from evalcore.intake.wording import listed, shorten

MOST_LEFT = 50
"""Unused columns that are looked at."""

_MOST_SPARE = 3
"""Columns without a telling name that may be scores at most."""


def left_out(table: Table, roles: Roles) -> Iterator[Notice]:
    """Say which columns of a file of predictions are not used though they may be predictions."""
    if roles.models:
        left = unused(table, roles)[:MOST_LEFT]
        yield from _spare_scores(table, roles, left)
        yield from _lists(table, left)
        if roles.task is Task.MULTICLASS:
            yield from _of_no_class(table, left)


def _spare_scores(table: Table, roles: Roles, left: Sequence[str]) -> Iterator[Notice]:
    """Offer columns that look like scores, but whose names do not say so, as further models."""
    scored = [model.score for model in roles.models.values() if model.score]
    chosen = any(roles.reasons.get(score) == CHOSEN for score in scored)
    if roles.task is not Task.BINARY or not scored or chosen:
        return
    like = [name for name in left if _like_a_score(profile(table, name))]
    # Many such columns are features that were brought to one scale.
    if 0 < len(like) <= _MOST_SPARE:
        are = "lies" if len(like) == 1 else "lie"
        message = (
            f"{listed(like)} {are} between 0 and 1 like a score, but no name says so, so that "
            f"{'it is' if len(like) == 1 else 'they are'} not used."
        )
        offers = tuple(Offer(f'"{shorten(name)}" is a model', "scores", name) for name in like)
        yield Notice("spare-score", message, "warning", column=like[0], offers=offers)


def _lists(table: Table, left: Sequence[str]) -> Iterator[Notice]:
    """Say which columns of predictions are not used, since their lists may mean anything."""
    for name in left:
        if speaks_of_prediction(name) and holds_lists(table.columns[name][:1000]):
            message = (
                f'"{name}" holds lists or objects, and the file does not say what each part is '
                "about, so that it is not used. Split it into one column per class."
            )
            yield Notice("list-cells", message, "warning", column=name)


def _like_a_score(column: Profile) -> bool:
    return column.unit and column.continuous


def _of_no_class(table: Table, left: Sequence[str]) -> Iterator[Notice]:
    """Say which scores are about no class of several, such as the confidence of the decision."""
    spoken = filter(speaks_of_prediction, left)
    scores = [name for name in spoken if _like_a_score(profile(table, name))]
    if scores:
        is_used = "it is" if len(scores) == 1 else "they are"
        message = (
            f"{listed(scores, 6)} {'is' if len(scores) == 1 else 'are'} called like a score, but "
            f"after none of the classes, so that {is_used} not used."
        )
        yield Notice("score-of-no-class", message, column=scores[0])
