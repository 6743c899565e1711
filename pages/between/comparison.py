"""Compare by rows: how far models are apart on these rows, and how sure that is."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from evalcore.comparison import catalog, results, spec
from evalcore.comparison.spec import Design
from evalcore.text import p_value
from pages.between import bootstrap
from pages.escape import html, markdown, visible
from pages.session import comparisons, current
from pages.text import MINUS
from pages.widgets import chart, comparing, guard, notices, progress, tables


def page() -> None:
    """Show the differences of models with their intervals, the tests, and the bootstrap."""
    dataset = guard.need_dataset()
    top = st.container()
    metric = comparing.pick_metric(dataset)
    options = current.options(dataset)
    scene = chart.of_all(dataset)
    with st.spinner(f"Comparing {len(scene.names)} models"):
        if not comparing.in_closed_form(metric):
            progress.drawn_one_by_one(comparisons.draws(dataset, metric, options))
        made = comparisons.comparison(dataset, metric, options)
    told = [one for one in made.notices if one.code != "decisions"]  # which is said above
    with top:
        guard.headline(*comparing.reasons(made))
        if conditions := comparing.conditions(made, ("decisions",)):
            st.caption(markdown(conditions))
        notices.warnings(told)
    comparing.pictures(scene, made)
    if settled := comparing.rows_needed(made):
        guard.section(f"How many {made.unit} would settle it", settled)
    tests(made, OF_ROWS)
    bootstrap.show(dataset, metric, made, options)
    bootstrap.disagreement(dataset, metric, made, options)
    notices.remarks(told)


OF_ROWS = frozenset({Design.PAIRED_ROWS, Design.INDEPENDENT})
OF_FOLDS = frozenset(Design) - OF_ROWS
"""The designs that tell tests of rows from those of folds and data sets."""

LEGEND = (
    "p: how often chance alone would set equally good models this far apart; adjusted: allowing "
    "for all pairs (Holm). A statistic with a sign is above 0 where the first has the higher value."
)
BLANK = "\N{NO-BREAK SPACE}"

BY_KEY: Mapping[str, spec.StatisticalTest] = {test.key: test for test in catalog.TESTS}
BAYES = "bayes_correlated_t"
"""It gives chances instead of p values, which have a table of their own."""


def tests(made: results.Comparison, designs: frozenset[Design]) -> None:
    """Show what the main test found, and one click away the others for such data."""
    fitting = [one for one in made.tests if one.test != BAYES and _is_for(one.test, designs)]
    main = sorted(
        (one for one in fitting if one.test == made.primary),
        key=lambda one: [made.order.index(name) for name in comparing.in_order(made, one)[:2]],
    )
    others = [one for one in fitting if one.test != made.primary]
    unfit = [one for one in made.not_applicable if _is_for(one.test, designs)]
    if main:
        test = BY_KEY[made.primary]
        guard.section(f"The test: {test.name}", f"{test.summary} Assumes: {test.assumes}")
        alt = "What the main test found about each pair of models"
        _table(made, main, key="tests", alt=alt, named=False)
        st.caption(LEGEND)
    else:
        guard.section("The tests", "" if others else "No test fits these data.")
    if others or unfit:
        with st.expander("Other tests", key="other-tests"):
            if others:
                alt = "What each other test found about each pair of models"
                _table(made, others, key="tests-others", alt=alt)
            told = [
                *map(_about, dict.fromkeys(one.test for one in others)),
                *(f"<li><b>{html(BY_KEY[one.test].name)}</b> does not apply: {html(one.why)}</li>"
                  for one in unfit),
            ]  # fmt: skip
            st.html(f'<ul class="eb-facts">{"".join(told)}</ul>')


def _is_for(key: str, designs: frozenset[Design]) -> bool:
    """Whether a test is one of rows, which may have folds too, or one of folds and data sets."""
    of_rows = bool(BY_KEY[key].designs & OF_ROWS)
    return of_rows == (designs == OF_ROWS)


def _table(
    made: results.Comparison,
    rows: Sequence[results.TestedPair],
    *,
    key: str,
    alt: str,
    named: bool = True,
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


def _row(made: results.Comparison, tested: results.TestedPair) -> dict[str, object]:
    test, finding = BY_KEY[tested.test], tested.finding
    adjusted = finding.p_value if test.adjusted else tested.p_adjusted
    statistic, models, turned = finding.statistic, "all models", False
    if tested.first is not None:
        one, other, turned = comparing.in_order(made, tested)
        models = f"{visible(one)} {MINUS} {visible(other)}"
        statistic = 0.0 - statistic if test.signed and not turned else statistic
    return {
        "test": test.name,
        "models": models,
        "p": _p(finding.p_value),
        "adjusted p": _p(adjusted),
        "statistic": tables.ShownMetrics(statistic, _statistic(statistic)),
        "note": _note(finding, turned),
    }


def _about(key: str) -> str:
    test = BY_KEY[key]
    return f"<li><b>{html(test.name)}</b>: {html(test.summary)} Assumes: {html(test.assumes)}</li>"


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


def _note(finding: spec.Finding, turned: bool) -> str:
    """Return what there is to know about a finding, and the numbers beside it."""
    found = dict(finding.details)
    if turned and {"b", "c"} <= found.keys():
        found["b"], found["c"] = found["c"], found["b"]
    numbers = [f"{WORDS[name]} {comparing.amount(n)}" for name, n in found.items() if name in WORDS]
    return "; ".join(filter(None, [finding.note, *numbers]))


def _p(value: float) -> tables.ShownMetrics:
    return tables.ShownMetrics(value, "" if value != value else p_value(value))


def _statistic(value: float) -> str:
    return "" if value != value else comparing.amount(value)
