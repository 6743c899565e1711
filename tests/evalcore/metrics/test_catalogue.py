"""What holds for every metric of the catalogue, whatever it measures."""

import re

import numpy as np
import pytest
from hypothesis import given, settings

from evalcore.errors import EvalError
from evalcore.metrics import clusters, decisions, multiclass, probability, ranking, regression
from evalcore.metrics.catalog import METRICS, PARAMETRIC, WITH_COSTS, by_key, find, of_family
from evalcore.metrics.metric import Better, Family, Metric
from evalcore.metrics.vocabulary import WORDED, words
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from tests.evalcore.metrics.rows import Rows, random_rows, value

KEYS = """
tp fp fn tn accuracy error_rate balanced_accuracy precision recall specificity npv fpr fnr fdr for
f1 f_beta f0_5 f2 mcc cohen_kappa youden_j markedness g_mean fowlkes_mallows jaccard lr_plus
lr_minus diagnostic_odds_ratio prevalence detection_rate detection_prevalence no_information_rate
weighted_kappa_linear weighted_kappa_quadratic total_cost mean_cost weighted_accuracy
roc_auc partial_roc_auc average_precision pr_auc_trapezoid gini ks_statistic best_youden best_f1
best_mcc lift_at gain_at precision_at_k recall_at_k precision_at_recall sensitivity_at_specificity
h_measure roc_auc_ovr_macro roc_auc_ovr_weighted roc_auc_ovr_micro roc_auc_hand_till
brier brier_multiclass brier_skill_score brier_reliability brier_resolution brier_uncertainty
log_loss log_loss_clipped ece mce ece_top_label ece_classwise calibration_slope
calibration_intercept calibration_in_the_large hosmer_lemeshow spiegelhalter_z top_k_accuracy
mae mse rmse sse medae max_error bias r2 adjusted_r2 explained_variance mape smape wape msle rmsle
male pearson spearman kendall_tau_a kendall_tau_b concordance_correlation rae rrse pinball
bland_altman_low bland_altman_high tss rss ess
silhouette calinski_harabasz davies_bouldin dunn within_ss between_ss total_ss
rand_index adjusted_rand_index mutual_information nmi_arithmetic ami_arithmetic
variation_of_information homogeneity completeness v_measure purity inverse_purity pair_precision
pair_recall pair_f1 best_match_accuracy
"""
"""Public names; a key that goes away breaks what others have built on it."""

CLASSIFICATION = [
    m for m in METRICS if m.family in (Family.COUNTS, Family.RANKING, Family.PROBABILITY)
]
OF_TWO = [m for m in CLASSIFICATION if "Class" not in m.needs.__name__]
OF_MANY = [m for m in CLASSIFICATION if m.over_classes and "Class" in m.needs.__name__]

every = pytest.mark.parametrize("metric", METRICS, ids=lambda m: f"{m.family.value}.{m.key}")
of_two = pytest.mark.parametrize("metric", OF_TWO, ids=lambda m: m.key)
of_many = pytest.mark.parametrize("metric", OF_MANY, ids=lambda m: m.key)


def same(one: float, other: float, *, within: float = 1e-9) -> bool:
    """Whether two numbers agree, undefined and infinite ones included."""
    return one == other or bool(np.isclose(one, other, rtol=within, atol=within, equal_nan=True))


def test_every_public_key_is_there():
    known = {*by_key(), *PARAMETRIC, *WITH_COSTS}
    assert known >= set(KEYS.split())


def test_every_metric_that_a_module_declares_is_in_the_catalogue():
    modules = (clusters, decisions, multiclass, probability, ranking, regression)
    declared = {m for module in modules for m in vars(module).values() if isinstance(m, Metric)}
    assert declared == set(METRICS)


def test_every_line_about_a_metric_is_read():
    labels = (
        r"(name|summary|formula|source|undefined when|infinite when|synonyms|misleads|fewest): \S.*"
    )
    for about, lines in WORDED.items():
        assert all(re.fullmatch(labels, line) for line in lines), about


