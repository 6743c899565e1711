"""The first rows of a sum over predicted numbers, and numbers that need the rows themselves."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from evalcore.metrics.regression_errors import medae
from evalcore.outcomes import Floats, NumericOutcomes
from evalcore.tables.ranks import Ranks
from pages.explained.of_numbers import pearson
from pages.explained.parts import Parts, parts, shown
from pages.explained.working import Working, known, share, text

Term = Callable[[Floats, Floats], Floats]

_ABSOLUTE = ("absolute error", lambda y, f: np.abs(f - y))
_SQUARED = ("squared error", lambda y, f: (f - y) ** 2)
_RELATIVE = ("relative error", lambda y, f: np.abs(f - y) / np.abs(y))
_LOG = ("error of the logarithms", lambda y, f: np.log1p(f) - np.log1p(y))

TERMS: Mapping[str, tuple[str, Term]] = MappingProxyType(
    {
        **dict.fromkeys(("mae", "wape", "rae", "medae", "pinball"), _ABSOLUTE),
        **dict.fromkeys(("mse", "rmse", "sse", "rss", "r2", "rrse"), _SQUARED),
        **dict.fromkeys(("bias", "explained_variance"), ("error", lambda y, f: f - y)),
        **dict.fromkeys(("mape", "mape_nonzero"), _RELATIVE),
        **dict.fromkeys(("msle", "rmsle", "male"), _LOG),
        "smape": ("relative error", lambda y, f: 2 * np.abs(f - y) / (np.abs(y) + np.abs(f))),
    }
)
"""What a row adds to a number, in words and as a function of truth and prediction."""


def first_rows(outcomes: NumericOutcomes, key: str) -> Parts | None:
    """Return what the first rows add to a number; None where rows add nothing one by one."""
    if key not in TERMS:
        return None
    named, term = TERMS[key]
    places = np.array(shown(outcomes.n), dtype=np.intp)
    truth, prediction = outcomes.truth[places], outcomes.prediction[places]
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = term(truth, prediction)
    rows = places + 1 if outcomes.rows is None else outcomes.rows[places]
    columns = {"row": rows, "truth": truth, "prediction": prediction, named: terms}
    return parts("row", columns, of=outcomes.n)


def _largest(outcomes: NumericOutcomes) -> Working:
    errors = outcomes.prediction - outcomes.truth
    used = np.ones(outcomes.n) if outcomes.weight is None else outcomes.weight
    worst = int(np.where(used > 0, np.abs(errors), -1.0).argmax())
    names = (text("prediction"), text("truth"))
    first, second = names if errors[worst] >= 0 else names[::-1]
    values = (float(outcomes.prediction[worst]), float(outcomes.truth[worst]))
    return Working(f"{first} - {second}", dict(zip(names, values, strict=True)))


def _middle(outcomes: NumericOutcomes) -> Working:
    return known(text("the middle one of the sorted absolute errors"), medae(outcomes))


def _to_the_mean(outcomes: NumericOutcomes) -> Working:
    weight = np.ones(outcomes.n) if outcomes.weight is None else outcomes.weight
    mean = np.average(outcomes.truth, weights=weight)
    of = share("absolute errors, added up", "distances of the truth from its mean, added up")
    errors = weight @ np.abs(outcomes.prediction - outcomes.truth)
    return of(float(errors), float(weight @ np.abs(outcomes.truth - mean)))


def _ranked(outcomes: NumericOutcomes) -> Ranks:
    return Ranks.from_values(outcomes.truth, outcomes.prediction, outcomes.weight)


def _tau_a(outcomes: NumericOutcomes) -> Working:
    pairs = _ranked(outcomes).pairs
    names = ("C", "D", text("pairs"))
    values = (pairs.concordant, pairs.discordant, pairs.total)
    return Working(rf"\frac{{C - D}}{{{names[2]}}}", dict(zip(names, values, strict=True)))


def _tau_b(outcomes: NumericOutcomes) -> Working:
    pairs = _ranked(outcomes).pairs
    return Working(
        r"\frac{C - D}{\sqrt{(C + D + T_y)(C + D + T_f)}}",
        {
            "C": pairs.concordant,
            "D": pairs.discordant,
            "T_y": pairs.tied_truth - pairs.tied_both,
            "T_f": pairs.tied_prediction - pairs.tied_both,
        },
    )


OF_ROWS: Mapping[str, Callable[[NumericOutcomes], Working]] = MappingProxyType(
    {
        "max_error": _largest,
        "medae": _middle,
        "rae": _to_the_mean,
        "spearman": lambda outcomes: pearson(_ranked(outcomes).moments),
        "kendall_tau_a": _tau_a,
        "kendall_tau_b": _tau_b,
    }
)
