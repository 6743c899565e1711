"""The Python that draws what thresholds cost and whether probabilities hold, by figure's key."""

from collections.abc import Mapping
from types import MappingProxyType

from pages.explained.drawing import Drawing

_CONDENSE = "from evalcore.evaluate import condense"
_STAKES = "from evalcore.tables.costs import Stakes"
_COSTS = """\
tn, fp, fn, tp = COSTS
stakes = Stakes(tn=tn, fp=fp, fn=fn, tp=tp, prevalence=PREVALENCE)
"""
_EACH = """\
for name, tables in condense(dataset).items():
    if tables.scores is not None{that}:
        curve = {curve}
        figure.add_scatter(x={x}, y={y}, name=name{shape})
"""
CHOICES: Mapping[str, Drawing] = MappingProxyType(
    {
        "expected-cost": Drawing(
            ("from evalcore.curves.costs import ExpectedCost", _CONDENSE, _STAKES),
            _COSTS
            + _EACH.format(
                that="",
                curve="ExpectedCost.from_table(tables.scores, stakes)",
                x="curve.threshold[1:]",
                y="curve.cost[1:]",
                shape=', line_shape="hv"',
            ),
            "threshold",
            "mean cost of a case",
        ),
        "cost-curve": Drawing(
            ("from evalcore.curves.costs import CostCurve", _CONDENSE),
            _EACH.format(
                that="",
                curve="CostCurve.from_table(tables.scores)",
                x="curve.probability_cost",
                y="curve.cost",
                shape="",
            ),
            "part of the cost that lies with the positives",
            "cost, as part of the worst",
        ),
        "optimum": Drawing(
            (
                "import numpy as np",
                _CONDENSE,
                "from evalcore.options import Options",
                "from evalcore.resampling.bootstrap import Plan",
                "from evalcore.resampling.optimum import bootstrap_optimum",
                _STAKES,
            ),
            _COSTS
            + """\
options = Options()
rng, plan = np.random.default_rng(options.seed), Plan(options.resamples, options.level)
found = bootstrap_optimum(condense(dataset)[MODEL].scores, stakes, rng, plan)
at, draws = np.unique(found.thresholds[np.isfinite(found.thresholds)], return_counts=True)
figure.add_bar(x=at, y=draws)
""",
            "threshold",
            "resamples",
        ),
        "decision": Drawing(
            ("import numpy as np", "from evalcore.curves.decision import DecisionCurve", _CONDENSE),
            "probability = np.arange(1, 100) / 100\n"
            + _EACH.format(
                that=" and tables.probability",
                curve="DecisionCurve.from_table(tables.scores, probability, PREVALENCE)",
                x="curve.probability",
                y="curve.net_benefit",
                shape="",
            )
            + 'figure.add_scatter(x=probability, y=curve.treat_all, name="all")\n',
            "probability from which one acts",
            "net benefit",
        ),
        "predictive-values": Drawing(
            (
                "import numpy as np",
                "from evalcore.curves.predictive_values import PredictiveValue",
                _CONDENSE,
            ),
            """\
counts = condense(dataset)[MODEL].scores.at(THRESHOLD)
prevalence = np.arange(1, 100) / 100
for name, take in (("PPV", PredictiveValue.of_alerts), ("NPV", PredictiveValue.of_rest)):
    found = take(counts, prevalence)
    figure.add_scatter(x=found.prevalence, y=found.value, name=name)
""",
            "share of positives",
            "share that is right",
        ),
    }
)
"""By the key of the figure."""

_CURVE = "from evalcore.curves.calibration import CalibrationCurve"
_BINS = "from evalcore.tables.reliability import ReliabilityTable"
_GIVEN = (
    """\
given = {name: found.scores for name, found in condense(dataset).items() if found.probability}
""",
    """\
code = dataset.classes.index(CLASS)
given = {
    name: found.class_scores.one_vs_rest[code]
    for name, found in condense(dataset).items()
    if found.class_scores is not None
}
""",
)
"""The tables of probabilities by model: of two classes, and of one of several."""

_TOLD = (
    """\
told = dataset.models[MODEL]
truth, score = told.truth, told.score
""",
    """\
told, code = dataset.models[MODEL], dataset.classes.index(CLASS)
truth, score = (told.truth == code).astype(np.int8), told.probabilities[:, code]
""",
)
"""The rows of one model: of two classes, and of one of several."""

_EACH_GIVEN = """\
for name, table in given.items():
    curve = CalibrationCurve.from_table(ReliabilityTable.from_scores(table))
    figure.add_scatter(x=curve.mean_probability, y=curve.share_positive, name=name)
"""
_RELIABILITY = """\
fit = IsotonicCalibration.from_table(given[MODEL])
figure.add_scatter(x=fit.probability, y=fit.share, line_shape="hv", name="isotonic")
bins = CalibrationCurve.from_table(ReliabilityTable.from_scores(given[MODEL]))
figure.add_scatter(x=bins.mean_probability, y=bins.share_positive, mode="markers", name="bins")
"""
_RECALIBRATION = """\
options = Options()
folds = fold_codes(truth, np.random.default_rng(options.seed))
if dataset.fold is not None:
    folds = dataset.fold.codes if told.rows is None else dataset.fold.codes[told.rows - 1]
tables = fold_tables(score, truth, folds, told.weight)
for method in METHODS:
    made = recalibrate(tables, method, options)
    if made.table is not None:
        curve = CalibrationCurve.from_table(ReliabilityTable.from_scores(made.table))
        figure.add_scatter(x=curve.mean_probability, y=curve.share_positive, name=method)
"""


def _calibrated(at: int, ending: str) -> dict[str, Drawing]:
    axes = ("probability", "share that is positive")
    isotonic = "from evalcore.curves.isotonic import IsotonicCalibration"
    fitted = (
        "import numpy as np",
        _CURVE,
        "from evalcore.evaluation.recalibrated import fold_codes, fold_tables, recalibrate",
        "from evalcore.metrics.recalibration import METHODS",
        "from evalcore.options import Options",
        _BINS,
    )
    drawings = {
        "calibration": Drawing((_CURVE, _CONDENSE, _BINS), _GIVEN[at] + _EACH_GIVEN, *axes),
        "reliability": Drawing(
            (_CURVE, isotonic, _CONDENSE, _BINS), _GIVEN[at] + _RELIABILITY, *axes
        ),
        "recalibration": Drawing(fitted, _TOLD[at] + _RECALIBRATION, *axes),
    }
    return {f"{key}{ending}": drawing for key, drawing in drawings.items()}


CALIBRATED: Mapping[str, Drawing] = MappingProxyType(
    _calibrated(0, "") | _calibrated(1, ".classes")
)
"""By the key of the figure; ".classes" for one of several classes."""

_DECIDED = """\
outcomes = dataset.models[MODEL]
costs = np.reshape(COSTS, (len(dataset.classes),) * 2)
made = ClassCosts.of(outcomes, costs, SHARES).{way}.confusion
figure.add_heatmap(x=made.classes, y=made.classes, z=made.counts)
"""

DECIDED: Mapping[str, Drawing] = MappingProxyType(
    {
        f"decided-{way}": Drawing(
            ("import numpy as np", "from evalcore.curves.class_costs import ClassCosts"),
            _DECIDED.format(way=way),
            "prediction",
            "truth",
        )
        for way in ("likeliest", "cheapest")
    }
)
"""By the key of the figure, for several classes."""
