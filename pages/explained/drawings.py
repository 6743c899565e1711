"""The Python that draws each figure, by the figure's key."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pages.explained.snippets import Place, imports, loading


@dataclass(frozen=True)
class Drawing:
    """How a figure is drawn with evalcore and plotly.

    Attributes:
        needs: The lines that import what it needs.
        lines: The lines that add to `figure`; MODEL, THRESHOLD, WAY, COSTS, PREVALENCE,
            SHARES, CLASS and METRIC stand for what is looked at.
        x: The horizontal axis.
        y: The vertical axis.
    """

    needs: tuple[str, ...]
    lines: str
    x: str = ""
    y: str = ""


_COMPARE = ("from evalcore.compare import compare", "from evalcore.options import Options")
_DRAWS = (
    "from evalcore.comparison.candidates import choose_candidates",
    "from evalcore.comparison.distributions import ResampledValues",
    "from evalcore.options import Options",
)
_FOLDS = (
    "from evalcore.comparison.candidates import choose_candidates",
    "from evalcore.comparison.candidates import scores_by_fold",
    "from evalcore.options import Options",
)
_MAKE_DRAWS = """\
options = Options(threshold=THRESHOLD)
draws = ResampledValues(choose_candidates(dataset, METRIC, options), options)
models = draws.candidates.models
"""
_RANKED = ("from evalcore.comparison.from_folds import ranked", *_FOLDS)
_MAKE_FOLDS = """\
options = Options(threshold=THRESHOLD)
scores = dataset.fold_scores or scores_by_fold(
    choose_candidates(dataset, METRIC, options), dataset.fold.names
)
"""

_PLACES = (
    _MAKE_FOLDS
    + """\
made = ranked(scores)
for model, ranks in zip(made.order, zip(*made.places.values())):
    figure.add_scatter(x=list(made.places), y=ranks, name=model)
figure.update_yaxes(autorange="reversed")
"""
)

BETWEEN: Mapping[str, Drawing] = MappingProxyType(
    {
        "models": Drawing(
            _COMPARE,
            """\
for name, found in compare(dataset, Options(threshold=THRESHOLD), metric=METRIC).models.items():
    figure.add_scatter(x=[found.low, found.value, found.high], y=[name] * 3, name=name)
""",
        ),
        "differences": Drawing(
            _COMPARE,
            """\
for found in compare(dataset, Options(threshold=THRESHOLD), metric=METRIC).differences:
    pair = f"{found.second} minus {found.first}"
    figure.add_scatter(x=[found.low, found.difference, found.high], y=[pair] * 3, name=pair)
""",
            "difference",
        ),
        "pairwise": Drawing(
            _COMPARE,
            """\
made = compare(dataset, Options(threshold=THRESHOLD), metric=METRIC)
order = made.standing.order
ahead = [[float(made.is_ahead(one, other)) for other in order] for one in order]
figure.add_heatmap(x=order, y=order, z=ahead)
""",
            "against",
            "shown to be better",
        ),
        "resampled": Drawing(
            _DRAWS,
            _MAKE_DRAWS
            + """\
for place, model in enumerate(models):
    figure.add_violin(y=draws.of(place), name=model.name)
""",
            "",
            "value over resamples",
        ),
        "resampled-differences": Drawing(
            _DRAWS,
            _MAKE_DRAWS
            + """\
for place, model in enumerate(models[1:], 1):
    pair = f"{model.name} minus {models[0].name}"
    figure.add_violin(y=draws.of(place) - draws.of(0), name=pair)
""",
            "",
            "difference over resamples",
        ),
        "folds": Drawing(
            _FOLDS,
            _MAKE_FOLDS
            + """\
for model, values in zip(scores.models, scores.score):
    figure.add_scatter(x=scores.fold, y=values, name=model)
""",
            "fold",
            "score",
        ),
        "folds-alone": Drawing(
            (
                "from evalcore.comparison.candidates import over_folds",
                "from evalcore.comparison.candidates import default_metric",
                "from evalcore.options import Options",
            ),
            """\
