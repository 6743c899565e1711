"""Metrics down, models across: every number with its interval, on any width of screen."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

from evalcore.metrics.spec import Estimate, Metric
from evalcore.results import Estimates
from pages.escape import html
from pages.explained.lookup import name_of
from pages.figures import words
from pages.session import looked_up
from pages.widgets.glossary_values import written


def metric_list(
    models: Mapping[str, Estimates], metrics: Sequence[Metric], *, way: str = "threshold"
) -> None:
    """Show one row per metric and one column per model, models being in the file's order.

    Each number links to its working in the glossary, for decisions made in this way.
    """
    heads = "".join(f'<th scope="col">{html(name)}</th>' for name in models)
    rows = "".join(_row(metric, models, way) for metric in metrics)
    st.html(
        '<div class="eb-metric-list"><table>'
        f'<thead><tr><th scope="col">Metric</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
    st.caption("Each number opens how it is worked out.")


def _row(metric: Metric, models: Mapping[str, Estimates], way: str) -> str:
    cells = "".join(
        _cell(metric, found[metric.key], _glossary(metric, name, way))
        for name, found in models.items()
    )
    name = f'<th scope="row" title="{html(metric.summary)}">{html(metric.name)}</th>'
    return f"<tr>{name}{cells}</tr>"


def _cell(metric: Metric, estimate: Estimate, address: str) -> str:
    shown = html(written(metric, estimate))
    about = f' title="{html(estimate.note)}"' if estimate.note else ""
    if not estimate.defined:
        return f'<td{about}>{shown} <small class="eb-why">{html(estimate.why)}</small></td>'
    link = f'<a href="{html(address)}">{shown}</a>'
    return f"<td{about}>{link} <small>{html(words.interval(estimate))}</small></td>"


def _glossary(metric: Metric, model: str, way: str) -> str:
    """Return the address at which the number of a model is worked out."""
    view = {**looked_up.address(name_of(metric), model), "decided": [way]}
    return f"glossary?{urlencode(view, doseq=True)}"
