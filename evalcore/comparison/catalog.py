"""Every test of two models or more, in reading order."""

from collections.abc import Mapping
from types import MappingProxyType

from evalcore.comparison import folds, rows
from evalcore.comparison.spec import WORDED, StatisticalTest

_DECLARED = {
    declared.key: declared
    for module in (rows, folds)
    for declared in vars(module).values()
    if isinstance(declared, StatisticalTest)
}

BY_KEY: Mapping[str, StatisticalTest] = MappingProxyType({key: _DECLARED[key] for key in WORDED})
"""Every test by its key."""

TESTS = tuple(BY_KEY.values())
