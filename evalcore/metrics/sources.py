"""Where formulas and tests come from: the references in `sources.txt`.

There the first line of each is its text, and an indented one below it the address, if it has one.
"""

import re
from pathlib import Path

from evalcore.metrics.metric import Source


def cite(start: str) -> Source:
    """Return the source whose text begins with `start`, as one alone does.

    >>> cite("Fawcett").url
    'https://doi.org/10.1016/j.patrec.2005.10.010'
    """
    [source] = [source for source in _SOURCES if source.text.startswith(start)]
    return source


_REFERENCES = Path(__file__).with_name("sources.txt").read_text("utf-8")
_SOURCES = [Source(*lines.split("\n    ")) for lines in re.split(r"\n(?! )", _REFERENCES.strip())]
