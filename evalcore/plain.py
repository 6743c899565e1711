"""Results as plain values: one walk over data classes for JSON, dictionaries and text."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import numpy as np

Shape = str | Callable[[Any, str], Any]
"""What a class becomes: named attributes (see `picked`), or a function of a value and its key."""

NO_SHAPES: Mapping[type, Shape] = MappingProxyType({})


def plain(value: Any, shapes: Mapping[type, Shape] = NO_SHAPES, key: str = "") -> Any:
    """Return a value as dicts, lists, texts, numbers and None, as strict JSON knows them.

    Data classes become their fields by name, but for those that they list as `left_out`, unless
    `shapes` says otherwise; `key` is the name under which the value stands. NaN and infinite
    numbers are None.

    >>> from evalcore.errors import Notice
    >>> plain({"n": np.array([1.5, np.nan]), "told": Notice("a-code", "Mind.")}, {Notice: "code"})
    {'n': [1.5, None], 'told': {'code': 'a-code'}}
    """
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
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
    found = {}
    for word in names.split():
        name, _, attribute = word.rstrip("?").partition("=")
        held = attrgetter(attribute or name)(value)
        if not word.endswith("?") or held:
            found[name] = held
    return found


def _of_container(value: Any, shapes: Mapping[type, Shape]) -> Any:
    if isinstance(value, Mapping):
        return {str(name): plain(part, shapes, str(name)) for name, part in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist(), shapes)
    if isinstance(value, Iterable):
        return [plain(part, shapes) for part in value]
    if value is None or isinstance(value, str | int | float):
        return plain(value)
    raise TypeError(f"{type(value).__name__} has no plain form")
