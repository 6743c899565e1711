"""Columns that hold predicted quantiles, or the two ends of an interval round a prediction."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from evalcore.intake.assignment import Confidence, Reason, Roles

LOWER = ("lower", "low", "lo", "lwr")
UPPER = ("upper", "high", "hi", "upr")
MEDIAN = 0.5

AROUND = Reason("named like an end or a quantile round the prediction", Confidence.LIKELY)
"""Why a column belongs to the prediction that it surrounds."""

_END = re.compile(
    rf"(?P<stem>.*?)([ _.-](?:ci|pis?|interval))?[ _.-]?(?P<end>{'|'.join((*LOWER, *UPPER))})"
    r"([ _.-]?((?P<share>\d+(\.\d+)?)%?|bound|ci|pi))?",
    re.IGNORECASE,
)
_QUANTILE = re.compile(
    r"((?P<stem>.*?)[ _.-])??(?:(?:q|p|quantile|percentile|pct)[ _.-]?(?P<named>\d+(\.\d+)?)"
    r"|(?P<bare>0?\.\d+))",
    re.IGNORECASE,
)
_NONE: Mapping[float, str] = MappingProxyType({})


@dataclass(frozen=True)
class Ends:
    """The columns with the two ends of an interval.

    Attributes:
        lower: The column of the lower ends.
        upper: That of the upper ones.
        promised: The share of truths that it should hold; None where the names do not say.
    """

    lower: str
    upper: str
    promised: float | None = None


@dataclass(frozen=True)
class Bounds:
    """The columns round the prediction of one model.

    Attributes:
        quantiles: Level in (0, 1), rising -> column.
        ends: Intervals stated by their two ends, in the file's order.
    """

    quantiles: Mapping[float, str]
    ends: tuple[Ends, ...]

    @property
    def columns(self) -> frozenset[str]:
        """Every column that is used."""
        ends = (column for one in self.ends for column in (one.lower, one.upper))
        return frozenset((*self.quantiles.values(), *ends))


@dataclass(frozen=True)
class End:
    """What the name of a column says of the end of an interval.

    Attributes:
        stem: What stands before it, mostly the name of a model.
        upper: Whether it is the upper end.
        promised: The share that the interval should hold; None where the name does not say.
    """

    stem: str
    upper: bool
    promised: float | None = None


def quantile_of(name: str) -> tuple[str, float] | None:
    """Return stem and level of a column called like a quantile.

    >>> quantile_of("q05"), quantile_of("gbm_p97.5"), quantile_of("0.9"), quantile_of("q975")
    (('', 0.05), ('gbm', 0.975), ('', 0.9), ('', 0.975))
    >>> quantile_of("quantity") is quantile_of("step_2") is quantile_of("q0") is None
    True
    """
    match = _QUANTILE.fullmatch(name)
    if match is None:
        return None
    digits = match["named"] or match["bare"]
    whole, dot, _ = digits.partition(".")
    number = float(digits)
    if dot and number < 1:
        level = number
    else:
        level = number / (1000 if not dot and len(whole) == 3 and number > 100 else 100)
    return (match["stem"] or "", level) if 0 < level < 1 else None


def end_of(name: str) -> End | None:
    """Return what a column called like an end of an interval says; None for any other.

    >>> end_of(".pred_lower"), end_of("gbm-hi-95")
    (End(stem='.pred', upper=False, promised=None), End(stem='gbm', upper=True, promised=0.95))
    >>> end_of("mean_ci_upper"), end_of("flow")
    (End(stem='mean', upper=True, promised=None), None)
    """
    match = _END.fullmatch(name)
    if match is None or (match["stem"] and match["stem"][-1:].isalpha() and _glued(name, match)):
        return None
    share = float(match["share"] or "nan") / 100
    return End(match["stem"], match["end"].lower() in UPPER, share if 0 < share < 1 else None)


def surrounds(name: str) -> bool:
    """Tell whether a column is called like an end of an interval, or like a quantile."""
    return end_of(name) is not None or quantile_of(name) is not None


def _glued(name: str, match: re.Match[str]) -> bool:
    """Tell whether the word of an end is the tail of another word, as in "flow"."""
    return name[match.start("end") - 1].isalpha()


def bounds(names: Sequence[str], predictions: Mapping[str, str]) -> Mapping[str, Bounds]:
    """Return the columns round the prediction of each model that has any.

    `predictions` maps a model to its column. Columns that name no model belong to the only one.
    """
    free = [name for name in names if name not in predictions.values()]
    levels = [(name, *told) for name in names if (told := quantile_of(name))]
    ends = {name: found for name in free if (found := end_of(name))}
    made = {}
    for model, column in predictions.items():
        stems = _stems(model, column) | (_spare_stems(ends) if len(predictions) == 1 else set())
        quantiles = {level: name for name, stem, level in sorted(levels, key=lambda told: told[2])
                     if stem in stems}  # fmt: skip
        pairs = _pairs({name: end for name, end in ends.items() if end.stem in stems})
        if len(quantiles) > 1 or pairs:
            own = MappingProxyType(quantiles) if len(quantiles) > 1 else _NONE
            made[model] = Bounds(own, pairs)
    return MappingProxyType(made)


def stated(names: Sequence[str], roles: Roles) -> Mapping[str, Bounds]:
    """Return the columns of a file round the prediction of each model that has any."""
    said = {name: model.prediction for name, model in roles.models.items()}
    return bounds(names, {name: column for name, column in said.items() if column})


def _pairs(ends: Mapping[str, End]) -> tuple[Ends, ...]:
    """Return the intervals that have one lower and one upper end; others are not clear."""
    sides: dict[float | None, tuple[list[str], list[str]]] = {}
    for name, end in ends.items():
        sides.setdefault(end.promised, ([], []))[end.upper].append(name)
    return tuple(
        Ends(low[0], high[0], promised)
        for promised, (low, high) in sides.items()
        if len(low) == len(high) == 1
    )


def _spare_stems(ends: Mapping[str, End]) -> set[str]:
    """Return what stands before ends that name no model, or before all the ends there are."""
    stems = {end.stem for end in ends.values()}
    return {""} | (stems if len(stems) == 1 else set())


def _stems(model: str, column: str) -> set[str]:
    own = quantile_of(column)
    return {model, column, *((own[0],) if own else ())} - {""}


def centres(names: Collection[str]) -> list[str]:
    """Return which of several columns of numbers are predictions, if the others surround them.

    The median of quantiles, or whatever has a lower and an upper end beside it; none if names
    tell nothing.

    >>> centres(["q05", "q50", "q95"]), centres(["a", "a_lo", "a_hi", "b", "b_lo", "b_hi"])
    (['q50'], ['a', 'b'])
    >>> centres(["fit", "lwr", "upr"]), centres(["a", "b"])
    (['fit'], [])
    """
    levels = {name: told for name in names if (told := quantile_of(name))}
    medians = [name for name, (_, level) in levels.items() if level == MEDIAN]
    if medians and len(levels) > len(medians):
        return medians
    ends = {name: found for name in names if (found := end_of(name))}
    stems = {end.stem for end in ends.values()}
    others = [name for name in names if name not in ends]
    if stems == {""}:
        return others if len(others) == 1 else []
    return [name for name in others if name in stems]