made = over_folds(dataset, METRIC or default_metric(dataset), Options(threshold=THRESHOLD))
figure.add_scatter(x=made.scores.score[0], y=made.scores.fold, mode="markers")
figure.add_vline(x=made.mean.mean)
figure.add_vrect(x0=made.interval.low, x1=made.interval.high, opacity=0.2)
""",
            "score",
            "fold",
        ),
        "ranks": Drawing(
            _RANKED,
            _MAKE_FOLDS
            + """\
made = ranked(scores)
figure.add_scatter(x=made.mean_ranks, y=made.order, mode="markers")
""",
            "mean rank",
        ),
        "slopes-fold": Drawing(_RANKED, _PLACES, "fold", "place"),
        "slopes-data set": Drawing(_RANKED, _PLACES, "data set", "place"),
        "fold-areas": Drawing(
            (
                "from evalcore.evaluate import condense",
                "from evalcore.intervals.delong import delong_interval",
                "from evalcore.tables.areas import roc_area",
            ),
            """\
for fold, part in condense(dataset)[MODEL].folds.items():
    ends, area = delong_interval(part.scores), roc_area(part.scores)
    figure.add_scatter(x=[float(ends.low), area, float(ends.high)], y=[f"fold {fold}"] * 3)
figure.update_layout(showlegend=False)
""",
            "area under the ROC curve",
        ),
        "roc-folds": Drawing(
            (
                "from evalcore.curves.roc import RocCurve",
                "from evalcore.evaluate import condense",
            ),
            """\
for fold, part in condense(dataset)[MODEL].folds.items():
    curve = RocCurve.from_table(part.scores)
    figure.add_scatter(x=curve.fpr, y=curve.tpr, name=f"fold {fold}")
