"""The Python that draws the figures of predicted numbers, by the figure's key."""

from collections.abc import Mapping
from types import MappingProxyType

from pages.explained.drawing import Drawing

_OUTCOMES = "outcomes = dataset.models[MODEL]\n"
_OFF = _OUTCOMES + "off = outcomes.prediction - outcomes.truth\n"
_STATED = """\
from evalcore.intake.columns import numbers_of
from evalcore.intake.quantiles import stated"""
_ENDS = """\
outcomes, found = dataset.models[MODEL], stated(dataset.table.names, dataset.roles)[MODEL]
rows = slice(None) if outcomes.rows is None else outcomes.rows - 1
"""

NUMBERS: Mapping[str, Drawing] = MappingProxyType(
    {
        "predicted-actual": Drawing(
            (),
            _OUTCOMES
            + 'figure.add_scatter(x=outcomes.truth, y=outcomes.prediction, mode="markers")\n',
            "true value",
            "prediction",
        ),
        "residuals": Drawing(
            (),
            _OFF + 'figure.add_scatter(x=outcomes.prediction, y=off, mode="markers")\n',
            "prediction",
            "error",
        ),
        "bland-altman": Drawing(
            (),
            _OFF
            + """\
figure.add_scatter(x=(outcomes.prediction + outcomes.truth) / 2, y=off, mode="markers")
for line in (off.mean() - 1.96 * off.std(ddof=1), off.mean(), off.mean() + 1.96 * off.std(ddof=1)):
    figure.add_hline(y=line)
""",
            "mean of prediction and true value",
            "error",
        ),
        "error-curve": Drawing(
            ("from evalcore.curves.errors import ErrorCurve",),
            """\
for name, outcomes in dataset.models.items():
    curve = ErrorCurve.from_errors(outcomes.prediction - outcomes.truth, outcomes.weight)
    figure.add_scatter(x=curve.off, y=curve.share, name=name, line_shape="hv")
""",
            "size of the error",
            "share of rows within it",
        ),
        "error-groups": Drawing(
            ("from evalcore.curves.error_groups import ErrorGroups",),
            _OFF
            + """\
groups = ErrorGroups.from_values(outcomes.prediction, off, outcomes.weight)
middle = (groups.low + groups.high) / 2
for name in ("bias", "mae"):
    figure.add_scatter(x=middle, y=getattr(groups, name), name=name)
""",
            "prediction",
            "mean error, mean size of the error",
        ),
        "normal": Drawing(
            ("from evalcore.curves.errors import NormalQuantiles",),
            _OFF
            + """\
curve = NormalQuantiles.from_errors(off, outcomes.weight)
figure.add_scatter(x=curve.expected, y=curve.error, mode="markers")
""",
            "expected if errors were normal",
            "error",
        ),
        "quantiles": Drawing(
            ("from evalcore.curves.quantiles import QuantileTable", *_STATED.splitlines()),
            _ENDS
            + """\
said = {at: numbers_of(dataset.table, name).values[rows] for at, name in found.quantiles.items()}
table = QuantileTable.from_values(outcomes.truth, said, outcomes.weight)
figure.add_scatter(x=table.level, y=table.share, mode="lines+markers")
""",
            "promised share below",
            "share below",
        ),
        "coverage": Drawing(
            ("from evalcore.curves.error_groups import ErrorGroups", *_STATED.splitlines()),
            _ENDS
            + """\
levels = found.quantiles
names = (levels[min(levels)], levels[max(levels)]) if levels else (
    found.ends[0].lower, found.ends[0].upper
)
low, high = (numbers_of(dataset.table, name).values[rows] for name in names)
held = ((low <= outcomes.truth) & (outcomes.truth <= high)).astype(float)
groups = ErrorGroups.from_values(outcomes.prediction, held, outcomes.weight)
figure.add_scatter(x=(groups.low + groups.high) / 2, y=groups.bias, mode="markers")
""",
            "prediction",
            "share of truths held",
        ),
    }
)
