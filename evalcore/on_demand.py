"""What is made when it is first looked at: a page shows few of many numbers."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value", covariant=True)


class OnDemand(Mapping[Key, Value]):
    """Values by key, each made once, when it is first asked for.

    What is made depends on its key alone, so that neither order nor thread matters.

    >>> lengths = OnDemand({"a": lambda: 1, "b": lambda: 1 / 0})
    >>> lengths["a"], "b" in lengths
    (1, True)
    """

    def __init__(self, makers: Mapping[Key, Callable[[], Value]]) -> None:
        self._makers = makers
        self._made: dict[Key, Value] = {}

    def __getitem__(self, key: Key) -> Value:
        if key not in self._made:
            self._made[key] = self._makers[key]()
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return key in self._makers

    def __iter__(self) -> Iterator[Key]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)
