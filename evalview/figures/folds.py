"""Models fold by fold: scores, ROC curves, mean ranks and places, and which folds are odd."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.roc import RocCurve
from evalcore.errors import EvalError
from evalcore.intervals.delong import area_interval
from evalcore.metrics.catalog import by_key, find
from evalcore.metrics.metric import Better, Estimate, Metric
from evalcore.outcomes import Floats
from evalcore.predictions import FoldScores
from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable
from evalcore.text import counted
from evalview import text, words
from evalview.escape import plotly as safe
from evalview.figures import comparison, curves, lessons, lines, theme
from evalview.figures.theme import Scene, Words
from evalview.figures.view import NO_FIGURE, Data, View, view_of
from evalview.text import abbreviate

if TYPE_CHECKING:
    from evalcore.comparison.candidates import FoldMean
    from evalcore.comparison.from_folds import Ranked
    from evalcore.intervals.closed import Interval
    from evalcore.options import Options
    from evalread.dataset import Dataset

FOLDS_AT_MOST, MODELS_AT_MOST = 200, 12
"""More lines, or models side by side, than this cannot be told apart."""

SIDE_BY_SIDE = 5
"""More names than this are turned upright."""


def draw_fold_scores(scene: Scene, scores: FoldScores, name: str, better: Better) -> go.Figure:
    """Draw models side by side, the best mean first; `name` is that of the metric."""
    order = _order(scores, better)
    says = theme.Words(
        title=fold_scores_title(scores, order, better),
        subtitle="A thin line joins the scores of one fold; the bar is the mean",
        y=name,
    )
    if not order:
        return theme.nothing_to_draw(says, scene.look, "No model has a score.")
    figure = theme.canvas(says, scene.look)
    values = scores.score[order, :FOLDS_AT_MOST]
    _add_lines(figure, scene, values)
    for place, model in enumerate(order):
        _add_model(figure, scene, scores, model, place)
    few = len(order) <= SIDE_BY_SIDE
    names = [scores.models[model] for model in order]
    figure.update_xaxes(
        tickvals=list(range(len(order))),
        ticktext=[
            words.on_two_lines(name, 13 if len(order) < 4 else 8)
            if few
            else safe(abbreviate(name, 16))
            for name in names
        ],
        tickangle=0 if few else 90,
        range=[-0.5, len(order) - 0.5],
    )
    figure.update_yaxes(nticks=6)
    figure.update_layout(showlegend=False)
    return figure


def fold_scores_title(scores: FoldScores, order: Sequence[int], better: Better) -> str:
    """Return how many folds the best model wins against the next, and loses, in words."""
    if len(order) < 2:
        return "Fold by fold"
    first, second = (scores.score[place] for place in order[:2])
    gaps = second - first if better is Better.LOWER else first - second
    won, lost, equal = (int(found.sum()) for found in (gaps > 0, gaps < 0, gaps == 0))
    names = [abbreviate(scores.models[place], 28) for place in order[:2]]
    ties = f", {equal:,} equal" if equal else ""
    return f"{names[0]} against {names[1]}: {text.counted(won, 'fold')} won, {lost:,} lost{ties}"


def fold_scores_alt(scores: FoldScores, name: str, better: Better) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    order = _order(scores, better)
    means = "; ".join(
        f"{scores.models[place]} {text.number(_mean(scores.score[place]))}" for place in order
    )
    title = fold_scores_title(scores, order, better)
    return f"{name} of each model on each fold. {title}. Means: {means}."


def _order(scores: FoldScores, better: Better) -> list[int]:
    """Return the places of the models that have a score, the best mean first."""
    sign = 1 if better is Better.LOWER else -1
    known = [place for place, own in enumerate(scores.score) if np.isfinite(own).any()]
    return sorted(known, key=lambda place: sign * _mean(scores.score[place]))[:MODELS_AT_MOST]


def _mean(scores: Floats) -> float:
    return float(np.nanmean(scores)) if np.isfinite(scores).any() else float("nan")


def _add_lines(figure: go.Figure, scene: Scene, values: Floats) -> None:
    """Add the lines of all folds as one, interrupted between them."""
    models, folds = values.shape
    gap = np.full((folds, 1), np.nan)
    x = np.hstack([np.tile(np.arange(models, dtype=np.float64), (folds, 1)), gap])
    y = np.hstack([values.T, gap])
    figure.add_trace(
        go.Scatter(
            x=lines.light(x.ravel()),
            y=lines.light(y.ravel()),
            mode="lines",
            line={"color": scene.look.negative, "width": 1},
            opacity=0.5,
            hoverinfo="skip",
        )
    )


def _add_model(figure: go.Figure, scene: Scene, scores: FoldScores, model: int, place: int) -> None:
    own, style = scores.score[model, :FOLDS_AT_MOST], scene.style(scores.models[model])
    known = np.flatnonzero(np.isfinite(own))
    name = safe(abbreviate(scores.models[model], 60))
    figure.add_trace(
        go.Scatter(
            x=np.full(len(known), place, dtype=np.float32),
            y=lines.light(own[known]),
            text=np.array([_fold(scores, fold) for fold in known.tolist()]),
            mode="markers",
            marker={"color": style.color, "size": 8, "symbol": style.symbol, "opacity": 0.75},
            hovertemplate=f"<b>{name}</b><br>%{{text}}: %{{y:.4~g}}<extra></extra>",
        )
    )
    mean = _mean(scores.score[model])
    figure.add_trace(
        go.Scatter(
            x=[place - 0.18, place + 0.18],
            y=[mean, mean],
            mode="lines",
            line={"color": scene.look.text, "width": 3},
            hovertemplate=f"<b>{name}</b><br>mean {text.number(mean)}<extra></extra>",
        )
    )


def _fold(scores: FoldScores, place: int) -> str:
    dataset, repeat, fold = scores.names[place]
    parts = (dataset, f"repeat {repeat}" if repeat else "", f"fold {fold}")
    return safe(abbreviate(", ".join(part for part in parts if part), 40))


CURVES_AT_MOST = 10
POINTS = 200
POOLED, MEAN = "all folds pooled", "mean of the folds"


@dataclass(frozen=True, eq=False)
class FoldRoc:
    """The scores of a model: of each fold, with its area, and of all folds together."""

    model: str
    tables: Mapping[str, ScoreTable]
    areas: Mapping[str, Estimate]
    whole: ScoreTable
    area: Estimate


def draw_fold_roc(scene: Scene, made: FoldRoc) -> go.Figure:
    """Draw a curve per fold, and in the colour of text the pooled one and the mean.

    It is as high as the areas of the folds under each other.
    """
    averages = {}
    if made.tables:
        averages = {
            POOLED: RocCurve.from_table(made.whole.thinned(POINTS)),
            MEAN: curves.mean_roc(list(made.tables.values()), [1.0] * len(made.tables)),
        }
    shown = dict(list(made.tables.items())[:CURVES_AT_MOST])
    figure = curves.draw_roc(scene, shown, made.areas, averages)
    pooled = f"all pooled, ROC AUC {text.with_interval(made.area)}"
    if shown:
        beside = theme.TITLE_ROOM + max(theme.HEIGHT, comparison.intervals_room(len(shown)))
        figure.update_layout(showlegend=False, height=beside)
    says = f"A line per fold; heavy: {pooled}; dashed: mean"
    figure.update_layout(
        title={"text": safe(fold_roc_title(made)), "subtitle": {"text": safe(says)}}
    )
    return figure


def fold_roc_title(made: FoldRoc) -> str:
    """Return between which areas the folds lie, in words."""
    known = [area.value for area in made.areas.values() if area.defined]
    name = abbreviate(made.model, 28)
    if not known:
        return f"{name} by fold"
    low, high = text.number(min(known)), text.number(max(known))
    return f"{name}: ROC AUC from {low} to {high} by fold"


def fold_roc_alt(scene: Scene, made: FoldRoc) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"{fold_roc_title(made)}. {curves.roc_alt(scene, made.areas)}"


SHOWN_AT_MOST, GROUPS_AT_MOST = 20, 8


def draw_ranks(scene: Scene, made: Ranked) -> go.Figure:
    """Draw a dot per model at its mean rank, the best on top.

    Over data sets, a bar below joins models that Nemenyi's test cannot tell apart; folds share
    training rows, so that it does not apply to them.
    """
    says = theme.Words(ranks_title(made), _ranks_subtitle(made), x="mean rank, 1 is the best")
    if len(made.order) < 2:
        return theme.nothing_to_draw(says, scene.look, "A ranking needs at least two models.")
    judged = made.unit == "data sets"
    order, groups = made.order[:SHOWN_AT_MOST], made.groups[: GROUPS_AT_MOST * judged]
    rows = len(order) + 0.5 * len(groups) + 1.4
    height = 60 + round((34 if len(order) <= words.FEW else 24) * rows)
    figure = theme.canvas(says, scene.look, height=height)
    for row, name in enumerate(order):
        _ranks_add_model(figure, scene, name, made.mean_ranks[row], row)
    for place, group in enumerate(groups):
        _add_group(figure, scene, made, group, len(order) + 0.1 + 0.5 * place)
    if judged:
        _add_distance(figure, scene, made)
    names = words.under_each_other(order)
    figure.update_yaxes(tickvals=list(range(len(order))), ticktext=names, showgrid=False)
    figure.update_yaxes(range=[rows - 1.4, -1.4])
    figure.update_xaxes(
        showgrid=True,
        nticks=7,
        range=[0.8, max(len(made.order), 1 + made.critical_difference * judged) + 0.2],
    )
    figure.update_layout(showlegend=False)
    return figure


def ranks_title(made: Ranked) -> str:
    """Return whether the best can be told from the next, in words."""
    if len(made.order) < 2:
        return "Mean ranks"
    best = made.order[0]
    group = next((group for group in made.groups if best in group), ())
    alike = [name for name in group if name != best]
    named = abbreviate(best, 24)
    if made.unit == "folds":  # to which no test of ranks applies
        return f"{named} has the best mean rank"
    if not alike:
        return f"{named} ranks above every other model"
    others = abbreviate(alike[0], 24) if len(alike) == 1 else counted(len(alike), "other")
    return f"{named} ranks best, but is not shown to be above {others}"


def ranks_alt(made: Ranked) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    pairs = zip(made.order, made.mean_ranks, strict=True)
    listed = "; ".join(f"{name} {rank:.2f}" for name, rank in list(pairs)[:SHOWN_AT_MOST])
    return f"Mean ranks over {made.n:,} {made.unit}. {ranks_title(made)}. {listed}."


def _ranks_subtitle(made: Ranked) -> str:
    noun = made.unit.removesuffix("s")
    told = "; bars join models that Nemenyi’s test cannot tell apart"
    return counted(made.n, noun) + (told if made.unit == "data sets" else "")


def _ranks_add_model(figure: go.Figure, scene: Scene, name: str, rank: float, row: int) -> None:
    style = scene.style(name)
    says = f"<b>{safe(abbreviate(name, 60))}</b><br>mean rank {rank:.2f}<extra></extra>"
    figure.add_scatter(
        x=[rank], y=[row], mode="markers", name="mean rank", hovertemplate=says,
        marker={"color": style.color, "size": 12, "symbol": style.symbol},
    )  # fmt: skip


def _add_group(
    figure: go.Figure, scene: Scene, made: Ranked, group: tuple[str, ...], y: float
) -> None:
    ranks = [made.mean_ranks[made.order.index(name)] for name in group]
    figure.add_scatter(
        x=[min(ranks), max(ranks)], y=[y, y], mode="lines", hoverinfo="skip",
        name=f"cannot be told apart: {', '.join(safe(name) for name in group)}",
        line={"color": scene.look.text, "width": 5},
    )  # fmt: skip


def _add_distance(figure: go.Figure, scene: Scene, made: Ranked) -> None:
    """Draw how far apart two ranks must be, as a bar to hold against the dots."""
    figure.add_scatter(
        x=[1, 1 + made.critical_difference], y=[-0.8, -0.8], mode="lines+markers",
        name="critical difference",
        line={"color": scene.look.secondary, "width": 2},
        marker={"symbol": "line-ns-open", "size": 10, "color": scene.look.secondary},
        hovertemplate=f"critical difference {made.critical_difference:.2f}<extra></extra>",
    )  # fmt: skip
    figure.add_annotation(
        x=1, y=-0.8, xanchor="left", yshift=12, showarrow=False,
        text=f"critical difference {made.critical_difference:.2f}",
        font={"size": 12, "color": scene.look.secondary},
    )  # fmt: skip


SLOPES_MODELS_AT_MOST, COLUMNS_AT_MOST = 20, 12
"""More lines, or more columns, than this cannot be followed."""

Places = Mapping[str, Mapping[str, float]]
"""What is ranked by -> model -> its place, 1 being the best; NaN where it has none."""


def draw_slopes(scene: Scene, places: Places, by: str) -> go.Figure:
    """Draw a line per model through its places; `by` names what they differ in, "metric"."""
    columns = list(places)[:COLUMNS_AT_MOST]
    says = theme.Words(slopes_title(places, by), _slopes_subtitle(places, by))
    models = _models(places)
    if len(columns) < 2 or not models:
        return theme.nothing_to_draw(says, scene.look, f"It takes two {by}s to compare.")
    figure = theme.canvas(says, scene.look, height=130 + 34 * max(len(models), 4))
    for model in models:
        _slopes_add_model(
            figure, scene, model, [places[column].get(model, np.nan) for column in columns]
        )
    first = places[columns[0]]
    named = [model for model in models if first.get(model) == first.get(model)]
    tied = len({first[model] for model in named}) < len(named)
    figure.update_yaxes(range=[len(models) + 0.5, 0.5], showgrid=False)
    if tied:
        figure.update_yaxes(title="place", dtick=max(1, len(models) // 6))
    else:
        where = [first[model] for model in named]
        figure.update_yaxes(tickvals=where, ticktext=words.under_each_other(named))
    width = 13 if len(columns) < 6 else 7
    across = [words.on_two_lines(column, width) for column in columns]
    figure.update_xaxes(
        tickvals=list(range(len(columns))), ticktext=across, range=[-0.15, len(columns) - 0.75]
    )
    figure.update_layout(showlegend=tied)
    return figure


def slopes_title(places: Places, by: str) -> str:
    """Return whether models have the same places everywhere, in words."""
    known = (tuple((m, at) for m, at in found.items() if at == at) for found in places.values())
    orders = {tuple(sorted(found)) for found in known if found}
    if len(orders) == 1:
        return f"The order of models is the same by every {by}"
    return f"The order of models depends on the {by}"


def _slopes_subtitle(places: Places, by: str) -> str:
    told = f"Place of each model by each {by}; 1 is the best"
    many = len(places)
    return (
        f"{told}; the first {COLUMNS_AT_MOST} of {many} {by}s" if many > COLUMNS_AT_MOST else told
    )


def slopes_alt(places: Places, by: str) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(f"{column}: {_first(found)}" for column, found in places.items())
    return f"Places of models by {by}. {slopes_title(places, by)}. Best by {listed}."


def _first(found: Mapping[str, float]) -> str:
    known = {model: place for model, place in found.items() if place == place}
    return min(known, key=known.__getitem__, default="")


def _models(places: Places) -> list[str]:
    """Return the models to draw, the best by the first column."""
    first = next(iter(places.values()), {})
    known = [model for model, place in first.items() if place == place]
    return sorted(known, key=lambda model: first[model])[:SLOPES_MODELS_AT_MOST]


def _slopes_add_model(figure: go.Figure, scene: Scene, model: str, path: list[float]) -> None:
    style = scene.style(model)
    name = safe(abbreviate(model, 40))
    figure.add_scatter(
        x=np.arange(len(path), dtype=np.float32),
        y=lines.light(np.array(path)),
        name=safe(abbreviate(model, 24)),
        mode="lines+markers",
        connectgaps=True,
        line={"color": style.color, "dash": style.dash, "width": 2},
        marker={"color": style.color, "symbol": style.symbol, "size": 9},
        hovertemplate=f"<b>{name}</b><br>place %{{y:.3~g}}<extra></extra>",
    )


def _fold_scores(view: View, metric: str | None) -> FoldScores:
    from evalcore.comparison.candidates import choose_candidates, scores_by_fold

    scored, fold = view.dataset.fold_scores, view.dataset.fold
    if scored is not None:
        return scored.by_metric.get(metric or "", scored)
    names = () if fold is None else fold.names
    found = scores_by_fold(choose_candidates(view.dataset, metric, view.options), names)
    if found is None:
        raise EvalError(NO_FIGURE, "There are no scores on at least two folds.")
    return found


def fold_scores(
    data: Data, *, metric: str | None = None, threshold: float | None = None
) -> go.Figure:
    """Return what each model scores on each fold."""
    from evalcore.compare import compare

    view = view_of(data, None, threshold)
    scores = _fold_scores(view, metric)
    made = compare(scores, view.options)
    return draw_fold_scores(view.scene, scores, made.metric_name, made.better)


def fold_mean(
    data: Data, *, metric: str | None = None, threshold: float | None = None
) -> go.Figure:
    """Return what the only model scores on each fold, and the mean with its interval."""
    from evalcore.comparison.candidates import default_metric

    view = view_of(data, None, threshold)
    if len(view.dataset.models) != 1:
        raise EvalError(NO_FIGURE, "This is about a single model; fold_scores compares several.")
    made = over_folds(view.dataset, metric or default_metric(view.dataset), view.options)
    if made is None:
        raise EvalError(NO_FIGURE, "There are no scores on at least two folds.")
    mean, ends = made.mean.mean, made.interval
    says = Words(
        title="Each fold, and their mean",
        subtitle="A dot is a fold, the diamond the mean, the bar its 95% interval",
        x=made.metric.name,
    )
    shown = {
        view.model: lessons.Rounds(made.scores.score[0], mean, float(ends.low), float(ends.high))
    }
    known = {"all folds pooled": made.merged}
    return lessons.draw_rounds(Scene(names=(view.model,)), says, shown, known, height=420)


def ranks(data: Data, *, metric: str | None = None, threshold: float | None = None) -> go.Figure:
    """Return the mean rank of each model over folds or data sets."""
    from evalcore.comparison.from_folds import ranked

    view = view_of(data, None, threshold)
    return draw_ranks(view.scene, ranked(_fold_scores(view, metric)))


def slopes(data: Data, *, metric: str | None = None, threshold: float | None = None) -> go.Figure:
    """Return the place of each model on each fold or data set."""
    from evalcore.comparison.from_folds import ranked

    view = view_of(data, None, threshold)
    made = ranked(_fold_scores(view, metric))
    return draw_slopes(view.scene, places_by_block(made), made.unit.removesuffix("s"))


def places_by_block(made: Ranked) -> Places:
    """Return the place of each model, by the data set or fold."""
    return {name: dict(zip(made.order, p, strict=True)) for name, p in made.places.items()}


def fold_roc(data: Data, *, model: str | None = None) -> go.Figure:
    """Return the ROC curve of a model on each fold, of all folds pooled, and their mean."""
    view = view_of(data, model)
    tables = _tables_by_fold(view)
    areas = {name: area_with_interval(table) for name, table in tables.items()}
    whole, who = view.table, words.at_start(words.spoken(view.dataset, view.model))
    made = FoldRoc(who, tables, areas, whole, area_with_interval(whole))
    return draw_fold_roc(_scene_of_folds(view, tables), made)


def fold_areas(data: Data, *, model: str | None = None) -> go.Figure:
    """Return the area under the ROC curve of a model on each fold with its interval."""
    view = view_of(data, model)
    tables = _tables_by_fold(view)
    areas = {name: area_with_interval(table) for name, table in tables.items()}
    return comparison.draw_intervals(_scene_of_folds(view, tables), by_key()["roc_auc"], areas)


def area_with_interval(table: ScoreTable) -> Estimate:
    """Return the area under the ROC curve with DeLong's interval."""
    return Estimate.of(roc_area(table), area_interval(table))


