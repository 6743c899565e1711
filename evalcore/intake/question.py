"""The question which of several columns plays a role, with the answers to it."""

from collections.abc import Sequence

from evalcore.errors import EvalError, Offer
from evalcore.intake.wording import shorten


def ambiguous(role: str, choice: str, names: Sequence[str]) -> EvalError:
    """Return the question which of several columns plays a role, with the answers to it."""
    told = " or ".join(f'"{shorten(name)}"' for name in names[:6])
    more = f" (or one of {len(names) - 6} others)" if len(names) > 6 else ""
    return EvalError(
        "ambiguous",
        f"The {role} could be {told}{more}. Choose which column it is.",
        offers=[Offer(f'"{shorten(name)}" is the {role}', choice, name) for name in names[:6]],
    )
