"""One number of the glossary: all that its declaration says, and its value on the data."""

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.metrics.sklearn_calls import sklearn_call
from evalcore.metrics.spec import Estimate, Metric
from pages.escape import html
from pages.explained import methods
from pages.explained.lookup import DIRECTIONS, FAMILIES, entries, setting
from pages.figures import words
from pages.session.behind import Part
from pages.widgets.explain import (
    Behind,
    behind_average,
    behind_clustering,
    ranges,
    show_code,
    source,
    stands_behind,
    work_out,
)
from pages.widgets.glossary_values import Found, written


def detail(name: str, found: Found | None, dataset: Dataset | None) -> None:
    """Show a number of the glossary; `found` is its value on the data, where there is one."""
    metric = entries()[name]
    with st.container(key="glossary-detail"):
        st.html(_top(metric))
        if found is not None:
            st.html(_value(metric, found))
        elif dataset is not None:
            st.html('<p class="eb-found eb-note">There is no such number for these data.</p>')
        more = Behind()
        if found is not None and dataset is not None:
            more = _behind(dataset, metric, found)
        work_out(metric, more.working)
        st.html(_rows(metric, declared=found is None or found.estimate.low is None))
        show_code(more.code if found is not None else _call(metric))


def _behind(dataset: Dataset, metric: Metric, found: Found) -> Behind:
    model, where, estimate = found.model, found.where, found.estimate
    if dataset.clusterings:
        return behind_clustering(dataset, model, metric, estimate)
    if found.average:
        return behind_average(dataset, Part(model, where, found.average), metric, estimate)
    return stands_behind(dataset, model, where, metric, estimate)


def _top(metric: Metric) -> str:
    beware = f'<p class="eb-beware"><b>Beware.</b> {html(metric.misleads)}</p>'
    return (
        f'<p class="eb-note">{html(FAMILIES[metric.family])}</p>'
        f'<h2 class="eb-term">{html(metric.name)}</h2>'
        f'<p class="eb-meaning">{html(metric.summary)}</p>{beware if metric.misleads else ""}'
    )


def _value(metric: Metric, found: Found) -> str:
    """Return the number with its interval, whose it is, and how the interval was made."""
    estimate = found.estimate
    around = f" <small>{html(words.interval(estimate))}</small>" if estimate.low is not None else ""
    of = ", ".join(filter(None, (found.model, found.of)))
    told = [_reason(estimate), estimate.note, methods.told(estimate)]
    lines = "".join(f'<p class="eb-note">{html(line)}</p>' for line in told if line)
    return (
        f'<div class="eb-found"><p class="eb-note">{html(of)}</p>'
        f'<p class="eb-value"><b>{html(written(metric, estimate))}</b>{around}</p>{lines}</div>'
    )


def _reason(estimate: Estimate) -> str:
    return "" if estimate.defined else f"Because {estimate.why}." if estimate.why else ""


def _rows(metric: Metric, *, declared: bool) -> str:
    """Return what is known of a metric; `declared`: also how its interval would be made."""
    known = {
        "Range": f"{ranges(metric)}, {DIRECTIONS[metric.better]}",
        "Undefined when": metric.undefined_when,
        "Infinite when": metric.infinite_when,
        "Also called": ", ".join(metric.synonyms),
        "Interval": methods.declared(metric) if declared else "",
        "Key": metric.key,
        "Settings": setting(metric),
    }
    rows = {term: html(text) for term, text in known.items() if text}
    rows["Source"] = source(metric.source)
    told = "".join(f"<div><dt>{term}</dt><dd>{text}</dd></div>" for term, text in rows.items())
    return f'<dl class="eb-terms">{told}</dl>'


def _call(metric: Metric) -> dict[str, str]:
    call = sklearn_call(metric) or sklearn_call(metric, classes=3)
    return {"scikit-learn": call} if call else {}
