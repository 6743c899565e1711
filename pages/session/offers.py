"""Answers and proposals: what each leads to, and taking one with a click."""

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import Offer
from evalcore.evaluation.preview import Preview, preview
from evalcore.intake.choices import Choices
from evalcore.intake.model import Table
from evalcore.intake.offered import THRESHOLD, taken
from pages.session import current
from pages.session.link import choices_to_params

DAY = 24 * 3600


def take(offer: Offer) -> None:
    """Settle what an offer proposes; a step that can be undone."""
    dataset = current.dataset()
    if offer.choice != THRESHOLD:
        roles = None if dataset is None else dataset.roles
        current.set_choices(taken(offer, current.view().choices, roles))
    elif dataset is not None:
        at = float(str(offer.value))
        current.explore(dataset, current.model(dataset), at, own=False)


def changes(offer: Offer) -> bool:
    """Tell whether taking an offer would change anything: what is settled needs no button."""
    now, dataset = current.view().choices, current.dataset()
    roles = None if dataset is None else dataset.roles
    return offer.choice == THRESHOLD or taken(offer, now, roles) != now


def previews(table: Table, offers: Sequence[Offer]) -> list[Preview | None]:
    """Return what each answer leads to; None where the table is too wide to be looked at twice."""
    now = current.view()
    key = repr((now.data, choices_to_params(now.choices)))
    return [_preview(key, repr(offer), offer, table, now.choices) for offer in offers]


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _preview(
    key: str, answer: str, _offer: Offer, _table: Table, _choices: Choices
) -> Preview | None:
    return preview(_table, _choices, _offer)
