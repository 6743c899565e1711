"""What a model that always answers the largest class would reach, and who beats it."""

from evalcore.metrics import matrix, sources
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric
from evalcore.tables.confusion import BinaryCounts

NO_INFORMATION_RATE = Metric(
    key="no_information_rate",
    name="No-information rate",
    family=Family.COUNTS,
    needs=BinaryCounts,
    compute=lambda counts: matrix.no_information_rate(matrix.as_matrices(counts)),
    over_classes=matrix.no_information_rate,
    proportion=lambda counts: matrix.largest_class(matrix.as_matrices(counts)),
    proportion_over_classes=matrix.largest_class,
    interval=IntervalBy.WILSON,
    summary="The accuracy of always answering the largest class.",
    formula=r"\frac{\max(TP + FN, FP + TN)}{TP + FP + FN + TN}",
    low=0,
    high=1,
    better=Better.NEITHER,
    source=sources.KUHN,
    undefined_when="there are no rows",
    synonyms=("NIR", "majority class accuracy", "ZeroR"),
    unit="share",
)

ACCURACY_P_VALUE = Metric(
    key="accuracy_p_value",
    name="p value of accuracy > no-information rate",
    family=Family.COUNTS,
    needs=BinaryCounts,
    compute=lambda counts: matrix.accuracy_p_value(matrix.as_matrices(counts)),
    over_classes=matrix.accuracy_p_value,
    summary="How often always answering the largest class would be right as often by luck.",
    formula=r"P(X \ge TP + TN), \; X \sim \mathrm{Bin}"
    r"\left(TP + FP + FN + TN, \frac{\max(TP + FN, FP + TN)}{TP + FP + FN + TN}\right)",
    low=0,
    high=1,
    better=Better.LOWER,
    interval=IntervalBy.NONE,
    source=sources.KUHN,
    undefined_when="there are no rows",
    synonyms=("P-Value [Acc > NIR]",),
    misleads="It takes the no-information rate as known, though it comes from the same rows.",
)
