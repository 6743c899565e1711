"""What the explorer can draw, by the keys that its browser, the address and Python share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Self

from evalcore.metrics.f_measure import F1
from evalcore.metrics.rates import (
    DETECTION_PREVALENCE,
    FPR,
    JACCARD,
    NPV,
    PRECISION,
    RECALL,
    SPECIFICITY,
)
from evalcore.metrics.summaries import ACCURACY, BALANCED_ACCURACY, MCC, YOUDEN_J

METRICS = (
    RECALL,
    PRECISION,
    F1,
    SPECIFICITY,
    ACCURACY,
    BALANCED_ACCURACY,
    MCC,
    YOUDEN_J,
    NPV,
    FPR,
    JACCARD,
    DETECTION_PREVALENCE,
)
"""Metrics that the browser knows; see assets/explorer/scores.js."""

OFFERED: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "curves": ("roc", "precision-recall", "gain", "lift", "ks", "det", "metrics"),
        "lines": ("band", "hull", "cost", "partial", "f1"),
        "metrics": tuple(metric.key for metric in METRICS),
    }
)
"""What may be drawn; see assets/explorer/curves.js."""


@dataclass(frozen=True)
class Drawn:
    """What is drawn.

    Attributes:
        curves: The curves, each a figure.
        lines: What is drawn on them besides.
        metrics: The metrics that are drawn against the threshold.
    """

    curves: tuple[str, ...] = ("roc", "precision-recall")
    lines: tuple[str, ...] = ("band",)
    metrics: tuple[str, ...] = ("recall", "precision", "f1")

    @classmethod
    def of(cls, wanted: Mapping[str, Iterable[object] | None]) -> Self:
        """Keep what there is, in its order; what is left open stays as usual."""
        usual, found = asdict(cls()), {}
        for field in fields(cls):
            asked = wanted.get(field.name)
            known = OFFERED[field.name]
            is_list = asked is not None and not isinstance(asked, str)
            kept = tuple(key for key in known if key in list(asked)) if is_list else None
            found[field.name] = usual[field.name] if kept is None else kept
        return cls(**found)


USUAL = Drawn()
"""What is drawn before anything is chosen."""
