"""Metrics that need all K classes at once; the others serve K classes by `over_classes`."""

from typing import Any

from evalcore.metrics import matrix
from evalcore.metrics.spec import Better, Family, Metric, Number, Source
from evalcore.tables.confusion import ConfusionMatrix

_COHEN_WEIGHTED = Source(
    "Cohen (1968), Weighted kappa: nominal scale agreement with provision for scaled "
    "disagreement or partial credit, Psychological Bulletin 70(4)",
    "https://doi.org/10.1037/h0026256",
)


def _weighted_kappa(power: int, **declaration: Any) -> Metric:
    def over_classes(counts: matrix.Matrices) -> Number:
        return matrix.weighted_kappa(counts, power)

    return Metric(
        family=Family.COUNTS,
        needs=ConfusionMatrix,
        compute=lambda table: over_classes(table.counts),
        over_classes=over_classes,
        formula=rf"1 - \frac{{\sum_{{ij}} {_DISTANCE[power]} O_{{ij}}}}"
        rf"{{\sum_{{ij}} {_DISTANCE[power]} E_{{ij}}}}",
        low=-1,
        high=1,
        better=Better.HIGHER,
        source=_COHEN_WEIGHTED,
        undefined_when="truth and decisions hold the same one class only",
        misleads="It only means something when the classes are in order, as shown.",
        **declaration,
    )


_DISTANCE = {1: "|i - j|", 2: "(i - j)^2"}

WEIGHTED_KAPPA_LINEAR = _weighted_kappa(
    1,
    key="weighted_kappa_linear",
    name="Weighted kappa, linear",
    summary="Kappa for ordered classes: an error counts by how many classes it is off.",
    synonyms=("linearly weighted kappa",),
)

WEIGHTED_KAPPA_QUADRATIC = _weighted_kappa(
    2,
    key="weighted_kappa_quadratic",
    name="Weighted kappa, quadratic",
    summary="Kappa for ordered classes: an error counts by the square of how far it is off.",
    synonyms=("quadratically weighted kappa", "QWK"),
)
