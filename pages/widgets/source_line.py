"""What a file turned out to be, in words."""

from evalcore.intake.model import Dataset, Table
from evalcore.intake.wording import counted
from pages.escape import shorten

SEPARATORS = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "vertical bars",
    " ": "spaces",
}
LONGEST = 40


def finding(table: Table, dataset: Dataset | None) -> str:
    """Say what the rows were taken for."""
    if dataset is None:
        return f"{shorten(table.source.name, LONGEST)}: which column is what?"
    if not (dataset.models and dataset.roles.truth):
        return f"{counted(table.n, 'row')} and {counted(len(table.names), 'column')}"
    truth = shorten(dataset.roles.truth, LONGEST)
    models = counted(len(dataset.models), "model")
    return f"{counted(table.n, 'row')}: what {models} said, against “{truth}”"


def _format(name: str) -> str:
    return name.capitalize() if " " in name else name.upper()


def facts(table: Table) -> str:
    """Say how the file was read: the tool, the encoding, the marks, the size."""
    source = table.source
    facts = [_format(source.format) if source.tool is None else f"written by {source.tool}"]
    if source.encoding is not None:
        facts.append(source.encoding.upper())
    if source.separator is not None:
        facts.append(f"cells divided by {SEPARATORS.get(source.separator, source.separator)}")
    if source.decimal == ",":
        facts.append("decimal commas")
    if source.sheet is not None:
        facts.append(f"sheet {source.sheet}")
    facts.append(f"{counted(source.rows, 'row')}, {counted(len(table.names), 'column')}")
    return " · ".join(facts)
