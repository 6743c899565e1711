"""Labels that differ only in how they are written: found, and made one where that is chosen."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from evalcore.errors import Offer
from evalcore.intake.labels import Labels, is_number, merge_labels, plain_number

MERGE = Offer("Count them as one class", "merge_spellings", "yes")
"""What a reader may choose where labels are spelt apart."""


def spelt_apart(names: Iterable[str]) -> list[list[str]]:
    """Group names that differ only in case, inner space, Unicode form or how a number is written.

    >>> spelt_apart(["yes", "no", "Yes", "YES"]), spelt_apart(["1", "01", "1.0", "2"])
    ([['yes', 'Yes', 'YES']], [['1', '01', '1.0']])
    """
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(_simplest(name), []).append(name)
    return [group for group in alike.values() if len(group) > 1]


def _simplest(name: str) -> str:
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    if folded.isdigit():
        return folded.lstrip("0") or "0"
    return plain_number(folded) if is_number(folded) else folded


class Spelling:
    """One way to write each label: the commonest in the first column that holds it.

    >>> Spelling([{"yes": 3, "YES": 1, "no": 2}, {"Yes": 9}]).of("Yes")
    'yes'
    """

    def __init__(self, columns: Iterable[Mapping[str, int]]) -> None:
        self._written: dict[str, str] = {}
        for counts in columns:
            for name in sorted(counts, key=lambda name: -counts[name]):
                self._written.setdefault(_simplest(name), name)

    def of(self, name: str) -> str:
        """Return how a label is written; one that no column holds stays as it is."""
        return self._written.get(_simplest(name), name)


def one_spelling(columns: Sequence[Labels]) -> list[Labels]:
    """Make one label of those that differ only in how they are written."""
    spelling = Spelling([labels.counts for labels in columns])
    return [merge_labels(labels, spelling.of) for labels in columns]
