"""Concepts and tests of the glossary, and what the symbols of formulas mean."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from evalcore.metrics.metric import Metric
from evalview.text import paragraphs

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Concept:
    """An entry of the glossary that is no number.

    Attributes:
        name: What it is called.
        text: What it is, in a few sentences.
        also: Other names that a search finds it by.
        page: The address of the page that shows it; "" for none.
        metric: The key of the number that it is another name of; "" for none.
        kind: "concept" or "test".
    """

    name: str
    text: str
    also: str = ""
    page: str = ""
    metric: str = ""
    kind: str = "concept"

    @property
    def key(self) -> str:
        """Its name in an address.

        >>> Concept("ROC curve", "").key
        'roc-curve'
        """
        return "-".join(re.findall(r"[a-z0-9]+", self.name.casefold()))


@cache
def concepts() -> Mapping[str, Concept]:
    """Return every concept by its key, in the order of the file."""
    found = paragraphs(HERE / "concepts.txt")
    made = [Concept(name, told, **fields) for name, fields, told in found]
    return MappingProxyType({one.key: one for one in made})


def find_concepts(wanted: str) -> list[Concept]:
    """Return the concepts whose names hold every word, or all of them joined; best matches first.

    >>> [one.name for one in find_concepts("l infinity")], find_concepts("t-test")[0].name
    (['Minkowski distance'], 't-test')
    """
    words = _words(wanted)
    if not words:
        return []
    found = [one for one in concepts().values() if _holds(f"{one.name} {one.also}", words)]
    return sorted(found, key=lambda one: not _holds(one.name, words))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _holds(text: str, words: Sequence[str]) -> bool:
    plain = " ".join(_words(text))
    joined = plain.replace(" ", "")
    # Of words as short as the t of "t-test" nearly every name holds one.
    apart = min(map(len, words)) > 2 and all(word in plain for word in words)
    return apart or f" {' '.join(words)}" in f" {plain}" or "".join(words) in joined


@cache
def _symbols() -> Mapping[str, Mapping[str, str]]:
    """Return what symbols stand for, by the family or the metric that uses them."""
    found: dict[str, dict[str, str]] = {}
    owners: list[str] = []
    for line in (HERE / "symbols.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            owners = line.strip("[]").split()
        elif " | " in line:
            symbol, meaning = line.split(" | ", 1)
            for owner in owners:
                found.setdefault(owner, {})[symbol] = meaning
    return MappingProxyType(found)


def legend(metric: Metric) -> dict[str, str]:
    """Return the symbols of a formula, as it writes them, and what each stands for."""
    told = _symbols().get(metric.key) or _symbols().get(metric.family.value, {})
    return {symbol: meaning for symbol, meaning in told.items() if _is_in(symbol, metric.formula)}


def symbols_of(lesson: str, formulas: Sequence[str]) -> dict[str, str]:
    """Return the symbols in the formulas of a lesson, and what each stands for there.

    >>> symbols_of("densities", ["precision = π TPR + {prevalence:2} FPR"])["π"]
    'share of positives'
    """
    told = {**_symbols()["lessons"], **_symbols().get(lesson, {})}
    written = re.sub(r"\{[^}]*\}|\ba (?=\w{2})", " ", "\n".join(formulas))
    return {
        symbol: meaning
        for symbol, meaning in told.items()
        if re.search(rf"(?<![^\W_]){re.escape(symbol)}(?!\w)", written)
    }


def _is_in(symbol: str, formula: str) -> bool:
    """Return whether a formula has one of some symbols, separated by ", ", and no longer one."""
    parts = [symbol] if "(" in symbol or "{" in symbol else symbol.split(", ")
    return any(
        re.search(rf"(?<![A-Za-z\\]){re.escape(part)}(?![A-Za-z_])", formula) for part in parts
    )
