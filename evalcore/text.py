"""How values are written: numbers and lists as text, results as tables and as plain values.

Formats are plain text: who writes one into HTML, Markdown or a figure escapes it there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from html import escape
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, SupportsFloat, cast

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from _typeshed import DataclassInstance

EN_DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


def not_finite(value: float) -> str:
    """Return what stands in the place of a number that is undefined or infinite."""
    if math.isnan(value):
        return "undefined"
    return "∞" if value > 0 else MINUS + "∞"


def significant(value: float, digits: int = 3) -> str:
    """Return a number of so many digits; three decimals below 1, or as many as it needs.

    For sentences and for text in a terminal, in plain characters. Below 1 it has two digits at
    least, and is never rounded to a perfect 1.

    >>> significant(0.0213), significant(54.4534), significant(12345.6), significant(-0.000087)
    ('0.021', '54.5', '12,346', '-0.000087')
    >>> significant(54.4534, 4), significant(154.4534), significant(0.0)
    ('54.45', '154', '0.000')
    >>> significant(0.99997), significant(1.2e-9), significant(1 - 1e-13)
    ('0.99997', '1.2e-09', '>0.999999')
    """
    if not math.isfinite(value):
        return not_finite(value)
    value, size = value + 0.0, abs(value)  # no minus before zero
    if size >= 10.0 ** (digits - 1):
        return f"{value:,.0f}"
    if size >= 1:
        return f"{value:.{digits}g}"
    if 0 < size < 1e-6:  # more zeros than that are not counted
        return f"{value:.1e}"
    if 0 < 1 - size < 1e-6:  # nor are more nines
        return ">0.999999" if value > 0 else "<-0.999999"
    return f"{value:.{_places(size)}f}"


def _places(size: float) -> int:
    """Return how many decimals show two digits of a number below 1, and tell it from 1."""
    if 0 < size < 0.00995:  # from there on three decimals show two digits
        return 1 - math.floor(math.log10(size))
    if size >= 0.9995:  # three decimals would make it 1
        return -math.floor(math.log10(1 - size))
    return 3


def rounded_down(value: float, decimals: int) -> float:
    """Return a number cut to some decimals, towards lower numbers.

    >>> rounded_down(0.357, 2), rounded_down(-0.351, 2)
    (0.35, -0.36)
    """
    text = f"{value:.{decimals}f}"
    if float(text) > value:
        text = f"{float(text) - 10**-decimals:.{decimals}f}"
    return float(text)


def signed(value: float) -> str:
    """Return a difference as it stands in a sentence, with its sign.

    >>> signed(0.0213), signed(-0.0213), signed(0.0)
    ('+0.021', '-0.021', '0.000')
    """
    return f"+{significant(value)}" if value > 0 else significant(value)


def p_value(p: float) -> str:
    """Return a p value: two digits, and no more than that it is small below 0.001.

    >>> p_value(0.00001), p_value(0.0312), p_value(0.5), p_value(1.0), p_value(float("nan"))
    ('<0.001', '0.031', '0.5', '1', '–')
    """
    if math.isnan(p):
        return EN_DASH
    return "<0.001" if p < 0.001 else f"{p:.2g}"


def p_equals(p: float) -> str:
    """Return a p value as it stands in a sentence.

    >>> p_equals(0.0312), p_equals(0.00001)
    ('p = 0.031', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p_value(p)}"


def count(value: SupportsFloat) -> str:
    """Return a count of rows, with decimals only where weights make it fractional.

    >>> count(2814.0), count(2.5), count(12345.678)
    ('2,814', '2.5', '12,345.68')
    """
    rows = float(value)
    return f"{rows:,.0f}" if rows.is_integer() else f"{rows:,.2f}".rstrip("0").rstrip(".")


def roughly(value: float) -> str:
    """Return a count that is known only roughly, in two digits: 4,600,000."""
    return f"{float(f'{value:.2g}'):,.0f}"


def so_often(share: float) -> str:
    """Return a share as how many of ten, or of a hundred where that is no whole number.

    >>> so_often(0.8), so_often(0.85)
    ('8 of 10', '85 of 100')
    """
    whole = 10 if abs(10 * share - round(10 * share)) < 1e-9 else 100
    return f"{whole * share:.3g} of {whole}"


def counted(value: SupportsFloat, noun: str) -> str:
    """Return a count with its noun.

    >>> counted(1, "row"), counted(1200, "row"), counted(2, "class")
    ('1 row', '1,200 rows', '2 classes')
    """
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{count(value)} {noun if value == 1 else plural}"


