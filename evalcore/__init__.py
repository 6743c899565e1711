"""Evaluation of predictions: metrics, intervals, comparisons and curves.

>>> import evalcore as ec
>>> ec.metric("roc_auc")([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.5])
0.75
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalcore.api import (
        calibration_curve as calibration_curve,
        confusion_matrix as confusion_matrix,
        cost_curve as cost_curve,
        decision_curve as decision_curve,
        difference as difference,
        estimate as estimate,
        metric as metric,
        metrics as metrics,
        precision_recall_curve as precision_recall_curve,
        roc_curve as roc_curve,
        silhouette as silhouette,
    )
    from evalcore.errors import EvalError as EvalError
    from evalcore.files import (
        add as add,
        compare as compare,
        counts as counts,
        evaluate as evaluate,
        over_time as over_time,
        read as read,
        shift as shift,
        slices as slices,
    )
    from evalcore.options import Options as Options

    __version__: str

_HOMES = {
    "EvalError": "evalcore.errors",
    "Options": "evalcore.options",
    **dict.fromkeys(
        ("read", "evaluate", "compare", "slices", "shift", "over_time", "counts", "add"),
        "evalcore.files",
    ),
}
"""Where names live that are not in `evalcore.api`."""

__all__ = [  # noqa: RUF022  in the order of the documentation
    "read",
    "evaluate",
    "compare",
    "slices",
    "shift",
    "over_time",
    "counts",
    "add",
    "metric",
    "metrics",
    "estimate",
    "difference",
    "confusion_matrix",
    "roc_curve",
    "precision_recall_curve",
    "calibration_curve",
    "cost_curve",
    "decision_curve",
    "silhouette",
    "Options",
    "EvalError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Return a public name, looked up when it is first asked for, since importing all takes time.

    Raises:
        AttributeError: There is no such name.
    """
    if name not in __all__:
        raise AttributeError(f"module 'evalcore' has no attribute {name!r}")
    if name == "__version__":
        return import_module("importlib.metadata").version("evalboard")
    return getattr(import_module(_HOMES.get(name, "evalcore.api")), name)


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """The package, whose public functions are not hidden by modules that are called alike.

    Importing `evalcore.metrics` would else put that package where the function `metrics` is.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
