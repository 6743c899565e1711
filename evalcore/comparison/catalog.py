"""Every test, in reading order."""

from evalcore.comparison import (
    delong,
    five_by_two,
    folds,
    many,
    proportions,
    resamples,
    rows,
    signed_ranks,
)
from evalcore.comparison.spec import StatisticalTest

TESTS: tuple[StatisticalTest, ...] = (
    # On rows.
    delong.DELONG,
    rows.MCNEMAR_MID_P,
    rows.MCNEMAR_EXACT,
    rows.MCNEMAR_CHI2,
    rows.MCNEMAR_CHI2_CORRECTED,
    rows.COCHRAN_Q,
    resamples.PAIRED_BOOTSTRAP,
    resamples.DIEBOLD_MARIANO,
    proportions.TWO_PROPORTION_Z,
    # On folds.
    folds.CORRECTED_RESAMPLED_T,
    folds.BAYES_CORRELATED_T,
    folds.PAIRED_T,
    signed_ranks.WILCOXON,
    five_by_two.FIVE_BY_TWO_F,
    five_by_two.FIVE_BY_TWO_T,
    # On data sets.
    many.FRIEDMAN,
    many.IMAN_DAVENPORT,
    many.NEMENYI,
)
