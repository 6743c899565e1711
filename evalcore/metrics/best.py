"""Which of several estimates of one metric may be called the best."""

from collections.abc import Mapping
from enum import Enum

from evalcore.metrics.spec import Better, Estimate


class Standing(Enum):
    """Where one estimate stands among others of the same metric."""

    BEST = "best"
    UNCLEAR = "unclear"
    BEHIND = "behind"


def standings(estimates: Mapping[str, Estimate], better: Better) -> Mapping[str, Standing]:
    """Return BEST for an estimate whose interval lies clear of all others, on the good side.

    Where none does, the best value and all whose intervals reach that of the best value are
    UNCLEAR. Everything else is BEHIND, and so is what is undefined, or all of it where neither
    direction is good. Nothing is BEST where a finite estimate has no interval.

    >>> found = {"a": Estimate(0.9, 0.88, 0.92), "b": Estimate(0.8, 0.78, 0.82)}
    >>> [standing.value for standing in standings(found, Better.HIGHER).values()]
    ['best', 'behind']
    """
    known = {name: e for name, e in estimates.items() if e.value == e.value}
    standing = dict.fromkeys(estimates, Standing.BEHIND)
    if not known or better is Better.NEITHER:
        return standing
    sign = 1.0 if better is Better.HIGHER else -1.0
    best = max(known, key=lambda name: sign * known[name].value)
    near = [name for name, estimate in known.items() if _reaches(estimate, known[best], sign)]
    clear = len(near) == 1 and all(e.low is not None for e in known.values() if e.defined)
    for name in near:
        standing[name] = Standing.BEST if clear else Standing.UNCLEAR
    return standing


def _reaches(estimate: Estimate, best: Estimate, sign: float) -> bool:
    return max(sign * end for end in _ends(estimate)) >= min(sign * end for end in _ends(best))


def _ends(estimate: Estimate) -> tuple[float, float]:
    if estimate.low is None or estimate.high is None:
        return estimate.value, estimate.value
    return estimate.low, estimate.high
