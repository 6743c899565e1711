"""The F measures: precision and recall in one number."""

from evalcore.metrics import sources
from evalcore.metrics.spec import Better, Family, Metric, Number, ratio
from evalcore.tables.confusion import BinaryCounts


def f_beta(beta: float, key: str = "") -> Metric:
    """Declare the F measure in which recall weighs `beta` times as much as precision.

    >>> f_beta(2)(BinaryCounts(tp=2, fp=2, fn=1, tn=0)) == 10 / 16
    True
    """
    square = beta**2

    def compute(counts: BinaryCounts) -> Number:
        hits = (1 + square) * counts.tp
        return ratio(hits, hits + square * counts.fn + counts.fp)

    return Metric(
        key=key or f"f_beta({beta:g})",
        name=f"F{beta:g} score",
        family=Family.COUNTS,
        needs=BinaryCounts,
        compute=compute,
        summary="Harmonic mean of precision and recall" + _emphasis(beta),
        formula=_formula(square),
        low=0,
        high=1,
        better=Better.HIGHER,
        source=sources.VAN_RIJSBERGEN,
        undefined_when="no row is positive and none is called positive",
        synonyms=("F measure", "F score", "F beta", "Dice coefficient"),
        parameters={"beta": float(beta)},
        misleads="True negatives do not count, and swapping the classes changes it.",
    )


def _formula(square: float) -> str:
    if square == 1:
        return r"\frac{2 TP}{2 TP + FP + FN}"
    hits = f"{1 + square:g} TP"
    return rf"\frac{{{hits}}}{{{hits} + FP + {square:g} FN}}"


def _emphasis(beta: float) -> str:
    if beta == 1:
        return "."
    return f", recall weighing {beta:g} times as much as precision."


F1 = f_beta(1, key="f1")
F0_5 = f_beta(0.5, key="f0_5")
F2 = f_beta(2, key="f2")