def did_you_mean(said: str, known: Mapping[str, Iterable[str]]) -> str:
    """Ask whether the names nearest to what was said are meant; "" where none is near.

    `known` holds what else each name is called. Case, spaces and punctuation do not count.

    >>> did_you_mean("ROC AUC", {"roc_auc": ["AUROC"]}), did_you_mean("x", {"roc_auc": []})
    (' Did you mean roc_auc?', '')
    >>> did_you_mean("--treshold", {"--threshold": [], "--truth": []})
    ' Did you mean --threshold?'
    """
    from difflib import get_close_matches

    spelt: dict[str, str] = {}
    for name, others in known.items():
        for called in (name, *others):
            spelt.setdefault(_bare(called), name)
    wanted = _bare(said)
    near = [wanted] if wanted in spelt else get_close_matches(wanted, spelt, n=3, cutoff=0.7)
    names = dict.fromkeys(spelt[one] for one in near)
    return f" Did you mean {' or '.join(names)}?" if names else ""


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def have(count: int) -> str:
    """Return "has" for one thing, "have" for more."""
    return "has" if count == 1 else "have"


def listed(names: Sequence[str], most: int = 12) -> str:
    """Return names from a file in quotation marks, cut off after some.

    >>> listed(["a", "b", "c"], most=2)
    '"a", "b", …'
    """
    shown = ", ".join(f'"{shorten(name)}"' for name in names[:most])
    return shown + ", …" if len(names) > most else shown


def joined(names: Sequence[str], most: int = 3) -> str:
    """Return at most so many names as a sentence lists them, and how many more there are.

    >>> joined(["a"]), joined(["a", "b", "c"]), joined(["a", "b", "c", "d", "e"])
    ('a', 'a, b and c', 'a, b, c and 2 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def shorten(text: str, most: int = 60) -> str:
    """Return a text from a file cut to a length that fits a sentence.

    >>> shorten("a long remark", 7)
    'a long…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


_PROPER = (
    "Bayesian", "Brier", "Cohen", "DeLong", "Diebold", "Fowlkes", "Gini", "Jaccard", "Kendall",
    "Kolmogorov", "Matthews", "McNemar", "Nemenyi", "Pearson", "Spearman", "Wilcoxon", "Youden",
)  # fmt: skip


def within_sentence(name: str) -> str:
    """Return the name of a metric or test as it stands within a sentence.

    >>> within_sentence("Balanced accuracy"), within_sentence("ROC AUC")
    ('balanced accuracy', 'ROC AUC')
    >>> within_sentence("Brier score")
    'Brier score'
    """
    if not name[1:2].islower() or name.startswith(_PROPER):
        return name
    return name[:1].lower() + name[1:]


Shape = str | Callable[[Any, str], Any]
"""What a class becomes: named attributes (see `picked`), or a function of a value and its key."""

NO_SHAPES: Mapping[type, Shape] = MappingProxyType({})

_AS_IT_IS = (str, int, type(None))