def test_what_the_file_says_of_a_metric_is_said_nowhere_else():
    for metric in METRICS:
        if WORDED[metric.family.value, metric.key]:
            told = words(metric.family.value, metric.key, metric.parameters)
            known = {name: getattr(metric, name) for name in told if name != "name"}
            assert known == {name: text for name, text in told.items() if name != "name"}


def test_keys_and_names_are_unique_in_their_family():
    for family in Family:
        metrics = of_family(family)
        assert len(by_key(family)) == len({m.name for m in metrics}) == len(metrics)
    assert by_key()["fowlkes_mallows"].family is Family.COUNTS


@every
def test_a_declaration_says_all_there_is_to_say(metric: Metric):
    assert re.fullmatch(r"[a-z][a-z0-9_]*", metric.key)
    assert metric.summary.endswith(".")
    assert "\n" not in metric.summary
    assert metric.formula
    assert metric.low < metric.high
    assert len(metric.source.text) > 20
    assert not metric.undefined_when.endswith(".")
    assert not metric.misleads or metric.misleads.endswith(".")


@every
def test_formulas_have_balanced_braces(metric: Metric):
    assert metric.formula.count("{") == metric.formula.count("}")
    assert metric.formula.count(r"\left") == metric.formula.count(r"\right")


@every
def test_a_metric_says_how_its_interval_is_made_or_why_there_is_none(metric: Metric):
    assert metric.interval.says.endswith(".")
    assert len(metric.interval.says) > len("None.")


def test_a_metric_is_found_by_its_key_or_with_a_setting():
    assert find("recall").name == "Recall"
    assert find("f_beta(3)").parameters == {"beta": 3.0}
    assert find("precision_at_k(5)").parameters == {"k": 5.0}


@pytest.mark.parametrize(
    "key", ["recal", "f_beta(x)", "nothing(3)", "", "f_beta(-1)", "lift_at(2)"]
)
def test_an_unknown_key_or_setting_is_a_sentence(key: str):
    with pytest.raises(EvalError, match=r".{10,}"):
        find(key)


def test_an_unknown_key_brings_the_nearest_ones():
    with pytest.raises(EvalError, match=r"Did you mean .*recall"):
        find("recal")


def test_a_key_without_its_setting_says_that_it_takes_one():
    with pytest.raises(EvalError, match=r"Did you mean .*f_beta\(\.\.\.\)"):
        find("f_beta")


def test_families_partition_the_catalogue():
    assert sum(len(of_family(family)) for family in Family) == len(METRICS)


@of_two
@given(rows=random_rows())
@settings(max_examples=15)
def test_a_value_lies_in_the_range_or_is_undefined(metric: Metric, rows: Rows):
    made = value(metric, rows)
    assert np.isnan(made) or metric.low - 1e-9 <= made <= metric.high + 1e-9


@of_many
@given(rows=random_rows(classes=4))
@settings(max_examples=15)
def test_a_value_of_many_classes_lies_in_the_range_or_is_undefined(metric: Metric, rows: Rows):
    made = value(metric, rows)
    assert np.isnan(made) or metric.low - 1e-9 <= made <= metric.high + 1e-9


@of_two
@given(rows=random_rows())
@settings(max_examples=10)
def test_an_infinite_value_has_a_reason(metric: Metric, rows: Rows):
    if np.isinf(value(metric, rows)):
        assert metric.infinite_when


@of_two
@given(rows=random_rows())
@settings(max_examples=10)
def test_the_order_of_rows_changes_nothing(metric: Metric, rows: Rows):
    turned = rows.taken(np.arange(len(rows.truth))[::-1])
    assert same(value(metric, rows), value(metric, turned), within=1e-6)


@of_many
@given(rows=random_rows(classes=3))
@settings(max_examples=10)
def test_the_order_of_rows_changes_nothing_for_many_classes(metric: Metric, rows: Rows):
    turned = rows.taken(np.arange(len(rows.truth))[::-1])
    assert same(value(metric, rows), value(metric, turned))


@of_two
@given(rows=random_rows())
@settings(max_examples=10)
def test_a_weight_of_two_is_the_row_twice(metric: Metric, rows: Rows):
    assert same(value(metric, rows), value(metric, rows.repeated()), within=1e-6)