def _tables_by_fold(view: View) -> dict[str, ScoreTable]:
    return {
        f"fold {name}": part.scores
        for name, part in view.own_tables.folds.items()
        if part.scores is not None and part.scores.positives and part.scores.negatives
    }


def _scene_of_folds(view: View, tables: Mapping[str, ScoreTable]) -> Scene:
    style = replace(view.scene.style(view.model), dash="solid")
    return replace(view.scene, names=tuple(tables), chosen=None, called=None, alike=style)


FEWEST_HELD = 5
"""With fewer folds three degrees of freedom or less tell how far the others vary."""

ODD_LEVEL = 0.01
"""Chance of calling any fold odd where all are alike and about normal."""


@dataclass(frozen=True)
class OddFold:
    """A fold unlike the others: its place, its mean over the models, and the median of all."""

    place: int
    mean: float
    median: float


def odd_folds(scores: FoldScores) -> tuple[OddFold, ...]:
    """Return the folds whose mean over the models lies far from that of the other folds.

    Each is held against the others by a t test, allowing for their number. Source: Grubbs (1969),
    Procedures for detecting outlying observations in samples, Technometrics 11(1).
    """
    known = np.isfinite(scores.score).all(axis=0)
    places = np.flatnonzero(known)
    if len(places) < FEWEST_HELD:
        return ()
    means = scores.score[:, places].mean(axis=0)
    odd = np.flatnonzero(_p_values(means) * len(means) < ODD_LEVEL)
    median = float(np.median(means))
    return tuple(OddFold(int(places[k]), float(means[k]), median) for k in odd)


