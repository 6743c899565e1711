"""Which options answer what a problem asks."""

from collections.abc import Mapping
from types import MappingProxyType

from evalcore.errors import EvalError

_PREDICTIONS = ("--label", "--score", "--prediction")
_BY_CODE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"no-truth": ("--truth",), "no-predictions": _PREDICTIONS}
)
_BY_CHOICE: Mapping[str, str] = MappingProxyType(
    {"truth": "--truth", "scores": "--score", "predictions": "--prediction"}
)


def options_asked(problem: EvalError) -> tuple[str, ...]:
    """Return the options, each of which names a column that the problem asks for.

    >>> options_asked(EvalError("no-truth", "No column looks like the truth."))
    ('--truth',)
    """
    if problem.code != "ambiguous":
        return _BY_CODE.get(problem.code, ())
    choices = dict.fromkeys(offer.choice for offer in problem.offers)
    return tuple(_BY_CHOICE[choice] for choice in choices if choice in _BY_CHOICE)


def told(problem: EvalError) -> str:
    """Return the message, and the options that answer it where it is a question.

    >>> told(EvalError("no-truth", "No column looks like the truth."))
    'No column looks like the truth. The option for it: --truth COL.'
    """
    options = options_asked(problem)
    if not options:
        return problem.message
    named = ", ".join(f"{option} COL" for option in options)
    how = "The option for it" if len(options) == 1 else "The options for it, one or more"
    return f"{problem.message} {how}: {named}."
