"""A small table of text whose long cells are read as lines, not cut off."""

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.escape import html


def text_table(rows: Sequence[Mapping[str, str]], *, alt: str) -> None:
    """Show rows of text under the keys of the first; `alt` says what they are."""
    if not rows:
        return
    head = "".join(f'<th scope="col">{html(name)}</th>' for name in rows[0])
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    st.html(
        f'<div class="eb-table" role="region" aria-label="{html(alt)}" tabindex="0">{table}</div>'
    )


def _cells(row: Mapping[str, str]) -> str:
    first, *others = row.values()
    cells = "".join(f"<td>{html(text)}</td>" for text in others)
    return f'<th scope="row">{html(first)}</th>{cells}'
