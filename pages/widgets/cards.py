"""Numbers on cards: the interval as a bar, the counts in a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from evalcore.metrics.metric import Estimate, Metric
from pages import text
from pages.escape import html
from pages.explained import lookup

FEW_ROWS = 30
"""Below this many rows a number says little, however it looks."""


@dataclass(frozen=True, eq=False)
class Card:
    """One number to show.

    Attributes:
        metric: Its declaration.
        estimate: The number with its interval.
        says: What it means for these rows.
        rows: How many rows it rests on; None if that is not known.
    """

    metric: Metric
    estimate: Estimate
    says: str = ""
    rows: float | None = None


def score_cards(cards: Sequence[Card], explain: Callable[[Card], None], *, key: str) -> None:
    """Show cards side by side, two by two on a phone; `explain` fills what opens from each."""
    with st.container(key=f"cards-{key}"):
        for card in cards:
            with st.container(key=f"card-{key}-{card.metric.key}"):
                st.html(card_html(card))
                with st.popover("Explain", type="tertiary"):
                    explain(card)


def card_html(card: Card) -> str:
    """Return the card as HTML; every text in it is escaped."""
    estimate = card.estimate
    number_class = "eb-number" if estimate.defined else "eb-number eb-undefined"
    parts = [
        _line("eb-name", card.metric.name),
        _line(number_class, text.number(estimate.value, text.decimals(estimate))),
        _interval(card.metric, estimate),
        _line("eb-says", card.says if estimate.defined else _reason(card)),
        *(_line("eb-flag", flag) for flag in flags(card)),
    ]
    return f'<div class="eb-score">{"".join(parts)}</div>'


def flags(card: Card) -> list[str]:
    """Return what to beware of before believing the number."""
    found = []
    if card.rows is not None and card.rows < FEW_ROWS and card.estimate.defined:
        found.append(f"rests on {text.counted(card.rows, 'row')} only")
    if card.estimate.note:
        found.append(card.estimate.note)
    return found


def _reason(card: Card) -> str:
    return card.estimate.why or card.metric.undefined_when


def _line(name: str, text: str) -> str:
    return f'<p class="{name}">{html(text)}</p>' if text else ""


def _interval(metric: Metric, estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    made = html(lookup.told(estimate))
    return (
        f'<p class="eb-interval" title="{made}">{_bar(metric, estimate)}'
        f'<span class="eb-hidden">{estimate.level:.0%} interval: </span>'
        f"{html(text.interval(estimate))}</p>"
    )


def _bar(metric: Metric, estimate: Estimate) -> str:
    """Return the interval within the range of the metric, if that range is finite."""
    low, value, high = (
        _position(metric, end) for end in (estimate.low, estimate.value, estimate.high)
    )
    if low is None or value is None or high is None:
        return ""
    return (
        f'<span class="eb-range" aria-hidden="true">'
        f'<i style="left:{low:.1f}%;width:{max(high - low, 1):.1f}%"></i>'
        f'<b style="left:{value:.1f}%"></b></span>'
    )


def _position(metric: Metric, value: float | None) -> float | None:
    span = metric.high - metric.low
    if value is None or not 0 < span < float("inf"):
        return None
    return min(100.0, max(0.0, 100 * (value - metric.low) / span))
