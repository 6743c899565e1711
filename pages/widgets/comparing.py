"""A comparison in words, in pictures, and by which metric."""

from collections.abc import Mapping, Sequence

import streamlit as st

from evalcore.comparison.candidates import default_metric
from evalcore.comparison.results import Comparison, TestedPair
from evalcore.errors import Notice
from evalcore.metrics import catalog
from evalcore.text import within_sentence
from evalread.dataset import Dataset, Task
from evalview import escape, figures, headlines, sentences, text, words
from evalview.figures import theme
from pages.session import current, findings
from pages.widgets import chart, inputs

OFFERED: Mapping[Task, Sequence[str]] = {
    Task.BINARY: (
        "roc_auc",
        "average_precision",
        "accuracy",
        "balanced_accuracy",
        "recall",
        "precision",
        "specificity",
        "f1",
        "mcc",
        "cohen_kappa",
        "brier",
        "log_loss",
    ),
    Task.MULTICLASS: (
        "accuracy",
        "balanced_accuracy",
        "f1",
        "recall",
        "precision",
        "mcc",
        "cohen_kappa",
        "roc_auc_ovr_macro",
        "roc_auc_hand_till",
    ),
    Task.REGRESSION: (
        "rmse",
        "mae",
        "r2",
        "bias",
        "medae",
        "mape_nonzero",
        "pearson",
        "spearman",
        "kendall_tau_b",
    ),
    Task.CORRECT: ("accuracy",),
}
"""Metrics to compare by, in the order in which they are offered."""


def offered(dataset: Dataset) -> list[str]:
    """Return what models can be compared by, the usual one first."""
    if dataset.fold_scores is not None:
        return list(dataset.fold_scores.by_metric)
    usual = default_metric(dataset)
    return [usual, *(key for key in OFFERED[dataset.roles.task] if key != usual)]


def called(key: str) -> str:
    """Return the name of a metric, or what the file calls it."""
    known = catalog.by_key().get(key)
    return escape.visible(text.abbreviate(key, 40)) if known is None else known.name


def pick_metric(dataset: Dataset) -> str:
    """Show the metrics to pick from; return the key of the one picked."""
    keys = offered(dataset)
    if len(keys) == 1:
        return keys[0]
    label = "Judged by" if len(dataset.models) == 1 else "Compared by"
    return inputs.list_box(label, {key: called(key) for key in keys}, key="metric", width=300)


UNBROKEN = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"


def verdict(made: Comparison) -> tuple[str, str]:
    """Return the verdict with its reasons, of scores of folds, which have no Summary."""
    said, known = sentences.verdict(made) or ("", "")
    if not said:
        return headlines.finding(made)
    return said, " ".join(filter(None, [f"{known}." if known else "", reasons(made)[1]]))


def reasons(made: Comparison) -> tuple[str, str]:
    """Return how many differences exclude zero, and how far the two best are apart.

    Where nothing tells that, the finding has the reason, which the Summary leads to.
    """
    from evalcore.comparison.headline import evidence

    told = escape.visible(text.minus(evidence(made))).replace(" = ", UNBROKEN)
    n = f"{'on' if made.unit in ('rows', 'items') else 'over'} {made.n:,.10g} {made.unit}"
    said = words.zero_excluded(made, f" in {within_sentence(made.metric_name)} {n}")
    if said != words.NOTHING:
        return escape.visible(said), told
    found, why = headlines.finding(made)
    first, _, rest = why.partition(". ")
    return (first.removesuffix("."), rest) if found == words.NOTHING else (found, why)


def in_order(made: Comparison, tested: TestedPair) -> tuple[str, str, bool]:
    """Return the two models that were tested, the better first, and whether that turns them round.

    A signed statistic is that of the second minus the first; of models turned round it holds as is.
    """
    first, second = tested.first or "", tested.second or ""
    turned = made.order.index(second) < made.order.index(first)
    return (second, first, True) if turned else (first, second, False)


CONDITIONS = ("decisions", "left-out", "common-rows", "independent-rows", "best-of-many")


def remarks_on_model(dataset: Dataset, model: str) -> Sequence[Notice]:
    """Return what must be known before believing the numbers of a model."""
    return findings.notices(dataset, model, current.threshold(dataset, model))


def conditions(made: Comparison, codes: Sequence[str] = CONDITIONS) -> str:
    """Return which decisions, models and rows the answer rests on, where that is a choice."""
    return " ".join(escape.visible(n.message) for n in made.notices if n.code in codes)


def in_closed_form(metric: str) -> bool:
    """Whether a metric is compared without resamples where there are many models."""
    return metric in ("roc_auc", "accuracy")


def rows_needed(made: Comparison) -> str:
    """Return how many rows would settle it between the two best, and what these could show."""
    from evalcore.comparison.headline import needed

    return escape.visible(needed(made))


def amount(value: float) -> str:
    """Return a difference with three digits.

    >>> amount(0.012345), amount(-2.7431), amount(12345.0)
    ('0.0123', '−2.74', '12,345')
    """
    shown = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return shown.replace("-", text.MINUS)


FACTORS = (0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
"""What is offered, in multiples of what is usual for the metric."""


def pick_rope(usual: float, metric: str) -> float:
    """Show differences to pick from, in the unit of the metric; return the one picked."""
    picked: float = st.select_slider(
        "Ignore differences below",
        sizes(usual),
        value=usual,
        key=f"rope_{metric}",
        bind="query-params",
        format_func=amount,
        help="Smaller differences would change nothing even if they are real: the region of "
        "practical equivalence (ROPE).",
        width=260,
    )
    return picked


def sizes(usual: float) -> Sequence[float]:
    """Return the differences that are offered.

    >>> sizes(0.01)[:4]
    [0.0, 0.0025, 0.005, 0.01]
    """
    return [float(f"{usual * factor:.6g}") for factor in FACTORS]


PAIRS = 6
"""So many pairs are always drawn; of more, those with the best model."""
DRAWN_AT_MOST = 15
"""Of more models, the best: others are in the table of all metrics."""


def pictures(scene: theme.Scene, made: Comparison) -> None:
    """Show each model with its interval, and each pair with that of the difference."""
    metric = catalog.by_key().get(made.metric)
    models = min(len(made.order), DRAWN_AT_MOST)
    height = figures.differences_room(min(models * (models - 1) // 2, max(PAIRS, models - 1)))
    left, right = st.columns(2)
    if metric is not None:
        with left:
            best = {name: made.models[name] for name in made.order[:DRAWN_AT_MOST]}
            figure = figures.draw_intervals(scene, metric, best, height=height)
            chart.show(figure, figures.intervals_alt(metric, best), key="models")
    with right if metric is not None else st.container():
        apart(scene, made, height=height)
    if models < len(made.order):
        st.caption(f"The best {models} of {len(made.order):,} models are drawn.")


def apart(scene: theme.Scene, made: Comparison, *, height: int | None = None) -> None:
    """Show how far each pair is apart, with the interval of the difference."""
    figure = figures.draw_differences(scene, made, height=height)
    chart.show(figure, figures.differences_alt(made), key="differences")