def plain(value: Any, shapes: Mapping[type, Shape] = NO_SHAPES, key: str = "") -> Any:
    """Return a value as dicts, lists, texts, numbers and None, as strict JSON knows them.

    Data classes become their fields by name, but for those that they list as `left_out`, unless
    `shapes` says otherwise; `key` is the name under which the value stands. NaN and infinite
    numbers are None.

    >>> from evalcore.errors import Notice
    >>> plain({"n": np.array([1.5, np.nan]), "told": Notice("a-code", "Mind.")}, {Notice: "code"})
    {'n': [1.5, None], 'told': {'code': 'a-code'}}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, _AS_IT_IS):
        return value
    shape = shapes.get(type(value))
    if shape is not None:
        value = picked(value, shape) if isinstance(shape, str) else shape(value, key)
    elif is_dataclass(value):
        left_out = getattr(value, "left_out", ())
        names = (field.name for field in fields(value) if field.name not in left_out)
        value = {name: getattr(value, name) for name in names}
    return _of_container(value, shapes)


def picked(value: Any, names: str) -> dict[str, Any]:
    """Return attributes of a value by name, in the order in which they are named.

    `name=attribute` gives one another name; one that ends in "?" is left out where it is empty.

    >>> from evalcore.errors import Notice
    >>> picked(Notice("a-code", "Mind."), "why=message code rows?")
    {'why': 'Mind.', 'code': 'a-code'}
    """
    held = ((name, get(value), needed) for name, get, needed in _getters(names))
    return {name: part for name, part, needed in held if needed or part}


@cache
def _getters(names: str) -> tuple[tuple[str, Callable[[Any], Any], bool], ...]:
    """Return each name with what gets its attribute, and whether it is there even if empty."""
    words = [(word, *word.rstrip("?").partition("=")) for word in names.split()]
    return tuple(
        (name, attrgetter(attribute or name), not word.endswith("?"))
        for word, name, _, attribute in words
    )


def _of_container(value: Any, shapes: Mapping[type, Shape]) -> Any:
    if isinstance(value, Mapping):
        return {
            str(name): part if type(part) in _AS_IT_IS else plain(part, shapes, str(name))
            for name, part in value.items()
        }
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray | np.generic):
        numbers = value.dtype.kind in "iuf" and bool(np.isfinite(value).all())
        return value.tolist() if numbers else plain(value.tolist(), shapes)
    if isinstance(value, Iterable):
        return [plain(part, shapes) for part in value]
    if value is None or isinstance(value, str | int | float):
        return plain(value)
    raise TypeError(f"{type(value).__name__} has no plain form")


ROWS_SHOWN = 20
"""A table in a notebook or a terminal has at most so many rows, which fit on a screen."""


def nothing() -> Mapping[Any, Any]:
    """Return a mapping with nothing in it that cannot be changed, for fields that have none."""
    return MappingProxyType({})


class Displayed:
    """A dataclass that a person looks at: its text is a small table, and it gives a data frame.

    Its rows are those of its arrays, or a single one of its plain fields; a class that has other
    rows says which in `_columns`.
    """

    left_out: ClassVar[tuple[str, ...]] = ()
    """Fields that are no part of the result, such as the data set that it was made from."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__repr__" not in vars(cls):  # else a dataclass would write one of its own
            cls.__repr__ = Displayed.__repr__  # type: ignore[method-assign]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as numbers, text, lists and dictionaries; None is undefined."""
        found: dict[str, Any] = plain(self)
        return found

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as a pandas data frame; NaN is undefined."""
        import pandas as pd

        return pd.DataFrame(dict(self._columns()))

    def __repr__(self) -> str:
        columns, rows = _shown(self._columns())
        if rows == 1:
            cells = (f"{name}={cells[0]}" for name, cells in columns.items())
            return f"{self._caption()}({', '.join(cells)})"
        widths = {name: max(map(len, (name, *cells))) for name, cells in columns.items()}
        lines = [tuple(columns), *zip(*columns.values(), strict=True)]
        told = (
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths.values(), strict=True))
            for line in lines
        )
        return "\n".join([self._caption(), *(line.rstrip() for line in told), *_rest(rows)])

    def _repr_html_(self) -> str:
        """Return the table for a notebook; all text in it is escaped."""
        columns, rows = _shown(self._columns())
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>"
            for line in zip(*columns.values(), strict=True)
        )
        rest = "".join(f"<p>{line}</p>" for line in _rest(rows))
        return (
            f"<table><caption>{escape(self._caption())}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"
        )

    def _caption(self) -> str:
        """Return what stands above the table."""
        return type(self).__name__

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the rows to show, column by column."""
        names = (each.name for each in fields(cast("DataclassInstance", self)))
        known = {name: getattr(self, name) for name in names if name not in self.left_out}
        arrays = {n: v for n, v in known.items() if isinstance(v, np.ndarray) and v.ndim == 1}
        if arrays:
            rows = len(next(iter(arrays.values())))
            return {name: v.tolist() for name, v in arrays.items() if len(v) == rows}
        single = {n: v for n, v in known.items() if not isinstance(v, Mapping | np.ndarray)}
        return {n: [v.value if isinstance(v, Enum) else v] for n, v in single.items()}


def _shown(columns: Mapping[str, Sequence[Any]]) -> tuple[dict[str, list[str]], int]:
    """Return the first rows as text, without the columns that are empty in them, and their number.

    The number is that of all rows.
    """
    rows = max(map(len, columns.values()), default=0)
    cells = {name: [_cell(cell) for cell in col[:ROWS_SHOWN]] for name, col in columns.items()}
    return {name: texts for name, texts in cells.items() if any(texts) or not rows}, rows


def _rest(rows: int) -> list[str]:
    """Return the line that says how many rows are not shown."""
    more = rows - ROWS_SHOWN
    return [f"{more:,} more rows: to_frame() has all"] if more > 0 else []


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float | np.floating):
        return significant(float(value))
    return str(value)
