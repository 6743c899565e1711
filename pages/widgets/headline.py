"""The finding at the top of a page, what to do there, and the headings below."""

import streamlit as st

from pages.escape import html


def headline(finding: str, lead: str = "") -> None:
    """Show what the page found, and one line below it."""
    below = f'<p class="eb-lead">{html(lead)}</p>' if lead else ""
    st.html(f'<h1 class="eb-headline">{html(finding)}</h1>{below}')


def section(title: str, lead: str = "") -> None:
    """Begin a part of the page."""
    below = f'<p class="eb-lead">{html(lead)}</p>' if lead else ""
    st.html(f'<h2 class="eb-section">{html(title)}</h2>{below}')
