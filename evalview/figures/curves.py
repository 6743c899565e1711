"""ROC and precision-recall curves, and the histogram of scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Self

import numpy as np
import plotly.graph_objects as go
from scipy.special import ndtri

from evalcore.curves.roc import PrecisionRecallCurve, RocCurve
from evalcore.evaluation.estimates import rank, rank_classes, value_of
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate
from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.areas import rates
from evalcore.tables.classes import ClassScores
from evalcore.tables.scores import ScoreTable
from evalview import text
from evalview.escape import plotly as safe
from evalview.figures import theme
from evalview.figures.lines import (
    Line,
    ScoreHistogram,
    add_averages,
    add_line,
    add_operating_point,
    add_reference,
    fit_legend,
    hardest,
    listed,
    unit_axes,
)
from evalview.figures.theme import Scene
from evalview.figures.view import SKETCHED, Data, View, view_of
from evalview.words import at_start


@dataclass(frozen=True, eq=False)
class GainCurve(ReadOnly):
    """One point per distinct score, in falling order, after (0, 0) at threshold +inf.

    Attributes:
        share: (m + 1,) share of all rows at or above the threshold; NaN without rows.
        gain: (m + 1,) share of the positives among them; NaN where there are no positives.
        threshold: (m + 1,) falling.
    """

    share: Floats
    gain: Floats
    threshold: Floats

    @classmethod
    def from_table(cls, table: ScoreTable) -> Self:
        """Return the curve through every row of a score table."""
        threshold = np.append(np.inf, table.threshold)
        return cls(rates(table.tp + table.fp), rates(table.tp), threshold)

    def gain_at(self, share: float | Floats) -> float | Floats:
        """Return the share of positives in the first `share` of the rows, within [0, 1].

        Rows of equal score are taken in proportion, as a random order among them would on
        average.
        """
        return np.interp(share, self.share, self.gain)

    def lift_at(self, share: float | Floats) -> float | Floats:
        """Return how many times more positives than in as many random rows; share in (0, 1]."""
        return self.gain_at(share) / share


POINTS = 401
"""Places on the axis at which the curves are averaged."""


def mean_roc(tables: Sequence[ScoreTable], weights: Sequence[float]) -> RocCurve:
    """Return the mean recall of the classes at each false positive rate; no threshold is shared.

    A class without rows of both kinds takes no part; all NaN where none does.
    Source: Fawcett (2006), Pattern Recognition Letters 27(8), vertical averaging.
    """
    fpr = np.linspace(0, 1, POINTS)
    pairs = zip(tables, weights, strict=True)
    used = [(table, weight) for table, weight in pairs if table.positives and table.negatives]
    curves = [np.interp(fpr, rates(table.fp), rates(table.tp)) for table, _ in used]
    tpr = _weighted_mean(curves, [weight for _, weight in used], POINTS)
    return RocCurve(np.append(0.0, fpr), np.append(0.0, tpr), np.full(POINTS + 1, np.nan))


def mean_precision_recall(
    tables: Sequence[ScoreTable], weights: Sequence[float]
) -> PrecisionRecallCurve:
    """Return the mean precision of the classes at each recall, each at its first threshold there.

    A class without positives takes no part; all NaN where none does.
    """
    recall = np.linspace(0, 1, POINTS)[1:]
    pairs = zip(tables, weights, strict=True)
    used = [(table, weight) for table, weight in pairs if table.positives]
    curves = [_precision_at(table, recall) for table, _ in used]
    precision = _weighted_mean(curves, [weight for _, weight in used], len(recall))
    return PrecisionRecallCurve(recall, precision, np.full(len(recall), np.nan))


def _precision_at(table: ScoreTable, recall: Floats) -> Floats:
    # A billionth forgives the rounding of shares.
    place = np.searchsorted(table.tp / table.positives, recall - 1e-9)
    precision: Floats = (table.tp / (table.tp + table.fp))[np.minimum(place, len(table.tp) - 1)]
    return precision


def _weighted_mean(curves: Sequence[Floats], weights: Sequence[float], points: int) -> Floats:
    """Return the mean of curves of so many points; NaN where there is no curve."""
    mean: Floats = (
        np.average(curves, axis=0, weights=weights) if curves else np.full(points, np.nan)
    )
    return mean


NO_AVERAGES: Mapping[str, RocCurve] = MappingProxyType({})


def draw_roc(
    scene: Scene,
    tables: Mapping[str, ScoreTable],
    areas: Mapping[str, Estimate],
    averages: Mapping[str, RocCurve] = NO_AVERAGES,
) -> go.Figure:
    """Draw one ROC curve per score table; `areas` holds their AUC with interval.

    `averages` are curves that stand for all classes.
    """
    drawable = [name for name, table in tables.items() if table.positives and table.negatives]
    says = theme.Words(
        title=roc_title(scene, areas),
        subtitle=roc_subtitle(scene, areas),
        x=f"{scene.axis_negative} flagged (false positive rate)",
        y=f"{scene.axis_positive} found (recall)",
    )
    if not drawable:
        return theme.nothing_to_draw(says, scene.look, "A ROC curve needs rows of both classes.")
    figure = theme.canvas(says, scene.look)
    unit_axes(figure)
    add_reference(figure, scene, (0, 1), "")
    names = scene.drawn(drawable)
    fit_legend(figure, len(names) + len(averages))
    for name in names:
        add_line(
            figure, scene, name, _roc_line(scene, tables[name].thinned(scene.vertices(len(names))))
        )
    add_averages(figure, scene, {name: _average(curve) for name, curve in averages.items()})
    _roc_mark(figure, scene, tables)
    return figure


def roc_title(scene: Scene, areas: Mapping[str, Estimate]) -> str:
    """Return what the picture shows, in words."""
    area = areas.get(scene.chosen or "")
    if area is None or not area.defined:
        lowest = hardest(scene, areas, "ROC AUC ")
        found = f"Finding {scene.positive} against false alarms"
        return f"Hardest to tell from the others: {lowest}" if lowest else found
    share = text.whole_percent(area.value)
    pairs = f"of pairs of {scene.positive} and {scene.negative}"
    ranked = f"ranks {share} {pairs} right"
    return f"{at_start(scene.who)} {ranked}{text.against_chance(area)}"


def roc_subtitle(scene: Scene, areas: Mapping[str, Estimate]) -> str:
    """Return the name of the picture with the number that sums it up."""
    area = areas.get(scene.chosen or "")
    if area is None:
        return "ROC curves, each class against all others"
    return f"ROC curve. ROC AUC {text.with_interval(area)}"


def roc_alt(scene: Scene, areas: Mapping[str, Estimate]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    curves = f"ROC curves, share of {scene.positive} found against others flagged"
    return f"{curves}. ROC AUC: {listed(areas)}."


def _roc_line(scene: Scene, table: ScoreTable) -> Line:
    curve = RocCurve.from_table(table)
    hover = (
        f"at %{{customdata:.4~g}} or above:<br>%{{y:.1%}} of {safe(scene.positive)} found<br>"
        f"%{{x:.1%}} of {safe(scene.negative)} flagged"
    )
    return Line(curve.fpr, curve.tpr, curve.threshold, hover)


def _average(curve: RocCurve) -> Line:
    hover = "%{y:.1%} of a class found<br>%{x:.1%} of the others flagged"
    return Line(curve.fpr, curve.tpr, curve.threshold, hover)


def _roc_mark(figure: go.Figure, scene: Scene, tables: Mapping[str, ScoreTable]) -> None:
    table = tables.get(scene.chosen or "")
    if table is None or scene.threshold is None or not (table.positives and table.negatives):
        return
    counts = table.at(scene.threshold)
    add_operating_point(figure, scene, counts.fp / counts.negatives, counts.tp / counts.positives)


NO_MEANS: Mapping[str, PrecisionRecallCurve] = MappingProxyType({})


def draw_precision_recall(
    scene: Scene,
    tables: Mapping[str, ScoreTable],
    averages: Mapping[str, Estimate],
    means: Mapping[str, PrecisionRecallCurve] = NO_MEANS,
) -> go.Figure:
    """Draw one stepped curve per score table; `averages` holds their average precision.

    `means` are curves that stand for all classes.
    """
    drawable = [name for name, table in tables.items() if table.positives]
    says = theme.Words(
        title=precision_recall_title(scene, tables, averages),
        subtitle=precision_recall_subtitle(scene, averages),
        x=f"{scene.axis_positive} found (recall)",
        y=f"{scene.axis_positive} among flagged (precision)",
    )
    if not drawable:
        why = f"There is no {scene.positive} row to find."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    unit_axes(figure)
    names = scene.drawn(drawable)
    fit_legend(figure, len(names) + len(means))
    if scene.chosen is not None:
        _add_prevalence(figure, scene, tables[names[-1]])
    for name in names:
        add_line(
            figure,
            scene,
            name,
            _precision_recall_line(scene, tables[name].thinned(scene.vertices(len(names)))),
        )
    add_averages(figure, scene, {name: _mean(curve) for name, curve in means.items()})
    _precision_recall_mark(figure, scene, tables)
    return figure


def precision_recall_title(
    scene: Scene, tables: Mapping[str, ScoreTable], averages: Mapping[str, Estimate]
) -> str:
    """Return what the picture shows at the current threshold, in words."""
    table = tables.get(scene.chosen or "")
    if table is None or scene.threshold is None:
        lowest = hardest(scene, averages)
        found = f"How many alerts for {scene.positive} are real"
        return f"Lowest average precision: {lowest}" if lowest else found
    counts = table.at(scene.threshold)
    flagged = text.count(counts.predicted_positive)
    at = f"At {text.threshold(scene.threshold)}"
    return f"{at}, {text.count(counts.tp)} of {flagged} flagged rows are {scene.positive}"


def precision_recall_subtitle(scene: Scene, averages: Mapping[str, Estimate]) -> str:
    """Return the name of the picture with the number that sums it up."""
    average = averages.get(scene.chosen or "")
    if average is None:
        return "Precision against recall"
    return f"Precision against recall. Average precision {text.with_interval(average)}"


def precision_recall_alt(scene: Scene, averages: Mapping[str, Estimate]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    curves = f"Precision-recall curves for {scene.positive}"
    return f"{curves}. Average precision: {listed(averages)}."


def _precision_recall_line(scene: Scene, table: ScoreTable) -> Line:
    curve = PrecisionRecallCurve.from_table(table)
    hover = (
        f"at %{{customdata:.4~g}} or above:<br>%{{y:.1%}} of flagged rows are "
        f"{safe(scene.positive)}<br>%{{x:.1%}} of {safe(scene.positive)} found"
    )
    return Line(curve.recall, curve.precision, curve.threshold, hover, shape="vh")


def _mean(curve: PrecisionRecallCurve) -> Line:
    hover = "%{y:.1%} of flagged rows are of the class<br>%{x:.1%} of it found"
    return Line(curve.recall, curve.precision, curve.threshold, hover, shape="vh")


def _add_prevalence(figure: go.Figure, scene: Scene, table: ScoreTable) -> None:
    prevalence = table.positives / table.n
    note = f"flagging every row: {text.percent(prevalence)}"
    add_reference(figure, scene, (prevalence, prevalence), note)


def _precision_recall_mark(
    figure: go.Figure, scene: Scene, tables: Mapping[str, ScoreTable]
) -> None:
    table = tables.get(scene.chosen or "")
    if table is None or scene.threshold is None:
        return
    counts = table.at(scene.threshold)
    if counts.predicted_positive and counts.positives:
        precision = counts.tp / counts.predicted_positive
        add_operating_point(figure, scene, counts.tp / counts.positives, precision)


def draw_scores(scene: Scene, table: ScoreTable) -> go.Figure:
    """Draw the scores of one model, one row of bars per class, as a square-root scale."""
    says = theme.Words(
        title=scores_title(scene, table),
        subtitle=f"Scores of {scene.who}, {text.counted(table.n, 'row')}; square-root scale",
        x="score",
        y="rows",
    )
    if not len(table.threshold):
        return theme.nothing_to_draw(says, scene.look, "There is no row with a score.")
    figure = theme.canvas(says, scene.look)
    histogram = ScoreHistogram.from_table(table)
    _add_bars(figure, scene.negative, scene.look.negative, histogram.edges, histogram.negatives)
    _add_bars(figure, scene.positive, scene.look.positive, histogram.edges, histogram.positives)
    figure.update_layout(barmode="overlay", bargap=0.12)
    _square_root_axis(figure, max(histogram.positives.max(), histogram.negatives.max()))
    if scene.threshold is not None and np.isfinite(scene.threshold):
        figure.add_vline(x=scene.threshold, line={"color": scene.look.text, "width": 2})
    return figure


def scores_title(scene: Scene, table: ScoreTable) -> str:
    """Return what the picture shows at the current threshold, in words."""
    if scene.threshold is None or not table.positives:
        return f"How the scores of {scene.positive} and {scene.negative} differ"
    counts = table.at(scene.threshold)
    found = f"{text.count(counts.tp)} of {text.counted(table.positives, 'row')}"
    return f"At {text.threshold(scene.threshold)} and above: {found} that are {scene.positive}"


def scores_alt(scene: Scene, table: ScoreTable) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    counts = f"{text.count(table.positives)} {scene.positive}"
    return f"Histogram of scores by class, {counts}, {text.count(table.negatives)} others."


def _add_bars(figure: go.Figure, name: str, color: str, edges: Floats, counts: Floats) -> None:
    shown = "%{customdata[2]:,} rows from %{customdata[0]:.4~g} to %{customdata[1]:.4~g}"
    figure.add_trace(
        go.Bar(
            x=(edges[:-1] / 2 + edges[1:] / 2),
            y=np.sqrt(counts).astype(np.float32),
            customdata=np.column_stack([edges[:-1], edges[1:], counts]),
            name=safe(name),
            marker={"color": color, "line": {"width": 0}},
            opacity=0.85,
            hovertemplate=f"<b>{safe(name)}</b><br>{shown}<extra></extra>",
        )
    )


def _square_root_axis(figure: go.Figure, most: float) -> None:
    ticks = [tick for tick in _round_counts(most) if tick <= most] or [0]
    figure.update_yaxes(
        tickvals=np.sqrt(ticks).tolist(),
        ticktext=[text.count(tick) for tick in ticks],
        rangemode="tozero",
    )


def _round_counts(most: float) -> list[float]:
    power = 10 ** np.floor(np.log10(max(most, 1)))
    return sorted({0.0, *(float(max(1, round(power * part))) for part in (0.1, 0.5, 1, 2, 5))})


def _draw_lines(scene: Scene, says: theme.Words, lines: Mapping[str, Line]) -> go.Figure:
    """Draw one line per name, that of the model looked at on top."""
    if not lines:
        return theme.nothing_to_draw(says, scene.look, "No model gives scores of two classes.")
    figure = theme.canvas(says, scene.look)
    names = scene.drawn(list(lines))
    fit_legend(figure, len(names))
    for name in names:
        add_line(figure, scene, name, lines[name])
    return figure


def draw_gain(scene: Scene, curves: Mapping[str, GainCurve]) -> go.Figure:
    """Draw the share of the positives that is found by the share of the rows that is flagged."""
    says = theme.Words(
        title=f"What share of {scene.positive} the highest scores contain",
        x="share flagged",
        y=f"share of {scene.axis_positive} found",
    )
    hover = "%{x:.1%} flagged: %{y:.1%} found"
    lines = {name: Line(one.share, one.gain, one.threshold, hover) for name, one in curves.items()}
    figure = _draw_lines(scene, says, lines)
    if lines:
        unit_axes(figure)
        add_reference(figure, scene, (0, 1), "")
    return figure


def draw_lift(scene: Scene, curves: Mapping[str, GainCurve]) -> go.Figure:
    """Draw how much more common positives are among the rows flagged than among all rows."""
    says = theme.Words(
        title=f"How much more common {scene.positive} is among the highest scores",
        x="share flagged",
        y="lift",
    )
    hover = "%{x:.1%} flagged: %{y:.3~g} times as common"
    lines = {
        name: Line(one.share[1:], np.asarray(one.lift_at(one.share[1:])), one.threshold[1:], hover)
        for name, one in curves.items()
    }
    figure = _draw_lines(scene, says, lines)
    if lines:
        add_reference(figure, scene, (1, 1), "")
    return figure


def draw_det(scene: Scene, curves: Mapping[str, RocCurve]) -> go.Figure:
    """Draw both error rates as normal deviates: scores that are normal give straight lines."""
    says = theme.Words(
        title="Missed positives against false alarms",
        x="false positive rate, normal deviate",
        y="false negative rate, normal deviate",
    )
    lines = {
        name: Line(ndtri(one.fpr), ndtri(1 - one.tpr), one.threshold, "%{x:.3f}, %{y:.3f}")
        for name, one in curves.items()
    }
    return _draw_lines(scene, says, lines)


def draw_ks(scene: Scene, curve: RocCurve) -> go.Figure:
    """Draw the share of each class that scores lower than a threshold."""
    lower = {scene.negative: 1 - curve.fpr, scene.positive: 1 - curve.tpr}
    says = theme.Words(
        title=f"Where the scores of {scene.positive} and {scene.negative} separate",
        x="threshold",
        y="share of the class that scores lower",
    )
    return _draw_by_threshold(scene, says, curve.threshold, lower)


def draw_metrics(scene: Scene, threshold: Floats, values: Mapping[str, Floats]) -> go.Figure:
    """Draw metrics of the decisions by (m,) thresholds."""
    says = theme.Words(title="What each threshold gives", x="threshold", y="value")
    return _draw_by_threshold(scene, says, threshold, values)


def _draw_by_threshold(
    scene: Scene, says: theme.Words, threshold: Floats, values: Mapping[str, Floats]
) -> go.Figure:
    finite = np.isfinite(threshold)
    at, hover = threshold[finite], "from %{x:.4~g} on: %{y:.3f}"
    lines = {name: Line(at, value[finite], at, hover) for name, value in values.items()}
    return _draw_lines(replace(scene, names=tuple(values), chosen=None), says, lines)


HARDEST = 5
"""Of more than six classes, those hardest to tell from the others: more would be a tangle."""


def _ranking(view: View, key: str, tables: Mapping[str, ScoreTable]) -> dict[str, Estimate]:
    """Return what sums up the curve of each model, that of the one in front with its interval."""
    found = {name: value_of(by_key()[key], table) for name, table in tables.items()}
    return found | {view.model: rank(view.own_tables, view.options)[key]}


def _hardest(view: View, key: str) -> tuple[Scene, dict[str, ScoreTable], dict[str, Estimate]]:
    """Return the classes that are hardest to tell from the others, and what sums up each."""
    scores, ranked_classes = view.class_scores, rank_classes(view.own_tables, view.options)
    areas = {name: found["roc_auc"] for name, found in ranked_classes.items()}
    order = sorted((n for n in areas if areas[n].defined), key=lambda name: areas[name].value)
    shown = order if len(order) <= HARDEST + 1 else order[:HARDEST]
    by_name = dict(zip(scores.classes, scores.one_vs_rest, strict=True))
    tables = {name: table for name in shown if (table := by_name[name]) is not None}
    scene = Scene(names=view.dataset.classes, positive="the class", negative="all others")
    return scene, tables, {name: ranked_classes[name][key] for name in tables}


def class_averages(
    scores: ClassScores,
) -> tuple[Mapping[str, RocCurve], Mapping[str, PrecisionRecallCurve]]:
    """Return the curves that stand for all of several classes, by their names."""
    rows = zip(scores.one_vs_rest, scores.support.tolist(), strict=True)
    tables, support = zip(*((t, n) for t, n in rows if t is not None), strict=True)
    weights = {"macro average": [1.0] * len(tables), "weighted average": support}
    micro = scores.micro.thinned(SKETCHED)
    return (
        {name: mean_roc(tables, each) for name, each in weights.items()}
        | {"micro": RocCurve.from_table(micro)},
        {name: mean_precision_recall(tables, each) for name, each in weights.items()}
        | {"micro": PrecisionRecallCurve.from_table(micro)},
    )


def roc(data: Data, *, model: str | None = None, threshold: float | None = None) -> go.Figure:
    """Return the ROC curve of every model, or of the classes that are hardest to tell apart."""
    view = view_of(data, model, threshold)
    if not view.is_binary:
        return draw_roc(*_hardest(view, "roc_auc"), class_averages(view.class_scores)[0])
    tables = view.scores()
    return draw_roc(view.scene, tables, _ranking(view, "roc_auc", tables))


def precision_recall(
    data: Data, *, model: str | None = None, threshold: float | None = None
) -> go.Figure:
    """Return precision against recall of every model, or of the classes hardest to tell apart."""
    view = view_of(data, model, threshold)
    if not view.is_binary:
        means = class_averages(view.class_scores)[1]
        return draw_precision_recall(*_hardest(view, "average_precision"), means)
    tables = view.scores()
    averages = _ranking(view, "average_precision", tables)
    return draw_precision_recall(view.scene, tables, averages)


def gain(data: Data, *, model: str | None = None) -> go.Figure:
    """Return the share of the positives found by the share of the rows flagged, of every model."""
    view = view_of(data, model)
    made = {
        name: GainCurve.from_table(table.thinned(SKETCHED)) for name, table in view.scores().items()
    }
    return draw_gain(view.scene, made)


def lift(data: Data, *, model: str | None = None) -> go.Figure:
    """Return how much more common positives are among the rows flagged, of every model."""
    view = view_of(data, model)
    made = {
        name: GainCurve.from_table(table.thinned(SKETCHED)) for name, table in view.scores().items()
    }
    return draw_lift(view.scene, made)


def det(data: Data, *, model: str | None = None) -> go.Figure:
    """Return both error rates of every model, as normal deviates."""
    view = view_of(data, model)
    made = {
        name: RocCurve.from_table(table.thinned(SKETCHED)) for name, table in view.scores().items()
    }
    return draw_det(view.scene, made)


def ks(data: Data, *, model: str | None = None) -> go.Figure:
    """Return the share of each class that scores lower than a threshold, of a model."""
    view = view_of(data, model)
    return draw_ks(view.scene, RocCurve.from_table(view.table.thinned(SKETCHED)))


def scores(data: Data, *, model: str | None = None, threshold: float | None = None) -> go.Figure:
    """Return how many rows of each class have which score, with the threshold of a model."""
    view = view_of(data, model, threshold)
    return draw_scores(view.scene, view.table)


def metrics(
    data: Data, *, model: str | None = None, keys: Iterable[str] = ("precision", "recall", "f1")
) -> go.Figure:
    """Return metrics of the decisions at every threshold of a model."""
    view = view_of(data, model)
    table = view.table.thinned(SKETCHED)
    counts = table.at(table.threshold)
    values = {by_key()[key].name: np.asarray(by_key()[key](counts)) for key in keys}
    return draw_metrics(view.scene, table.threshold, values)
