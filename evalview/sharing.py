"""A view as an address, in words that can be read and edited: what it says, and who can open it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from math import isfinite, nan
from socket import AF_INET, SOCK_DGRAM, socket
from typing import TYPE_CHECKING, Any, TypeVar, get_args
from urllib.parse import unquote, urlencode, urlsplit, urlunsplit

from evalcore.curves.costs import LARGEST, UnitCosts
from evalread.dataset import NO_CHOICES, SCHEMA, Choice, Choices, Dataset, Kind
from evalview import escape

if TYPE_CHECKING:
    from evalcore.results import DecisionRule
    from evalcore.tables.scores import ScoreTable


@dataclass(frozen=True)
class Reach:
    """Who can open a view.

    Attributes:
        address: Of its page, with all that is chosen there.
        host: The name or number by which the server is reached.
        port: As the address has it; "" where it has none.
        alone: Whether only this computer can reach it.
    """

    address: str
    host: str
    port: str
    alone: bool

    @property
    def told(self) -> str:
        """Who can open it, and what to do where nobody else can, as Markdown."""
        at = f" at port {self.port}" if self.port else ""
        if self.alone:
            port = f" --port {self.port}" if self.port else ""
            return (
                f"This address works **only on this computer**: the server answers nobody else{at}."
                f" To let others in, start it with `evalboard FILE --host 0.0.0.0{port}`, and share"
                " the view from there."
            )
        return (
            f"For whoever reaches **{escape.markdown(self.host)}**{at}, such as in the same "
            "network. It opens the same data with all that is chosen, while this server runs; data "
            "that nobody uses are removed after a day. There is no password: who has the address "
            "sees the data."
        )


def reach(page: str, chosen: Mapping[str, Sequence[str]], listens: str) -> Reach:
    """Return who can open a page as the reader's browser knows it, with what is chosen on it.

    Where the reader is at the server's own computer, which `listens` at an address for others too,
    they are given the number by which others reach that.

    >>> reach("http://localhost:8501/costs", {"data": ["a b"]}, "127.0.0.1").address
    'http://localhost:8501/costs?data=a+b'
    """
    parts = urlsplit(page)
    host, port = parts.hostname or "", f"{parts.port or ''}"
    if _is_loopback(host) and not _is_loopback(listens):
        host = _own_number() or host
    place = ":".join(filter(None, (f"[{host}]" if ":" in host else host, port)))
    asked = urlencode(chosen, doseq=True)
    address = urlunsplit((parts.scheme, place, parts.path, asked, ""))
    return Reach(address, host, port, alone=_is_loopback(host))


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _own_number() -> str:
    """Return the number of this computer in its network; "" without one. Nothing is sent."""
    with socket(AF_INET, SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # of a range that is kept for examples
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def code(address: str) -> str | None:
    """Return an address as a QR code, the address of an SVG picture; None where it is too long.

    Dark on light with the margin that cameras need, also where the page is dark.
    """
    import segno

    try:
        made = segno.make(address, micro=False)
    except segno.DataOverflowError:
        return None
    return made.svg_data_uri(scale=8, border=4, dark="#000000", light="#ffffff")


Params = Mapping[str, Sequence[str]]
"""Parameter name -> its values, as in an address."""


LONGEST = 1000
"""Characters of a value; longer ones are dropped."""


CLASSES_AT_MOST = 20
"""With more classes costs cannot be filled in by hand, nor written into an address."""


@dataclass(frozen=True)
class Use:
    """What a reader says of the use of models; the names are those in the address.

    Attributes:
        costs: What each decision costs, truth by truth; None in place of a cost that is not said.
        shares: How common each of several classes is, in any unit.
        prevalence: How common the positive one of two classes is, in percent.
        volume: How many cases come in a day.
    """

    costs: tuple[float | None, ...] | None = None
    shares: tuple[float, ...] | None = None
    prevalence: float | None = None
    volume: float | None = None

    def fitting(self, classes: int) -> Use:
        """Return what makes sense of so many classes.

        >>> Use(costs=(0, 1, None, 0), prevalence=200, volume=500).fitting(2)
        Use(costs=(0, 1, None, 0), shares=None, prevalence=None, volume=500)
        """
        two, several = classes == 2, 2 <= classes <= CLASSES_AT_MOST
        return Use(
            self.costs if several and self._has_costs_of(classes) else None,
            self.shares if several and not two and self._has_shares_of(classes) else None,
            self.prevalence if two and 0 <= _known(self.prevalence) <= 100 else None,
            self.volume if classes and 1 <= _known(self.volume) <= MOST_CASES else None,
        )

    @property
    def cases(self) -> int:
        """How many cases come in a day: as said, else the usual number."""
        return round(self.volume or USUAL_CASES)

    def share(self, table: ScoreTable | None) -> float:
        """Return how common positives are where decisions are made: as said, else as in a table."""
        if self.prevalence is not None:
            return self.prevalence / 100
        return table.positives / table.n if table is not None and table.n else 0.5

    def ignored_by(self, dataset: Dataset) -> bool:
        """Whether all costs are said, which no verdict on several models takes into account."""
        return len(dataset.models) > 1 and None not in (self.costs or (None,))

    def unit_costs(self, share: float) -> UnitCosts | None:
        """Return what the outcomes of two classes cost; None where one of them is not said."""
        known = [cost for cost in self.costs or () if cost is not None]
        if len(known) != 4:
            return None
        tn, fp, fn, tp = known
        return UnitCosts(tn, fp, fn, tp, share)

    def _has_costs_of(self, classes: int) -> bool:
        costs = self.costs or ()
        # Of two classes what a miss costs may be open.
        said = [
            cost for at, cost in enumerate(costs) if cost is not None or (classes, at) != (2, 2)
        ]
        return len(costs) == classes**2 and all(abs(_known(cost)) <= LARGEST for cost in said)

    def _has_shares_of(self, classes: int) -> bool:
        shares = self.shares or ()
        return len(shares) == classes and all(0 <= share <= LARGEST for share in shares)

    def to_params(self) -> dict[str, list[str]]:
        """Write it as parameters; what is not said is left out."""
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: [_numbers_written(each)] for name, each in said.items() if each is not None}

    @classmethod
    def from_params(cls, params: Params) -> Use:
        """Read it from parameters; what are no numbers is dropped."""
        shares = _numbers(_first(params, "shares")) or ()
        known = tuple(share for share in shares if share is not None)
        return cls(
            costs=_numbers(_first(params, "costs")),
            shares=known if known and len(known) == len(shares) else None,
            prevalence=_number(_first(params, "prevalence")),
            volume=_number(_first(params, "volume")),
        )


NOTHING_SAID = Use()

USUAL_CASES, MOST_CASES = 1000, 1e9
"""Cases a day until somebody says how many, a round number; and at most."""


def _known(number: float | None) -> float:
    return nan if number is None else number


def _numbers(text: str | None) -> tuple[float | None, ...] | None:
    """Read numbers between commas, None where a place is empty; None where any is no number."""
    parts = text.split(",") if text else []
    numbers = tuple(_number(part) for part in parts)
    lost = any(part and number is None for part, number in zip(parts, numbers, strict=True))
    return numbers if parts and not lost else None


def _numbers_written(said: float | tuple[float | None, ...]) -> str:
    """Write numbers with as few digits as they need."""
    numbers = said if isinstance(said, tuple) else (said,)
    return ",".join("" if one is None else _shortest(one) for one in numbers)


def _shortest(number: float) -> str:
    return short if float(short := f"{number:g}") == number else repr(number)


OWN = frozenset(
    {"data", "shown", "threshold", "own-threshold", "decided", "selected"}
    | {one.name for one in fields(Use)}
    | {one.key for one in SCHEMA}
)
"""The parameters that belong to a view; a page may have others of its own."""


YES = "yes"


NONE = [""]
"""How an address says "none of them", where saying nothing would mean "as detected"."""


T = TypeVar("T")


@dataclass(frozen=True)
class View:
    """What someone looks at.

    Attributes:
        data: The token of the data; None if there is none.
        choices: What the user settled about the columns; detected where left open.
        model: The chosen model; None for the first.
        threshold: The chosen threshold; None for the usual one.
        own: The thresholds of single models, where each keeps its own; None if all share one.
        way: How decisions are made; None for the usual way.
        selected: Which rows are selected, as `selection.written` writes it; () for all.
        use: What is said of costs and of how common classes and cases are.
    """

    data: str | None = None
    choices: Choices = NO_CHOICES
    model: str | None = None
    threshold: float | None = None
    own: Mapping[str, float] | None = None
    way: DecisionRule | None = None
    selected: tuple[str, ...] = ()
    use: Use = NOTHING_SAID


def to_params(view: View) -> dict[str, list[str]]:
    """Write a view as parameters; what is left open is left out."""
    threshold = None if view.threshold is None else repr(view.threshold)
    singles = {"data": view.data, "shown": view.model, "threshold": threshold}
    singles["decided"] = view.way
    written = {name: [text] for name, text in singles.items() if text is not None}
    if view.own is not None:
        pairs = [f"{quoted(model)}={threshold!r}" for model, threshold in view.own.items()]
        written["own-threshold"] = pairs or NONE
    if view.selected:
        written["selected"] = list(view.selected)
    return written | view.use.to_params() | choices_to_params(view.choices)


def from_params(params: Params) -> View:
    """Read a view from parameters; what cannot be understood is dropped."""
    kept = {
        name: [text for text in texts if len(text) <= LONGEST] for name, texts in params.items()
    }
    return View(
        data=_first(kept, "data"),
        choices=_choices(kept),
        model=_first(kept, "shown"),
        threshold=_number(_first(kept, "threshold")),
        own=_own(kept.get("own-threshold", ())),
        way=_way(_first(kept, "decided")),
        selected=tuple(kept.get("selected", ())),
        use=Use.from_params(params),
    )


def left_out(params: Params, view: View) -> list[tuple[str, str]]:
    """Return names and values that an address asks for and a view does not hold."""
    held = to_params(view)
    return [
        (name, text)
        for name, texts in params.items()
        if name in OWN and name not in held
        for text in texts
        if text
    ]


def quoted(name: str) -> str:
    """Escape the marks that separate the parts of a value, and no others."""
    return name.replace("%", "%25").replace("=", "%3D").replace(":", "%3A")


def choices_to_params(choices: Choices) -> dict[str, list[str]]:
    """Write choices as parameters; what is left open is left out."""
    written = {one.key: texts_of(one, getattr(choices, one.field), quoted) for one in SCHEMA}
    return {key: texts for key, texts in written.items() if texts}


def texts_of(one: Choice, value: Any, quote: Callable[[str], str]) -> list[str]:
    """Write what a choice settles, names of models and classes quoted; [] where it is open."""
    if value is None or value is False:
        return []
    match one.kind:
        case Kind.FLAG:
            return [YES]
        case Kind.WORD:
            return [value.value]
        case Kind.TEXT:
            return [value]
        case Kind.TEXTS:
            return list(value) or NONE
        case Kind.BY_MODEL:
            return [f"{quote(model)}={column}" for model, column in value.items()] or NONE
        case Kind.BY_CLASS:
            return [
                f"{quote(model)}:{quote(label)}={column}"
                for model, columns in value.items()
                for label, column in columns.items()
            ] or NONE


def _choices(params: Params) -> Choices:
    return Choices(**{one.field: _value(one, params.get(one.key, ())) for one in SCHEMA})


def _value(one: Choice, texts: Sequence[str]) -> Any:
    """Read what a choice settles; None, or False, where it is open or cannot be understood."""
    first = next(iter(texts), None)
    match one.kind:
        case Kind.FLAG:
            return first == YES
        case Kind.WORD:
            return next((word for word in one.words or () if word.value == first), None)
        case Kind.TEXT:
            return first
        case Kind.TEXTS:
            return _words(texts)
        case Kind.BY_MODEL:
            return _columns_by_model(texts)
        case Kind.BY_CLASS:
            return _columns_by_class(texts)


def _columns_by_model(texts: Sequence[str]) -> Mapping[str, str] | None:
    pairs = [text.split("=", 1) for text in texts if "=" in text]
    return {unquote(model): column for model, column in pairs} or _none(texts, {})


def _own(texts: Sequence[str]) -> Mapping[str, float] | None:
    found = {name: _number(text) for name, text in (_columns_by_model(texts) or {}).items()}
    known = {name: threshold for name, threshold in found.items() if threshold is not None}
    return known or _none(texts, {})


def _columns_by_class(texts: Sequence[str]) -> Mapping[str, Mapping[str, str]] | None:
    found: dict[str, dict[str, str]] = {}
    for text in texts:
        owner, _, column = text.partition("=")
        model, colon, label = owner.partition(":")
        if colon and column:
            found.setdefault(unquote(model), {})[unquote(label)] = column
    return found or _none(texts, {})


def _words(texts: Sequence[str]) -> tuple[str, ...] | None:
    return tuple(text for text in texts if text) or _none(texts, ())


def _none(texts: Sequence[str], nothing: T) -> T | None:
    """Tell "none of them, please" from "as detected"."""
    return nothing if list(texts) == NONE else None


def _first(params: Params, name: str) -> str | None:
    return next(iter(params.get(name, ())), None)


def _way(text: str | None) -> DecisionRule | None:
    from evalcore.results import DecisionRule

    ways: tuple[DecisionRule, ...] = get_args(DecisionRule)
    return next((way for way in ways if way == text), None)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if isfinite(number) else None
