"""What tests found about models: the main one first, the others one click away."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from evalcore.comparison import spec
from evalcore.comparison.catalog import BY_KEY
from evalcore.comparison.results import Comparison, Refusal, TestedPair
from evalcore.comparison.spec import Design
from evalcore.text import p_value
from evalview import escape, text
from pages.widgets import comparing, guard, tables

OF_ROWS = frozenset({Design.PAIRED_ROWS, Design.INDEPENDENT})
OF_FOLDS = frozenset(Design) - OF_ROWS
"""The designs that tell tests of rows from those of folds and data sets."""

LEGEND = (
    "A p value says how often chance alone would separate equally good models this far; the "
    "adjusted one allows for all pairs (Holm). A statistic with a sign is above 0 where the first "
    "has the higher value."
)
BLANK = "\N{NO-BREAK SPACE}"

BAYES = "bayes_correlated_t"
"""It gives chances instead of p values, which have a table of their own."""


def tests(made: Comparison, designs: frozenset[Design]) -> None:
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


def _is_for(key: str, designs: frozenset[Design]) -> bool:
    """Whether a test is one of rows, which may have folds too, or one of folds and data sets."""
    of_rows = bool(BY_KEY[key].designs & OF_ROWS)
    return of_rows == (designs == OF_ROWS)


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
        one, other, turned = comparing.in_order(made, tested)
        models = f"{escape.visible(one)} {text.MINUS} {escape.visible(other)}"
        statistic = 0.0 - statistic if test.signed and not turned else statistic
    written = "" if statistic != statistic else comparing.amount(statistic)
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


def _note(finding: spec.Finding, turned: bool) -> str:
    """Return what there is to know about a finding, and the numbers beside it."""
    found = dict(finding.details)
    if turned and {"b", "c"} <= found.keys():
        found["b"], found["c"] = found["c"], found["b"]
    numbers = [f"{WORDS[name]} {comparing.amount(n)}" for name, n in found.items() if name in WORDS]
    return "; ".join(filter(None, [finding.note, *numbers]))


def _p(value: float) -> tables.ShownMetrics:
    return tables.ShownMetrics(value, "" if value != value else p_value(value))
