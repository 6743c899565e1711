"""What is asked where columns do not settle their roles, with the answers there are."""

from collections.abc import Sequence

from evalcore.errors import EvalError, Offer
from evalcore.intake.choices import Task
from evalcore.intake.numbers import MISSING_WORDS
from evalcore.intake.profile import Profile
from evalcore.intake.spelling import MERGE, spelt_apart
from evalcore.intake.wording import listed, shorten


def ambiguous(role: str, choice: str, names: Sequence[str]) -> EvalError:
    """Return the question which of several columns plays a role, with the answers to it."""
    told = " or ".join(f'"{shorten(name)}"' for name in names[:6])
    more = f" (or one of {len(names) - 6} others)" if len(names) > 6 else ""
    return EvalError(
        "ambiguous",
        f"The {role} could be {told}{more}. Choose which column it is.",
        offers=[Offer(f'"{shorten(name)}" is the {role}', choice, name) for name in names[:6]],
    )


def no_predictions(
    truth: str, task: Task, others: Sequence[Profile], classes: Sequence[str]
) -> EvalError:
    """Return the error for a table with a truth but no predictions, naming the other columns."""
    names = listed([column.name for column in others]) or "none"
    apart = "".join(
        f" {listed(group, 6)} count as {len(group)} classes; write them alike if they are one."
        for group in spelt_apart(classes)
    )
    blank = ""
    words = [name for name in classes if name.lower() in MISSING_WORDS]
    if words and task is Task.MULTICLASS:
        blank = f" {listed(words)} counts as a class; leave its cells blank if it means none."
    wanted = {
        Task.BINARY: "a score or a predicted label",
        Task.MULTICLASS: "a predicted label or one probability column per class",
        Task.REGRESSION: "a predicted number",
        Task.CLUSTERING: "a cluster",
        Task.FOLDS: "a score per fold",
    }[task]
    return EvalError(
        "no-predictions",
        f'"{truth}" holds the truth, but no column looks like a prediction. The other columns '
        f"are: {names}. Choose the one that holds {wanted}.{apart}{blank}",
        offers=[MERGE] if apart else [],
    )
