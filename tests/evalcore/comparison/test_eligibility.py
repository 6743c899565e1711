import pytest

from evalcore.comparison.catalog import TESTS
from evalcore.comparison.spec import Design, Situation, StatisticalTest, why_not

NAMES = {
    "two_proportion_z", "mcnemar_exact", "mcnemar_mid_p", "mcnemar_chi2", "mcnemar_chi2_corrected",
    "cochran_q", "delong", "paired_t_items", "paired_bootstrap", "paired_t_groups", "paired_t",
    "corrected_resampled_t", "wilcoxon",
    "five_by_two_t", "five_by_two_f", "bayes_correlated_t", "friedman", "iman_davenport",
    "nemenyi", "diebold_mariano", "independent_bootstrap",
}  # fmt: skip

MCNEMAR = {"mcnemar_exact", "mcnemar_mid_p", "mcnemar_chi2", "mcnemar_chi2_corrected"}
FOLDS = {"corrected_resampled_t", "bayes_correlated_t", "paired_t", "wilcoxon"}


def fitting(situation: Situation) -> set[str]:
    return {test.key for test in TESTS if not why_not(test, situation)}


@pytest.mark.parametrize(
    ("situation", "expected"),
    [
        (Situation(Design.PAIRED_ROWS, "accuracy", 2), MCNEMAR | {"paired_bootstrap"}),
        (Situation(Design.PAIRED_ROWS, "accuracy", 3),
         MCNEMAR | {"paired_bootstrap", "cochran_q"}),
        (Situation(Design.PAIRED_ROWS, "accuracy", 3, tried=True),
         {"paired_bootstrap", "paired_t_items"}),
        (Situation(Design.PAIRED_ROWS, "roc_auc", 2), {"delong", "paired_bootstrap"}),
        (Situation(Design.PAIRED_ROWS, "f1", 2), {"paired_bootstrap"}),
        (Situation(Design.PAIRED_ROWS, "rmse", 2), {"paired_bootstrap", "diebold_mariano"}),
        (Situation(Design.FOLDS, "roc_auc", 2, folds=10),
         FOLDS | {"delong", "paired_bootstrap"}),
        (Situation(Design.FOLDS, "roc_auc", 2, has_rows=False, folds=10), FOLDS),
        (Situation(Design.REPEATED_FOLDS, "accuracy", 2, has_rows=False, repeats=3, folds=10),
         {"corrected_resampled_t", "bayes_correlated_t"}),
        (Situation(Design.REPEATED_FOLDS, "accuracy", 2, has_rows=False, repeats=5, folds=2),
         {"corrected_resampled_t", "bayes_correlated_t", "five_by_two_t", "five_by_two_f"}),
        (Situation(Design.INDEPENDENT, "accuracy", 2),
         {"two_proportion_z", "independent_bootstrap"}),
        (Situation(Design.INDEPENDENT, "roc_auc", 2), {"delong", "independent_bootstrap"}),
        (Situation(Design.INDEPENDENT, "rmse", 2), {"independent_bootstrap"}),
        (Situation(Design.DATASETS, "accuracy", 2, has_rows=False, datasets=9),
         {"paired_t", "wilcoxon"}),
        (Situation(Design.DATASETS, "accuracy", 4, has_rows=False, datasets=9),
         {"paired_t", "wilcoxon", "friedman", "iman_davenport", "nemenyi"}),
    ],
)  # fmt: skip
def test_the_design_of_the_data_settles_the_tests(situation, expected):
    assert fitting(situation) == expected


@pytest.mark.parametrize("design", list(Design))
@pytest.mark.parametrize("metric", ["accuracy", "roc_auc", "rmse"])
def test_every_test_is_made_or_has_a_reason_in_a_sentence(design, metric):
    for test in TESTS:
        why = why_not(test, Situation(design, metric, 2))
        assert why == "" or (why[0].isupper() and why.endswith("."))


@pytest.mark.parametrize(
    ("key", "situation", "word"),
    [
        ("corrected_resampled_t", Situation(Design.PAIRED_ROWS, "accuracy", 2), "fold column"),
        ("delong", Situation(Design.FOLDS, "roc_auc", 2, has_rows=False), "one score per fold"),
        ("mcnemar_exact", Situation(Design.INDEPENDENT, "accuracy", 2), "rows of its own"),
        ("mcnemar_exact", Situation(Design.PAIRED_ROWS, "roc_auc", 2), "It compares accuracy"),
        ("paired_t", Situation(Design.REPEATED_FOLDS, "accuracy", 2, has_rows=False), "confident"),
        ("five_by_two_t", Situation(Design.REPEATED_FOLDS, "accuracy", 2, has_rows=False,
                                    repeats=3, folds=10), "not 3 of 10"),
        ("five_by_two_t", Situation(Design.FOLDS, "accuracy", 2), "here there is one"),
        ("friedman", Situation(Design.FOLDS, "accuracy", 5), "several data sets"),
        ("nemenyi", Situation(Design.DATASETS, "accuracy", 2), "3 models or more"),
        ("two_proportion_z", Situation(Design.PAIRED_ROWS, "accuracy", 2), "all share the same"),
    ],
)  # fmt: skip
def test_reasons_say_what_is_lacking(key, situation, word):
    (test,) = (test for test in TESTS if test.key == key)

    assert word in why_not(test, situation)


def test_every_published_test_is_declared_once():
    assert sorted(test.key for test in TESTS) == sorted(NAMES)


@pytest.mark.parametrize("test", TESTS, ids=[test.key for test in TESTS])
def test_a_declaration_says_everything(test: StatisticalTest):
    assert test.name
    assert test.summary.endswith("?")
    assert test.assumes.endswith(".")
    assert test.source.text
    assert test.designs