@of_many
@given(rows=random_rows(classes=3))
@settings(max_examples=10)
def test_a_weight_of_two_is_the_row_twice_for_many_classes(metric: Metric, rows: Rows):
    assert same(value(metric, rows), value(metric, rows.repeated()))


ROWS = Rows(np.array([0, 1, 0, 1, 1]), np.full((5, 2), 0.5), np.ones(5))
NOT_ABOUT_THE_MODEL = {"tp", "tn", "detection_rate", "gain_at", "lift_at", "brier_resolution"}
"""Their best value depends on the rows."""


@pytest.mark.parametrize(
    "metric",
    [m for m in OF_TWO if m.better is Better.HIGHER and not m.interval.says.startswith("None")],
    ids=lambda m: m.key,
)
def test_a_perfect_model_reaches_the_upper_end(metric: Metric):
    if metric.key in NOT_ABOUT_THE_MODEL or metric.key.endswith("_at_k"):
        pytest.skip("its best value depends on the rows")
    assert value(metric, ROWS.perfect()) == metric.high


@pytest.mark.parametrize(
    "metric",
    [m for m in OF_TWO if m.better is Better.LOWER and m.key != "accuracy_p_value"],
    ids=lambda m: m.key,
)
def test_a_perfect_model_reaches_the_lower_end(metric: Metric):
    made = value(metric, ROWS.perfect())
    # No group expects a row of both classes, so there is nothing to test.
    assert same(made, np.nan if metric.key == "hosmer_lemeshow" else metric.low, within=1e-12)


@pytest.mark.parametrize(
    "metric", [m for m in OF_MANY if m.better is Better.HIGHER], ids=lambda m: m.key
)
def test_a_perfect_model_of_many_classes_reaches_the_upper_end(metric: Metric):
    rows = Rows(np.array([0, 1, 2, 2, 1]), np.full((5, 3), 1 / 3), np.ones(5)).perfect()
    assert value(metric, rows) == metric.high


NOTHING = BinaryCounts(0, 0, 0, 0)


@pytest.mark.parametrize(
    "metric",
    [m for m in OF_TWO if m.needs is BinaryCounts and m.unit != "count"],
    ids=lambda m: m.key,
)
def test_no_rows_give_no_number(metric: Metric):
    assert np.isnan(metric(NOTHING))
    if metric.over_classes:
        assert np.isnan(metric.over_classes(np.zeros((3, 3))))


@pytest.mark.parametrize(
    "metric", [m for m in METRICS if m.needs is BinaryCounts], ids=lambda m: m.key
)
def test_arrays_of_counts_give_arrays_of_the_same_values(metric: Metric):
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 5, (4, 50, 2)).astype(float)
    made = metric(BinaryCounts(*cells))
    assert np.shape(made) == (50, 2)
    for place in np.ndindex(50, 2):
        assert same(made[place], float(metric(BinaryCounts(*(cell[place] for cell in cells)))))


@pytest.mark.parametrize(
    "metric",
    [m for m in METRICS if m.over_classes and m.family is Family.COUNTS],
    ids=lambda m: m.key,
)
def test_two_classes_are_a_case_of_many(metric: Metric):
    rng = np.random.default_rng(1)
    counts = rng.integers(1, 9, (2, 2))
    assert metric.over_classes is not None
    if metric.needs is BinaryCounts:
        (tn, fp), (fn, tp) = counts
        assert same(float(metric(BinaryCounts(tp, fp, fn, tn))), float(metric.over_classes(counts)))


@pytest.mark.parametrize("metric", of_family(Family.RANKING), ids=lambda m: m.key)
@given(rows=random_rows())
@settings(max_examples=8)
def test_rankings_depend_on_the_order_of_scores_alone(metric: Metric, rows: Rows):
    if "Class" in metric.needs.__name__:
        return
    _, rank = np.unique(rows.score, return_inverse=True)
    ranked = ScoreTable.from_scores(rows.positive, rank.astype(np.float64), rows.weight)
    assert same(value(metric, rows), float(metric(ranked)))
