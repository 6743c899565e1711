"""How true the probabilities of several classes are: of the class decided for, and of each class.

Sources: Guo et al. (2017), On calibration of modern neural networks, ICML, for the class decided
for; Kull et al. (2019), Beyond temperature scaling, NeurIPS, for each class; Nixon et al. (2019),
Measuring calibration in deep learning, CVPR workshops, for bins of equal counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from evalcore.comparison.many import holm
from evalcore.evaluation.estimates import estimate
from evalcore.evaluation.probabilities import of_probabilities
from evalcore.evaluation.rankings import for_each_of
from evalcore.metrics.calibration import ECE
from evalcore.metrics.calibration_tests import SPIEGELHALTER_P
from evalcore.metrics.multiclass_probability import ECE_CLASSWISE
from evalcore.metrics.spec import Estimate
from evalcore.options import Options
from evalcore.results import Estimates
from evalcore.tables.classes import ClassScores


@dataclass(frozen=True, eq=False)
class ClassCalibration:
    """What the probabilities of K classes are worth.

    Attributes:
        decided: Of the largest probability of each row, right where that class is the true one.
        classes: Of each class against the others, by its name, the largest calibration error
            first; a class without a probability is left out.
        mean: The mean calibration error of the classes; it has no interval, since the rows of
            one class are those of the others.
        p_values: Spiegelhalter's p value of each class.
        p_decided: That of the largest probabilities; it and those of the classes are adjusted
            for their number (Holm).
    """

    decided: Estimates
    classes: Mapping[str, Estimates]
    mean: Estimate
    p_values: Mapping[str, float]
    p_decided: float


def judge_classes(scores: ClassScores, options: Options) -> ClassCalibration:
    """Return how true the probabilities are, every number with its interval on demand."""
    tables = {
        name: table
        for name, table in zip(scores.classes, scores.one_vs_rest, strict=True)
        if table is not None
    }
    bounded = for_each_of(len(tables), options)
    found = {name: of_probabilities(table, bounded) for name, table in tables.items()}
    binned = scores.reliability(options.bins, options.binning)
    errors = {
        name: -1.0 if np.isnan(error := float(ECE(table))) else error
        for name, table in zip(scores.classes, binned.one_vs_rest, strict=True)
        if table is not None
    }
    worst = sorted(found, key=lambda name: -errors[name])
    decided = of_probabilities(scores.top_label, options)
    tests = [found[name] for name in worst]
    p_decided, *p_values = holm([each[SPIEGELHALTER_P.key].value for each in (decided, *tests)])
    return ClassCalibration(
        decided,
        MappingProxyType(dict(zip(worst, tests, strict=True))),
        estimate(ECE_CLASSWISE, float(ECE_CLASSWISE(binned))),
        MappingProxyType(dict(zip(worst, p_values, strict=True))),
        p_decided,
    )
