"""Every test of two models or more, in reading order."""

from collections.abc import Mapping
from types import MappingProxyType

from evalcore.comparison import folds, rows
from evalcore.comparison.spec import StatisticalTest

TESTS: tuple[StatisticalTest, ...] = (
    # On rows.
    rows.delong,
    rows.mcnemar_mid_p,
    rows.mcnemar_exact,
    rows.mcnemar_chi2,
    rows.mcnemar_chi2_corrected,
    rows.cochran_q,
    rows.paired_t_items,
    rows.paired_bootstrap,
    rows.paired_t_groups,
    rows.diebold_mariano,
    rows.two_proportion_z,
    rows.independent_bootstrap,
    # On folds.
    folds.corrected_resampled_t,
    folds.bayes_correlated_t,
    folds.paired_t,
    folds.wilcoxon,
    folds.five_by_two_f,
    folds.five_by_two_t,
    # On data sets.
    folds.friedman,
    folds.iman_davenport,
    folds.nemenyi,
)

BY_KEY: Mapping[str, StatisticalTest] = MappingProxyType({test.key: test for test in TESTS})
"""Every test by its key."""
