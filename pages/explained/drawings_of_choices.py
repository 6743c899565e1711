"""The Python that draws what thresholds cost and whether probabilities hold, by figure's key."""

from collections.abc import Mapping
from dataclasses import replace
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
_CALIBRATED = (
    "from evalcore.curves.calibration import CalibrationCurve",
    _CONDENSE,
    "from evalcore.tables.reliability import ReliabilityTable",
)
_BINNED = """\
for name, tables in condense(dataset).items():
    if tables.scores is not None and tables.probability:
        curve = CalibrationCurve.from_table(ReliabilityTable.from_scores(tables.scores))
        figure.add_scatter(x=curve.mean_probability, y=curve.share_positive, name=name)
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
        "calibration": Drawing(
            _CALIBRATED,
            _BINNED,
            "mean probability",
            "share that is positive",
        ),
        "reliability": Drawing(
            (
                _CALIBRATED[0],
                "from evalcore.curves.isotonic import IsotonicCalibration",
                *_CALIBRATED[1:],
            ),
            """\
table = condense(dataset)[MODEL].scores
fit = IsotonicCalibration.from_table(table)
figure.add_scatter(x=fit.probability, y=fit.share, line_shape="hv", name="isotonic")
bins = CalibrationCurve.from_table(ReliabilityTable.from_scores(table))
figure.add_scatter(x=bins.mean_probability, y=bins.share_positive, mode="markers", name="bins")
""",
            "probability",
            "share that is positive",
        ),
        "recalibration": Drawing(
            (
                "import numpy as np",
                _CALIBRATED[0],
                "from evalcore.evaluation.recalibrated import fold_codes, fold_tables, recalibrate",
                "from evalcore.metrics.recalibration import METHODS",
                "from evalcore.options import Options",
                _CALIBRATED[2],
            ),
            """\
told, options = dataset.models[MODEL], Options()
folds = fold_codes(told.truth, np.random.default_rng(options.seed))
if dataset.fold is not None:
    folds = dataset.fold.codes if told.rows is None else dataset.fold.codes[told.rows - 1]
tables = fold_tables(told.score, told.truth, folds, told.weight)
for method in METHODS:
    made = recalibrate(tables, method, options, options.level)
    if made.table is not None:
        curve = CalibrationCurve.from_table(ReliabilityTable.from_scores(made.table))
        figure.add_scatter(x=curve.mean_probability, y=curve.share_positive, name=method)
""",
            "mean probability",
            "share that is positive",
        ),
    }
)
"""By the key of the figure."""

_CODE = "code = dataset.classes.index(CLASS)\n"
_ONE = "condense(dataset)[MODEL].class_scores.one_vs_rest[code]"


def _of_one_class(drawing: Drawing) -> Drawing:
    """Return the same drawing for one of several classes against all others."""
    lines = (
        drawing.lines.replace("condense(dataset)[MODEL].scores", _ONE)
        .replace("tables.scores is not None and tables.probability", "tables.class_scores")
        .replace("tables.scores", "tables.class_scores.one_vs_rest[code]")
        .replace(
            "folds = fold_codes", "truth = (told.truth == code).astype(np.int8)\nfolds = fold_codes"
        )
        .replace("told.score, told.truth", "told.probabilities[:, code], truth")
        .replace("fold_codes(told.truth", "fold_codes(truth")
    )
    return replace(drawing, lines=_CODE + lines)


OF_ONE_CLASS: Mapping[str, Drawing] = MappingProxyType(
    {
        f"{key}.classes": _of_one_class(CHOICES[key])
        for key in ("calibration", "reliability", "recalibration")
    }
)
"""By the key of the figure, for one of several classes."""

_DECIDED = """\
outcomes = dataset.models[MODEL]
costs = np.reshape(COSTS, (len(dataset.classes),) * 2)
made = ClassCosts.of(outcomes, costs).{way}.confusion
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
