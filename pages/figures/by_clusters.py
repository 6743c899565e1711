"""A number of several clusterings against how many clusters each makes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import plotly.graph_objects as go

from evalcore.metrics.spec import Better, Metric
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import palette, theme, words
from pages.figures.scene import Scene

_NUMBER = re.compile(r"[\W_]*k?[\W_]*\d+$", re.IGNORECASE)


@dataclass(frozen=True)
class Judged:
    """A clustering: how many clusters it makes, and its value of a metric."""

    clusters: int
    value: float


def family(name: str) -> str:
    """Return a name without the number of clusters at its end.

    >>> family("kmeans_k3"), family("ward 4"), family("5"), family("dbscan")
    ('kmeans', 'ward', '', 'dbscan')
    """
    return _NUMBER.sub("", name)


def draw(scene: Scene, metric: Metric, judged: Mapping[str, Judged]) -> go.Figure:
    """Draw one point per clustering, joined within a family of names."""
    known = {name: one for name, one in judged.items() if one.value == one.value}
    says = theme.Words(
        title=title(metric, judged), subtitle=metric.summary, x="clusters", y=metric.name
    )
    if not known:
        why = "This number needs the features of the points, and two clusters or more."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look, height=300)
    families = list(dict.fromkeys(family(name) for name in known))
    for position, group in enumerate(families):
        _add(figure, group, position, {n: one for n, one in known.items() if family(n) == group})
    figure.update_layout(showlegend=1 < len(families) <= 10)
    few = len({one.clusters for one in known.values()}) <= 8
    ticks = sorted({one.clusters for one in known.values()}) if few else None
    figure.update_xaxes(showgrid=True, tickformat=",d", nticks=8, tickvals=ticks)
    figure.update_yaxes(nticks=5)
    return figure


def title(metric: Metric, judged: Mapping[str, Judged]) -> str:
    """Return which clustering has the best value, where a direction is better."""
    known = {name: one for name, one in judged.items() if one.value == one.value}
    if metric.key == "within_ss":
        return f"{metric.name}: it falls with every cluster more, look for the bend"
    if not known or metric.better is Better.NEITHER:
        return metric.name
    pick = max if metric.better is Better.HIGHER else min
    best = pick(known, key=lambda name: known[name].value)
    return f"{metric.name}: best for {best}, {words.number(known[best].value)}"


def alt(metric: Metric, judged: Mapping[str, Judged]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(
        f"{name}: {one.clusters:,} clusters, {words.number(one.value)}"
        for name, one in list(judged.items())[:12]
    )
    return f"{metric.name} by number of clusters. {title(metric, judged)}. {listed}."


def _add(figure: go.Figure, group: str, position: int, found: Mapping[str, Judged]) -> None:
    style = palette.model_style(position)
    ordered = sorted(found.items(), key=lambda item: item[1].clusters)
    for start in range(0, len(ordered), 20):
        # Joined in runs, so that names travel with few points at a time.
        run = ordered[start : start + 20]
        figure.add_scatter(
            x=[one.clusters for _, one in run],
            y=[one.value for _, one in run],
            text=[safe(shorten(name, 40)) for name, _ in run],
            mode="lines+markers",
            name=safe(shorten(group or "clusterings", 24)),
            showlegend=not start,
            line={"color": style.color, "dash": style.dash, "width": 2},
            marker={"size": 8, "symbol": style.symbol, "color": style.color},
            hovertemplate="<b>%{text}</b><br>%{x:,} clusters: %{y:,.4~g}<extra></extra>",
        )
