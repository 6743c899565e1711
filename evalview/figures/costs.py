"""What decisions cost: by threshold, by costs and shares of positives, and how sure that is."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from evalcore.curves import costs as cost_curves
from evalcore.curves.costs import Banded, Choice, CostCurve, DecisionCurve, UnitCosts, cheapest
from evalcore.intervals.closed import Interval
from evalcore.intervals.resamples import Plan
from evalcore.outcomes import Floats
from evalview import escape, text, words
from evalview.figures import theme
from evalview.figures.lines import Line, add_band, add_line, color_of, fit_legend, light, unit_axes
from evalview.figures.theme import Scene
from evalview.figures.view import SKETCHED, Data, View, view_of
from evalview.lab.optimum import OptimumBootstrap, bootstrap_optimum

NO_INTERVAL = Interval(np.nan, np.nan, "", 0.95)


@dataclass(frozen=True)
class Marked:
    """What is marked on the chosen model's curve.

    Attributes:
        best: The cheapest threshold.
        sure: The interval of that threshold.
    """

    best: Choice
    sure: Interval = NO_INTERVAL


def draw_expected_cost(scene: Scene, curves: Mapping[str, Banded], marked: Marked) -> go.Figure:
    """Draw one step line per model; the chosen one with its band and its lowest point."""
    drawable = [name for name, curve in curves.items() if np.isfinite(curve.y).all()]
    says = theme.Words(
        title=expected_cost_title(scene, marked),
        subtitle=_expected_cost_subtitle(scene, curves),
        x="threshold",
        y="average cost per case",
    )
    if not drawable:
        why = "Costs at a threshold need rows of both classes."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    reach = _reach([curves[name] for name in drawable], scene, marked)
    names = scene.drawn(drawable)
    fit_legend(figure, len(names))
    made = {name: _extended(curves[name], reach) for name in names}
    # Below every line: a band on top would hide models that are better.
    if (curve := made.get(scene.chosen or "")) is not None:
        look = {"color": scene.style(names[-1]).color, "base": scene.look.card, "shape": "hv"}
        add_band(figure, curve.x, (curve.low, curve.high), **look)
    for name, curve in made.items():
        hover = "at %{x:.4~g}: %{y:,.4~g} a case"
        add_line(figure, scene, name, Line(curve.x, curve.y, None, hover, "hv"))
    _mark(figure, scene, marked)
    figure.update_xaxes(range=list(reach), nticks=6)
    figure.update_yaxes(nticks=6, range=_heights([curves[name] for name in names]))
    return figure


def expected_cost_title(scene: Scene, marked: Marked) -> str:
    """Return where the chosen model is cheapest, in words."""
    best = marked.best
    if np.isnan(best.threshold):
        return "What does a case cost at each threshold?"
    if np.isinf(best.threshold):
        return f"Flagging nothing is cheapest with {scene.who}"
    at = text.threshold(best.threshold)
    return f"{words.at_start(scene.who)} is cheapest at {at}: {text.size(best.cost)} a case"


def expected_cost_alt(scene: Scene, curves: Mapping[str, Banded], marked: Marked) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    models = text.counted(len(curves), "model")
    title = expected_cost_title(scene, marked)
    return f"Mean cost of a case against the threshold for {models}. {title}."


def _expected_cost_subtitle(scene: Scene, curves: Mapping[str, Banded]) -> str:
    curve = curves.get(scene.chosen or "")
    if curve is None:
        return "Expected cost"
    return f"Expected cost; the band is a {curve.level:.0%} interval at each threshold separately"


def _extended(curve: Banded, reach: tuple[float, float]) -> Banded:
    """Return the curve from one end of the axis to the other."""
    right = max(reach[1], float(curve.x[1]) if len(curve.x) > 1 else reach[1])
    left = min(reach[0], float(curve.x[-1]))
    threshold = np.concatenate([[right], curve.x[1:], [left]])
    y, low, high = (np.append(values, values[-1]) for values in (curve.y, curve.low, curve.high))
    return Banded(threshold, y, low, high, curve.level)


def _mark(figure: go.Figure, scene: Scene, marked: Marked) -> None:
    """Mark the lowest point, the interval of its threshold, and the threshold in use."""
    best, sure = marked.best, marked.sure
    if scene.threshold is not None and np.isfinite(scene.threshold):
        line = {"color": scene.look.text, "width": 1.5, "dash": "dot"}
        figure.add_vline(x=scene.threshold, line=line)
    if not np.isfinite(best.threshold) or scene.chosen is None:
        return
    color = scene.style(scene.chosen).color
    if np.isfinite(sure.low) and np.isfinite(sure.high):
        figure.add_scatter(
            x=[sure.low, sure.high], y=[best.cost] * 2, mode="lines", opacity=0.6,
            line={"color": color, "width": 5}, hoverinfo="skip", showlegend=False,
        )  # fmt: skip
    figure.add_scatter(
        x=[best.threshold],
        y=[best.cost],
        mode="markers",
        marker={"size": 11, "color": color, "line": {"color": scene.look.card, "width": 2}},
        hovertemplate="cheapest: %{y:,.4~g} a case at %{x:.4~g}<extra></extra>",
        showlegend=False,
    )


def _reach(curves: list[Banded], scene: Scene, marked: Marked) -> tuple[float, float]:
    """Return the ends of the axis: 0 and 1 for what lies there, else all but far scores."""
    points = np.concatenate([curve.x[1:] for curve in curves])
    if points.min() >= 0 and points.max() <= 1:
        return -0.01, 1.01
    return _trimmed(points, [scene.threshold, marked.best.threshold])


def _heights(curves: list[Banded]) -> list[float]:
    """Return a range that shows where costs are low; flagging all or nothing may be above it."""
    low, best = (min(float(getattr(c, end).min()) for c in curves) for end in ("low", "y"))
    top = max(float(curve.y.max()) for curve in curves)
    room = (top - low) / 25 or 1.0
    return [low - room, best + max(0.45 * (top - best), 3 * (best - low)) + room]


def _trimmed(points: Floats, shown: list[float | None]) -> tuple[float, float]:
    kept = [value for value in shown if value is not None and np.isfinite(value)]
    low, high = np.quantile(points, [0.01, 0.99], method="nearest")
    low, high = min([low, *kept]), max([high, *kept])
    # Half of each, since the difference of two huge scores may overflow.
    room = 0.06 * (high / 2 - low / 2) or max(0.5, abs(low) / 1000)
    return float(low - room), float(high + room)


def draw_cost_curve(
    scene: Scene, curves: Mapping[str, CostCurve], line: Banded, at: float
) -> go.Figure:
    """Draw the curve of each model, the line of the chosen one's threshold, and where we are.

    `at` is the part of the avoidable cost that lies with the positives; NaN where none does.
    """
    drawable = [name for name, curve in curves.items() if np.isfinite(curve.cost).all()]
    says = theme.Words(
        title=cost_curve_title(scene, curves, at),
        subtitle="Each model at its best threshold, against one decision for all (fine dashes); "
        "dashed: the threshold in use, with its 95% interval",
        x=f"share of cost from missed {scene.axis_positive}",
        y="cost relative to worst case",
    )
    if not drawable:
        why = "A cost curve needs rows of both classes."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    unit_axes(figure)
    _add_trivial(figure, scene)
    _add_in_use(figure, scene, line)
    names = scene.drawn(drawable)
    fit_legend(figure, len(names))
    for name in names:
        _cost_curve_add(figure, scene, name, curves[name])
    if np.isfinite(at):
        figure.add_vline(x=at, line={"color": scene.look.text, "width": 1.5, "dash": "dot"})
    _zoom(figure, [curves[name] for name in names])
    return figure


def cost_curve_title(scene: Scene, curves: Mapping[str, CostCurve], at: float) -> str:
    """Return which model is cheapest here, each at its best threshold."""
    costs = {name: float(curve.at(at)) for name, curve in curves.items()}
    known = {name: cost for name, cost in costs.items() if np.isfinite(cost)}
    if not known or not np.isfinite(at):
        return "Which model is cheapest under which costs?"
    best = min(known, key=known.__getitem__)
    spared = text.percent(max(0.0, 1 - known[best] / max(min(at, 1 - at), 1e-300)))
    if len(known) == 1:
        who = words.at_start(scene.who if best == scene.chosen else best)
        return f"{who} saves {spared} of the cost of one decision for all"
    return f"Lowest cost on these rows: {best} (saves {spared})"


def cost_curve_alt(scene: Scene, curves: Mapping[str, CostCurve], at: float) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    title = cost_curve_title(scene, curves, at)
    return f"Cost curves of {text.counted(len(curves), 'model')}. {title}."


def _cost_curve_add(figure: go.Figure, scene: Scene, name: str, curve: CostCurve) -> None:
    kept = np.unique(
        np.linspace(0, len(curve.cost) - 1, scene.vertices(len(scene.names))).astype(int)
    )
    hover = "at best %{y:.1%} of the worst cost, where %{x:.1%} of it comes from misses"
    line = Line(curve.probability_cost[kept], curve.cost[kept], None, hover)
    add_line(figure, scene, name, line)


def _add_trivial(figure: go.Figure, scene: Scene) -> None:
    figure.add_scatter(
        x=[0, 0.5, 1],
        y=[0, 0.5, 0],
        mode="lines",
        line={"color": scene.look.secondary, "width": 1, "dash": "3px,3px"},
        hovertemplate="flagging nothing, or everything<extra></extra>",
        name="nothing or everything",
        showlegend=False,
    )


def _add_in_use(figure: go.Figure, scene: Scene, line: Banded) -> None:
    if scene.chosen is None or not np.isfinite(line.y).all():
        return
    color = scene.style(scene.chosen).color
    ends = (line.low, line.high)
    add_band(figure, line.x, ends, color=color, base=scene.look.card)
    figure.add_scatter(
        x=light(line.x),
        y=light(line.y),
        mode="lines",
        line={"color": color, "width": 1.5, "dash": "dash"},
        hovertemplate="at the threshold in use: %{y:.1%} of the worst cost<extra></extra>",
        showlegend=False,
    )


def _zoom(figure: go.Figure, curves: list[CostCurve]) -> None:
    """Cut the empty top off, so that good models can be told apart."""
    top = max(float(curve.cost.max()) for curve in curves)
    reach = min(0.52, max(0.05, 2.5 * top))
    figure.update_yaxes(
        range=[-0.02 * reach, reach], tickvals=None, ticktext=None, tickformat=".0%", nticks=6
    )
    figure.update_xaxes(tickformat=".0%", ticktext=["0%", "25%", "50%", "75%", "100%"])


def draw_decision_curve(scene: Scene, curves: Mapping[str, DecisionCurve]) -> go.Figure:
    """Draw one curve per model, the chosen one with its band, beside acting on all and on none."""
    drawable = [name for name, curve in curves.items() if np.isfinite(curve.net_benefit).all()]
    says = theme.Words(
        title=decision_curve_title(scene, curves),
        subtitle="Net benefit, with its 95% interval; fine dashes: acting on all or none (at 0)",
        x=f"risk of {scene.axis_positive} from which you would act",
        y="net benefit, in cases found per case",
    )
    if not drawable:
        why = "A decision curve needs probabilities, and rows of both classes."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    names = scene.drawn(drawable)
    fit_legend(figure, len(names))
    # Below every line: a band on top would hide models that are better.
    if (curve := curves.get(scene.chosen or "")) is not None and scene.chosen in names:
        look = {"color": scene.style(names[-1]).color, "base": scene.look.card}
        add_band(figure, curve.probability, (curve.low, curve.high), **look)
    _add_all(figure, scene, curves[names[-1]])
    for name in names:
        curve = curves[name]
        hover = "acting at %{x:.0%} or more is worth %{y:.3f} found per case"
        add_line(figure, scene, name, Line(curve.probability, curve.net_benefit, None, hover))
    top = max(float(curves[name].net_benefit.max()) for name in names)
    room = max(top, 0.01)
    figure.update_yaxes(range=[-0.25 * room, 1.1 * room], nticks=6)
    figure.update_xaxes(range=[0, 1], tickformat=".0%", nticks=6)
    return figure


def decision_curve_title(scene: Scene, curves: Mapping[str, DecisionCurve]) -> str:
    """Return from which probabilities the chosen model is worth more than no model."""
    curve = curves.get(scene.chosen or "")
    if curve is None or not np.isfinite(curve.net_benefit).all():
        return "When does acting on the probabilities help?"
    useful = curve.useful
    if useful is None:
        return f"Acting on {scene.who} is not shown to help at any risk"
    low, high = (text.whole_percent(end) for end in useful)
    return f"Acting on {scene.who} helps if you would act at a risk of {low} to {high}"


def decision_curve_alt(scene: Scene, curves: Mapping[str, DecisionCurve]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    title = decision_curve_title(scene, curves)
    return f"Decision curves of {text.counted(len(curves), 'model')}. {title}."


def _add_all(figure: go.Figure, scene: Scene, curve: DecisionCurve) -> None:
    zero = np.zeros(len(curve.probability))
    for y, says in ((curve.treat_all, "acting on every case"), (zero, "acting on none")):
        figure.add_scatter(
            x=light(curve.probability),
            y=light(y),
            mode="lines",
            line={"color": scene.look.secondary, "width": 1.5, "dash": "3px,3px"},
            hovertemplate=f"{says}: %{{y:.3f}}<extra></extra>",
            showlegend=False,
        )


BINS = 40


def draw_optimum(scene: Scene, found: OptimumBootstrap) -> go.Figure:
    """Draw a histogram of the cheapest thresholds of the resamples."""
    finite = found.thresholds[np.isfinite(found.thresholds)]
    says = theme.Words(
        title=optimum_title(scene, found),
        subtitle=_optimum_subtitle(scene, found),
        x="threshold",
        y="resamples",
    )
    if not len(finite):
        why = "Flagging nothing is cheapest in every resample."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look, height=240)
    low, high = float(finite.min()), float(finite.max())
    half = (high / 2 - low / 2) / BINS or max(0.005, abs(low) / 1000)
    edges = low - half + 2 * half * np.arange(BINS + 2)
    counts, _ = np.histogram(finite, edges)
    figure.add_bar(
        x=edges[:-1] + half,
        y=counts,
        marker={"color": color_of(scene), "line": {"width": 0}},
        hovertemplate="%{y:,} resamples near %{x:.4~g}<extra></extra>",
    )
    if np.isfinite(found.chosen.threshold):
        figure.add_vline(x=found.chosen.threshold, line={"color": scene.look.text, "width": 2})
    if low == high:
        figure.update_xaxes(range=[low - BINS * half, high + BINS * half])
    figure.update_layout(bargap=0.08, showlegend=False)
    figure.update_xaxes(nticks=6)
    figure.update_yaxes(nticks=5, rangemode="tozero")
    return figure


def optimum_title(scene: Scene, found: OptimumBootstrap) -> str:
    """Return how far the cheapest threshold could be elsewhere, in words."""
    low, high = float(found.threshold.low), float(found.threshold.high)
    if low == high == np.inf:
        return "It is cheapest to flag nothing"
    if low == high:
        return f"Every other threshold costs more than {text.score(low)}"
    if np.isinf(low) and np.isinf(high):
        return "No threshold is shown to cost more than another"
    if np.isinf(low):
        return f"Plausible range: up to {_roughly(high)}"
    if np.isinf(high):
        return f"Plausible range: {_roughly(low)} to flagging nothing"
    write = _roughly if _roughly(low) != _roughly(high) else text.score
    return f"Plausible range: {text.low_to_high(*text.alike(low, low, high, write)[1:])}"


def _roughly(threshold: float) -> str:
    """Return a threshold that resamples move, in the digits that they leave alone."""
    return text.score(float(f"{threshold:.2g}"))


def _optimum_subtitle(scene: Scene, found: OptimumBootstrap) -> str:
    drawn = f"Cheapest threshold of {scene.who} in {len(found.thresholds):,} resamples"
    if not 0 < found.nothing < 1:
        return drawn
    return f"{drawn}; in {text.percent(found.nothing)} of them flagging nothing is cheapest"


def optimum_alt(scene: Scene, found: OptimumBootstrap) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Histogram of the cheapest thresholds over resamples. {optimum_title(scene, found)}."


TICKS = (0.001, 0.01, 0.1, 0.5, 0.9)


def draw_predictive_values(
    scene: Scene, alerts: Banded, rest: Banded, prevalence: float
) -> go.Figure:
    """Draw the share of alerts, and of what is passed, that is right, by prevalence."""
    says = theme.Words(
        title=predictive_values_title(scene, alerts, prevalence),
        subtitle="Predictive values at the threshold in use, with 95% intervals",
        x=f"share of cases that are {scene.axis_positive} (logit scale)",
        y="share that is right",
    )
    parts = (
        (alerts, f"flagged, and {scene.axis_positive}", scene.look.positive),
        (rest, f"passed, and {scene.axis_negative}", scene.look.secondary),
    )
    drawable = [part for part in parts if np.isfinite(part[0].y).all()]
    if not drawable:
        why = "Predictive values need rows of both classes."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    for value, _, color in drawable:
        ends = value.low, value.high
        add_band(figure, _logit(value.x), ends, color=color, base=scene.look.card)
    for value, name, color in drawable:
        _predictive_values_add(figure, value, (name, color))
    if 0 < prevalence < 1:
        line = {"color": scene.look.text, "width": 1.5, "dash": "dot"}
        figure.add_vline(x=float(_logit(prevalence)), line=line)
    figure.update_yaxes(range=[-0.01, 1.02], tickformat=".0%", nticks=6)
    places = [float(_logit(tick)) for tick in TICKS]
    figure.update_xaxes(
        tickvals=places, ticktext=[f"{tick:.1%}".replace(".0", "") for tick in TICKS]
    )
    return figure


def predictive_values_title(scene: Scene, alerts: Banded, prevalence: float) -> str:
    """Return how many alerts are right here, in words."""
    if not np.isfinite(alerts.y).all() or not 0 < prevalence < 1:
        return "How far can an alert be trusted?"
    share = float(np.interp(_logit(prevalence), _logit(alerts.x), alerts.y))
    where = text.percent(prevalence)
    return f"Where {where} are {scene.positive}, {text.percent(share)} of the alerts are right"


def predictive_values_alt(scene: Scene, alerts: Banded, prevalence: float) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    title = predictive_values_title(scene, alerts, prevalence)
    return f"Predictive values against the share of the class. {title}."


def _predictive_values_add(figure: go.Figure, value: Banded, drawn: tuple[str, str]) -> None:
    name, color = drawn
    figure.add_scatter(
        x=light(_logit(value.x)),
        y=light(value.y),
        customdata=light(value.x),
        name=escape.plotly(name),
        mode="lines",
        line={"color": color, "width": 2.5},
        hovertemplate="where %{customdata:.2%} are of the class, %{y:.1%} are right<extra></extra>",
    )


def _logit(share: float | Floats) -> Floats:
    return np.asarray(np.log(share) - np.log1p(-np.asarray(share)), np.float64)


def _unit_costs(view: View, given: Iterable[float], prevalence: float | None) -> UnitCosts:
    table = view.table
    usual = table.positives / table.n if table.n else 0.5
    tn, fp, fn, tp = given
    return UnitCosts(tn, fp, fn, tp, usual if prevalence is None else prevalence)


MISTAKES = (0.0, 1.0, 1.0, 0.0)
"""Costs of tn, fp, fn and tp until others are given: every mistake costs 1."""


def expected_cost(
    data: Data,
    *,
    model: str | None = None,
    costs: Iterable[float] = MISTAKES,
    prevalence: float | None = None,
    threshold: float | None = None,
) -> go.Figure:
    """Return the mean cost of a case at each threshold; `costs` are those of tn, fp, fn and tp."""
    view = view_of(data, model, threshold)
    unit_costs = _unit_costs(view, costs, prevalence)
    made = {
        name: cost_curves.expected_cost(
            table.thinned(SKETCHED, keep=(cheapest(table, unit_costs).threshold,)), unit_costs
        )
        for name, table in view.scores().items()
    }
    marked = Marked(cheapest(view.table, unit_costs), _drawn(view, unit_costs).threshold)
    return draw_expected_cost(view.scene, made, marked)


def cost_curve(
    data: Data,
    *,
    model: str | None = None,
    costs: Iterable[float] | None = None,
    prevalence: float | None = None,
    threshold: float | None = None,
) -> go.Figure:
    """Return the cost curve of every model, and the line of the threshold in use.

    `costs`, those of tn, fp, fn and tp, say where on it these decisions are.
    """
    view = view_of(data, model, threshold)
    made = {name: CostCurve.from_table(table) for name, table in view.scores().items()}
    at = np.nan if costs is None else _unit_costs(view, costs, prevalence).probability_cost
    line = cost_curves.cost_line(view.table.at(view.threshold))
    return draw_cost_curve(view.scene, made, line, at)


def optimum(
    data: Data,
    *,
    model: str | None = None,
    costs: Iterable[float] = MISTAKES,
    prevalence: float | None = None,
) -> go.Figure:
    """Return how often each threshold is the cheapest over resamples."""
    view = view_of(data, model)
    drawn = _drawn(view, _unit_costs(view, costs, prevalence))
    return draw_optimum(view.scene, drawn)


def _drawn(view: View, unit_costs: UnitCosts) -> OptimumBootstrap:
    rng, options = np.random.default_rng(view.options.seed), view.options
    return bootstrap_optimum(view.table, unit_costs, rng, Plan(options.resamples, options.level))


def decision_curve(
    data: Data, *, model: str | None = None, prevalence: float | None = None
) -> go.Figure:
    """Return the decision curve of every model that gives probabilities."""
    view = view_of(data, model)
    share = _unit_costs(view, MISTAKES, prevalence).prevalence
    at = np.arange(1, 100) / 100
    every = view.probabilities(None)
    made = {name: DecisionCurve.from_table(table, at, share) for name, table in every.items()}
    return draw_decision_curve(view.scene, made)


def average(cost: float) -> str:
    """Return what a case costs, as a sentence."""
    return f"Average cost per case {text.size(cost)}."


def brought(tpr: float, fpr: float, share: float, volume: int) -> str:
    """Return the alerts and the misses of a day, to follow a colon."""
    if np.isnan(tpr + fpr):
        return ""
    alerts, missed = share * tpr + (1 - share) * fpr, share * (1 - tpr)
    return f": {cases(volume * alerts)} alerts, {cases(volume * missed)} missed"


def prevalences(here: float) -> Floats:
    """Return how common positives may be: 1 in 1,000 to 19 in 20, and as they are `here`."""
    every = 1 / (1 + np.exp(-np.linspace(-7, 3, 81)))
    return np.union1d(every, [here]) if 0 < here < 1 else every


def predictive_values(
    data: Data,
    *,
    model: str | None = None,
    threshold: float | None = None,
    prevalence: float | None = None,
) -> go.Figure:
    """Return how far an alert, and its absence, can be trusted, by how common positives are."""
    view = view_of(data, model, threshold)
    counts = view.table.at(view.threshold)
    share = _unit_costs(view, MISTAKES, prevalence).prevalence
    alerts, rest = cost_curves.predictive_values(counts, prevalences(share))
    return draw_predictive_values(view.scene, alerts, rest, share)


def around(
    value: float, interval: Interval, join: Callable[[str, str], str] = text.low_dash_high
) -> str:
    """Return what is paid with its interval; why it has none where the rows are alike."""
    low, high = float(interval.low), float(interval.high)
    if interval.degenerate or low == high:
        return f"{text.size(value)} (no interval: all rows alike)"
    return text.with_ends(value, low, high, text.size, join)


def cases(number: float) -> str:
    """Return how many cases to expect, which are whole.

    >>> cases(2.22), cases(1234.5), cases(0.3), cases(0.0)
    ('2', '1,234', '<1', '0')
    """
    return "<1" if 0 < number < 0.5 else text.count(round(number))


def money(cost: float) -> str:
    """Return what is paid, in the digits that can be used.

    >>> money(0.1551), money(121.4)
    ('0.155', '121')
    """
    return text.size(cost) if abs(cost) < 10 else text.size(round(cost))
