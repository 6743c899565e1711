"""The texts of each metric, from `metrics.txt`, and the references of `sources.txt`.

`metrics.txt` lists every metric in reading order, by its family and key, with lines about it
indented below, in which a setting stands as `<k>`, or as `<share%>`; what no line can say, as of
f2, is said where it is declared. In `sources.txt` the first line of a reference is its text, the
indented one below it its address.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Source:
    """Where a formula comes from."""

    text: str
    url: str = ""


NOWHERE = Source("")


def entries(beside: str, name: str) -> list[list[str]]:
    """Return the lines of each entry of a text file, which begins with the one not indented.

    The file lies beside the module at a path.
    """
    text = Path(beside).with_name(name).read_text("utf-8")
    return [entry.split("\n    ") for entry in re.split(r"\n+(?! )", text.strip())]


_SOURCES = [Source(*lines) for lines in entries(__file__, "sources.txt")]


def cite(start: str) -> Source:
    """Return the source whose text begins with `start`, as one alone does.

    >>> cite("Fawcett").url
    'https://doi.org/10.1016/j.patrec.2005.10.010'
    """
    [source] = [source for source in _SOURCES if source.text.startswith(start)]
    return source


def words(family: str, key: str, parameters: Mapping[str, float]) -> dict[str, Any]:
    """Return the texts of a metric, by the fields of its declaration.

    >>> words("counts", "tp", {})["synonyms"]
    ('hits', 'TP')
    >>> words("ranking", "gain_at(0.2)", {"share": 0.2})["name"]
    'Gain in the top 20%'
    """
    text = "\n".join(WORDED[family, key.split("(")[0]])
    for name, value in parameters.items():
        text = text.replace(f"<{name}%>", f"{100 * value:.10g}%")
        text = text.replace(f"<{name}>", f"{value:.10g}")
    told = dict(line.split(": ", 1) for line in text.split("\n"))
    return {
        "name": told.get("name", ""),
        "summary": told["summary"],
        "formula": told["formula"],
        "source": cite(told["source"]),
        "undefined_when": told.get("undefined when", "there are no rows"),
        "infinite_when": told.get("infinite when", ""),
        "synonyms": tuple(filter(None, told.get("synonyms", "").split("; "))),
        "misleads": told.get("misleads", ""),
        "fewest": int(told.get("fewest", 0)),
    }


def _family_and_key(heading: str) -> tuple[str, str]:
    family, key = heading.split()
    return family, key


WORDED = {_family_and_key(heading): lines for heading, *lines in entries(__file__, "metrics.txt")}
"""The lines about each metric by its family and key, in reading order."""
