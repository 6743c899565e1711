"""The list of all numbers: searched while one types, narrowed to what they are about."""

from collections.abc import Mapping, Sequence

import streamlit as st

from evalcore.metrics.spec import Family
from pages.escape import markdown
from pages.explained.lookup import FAMILIES, entries, search
from pages.session import boxes, looked_up
from pages.widgets.glossary_values import Found, written

NOT_FOR = "not for these data"


def find(known: Mapping[str, Found]) -> tuple[str, ...]:
    """Show the search box and what narrows the list; return the names found.

    Those that the data have a value for lead, unless a search ranks them.
    """
    text = st.text_input(
        "Search",
        key="find",
        type="search",
        live=True,
        placeholder="Name or synonym: sensitivity, AUC, PPV …",
        label_visibility="collapsed",
        bind="query-params",
    )
    families = {family.value: words for family, words in FAMILIES.items()}
    boxes.pick("about", families)
    about = st.pills(
        "About",
        list(families),
        key="about",
        format_func=families.__getitem__,
        label_visibility="collapsed",
        wrap=True,
    )
    found = search(text or "", Family(about) if about else None)
    if not found:
        st.markdown("No number is called so. Try fewer letters, or another name for it.")
    return found if text else tuple(sorted(found, key=lambda name: name not in known))


def pick(shown: Sequence[str], known: Mapping[str, Found]) -> None:
    """Show the names to pick from, each with its value on the data; none if there are no data."""
    with st.container(key="glossary-list"):
        st.radio(
            "Numbers",
            shown,
            key=looked_up.PICKED,
            on_change=looked_up.take,
            format_func=lambda name: label(name, known.get(name), NOT_FOR if known else ""),
            label_visibility="collapsed",
            width="stretch",
        )


def label(name: str, found: Found | None, otherwise: str = "") -> str:
    """Return the name of a number and its value, or what stands in its place, as Markdown."""
    metric = entries()[name]
    called = metric.name if name == metric.key else f"{metric.name} of pairs"
    value = otherwise if found is None else markdown(written(metric, found.estimate))
    return markdown(called) + (f" :gray[{value}]" if value else "")
