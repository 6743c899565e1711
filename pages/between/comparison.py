"""Comparison: which model is better, and how sure is that?"""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from evalcore.comparison import catalog, results, spec
from evalcore.text import p_value
from pages.escape import html, markdown, visible
from pages.session import comparisons, current
from pages.widgets import chart, comparing, guard, notices, progress, tables


def page() -> None:
    """Show which model is better, the differences with their intervals, and the tests."""
    dataset = guard.need_dataset()
    top = st.container()
    metric = comparing.pick_metric(dataset)
    options = current.options(dataset)
    scene = chart.of_all(dataset)
    with st.spinner(f"Comparing {len(scene.names)} models"):
        if dataset.models and not comparing.in_closed_form(metric):
            progress.drawn_one_by_one(comparisons.draws(dataset, metric, options))
        made = comparisons.comparison(dataset, metric, options)
    told = [one for one in made.notices if one.code != "decisions"]  # which is said above
    with top:
        if dataset.models and dataset.fold is not None:
            guard.headline(*comparing.finding_by(comparing.BY_ROWS, made))
        else:
            guard.headline(*comparing.finding(made))
        if conditions := comparing.conditions(made, ("decisions",)):
            st.caption(markdown(conditions))
        notices.warnings(told)
    comparing.pictures(scene, made)
    st.caption(markdown(comparing.levels(made)))
    if settled := comparing.rows_needed(made):
        guard.section(f"How many {made.unit} would settle it", settled)
    guard.section("The tests")
    tests_table(made)
    refused(made)
    notices.remarks(told)


MAIN = "● "
LEGEND = (
    "● the test on which the headline rests · adjusted: allowing for the number of pairs (Holm). "
    "A p value is how often chance alone sets equally good models at least so far apart. Where "
    "a statistic has a sign, above 0 the second named has the higher value; that of a "
    "bootstrap is the difference itself, second minus first."
)
BLANK = "\N{NO-BREAK SPACE}"

BY_KEY: Mapping[str, spec.StatisticalTest] = {test.key: test for test in catalog.TESTS}


def tests_table(made: results.Comparison) -> None:
    """Show what each test found about each pair of models, the main test first."""
    if not made.tests:
        st.caption("No test fits these data.")
        return
    rows = sorted(made.tests, key=lambda tested: tested.test != made.primary)
    frame = pd.DataFrame([_row(made, tested) for tested in rows], dtype=object)
    if not frame["note"].any():
        frame = frame.drop(columns="note")
    tables.show(
        frame.style.format(str),
        hide_index=True,
        column_config={name: tables.roomy(frame[name]) for name in frame},
        placeholder=BLANK,
        key="tests",
        alt="What each test found about each pair of models",
    )
    st.caption(LEGEND)
    with st.expander("What these tests ask and assume"):
        used = dict.fromkeys(tested.test for tested in rows)
        told = "".join(map(_about, used))
        st.html(f'<ul class="eb-facts">{told}</ul>')


def refused(made: results.Comparison) -> None:
    """Show which tests do not fit these data, and why."""
    if not made.not_applicable:
        return
    count = len(made.not_applicable)
    with st.expander(f"{count} {'test does' if count == 1 else 'tests do'} not apply here"):
        told = "".join(
            f"<li><b>{html(BY_KEY[test.test].name)}</b>: {html(test.why)}</li>"
            for test in made.not_applicable
        )
        st.html(f'<ul class="eb-facts">{told}</ul>')


def _row(made: results.Comparison, tested: results.TestedPair) -> dict[str, object]:
    test, finding = BY_KEY[tested.test], tested.finding
    adjusted = finding.p_value if test.adjusted else tested.p_adjusted
    return {
        "test": (MAIN if tested.test == made.primary else "") + test.name,
        "models": _models(tested),
        "p": _p(finding.p_value),
        "adjusted p": _p(adjusted),
        "statistic": tables.ShownMetrics(finding.statistic, _statistic(finding.statistic)),
        "note": _note(finding),
    }


def _about(key: str) -> str:
    test = BY_KEY[key]
    return f"<li><b>{html(test.name)}</b>: {html(test.summary)} Assumes: {html(test.assumes)}</li>"


def _note(finding: spec.Finding) -> str:
    """Return what there is to know about a finding, and the numbers beside it."""
    details = {name: n for name, n in finding.details.items() if name != "rope"}
    numbers = [f"{name.replace('_', ' ')} {comparing.amount(n)}" for name, n in details.items()]
    # That chances are no p values is said where the test is explained.
    note = "" if "practically_equal" in finding.details else finding.note
    return "; ".join(filter(None, [note, *numbers])).replace("practically equal", "level")


def _models(tested: results.TestedPair) -> str:
    if tested.first is None or tested.second is None:
        return "all of them"
    return f"{visible(tested.first)} · {visible(tested.second)}"


def _p(value: float) -> tables.ShownMetrics:
    return tables.ShownMetrics(value, "" if value != value else p_value(value))


def _statistic(value: float) -> str:
    return "" if value != value else comparing.amount(value)
