"""How close the probabilities of K classes come to what happened."""

import numpy as np

from evalcore.metrics import sources
from evalcore.metrics.calibration import ece
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Source, ratio
from evalcore.tables.classes import ClassReliability, ClassScores


def ece_classwise(table: ClassReliability) -> float:
    """Return the mean over classes of the calibration error of each one's probability."""
    parts = [float(ece(part)) for part in table.one_vs_rest if part is not None]
    return float(np.mean(parts)) if parts else np.nan


_RUSSAKOVSKY = Source(
    "Russakovsky et al. (2015), ImageNet large scale visual recognition challenge, "
    "International Journal of Computer Vision 115",
    "https://doi.org/10.1007/s11263-015-0816-y",
)


def top_k_accuracy(k: int, key: str = "") -> Metric:
    """Declare the share of rows whose true class is among the k most likely.

    A row whose true class is tied at the cut counts with the chance that a random order of the
    tied classes lets it in.
    """

    def of(scores: ClassScores) -> tuple[float, float]:
        above, beside = np.indices(scores.places.shape)
        chance = np.clip((k - above) / (beside + 1), 0, 1)
        return float((chance * scores.places).sum()), float(scores.places.sum())

    def compute(scores: ClassScores) -> float:
        return float(ratio(*of(scores)))

    return Metric(
        key=key or f"top_k_accuracy({k})",
        name=f"Top-{k} accuracy",
        family=Family.PROBABILITY,
        needs=ClassScores,
        compute=compute,
        over_classes=compute,
        proportion=of,
        proportion_over_classes=of,
        interval=IntervalBy.WILSON,
        summary=f"The share of rows whose true class is among the {k} most likely ones.",
        formula=rf"\frac{{1}}{{n}} \sum_i [\, \mathrm{{rank}}_i(y_i) \le {k} \,]",
        low=0,
        high=1,
        better=Better.HIGHER,
        source=_RUSSAKOVSKY,
        undefined_when="there are no rows",
        synonyms=("top-k accuracy", "hit rate"),
        parameters={"k": float(k)},
        misleads="With k classes or fewer it is 1 for any model.",
        unit="share",
    )


TOP_K_ACCURACY = top_k_accuracy(2, key="top_k_accuracy")

BRIER_MULTICLASS = Metric(
    key="brier_multiclass",
    name="Brier score, all classes",
    family=Family.PROBABILITY,
    needs=ClassScores,
    compute=lambda scores: scores.brier.mean,
    over_classes=lambda scores: scores.brier.mean,
    with_error=lambda scores: scores.brier.mean_and_error,
    with_error_over_classes=lambda scores: scores.brier.mean_and_error,
    interval=IntervalBy.STANDARD_ERROR,
    summary="The squared distance of all class probabilities from what happened, added up.",
    formula=r"\frac{1}{n} \sum_i \sum_k (p_{ik} - [y_i = k])^2",
    low=0,
    high=2,
    better=Better.LOWER,
    source=sources.BRIER,
    undefined_when="there are no rows",
    misleads="It runs from 0 to 2: for two classes it is twice the binary Brier score.",
)

ECE_TOP_LABEL = Metric(
    key="ece_top_label",
    name="Calibration error of the top label",
    family=Family.PROBABILITY,
    needs=ClassReliability,
    compute=lambda table: ece(table.top_label),
    over_classes=lambda table: ece(table.top_label),
    interval=IntervalBy.BASIC,
    summary="How far the largest probability is from how often that class is right, on average.",
    formula=r"\sum_b \frac{n_b}{n} \left| \bar{p}_b - \mathrm{acc}_b \right|",
    low=0,
    high=1,
    better=Better.LOWER,
    source=sources.GUO,
    undefined_when="there are no rows",
    synonyms=("confidence ECE", "top-1 ECE"),
    misleads="It says nothing about the probabilities of the other classes.",
)

ECE_CLASSWISE = Metric(
    key="ece_classwise",
    name="Calibration error, mean over classes",
    family=Family.PROBABILITY,
    needs=ClassReliability,
    compute=ece_classwise,
    over_classes=ece_classwise,
    interval=IntervalBy.NONE,
    summary="The calibration error of each class's probability, each class counting the same.",
    formula=r"\frac{1}{K} \sum_k ECE_k",
    low=0,
    high=1,
    better=Better.LOWER,
    source=Source(
        "Kull et al. (2019), Beyond temperature scaling: obtaining well-calibrated multi-class "
        "probabilities with Dirichlet calibration, NeurIPS",
        "https://arxiv.org/abs/1910.12656",
    ),
    undefined_when="there are no rows",
    synonyms=("static calibration error", "class-wise ECE"),
    misleads="With many classes most probabilities are near 0 and right: it is small easily.",
)
