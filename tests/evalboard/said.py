"""What a command left behind."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple


class Said(NamedTuple):
    """Exit code and both streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out, parse_constant=_refuse)


def _refuse(token: str) -> None:
    raise ValueError(f"{token} is no JSON")


Run = Callable[..., Said]
