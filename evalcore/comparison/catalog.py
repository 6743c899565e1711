"""Every test of two models or more, in reading order."""

from evalcore.comparison import folds, many, resamples, rows
from evalcore.comparison.spec import StatisticalTest

TESTS: tuple[StatisticalTest, ...] = (
    # On rows.
    resamples.DELONG,
    rows.MCNEMAR_MID_P,
    rows.MCNEMAR_EXACT,
    rows.MCNEMAR_CHI2,
    rows.MCNEMAR_CHI2_CORRECTED,
    rows.COCHRAN_Q,
    resamples.PAIRED_BOOTSTRAP,
    resamples.DIEBOLD_MARIANO,
    rows.TWO_PROPORTION_Z,
    # On folds.
    folds.CORRECTED_RESAMPLED_T,
    folds.BAYES_CORRELATED_T,
    folds.PAIRED_T,
    folds.WILCOXON,
    folds.FIVE_BY_TWO_F,
    folds.FIVE_BY_TWO_T,
    # On data sets.
    many.FRIEDMAN,
    many.IMAN_DAVENPORT,
    many.NEMENYI,
)
