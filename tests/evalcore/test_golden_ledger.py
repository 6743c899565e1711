"""Every value from independent software is a test, or is left out for a reason that stands here."""

import ast
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.evalcore.golden import Golden, entries

OTHER_METRICS = (
    "bcubed bennett_s_pabak bias_t_test bowker_symmetry c_index calibration_line_truth_on_pred "
    "calibration_mean_diff closest_topleft_best cluster_entropy_weighted_nats "
    "cluster_size_entropy_nats clustering_f_measure cophenetic_corr_point_to_partition "
    "cophenetic_correlation average_within_between "
    "ball_hall fleiss_kappa gap_statistic geometric_mean_ratio gwet_ac1 huber_1 huber_20 icc "
    "jaccard_pairs kappa_max kononenko_bratko_information_bits krippendorff_alpha_nominal_2raters "
    "light_kappa_mean_pairwise log_cosh mcnemar_p_truth_vs_pred mean_gamma_deviance "
    "mean_poisson_deviance median_absolute_percentage_error mirkin misclassification_mclust "
    "pearson_gamma pr_auc_davis_goadrich precision_recall_break_even prevalence_threshold sar "
    "scott_pi sf_entropy_gain_bits sf_mean_scheme_entropy_bits simplified_silhouette_centroid "
    "williams_dependent_correlation_test xie_beni_hard"
)
OTHER_DEFINITIONS = (
    "ami_geometric ami_max nmi_geometric nmi_joint nmi_max nmi_min v_measure_beta0.5 "
    "v_measure_beta2 davies_bouldin_q2 dunn2_euclidean dunn2_manhattan ccc_n_minus_1 "
    "ece_equal_mass_calibratr_10 ece_equal_width_calibratr ece_equal_width_right_closed_10 "
    "ece_equal_width_right_closed_15 forecast_accuracy ks_statistic_mlmetrics_pct "
    "macro_f1_from_macro_p_r pr_auc_trapezoid_start_at_1 r2_squared_pearson rmse_mean_over_folds "
    "smape_100 weka_mean_absolute_error weka_relative_absolute_error_pct "
    "weka_root_mean_squared_error weka_root_relative_squared_error_pct"
)
OTHER_INTERVALS = (
    "accuracy_ci_clopper_pearson accuracy_diff_ci_wald_paired ci_agresti_coull ci_bayes_uniform "
    "ci_clopper_pearson ci_jeffreys_bcd ci_jeffreys_plain ci_mid_p ci_wald ci_wilson_cc "
    "ci_specificity_at_sensitivity error_rate_difference mse_ci_chisq spearman_ci_fieller"
)

FACTS_OF_THE_FILE = "has_tied_scores n_true_class_prob_zero"
IN_A_FILE_OF_ITS_OWN = "silhouette_per_object"

LEFT_OUT = {
    **dict.fromkeys(OTHER_METRICS.split(), "no key of the catalogue"),
    **dict.fromkeys(OTHER_DEFINITIONS.split(), "another definition than that of the key"),
    **dict.fromkeys(OTHER_INTERVALS.split(), "an interval or a test that is not offered"),
    **dict.fromkeys(FACTS_OF_THE_FILE.split(), "says something of the rows, not of a metric"),
    IN_A_FILE_OF_ITS_OWN: "names silhouette_iris.csv, whose columns are tests",
}
"""Why an entry is no test, by its quantity."""

PARTLY = {"ece_equal_mass_quantile_10": "with tied scores the bins are cut otherwise"}
"""Quantities of which some entries are left out."""


def constants() -> set[str]:
    """Return every text in the tests, but for those of this file."""
    files = [file for file in Path(__file__).parent.rglob("test_*.py") if file != Path(__file__)]
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in files)
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {node.value for node in nodes if isinstance(node.value, str)}


@pytest.fixture(scope="module")
def picked_by() -> set[str]:
    return constants()


def is_a_test(entry: Golden, texts: set[str]) -> bool:
    if entry.quantity in texts:
        return True
    patterns = [text for text in texts if "*" in text and len(text) > 5]
    of_quantity = any(fnmatchcase(entry.quantity, text) for text in patterns)
    books = [text for text in texts if text.startswith(("textbook.", "edge."))]
    return of_quantity or any(fnmatchcase(entry.id, text) for text in books)


def test_every_entry_is_a_test_or_has_a_reason(picked_by: set[str]):
    lost = [
        entry.id
        for entry in entries(id="*")
        if entry.quantity not in LEFT_OUT and not is_a_test(entry, picked_by)
    ]
    assert not lost


def test_no_reason_is_given_for_what_is_a_test(picked_by: set[str]):
    known = {entry.quantity for entry in entries(id="*")}
    assert set(LEFT_OUT) | set(PARTLY) <= known
    assert not set(LEFT_OUT) & picked_by


def test_most_of_the_entries_are_tests():
    tests = [entry for entry in entries(id="*") if entry.quantity not in LEFT_OUT]
    assert (len(tests), len(entries(id="*"))) == (1317, 2174)