""",
            "false positive rate",
            "true positive rate",
        ),
    }
)


_CONDENSE = "from evalcore.evaluate import condense"
_STAKES = "from evalcore.tables.costs import UnitCosts"
_COSTS = """\
tn, fp, fn, tp = COSTS
unit_costs = UnitCosts(tn=tn, fp=fp, fn=fn, tp=tp, prevalence=PREVALENCE)
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
                curve="ExpectedCost.from_table(tables.scores, unit_costs)",
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
                "from evalcore.intervals.bootstrap import Plan",
                "from evalcore.intervals.optimum import bootstrap_optimum",
                _STAKES,
            ),
            _COSTS
            + """\
options = Options()
rng, plan = np.random.default_rng(options.seed), Plan(options.resamples, options.level)
found = bootstrap_optimum(condense(dataset)[MODEL].scores, unit_costs, rng, plan)
at, draws = np.unique(found.thresholds[np.isfinite(found.thresholds)], return_counts=True)
figure.add_bar(x=at, y=draws)
""",
            "threshold",
            "resamples",
        ),
        "decision": Drawing(
            ("import numpy as np", "from evalcore.curves.costs import DecisionCurve", _CONDENSE),
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
                "from evalcore.curves.costs import PredictiveValue",
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
tables = fold_tables(truth, score, folds, told.weight)
for method in METHODS:
    made = recalibrate(tables, method, options)
    if made.table is not None:
        curve = CalibrationCurve.from_table(ReliabilityTable.from_scores(made.table))
        figure.add_scatter(x=curve.mean_probability, y=curve.share_positive, name=method)
"""


def _calibrated(at: int, ending: str) -> dict[str, Drawing]:
    axes = ("probability", "share that is positive")
    isotonic = "from evalcore.curves.calibration import IsotonicCalibration"
    fitted = (
        "import numpy as np",
        _CURVE,
        "from evalcore.evaluation.calibration import fold_codes, fold_tables, recalibrate",
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
            ("import numpy as np", "from evalcore.curves.costs import ClassCosts"),
            _DECIDED.format(way=way),
            "prediction",
            "truth",
        )
        for way in ("likeliest", "cheapest")
    }
)
"""By the key of the figure, for several classes."""


_EVALUATE = (
    "from evalcore.evaluate import evaluate",
    "from evalcore.options import Options",
)
_RANDOM = "import numpy as np"


def _by_clusters(key: str, name: str) -> Drawing:
    lines = f"""\
found = evaluate(dataset, Options()).clusterings
clusters = [len(one.clusters) for one in found.values()]
values = [one.points["{key}"].value for one in found.values()]
figure.add_scatter(x=clusters, y=values, text=list(found), mode="markers+text")
"""
    return Drawing(_EVALUATE, lines, "clusters", name)


CLUSTERS: Mapping[str, Drawing] = MappingProxyType(
    {
        "silhouette": Drawing(
            ("from evalcore.clustering.silhouette import silhouette",),
            """\
judged = silhouette(dataset.clusterings[MODEL])
figure.add_bar(y=sorted(judged.values))
""",
            "points",
            "silhouette",
        ),
        "map": Drawing(
            (_RANDOM, "from pages.figures.layout import by_spread"),
            """\
points = dataset.clusterings[MODEL]
plane = by_spread(points, np.random.default_rng(0))  # principal components
for code, name in enumerate(points.names):
    own = points.cluster[plane.place] == code
    figure.add_scatter(x=plane.x[own], y=plane.y[own], name=name, mode="markers")
""",
            "first component",
            "second component",
        ),
        "contingency": Drawing(
            _EVALUATE,
            """\
table = evaluate(dataset, Options()).clusterings[MODEL].contingency
counts = [[0] * len(table.clusters) for _ in table.classes]
for row, column, cell in zip(table.row, table.column, table.cells):
    counts[row][column] = int(cell)
figure.add_heatmap(x=table.clusters, y=table.classes, z=counts)
""",
            "cluster",
            "true class",
        ),
        "gap-curve": Drawing(
            (_RANDOM, "from pages.lab.grouping import gap_statistic"),
            """\
told = gap_statistic(dataset.clusterings[MODEL].features, np.random.default_rng(0))
figure.add_scatter(x=told.clusters, y=told.gap, error_y={"array": told.error})
""",
            "clusters",
            "gap statistic",
        ),
        "by-silhouette": _by_clusters("silhouette", "mean silhouette"),
        "by-within_ss": _by_clusters("within_ss", "within sum of squares"),
        "by-calinski_harabasz": _by_clusters("calinski_harabasz", "Calinski-Harabasz index"),
        "by-davies_bouldin": _by_clusters("davies_bouldin", "Davies-Bouldin index"),
    }
)


_OUTCOMES = "outcomes = dataset.models[MODEL]\n"
_OFF = _OUTCOMES + "off = outcomes.prediction - outcomes.truth\n"
_STATED = """\
from evalread.columns import numbers_of
from evalread.scores import prediction_bounds"""
_ENDS = """\
outcomes = dataset.models[MODEL]
found = prediction_bounds(dataset.table.names, dataset.roles)[MODEL]
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
            ("from evalcore.curves.errors import ErrorGroups",),
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
            ("from evalcore.curves.calibration import QuantileTable", *_STATED.splitlines()),
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
            ("from evalcore.curves.errors import ErrorGroups", *_STATED.splitlines()),
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


_EACH_MODEL = """\
for name, tables in condense(dataset).items():
    if tables.scores is not None:
        {curve}
        figure.add_scatter(x={x}, y={y}, name=name{shape})
"""
_EACH_CLASS = """\
scores = condense(dataset)[MODEL].class_scores
for name, table in zip(scores.classes, scores.one_vs_rest):
    if table is not None:
        {curve}
        figure.add_scatter(x={x}, y={y}, name=name{shape})
"""
_STEPS = ', line_shape="vh"'


def _curve(needs: str, curve: str, x: str, y: str, shape: str = "") -> Mapping[str, str]:
    return {"needs": needs, "curve": curve, "x": x, "y": y, "shape": shape}


def _of_models(axes: tuple[str, str], made: Mapping[str, str]) -> Drawing:
    parts = {**made, "curve": made["curve"].replace("TABLE", "tables.scores")}
    needs = tuple(line for line in (made["needs"], _CONDENSE) if line)
    return Drawing(needs, _EACH_MODEL.format(**parts), *axes)


def _of_classes(axes: tuple[str, str], made: Mapping[str, str]) -> Drawing:
    parts = {**made, "curve": made["curve"].replace("TABLE", "table")}
    return Drawing((made["needs"], _CONDENSE), _EACH_CLASS.format(**parts), *axes)


_RATES = ("false positive rate", "true positive rate")
_PRECISION = ("recall", "precision")
_ROC = _curve(
    "from evalcore.curves.roc import RocCurve",
    "curve = RocCurve.from_table(TABLE)",
    "curve.fpr",
    "curve.tpr",
)
_PR = _curve(
    "from evalcore.curves.roc import PrecisionRecallCurve",
    "curve = PrecisionRecallCurve.from_table(TABLE)",
    "curve.recall",
    "curve.precision",
    _STEPS,
)
_GAIN_NEEDS = "from evalcore.curves.roc import GainCurve"
_GAIN_CURVE = "curve = GainCurve.from_table(TABLE)"

DRAWINGS: Mapping[str, Drawing] = MappingProxyType(
    {
        "roc": _of_models(_RATES, _ROC),
        "roc.classes": _of_classes(_RATES, _ROC),
        "precision-recall": _of_models(_PRECISION, _PR),
        "precision-recall.classes": _of_classes(_PRECISION, _PR),
        "gain": _of_models(
            ("share flagged", "share of positives found"),
            _curve(_GAIN_NEEDS, _GAIN_CURVE, "curve.share", "curve.gain"),
        ),
        "lift": _of_models(
            ("share flagged", "lift"),
            _curve(_GAIN_NEEDS, _GAIN_CURVE, "curve.share[1:]", "curve.lift_at(curve.share[1:])"),
        ),
        "det": _of_models(
            ("false positive rate, normal deviate", "false negative rate, normal deviate"),
            _curve(
                "from scipy.stats import norm\n\n" + _ROC["needs"],
                _ROC["curve"],
                "norm.ppf(curve.fpr)",
                "norm.ppf(1 - curve.tpr)",
            ),
        ),
        "ks": Drawing(
            (_ROC["needs"], _CONDENSE),
            """\
curve = RocCurve.from_table(condense(dataset)[MODEL].scores)
figure.add_scatter(x=curve.threshold, y=1 - curve.fpr, name="negatives that score lower")
figure.add_scatter(x=curve.threshold, y=1 - curve.tpr, name="positives that score lower")
""",
            "threshold",
            "share of the class that scores lower",
        ),
        "metrics": Drawing(
            (_CONDENSE, "from evalcore.metrics.catalog import by_key"),
            """\
table = condense(dataset)[MODEL].scores
for key in ("precision", "recall", "f1"):
    values = by_key()[key](table.at(table.threshold))
    figure.add_scatter(x=table.threshold, y=values, name=key)
""",
            "threshold",
            "value",
        ),
        "matrix": Drawing(
            (
                "from evalcore.evaluate import condense, decide",
                "from evalcore.options import Options",
            ),
            """\
ways = decide(condense(dataset)[MODEL], Options(threshold=THRESHOLD))
made = ways.get(WAY, next(iter(ways.values())))
matrix = made.confusion
figure.add_heatmap(x=matrix.classes, y=matrix.classes, z=matrix.counts)
""",
            "prediction",
            "truth",
        ),
        **CHOICES,
        **DECIDED,
        **CALIBRATED,
        **BETWEEN,
        **NUMBERS,
        **CLUSTERS,
    }
)
"""By the key of the figure; ".classes" where several classes are drawn for one model."""

OF_TWO_CLASSES = ("gain", "lift", "ks", "det", "metrics", *CHOICES)


def drawing_code(key: str, place: Place) -> str:
    """Return the Python that draws a figure; "" where it is not known."""
    several = f"{key}.classes"
    drawing = DRAWINGS.get(several if place.classes > 2 and several in DRAWINGS else key)
    if drawing is None or (place.classes > 2 and key in OF_TWO_CLASSES):
        return ""
    looked_at = {
        "MODEL": place.model,
        "THRESHOLD": place.threshold,
        "WAY": place.way,
        "COSTS": place.costs,
        "PREVALENCE": place.prevalence,
        "SHARES": place.shares,
        "CLASS": place.label,
        "METRIC": place.metric,
    }
    lines = re.sub(rf"\b({'|'.join(looked_at)})\b", lambda w: repr(looked_at[w[0]]), drawing.lines)
    shown = [
        *imports(place, "import plotly.graph_objects as go", "", *drawing.needs),
        "",
        *loading(place),
        "figure = go.Figure()",
        *lines.splitlines(),
        f"figure.update_layout(xaxis_title={drawing.x!r}, yaxis_title={drawing.y!r})",
        "figure.show()",
    ]
    return "\n".join(shown) + "\n"
