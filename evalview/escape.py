"""Text from files, made harmless for the four places where text means more than itself."""

from __future__ import annotations

import html as _html
import re
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

JOINER = "\N{WORD JOINER}"
"""Takes no room and breaks no line, yet keeps two marks from meaning something together."""

LONGEST_PART = 40
"""Characters of a name from the data in the name of a download."""

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_BREAKS_AFTER = frozenset(":@-<>=~$")
_BEGINS_FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_ENDS_RIGHT_TO_LEFT = re.compile(
    f"([{_RIGHT_TO_LEFT}])(?![ _'\"\\-\u200c\u200d]*[{_RIGHT_TO_LEFT}])"
)
_LETTER_JOINERS = frozenset("\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")
_COUNT = r"\d(?:[\d.,]*\d)?"
_END = rf"[-\N{{MINUS SIGN}}<>]?{_COUNT}%?"
_UNBROKEN = re.compile(
    rf"(?<!\w){_END} (?:to|\N{{EN DASH}}) (?={_END})|\bp [=<\N{{LESS-THAN OR EQUAL TO}}] (?=\d)"
    rf"|\N{{LESS-THAN OR EQUAL TO}} (?=\d)|(?<!\w){_COUNT} (?:of (?=\d)|(?=[^\W\d]{{2,}}s\b))"
)
"""Intervals, p values, and numbers with what they count."""

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def visible(text: str) -> str:
    r"""Return the text with every control and direction character made visible.

    Joiners that scripts and emoji need between letters stay.

    >>> visible("a\nb\u202ec")
    'a␊b⟨U+202E⟩c'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible_character, text))


def _visible_character(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if character in _LETTER_JOINERS or unicodedata.category(character) not in _HIDDEN:
        return character
    return f"⟨U+{code:04X}⟩"


def in_order(text: str) -> str:
    """Return visible text in which what follows a right-to-left name stays to the right of it.

    Without a mark, a number or comma behind such a name is drawn as if it were part of it.

    >>> in_order("\u05d0\u05d1 12") == "\u05d0\u05d1\N{LEFT-TO-RIGHT MARK} 12"
    True
    """
    shown = visible(text)
    if shown.isascii():
        return shown
    return _ENDS_RIGHT_TO_LEFT.sub("\\1\N{LEFT-TO-RIGHT MARK}", shown)


def markdown(text: str) -> str:
    r"""Return Markdown that shows the text and nothing else.

    Streamlit looks for links, `:names:` and arrows again after Markdown is parsed, when the
    backslashes are gone; the word joiners hold those apart.

    >>> markdown("a_b*")
    'a\\_b\\*'
    """
    shown = _PUNCTUATION.sub(_escaped_mark, in_order(text))
    shown = re.sub(r"www(?=\\\.)", "www" + JOINER, shown, flags=re.IGNORECASE)
    indent = len(shown) - len(shown.lstrip(" "))
    return "\N{NO-BREAK SPACE}" * indent + shown[indent:]


def _escaped_mark(match: re.Match[str]) -> str:
    mark = match.group()
    return "\\" + mark + (JOINER if mark in _BREAKS_AFTER else "")


def plotly(text: str) -> str:
    """Return text for a plotly title, name, tick or hover: no tag, template or formula in it.

    >>> plotly("<b>$x$ %{y}")
    '&lt;b&gt;&#36;x&#36; &#37;{y}'
    """
    shown = _html.escape(in_order(text), quote=False)
    return shown.replace("$", "&#36;").replace("%", "&#37;")


def html(text: str) -> str:
    """Return text for HTML, inside an element or an attribute.

    >>> html("<i>")
    '&lt;i&gt;'
    """
    return _html.escape(in_order(text), quote=True)


def prose(text: str) -> str:
    """Return a sentence for HTML whose intervals, p values and counts stay on one line.

    >>> prose("0.5 (0.4 to 0.6)") == "0.5 (0.4\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}0.6)"
    True
    >>> prose("of 1,500 rows") == "of 1,500\N{NO-BREAK SPACE}rows"
    True
    """
    kept = _UNBROKEN.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), in_order(text))
    return _html.escape(kept, quote=True)


def spreadsheet(frame: pd.DataFrame) -> bytes:
    """Return the frame as CSV (UTF-8 with a mark) in which no cell starts a formula.

    Text that a spreadsheet would run gets an apostrophe in front; numbers, and text that is a
    plain number such as "-0.5", stay as they are.
    """
    text_columns = frame.select_dtypes(exclude="number").columns
    safe = frame.assign(**{str(name): frame[name].map(_inert) for name in text_columns})
    header = [str(_inert(str(name))) for name in frame.columns]
    return safe.to_csv(index=False, header=header, lineterminator="\r\n").encode("utf-8-sig")


def cell(shown: Any) -> Any:
    """Return what a cell of a table shows, with a joiner before text that starts a formula.

    It is not seen, and goes along when a reader copies the cell or saves the table.

    >>> cell("=1+1") == JOINER + "=1+1", cell("-0.5"), cell(3)
    (True, '-0.5', 3)
    """
    return JOINER + shown if isinstance(shown, str) and _starts_formula(shown) else shown


def _inert(cell: object) -> object:
    if not isinstance(cell, str) or not _starts_formula(cell):
        return cell
    return "'" + cell


def _starts_formula(cell: str) -> bool:
    if cell[:1] in ("\t", "\r"):
        return True
    return cell.lstrip()[:1] in _BEGINS_FORMULA and not _is_number(cell)


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", cell) is not None


def file_name(*parts: str, ending: str) -> str:
    """Return a file name of safe ASCII letters, digits and hyphens: never a path.

    >>> file_name("rows", "Café ../no", "called 日", ending="csv")
    'rows-cafe-no-called.csv'
    """
    spelt = unicodedata.normalize("NFKD", "-".join(part[:LONGEST_PART] for part in parts))
    ascii_only = spelt.encode("ascii", "ignore").decode().lower()
    return f"{re.sub(r'[^a-z0-9]+', '-', ascii_only).strip('-') or 'file'}.{ending}"
