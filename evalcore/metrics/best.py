"""Which of several estimates of one metric may be called the best."""

from collections.abc import Mapping
from enum import Enum
from math import inf

from evalcore.metrics.spec import Better, Estimate


class Standing(Enum):
    """Where one estimate stands among others of the same metric."""

    BEST = "best"
    UNCLEAR = "unclear"
    BEHIND = "behind"


def standings(
    estimates: Mapping[str, Estimate], better: Better, *, surely: str | None = None
) -> Mapping[str, Standing]:
    """Return BEST for the one that a comparison found to be `surely` ahead of all others.

    Without such a one, the best value and all whose intervals reach that of the best value are
    UNCLEAR: intervals that do not overlap are no test. Everything else is BEHIND, and so is what
    is undefined or infinitely bad, or all of it where neither direction is good.

    >>> found = {"a": Estimate(0.9, 0.88, 0.92), "b": Estimate(0.8, 0.78, 0.82)}
    >>> [standing.value for standing in standings(found, Better.HIGHER).values()]
    ['unclear', 'behind']
    """
    sign = -1.0 if better is Better.LOWER else 1.0
    known = {name: e for name, e in estimates.items() if sign * e.value > -inf}
    standing = dict.fromkeys(estimates, Standing.BEHIND)
    if not known or better is Better.NEITHER:
        return standing
    if surely in known:
        return {**standing, surely: Standing.BEST}
    best = max(known, key=lambda name: sign * known[name].value)
    near = [name for name, estimate in known.items() if _reaches(estimate, known[best], sign)]
    return {**standing, **dict.fromkeys(near, Standing.UNCLEAR)}


def _reaches(estimate: Estimate, best: Estimate, sign: float) -> bool:
    return max(sign * end for end in _ends(estimate)) >= min(sign * end for end in _ends(best))


def _ends(estimate: Estimate) -> tuple[float, float]:
    if estimate.low is None or estimate.high is None:
        return estimate.value, estimate.value
    return estimate.low, estimate.high
