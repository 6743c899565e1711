"""A comparison: by which metric, in words, in pictures, and what tests found."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from evalcore.comparison.candidates import default_metric, entered
from evalcore.comparison.catalog import BY_KEY
from evalcore.comparison.results import Comparison, Refusal, TestedPair
from evalcore.comparison.spec import Design, Finding
from evalcore.errors import Notice
from evalcore.metrics import catalog
from evalcore.metrics.metric import Better
from evalcore.text import p_value
from evalread.dataset import Dataset, Task
from evalview import escape, figures, headlines, sentences, text
from evalview.figures import theme
from pages.session import cache, current, findings
from pages.widgets import chart, guard, inputs, tables

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
        "log_loss",
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


def judging(dataset: Dataset) -> list[str]:
    """Return what models are judged by: metrics with a better side, which a bias has not."""
    known = catalog.by_key()
    return [key for key in offered(dataset) if known[key].better is not Better.NEITHER]


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


def pick_sliced(dataset: Dataset) -> tuple[str, str]:
    """Show by what parts of the rows are judged, and the models; return the metric and model."""
    from evalcore.slices.slicing import usual_metric

    usual = usual_metric(dataset)
    labels = {key: called(key) for key in dict.fromkeys([usual, *judging(dataset)])}
    metric = inputs.list_box("Judged by", labels, key="sliced-by", usual=usual, width=300)
    return metric, inputs.pick_model(dataset, among=models_with(dataset, metric))


def verdict(made: Comparison) -> tuple[str, str]:
    """Return the verdict with its reasons, of scores of folds, which have no Summary."""
    said, *known = sentences.verdict(made) or ("",)
    if not said:
        return headlines.finding(made)
    parts = [f"{part}. " for part in (*known, sentences.difference(made)) if part]
    return said, f"{''.join(parts)}{reasons(made)[1]}"


def reasons(made: Comparison) -> tuple[str, str]:
    """Return what the verdict rests on, or why there is none, which the Summary leads to."""
    return sentences.reasons(made) or headlines.why_nothing(made)


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
        format_func=text.size,
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


OF_ROWS = frozenset({Design.PAIRED_ROWS, Design.INDEPENDENT})


"""The designs that tell tests of rows from those of folds and data sets."""


LEGEND = (
    "A p value says how often chance alone would separate equally good models this far; the "
    "adjusted one allows for all pairs (Holm). A statistic with a sign is above 0 where the first "
    "has the higher value."
)


BLANK = "\N{NO-BREAK SPACE}"


BAYES = "bayes_correlated_t"
"""It gives chances instead of p values, which have a table of their own."""


def tests(made: Comparison, *, of_rows: bool) -> None:
    """Show what the main test found, and one click away the others of rows, or of folds."""
    able = {key for key, test in BY_KEY.items() if bool(test.designs & OF_ROWS) == of_rows}
    fitting = [one for one in made.tests if one.test != BAYES and one.test in able]
    main = sorted(
        (one for one in fitting if one.test == made.primary),
        key=lambda one: [made.order.index(name) for name in in_order(made, one)[:2]],
    )
    others = [one for one in fitting if one.test != made.primary]
    unfit = [one for one in made.not_applicable if one.test in able]
    if main:
        test = BY_KEY[made.primary]
        guard.section(f"The test: {test.name}", f"{test.summary} Assumes: {test.assumes}")
        alt = "Main test for each pair of models"
        _table(made, main, key="tests", alt=alt, named=False)
        st.caption(LEGEND)
    else:
        guard.section("The tests", "" if others else "No test applies to these data.")
    if others or unfit:
        with st.expander("Other tests", key="other-tests"):
            if others:
                alt = "Other tests for each pair of models"
                _table(made, others, key="tests-others", alt=alt)
            told = [*map(_about, dict.fromkeys(one.test for one in others)), *map(_unfit, unfit)]
            st.html(f'<ul class="eb-facts">{"".join(told)}</ul>')


def _table(
    made: Comparison, rows: Sequence[TestedPair], *, key: str, alt: str, named: bool = True
) -> None:
    frame = pd.DataFrame([_row(made, tested) for tested in rows], dtype=object)
    empty = [column for column in ("statistic", "note") if not frame[column].map(str).any()]
    frame = frame.drop(columns=[*empty, *([] if named else ["test"])])
    tables.show(
        frame.style.format(str),
        hide_index=True,
        column_config={name: tables.roomy(frame[name]) for name in frame},
        placeholder=BLANK,
        key=key,
        alt=alt,
    )


def _row(made: Comparison, tested: TestedPair) -> dict[str, object]:
    test, finding = BY_KEY[tested.test], tested.finding
    adjusted = finding.p_value if test.adjusted else tested.p_adjusted
    statistic, models, turned = finding.statistic, "all models", False
    if tested.first is not None:
        one, other, turned = in_order(made, tested)
        models = f"{escape.visible(one)} {text.MINUS} {escape.visible(other)}"
        statistic = 0.0 - statistic if test.signed and not turned else statistic
    written = "" if statistic != statistic else text.number(statistic, 2)
    return {
        "test": test.name,
        "models": models,
        "p": _p(finding.p_value),
        "adjusted p": _p(adjusted),
        "statistic": tables.ShownMetrics(statistic, written),
        "note": _note(finding, turned),
    }


def _about(key: str) -> str:
    test = BY_KEY[key]
    return _fact(test.name, f": {test.summary} Assumes: {test.assumes}")


def _unfit(refusal: Refusal) -> str:
    return _fact(BY_KEY[refusal.test].name, f" does not apply: {refusal.why}")


def _fact(name: str, told: str) -> str:
    return f"<li><b>{escape.html(name)}</b>{escape.html(told)}</li>"


WORDS = {
    "b": "first alone right",
    "c": "second alone right",
    "df": "degrees of freedom",
    "df_between": "degrees of freedom between",
    "df_within": "degrees of freedom within",
    "n": "differences",
    "resamples": "resamples",
}
"""What the numbers beside a finding are called; others turn with the order of the models."""


def _note(finding: Finding, turned: bool) -> str:
    """Return what there is to know about a finding, and the numbers beside it."""
    found = dict(finding.details)
    if turned and {"b", "c"} <= found.keys():
        found["b"], found["c"] = found["c"], found["b"]
    numbers = [f"{WORDS[name]} {text.size(n)}" for name, n in found.items() if name in WORDS]
    return "; ".join(filter(None, [finding.note, *numbers]))


def _p(value: float) -> tables.ShownMetrics:
    return tables.ShownMetrics(value, "" if value != value else p_value(value))


@cache.cached(entries=40)
def models_with(dataset: Dataset, metric: str) -> tuple[str, ...]:
    """Return the models that give what a metric needs; all of them where none does."""
    return tuple(entered(dataset.models, catalog.find(metric))) or tuple(dataset.models)
