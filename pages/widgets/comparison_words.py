"""What a comparison found, in words: a headline, a line below it, what would settle it."""

import re
from collections.abc import Sequence

from evalcore.comparison.results import Comparison
from evalcore.metrics import catalog
from pages.escape import visible
from pages.figures.words import MINUS, count, counted, whole_percent

NAMED_AT_MOST = 3


def finding(made: Comparison) -> tuple[str, str]:
    """Return the answer as a headline, and the evidence for it as the line below."""
    said = re.sub(r"(?<=[ (])-(?=[\d.])", MINUS, visible(made.summary))
    found = re.search(r"(?<=[\w)])[:;.] ", said)
    if found is None:
        return said.removesuffix("."), ""
    return said[: found.start()], _begun(made, said[found.end() :])


BY_ROWS, BY_FOLDS = "By rows", "By folds"
TWO_QUESTIONS = (
    "Rows ask about these very predictions (page Comparison), folds about the ways of making the "
    "models, trained anew (page Cross-validation). The answers may differ."
)


def finding_by(unit: str, made: Comparison) -> tuple[str, str]:
    """Return the finding with what it rests on before it, where the file also gives the other."""
    said, evidence = finding(made)
    if not said.startswith(tuple(made.models)):
        said = said[:1].lower() + said[1:]
    return f"{unit}: {said}", evidence


CONDITIONS = ("decisions", "left-out", "common-rows", "independent-rows")


def conditions(made: Comparison, codes: Sequence[str] = CONDITIONS) -> str:
    """Return which decisions, models and rows the answer rests on, where that is a choice."""
    return " ".join(visible(n.message) for n in made.notices if n.code in codes)


def in_closed_form(metric: str) -> bool:
    """Whether a metric is compared without resamples where there are many models."""
    return metric in ("roc_auc", "accuracy")


def levels(made: Comparison) -> str:
    """Return which models cannot be told apart."""
    runs = [_listed(group) for group in made.standing.groups[:NAMED_AT_MOST]]
    if not runs and made.primary:
        apart = "The two" if len(made.standing.order) == 2 else "Every two"
        return f"{apart} models can be told apart."
    if not runs:
        return ""
    return f"Cannot be told apart: {'; '.join(runs)}."


def rows_needed(made: Comparison) -> str:
    """Return how many rows would settle it between the two best, and what these could show."""
    size, order = made.sample_size, made.standing.order
    if size is None or size.smallest_difference is None:
        return ""
    best, next_best = (visible(name) for name in order[:2])
    least, often = amount(size.smallest_difference), whole_percent(size.power)
    rows = counted(size.rows_now, "row")
    could = f"With {rows}, a difference of {least} or more is shown {often} of the time."
    if size.rows_needed is None or made.is_ahead(order[0], order[1]):
        return could
    enough = size.rows_needed <= size.rows_now
    gap = made.gap(order[0], order[1])
    seen = f"the {amount(abs(gap.difference))}" if gap is not None else "the difference"
    between = f"{seen} between {best} and {next_best}"
    if enough:
        return f"{could} For {between}, {count(size.rows_needed)} would have been enough."
    return f"{could} To show {between} as surely takes about {_about(size.rows_needed)}."


def _about(rows: int) -> str:
    """Return a number of rows that is only known roughly, with two digits.

    >>> _about(15_304), _about(987), _about(7)
    ('15,000', '990', '7')
    """
    return f"{float(f'{rows:.2g}'):,.0f}"


def amount(value: float) -> str:
    """Return a difference with three digits.

    >>> amount(0.012345), amount(-2.7431), amount(12345.0)
    ('0.0123', '−2.74', '12,345')
    """
    shown = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return shown.replace("-", MINUS)


def signed(value: float) -> str:
    """Return a difference with its sign.

    >>> signed(0.5), signed(-0.5), signed(0.0)
    ('+0.5', '−0.5', '0')
    """
    return f"+{amount(value)}" if value > 0 else amount(value)


def _begun(made: Comparison, said: str) -> str:
    """Begin with a capital, unless a name stands there that has none."""
    unknown = () if made.metric in catalog.by_key() else (made.metric_name,)
    if said.startswith((*made.models, *unknown)):
        return said
    return said[:1].upper() + said[1:]


def _listed(names: tuple[str, ...]) -> str:
    shown = [visible(name) for name in names[:NAMED_AT_MOST]]
    more = len(names) - len(shown)
    if more:
        return f"{', '.join(shown)} and {more} more"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
