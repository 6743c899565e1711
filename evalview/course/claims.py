"""Claims met in print: each is true or false, and an example settles it with numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from urllib.parse import parse_qs

from evalview import text


@dataclass(frozen=True)
class Claim:
    """A claim.

    Attributes:
        text: What is claimed.
        because: Why it is true or false.
        key: Its name in an address, which stays.
        about: The part of the field that it is from.
        answer: Whether it is true.
        data: The example that settles it.
        see: The address of the page that shows the example.
        shown: What each number of the example is, and how it is written.
    """

    text: str
    because: str
    key: str
    about: str
    answer: bool
    data: str
    see: str
    shown: tuple[tuple[str, str], ...]

    @property
    def page(self) -> str:
        """The name of the page that shows the example."""
        return self.see.partition("?")[0]

    @property
    def address(self) -> Mapping[str, Sequence[str]]:
        """What the address of that page says besides."""
        return parse_qs(self.see.partition("?")[2])

    def rows(self) -> list[dict[str, str]]:
        """Return the numbers that settle it, worked out now, with what each is.

        >>> claims()["f1-of-rates"].rows()[0]["value"]
        '0.4364'
        """
        from evalview.course import demonstrations  # which needs scikit-learn

        found = {name: float(value) for name, value in demonstrations.numbers(self.key).items()}
        filled = [
            (what.format_map(found), written.format_map(found)) for what, written in self.shown
        ]
        return [
            {"number": what, "value": text.minus(f" {written}").strip()} for what, written in filled
        ]


@cache
def claims() -> Mapping[str, Claim]:
    """Return every claim by its key, in the order of the file."""
    made = map(_claim, text.paragraphs(Path(__file__).with_name("claims.txt")))
    return MappingProxyType({one.key: one for one in made})


def _claim(told: text.Paragraph) -> Claim:
    key, about, data, see = (told.fields[name] for name in ("key", "about", "data", "see"))
    numbers = (line.rsplit(" | ", 1) for line in told.fields["shown"].splitlines())
    shown = tuple((what, written) for what, written in numbers)
    return Claim(
        told.head, told.text, key, about, told.fields["answer"] == "true", data, see, shown
    )
