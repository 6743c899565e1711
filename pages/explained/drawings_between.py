"""The Python that draws the figures between models, by the figure's key."""

from collections.abc import Mapping
from types import MappingProxyType

from pages.explained.drawing import Drawing

_COMPARE = ("from evalcore.compare import compare", "from evalcore.options import Options")
_DRAWS = (
    "from evalcore.compare import entrants",
    "from evalcore.contests.draws import Draws",
    "from evalcore.options import Options",
)
_FOLDS = (
    "from evalcore.compare import entrants",
    "from evalcore.contests.foldwise import foldwise",
    "from evalcore.options import Options",
)
_MAKE_DRAWS = """\
options = Options(threshold=THRESHOLD)
draws = Draws(entrants(dataset, METRIC, options), options)
models = draws.contest.contenders
"""
_RANKED = ("from evalcore.comparison.ranked import ranked", *_FOLDS)
_MAKE_FOLDS = """\
options = Options(threshold=THRESHOLD)
scores = dataset.fold_scores or foldwise(entrants(dataset, METRIC, options), dataset.fold.names)
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
                "from evalcore.contests.alone import alone",
                "from evalcore.contests.contest import usual_metric",
                "from evalcore.options import Options",
            ),
            """\
made = alone(dataset, METRIC or usual_metric(dataset), Options(threshold=THRESHOLD))
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
                "from evalcore.resampling.delong import delong_interval",
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
