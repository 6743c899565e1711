"""How a file was read, in one line."""

import streamlit as st

from evalcore.intake.model import Table
from pages.escape import html

SEPARATORS = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "vertical bars",
    " ": "spaces",
}


def show(table: Table) -> None:
    """Show the file's form: what wrote it, encoding, marks, rows and columns."""
    source = table.source
    facts = [source.format.upper() if source.tool is None else f"written by {source.tool}"]
    if source.encoding is not None:
        facts.append(source.encoding.upper())
    if source.separator is not None:
        facts.append(f"cells divided by {SEPARATORS.get(source.separator, source.separator)}")
    if source.decimal == ",":
        facts.append("decimal commas")
    if source.sheet is not None:
        facts.append(f"sheet {source.sheet}")
    facts.append(f"{source.rows:,} rows, {len(table.names):,} columns")
    st.html(f"<p class='eb-note'>{html(' · '.join(facts))}</p>")