def _p_values(values: Floats) -> Floats:
    """Return for each of k values the p value of its being like the others."""
    from scipy.special import stdtr

    k = len(values)
    others = (values.sum() - values) / (k - 1)
    squares = (values**2).sum() - values**2 - (k - 1) * others**2
    # Where the others are all equal, nothing tells how far is far.
    known = squares > 1e-12 * np.maximum(values**2, others**2)
    error = np.sqrt(np.where(known, squares, np.inf) / (k - 2) * (1 + 1 / (k - 1)))
    p: Floats = 2 * stdtr(k - 2, -np.abs(values - others) / error)
    return p


@dataclass(frozen=True, eq=False)
class OverFolds:
    """One model over its folds.

    Attributes:
        corrected: Standard error of the mean that allows for training rows that folds share.
        interval: Student's, from that error.
        merged: The score of all rows with a fold, taken together.
    """

    metric: Metric
    scores: FoldScores
    mean: FoldMean
    corrected: float
    interval: Interval
    merged: float


def over_folds(dataset: Dataset, key: str, options: Options) -> OverFolds | None:
    """Return the scores of the only model of a data set over its folds.

    None where the model does not give what the metric needs, or fewer than two folds have rows.
    """
    from evalcore.comparison.candidates import Candidates, entered, fold_means, scores_by_fold
    from evalcore.comparison.folds import FoldDifferences, corrected_interval

    [(name, outcomes)], metric = dataset.models.items(), find(key)
    one = entered(dataset.models, metric, options).get(name)
    if one is None or dataset.fold is None:
        return None
    fold = dataset.fold.on(outcomes)
    scores = scores_by_fold(Candidates(metric, (one,), True, fold, ()), dataset.fold.names)
    if scores is None or scores.n_test is None or scores.n_train is None:
        return None
    known = np.isfinite(scores.score[0])
    share = float((scores.n_test / scores.n_train)[known].mean())
    over = FoldDifferences(scores.score[0][known], share)
    mean = fold_means(scores, metric.better)[name]
    merged = one.on(np.flatnonzero(fold >= 0)).value
    return OverFolds(metric, scores, mean, over.corrected_error, corrected_interval(over), merged)
