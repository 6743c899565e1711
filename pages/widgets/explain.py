"""Explain this number: what it means, its formula with the live counts, when it misleads."""

import re

import streamlit as st

from evalcore.metrics.spec import Better, Estimate, Metric, Source
from evalcore.tables.confusion import BinaryCounts
from pages.escape import html, markdown
from pages.figures import words
from pages.widgets.score_card import Card, spoken_method

# A number in front of a count multiplies it, which two numbers side by side would not say.
_COUNT = re.compile(r"(?P<times>(?<=\d)\s*)?(?<![A-Za-z\\])(?P<count>TP|FP|FN|TN)(?![A-Za-z_])")
_DIRECTIONS = {
    Better.HIGHER: "higher is better",
    Better.LOWER: "lower is better",
    Better.NEITHER: "neither direction is better",
}


def explain(card: Card, counts: BinaryCounts | None = None, code: str = "") -> None:
    """Explain the number on a card; `counts` are filled in where its formula speaks of them."""
    metric, estimate = card.metric, card.estimate
    st.markdown(f"**{markdown(metric.name)}.** {markdown(metric.summary)}")
    st.latex(metric.formula)
    if counts is not None and _COUNT.search(metric.formula):
        st.latex(f"{filled(metric.formula, counts)} = {_precise(estimate)}")
    if metric.misleads:
        st.markdown(f"**Beware.** {markdown(metric.misleads)}")
    told = "".join(f"<li>{fact}</li>" for fact in facts(metric, estimate))
    st.html(f'<ul class="eb-facts">{told}</ul>')
    if code:
        st.code(code, language="python", wrap_lines=True)


def filled(formula: str, counts: BinaryCounts) -> str:
    r"""Return the formula with numbers for TP, FP, FN and TN.

    >>> filled(r"\frac{2 TP}{TP + FN}", BinaryCounts(1551, 570, 65, 2814))
    '\\frac{2 \\cdot 1{,}551}{1{,}551 + 65}'
    """

    def number(match: re.Match[str]) -> str:
        times = "" if match["times"] is None else r" \cdot "
        return times + words.count(getattr(counts, match["count"].lower())).replace(",", "{,}")

    return _COUNT.sub(number, formula)


def facts(metric: Metric, estimate: Estimate) -> list[str]:
    """Return what else there is to know, as HTML: interval, range, other names, source."""
    told = []
    if estimate.low is not None:
        told.append(f"{words.interval(estimate)}: {spoken_method(estimate)}.")
    told.append(f"{_range(metric)}, {_DIRECTIONS[metric.better]}.")
    if metric.synonyms:
        told.append(f"Also called {', '.join(metric.synonyms)}.")
    if metric.undefined_when:
        told.append(f"Undefined when {metric.undefined_when}.")
    return [*map(html, told), f"Source: {_source(metric.source)}."]


def _source(source: Source) -> str:
    if not source.url.startswith("https://"):
        return html(source.text)
    return f'<a href="{html(source.url)}" target="_blank">{html(source.text)}</a>'


def _range(metric: Metric) -> str:
    return f"From {words.bound(metric.low)} to {words.bound(metric.high)}"


def _precise(estimate: Estimate) -> str:
    return f"{estimate.value:.6g}" if estimate.defined else r"\text{undefined}"
