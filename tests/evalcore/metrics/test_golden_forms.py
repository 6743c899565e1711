"""Values from R that are one of ours in another form: other units, other names, one part of it."""

from functools import cache

import numpy as np
import pytest

from evalcore.clustering.agreement import entropy
from evalcore.clustering.points import Centroids
from evalcore.intervals.closed import wilson
from evalcore.metrics.catalog import by_key
from evalcore.outcomes import Points
from evalcore.tables.areas import partial_roc_area, roc_area
from evalcore.tables.classes import ClassScores
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.contingency import Contingency
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.residuals import Ranks, ResidualMoments
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, frame, ids

METRIC = by_key()


def every(*quantities: str, pattern: str = "*") -> pytest.MarkDecorator:
    found = [e for e in entries(id=pattern) if e.quantity in quantities]
    assert {entry.quantity for entry in found} == set(quantities)
    return pytest.mark.parametrize("entry", found, ids=ids(found))


@cache
def scores(model: str) -> ScoreTable:
    return ScoreTable.from_scores(*breast_cancer(model))


def coded(column: str, file: str = "iris_cv.csv") -> tuple[np.ndarray, tuple[str, ...]]:
    names, codes = np.unique(frame(file)[column].to_numpy(str), return_inverse=True)
    return codes, tuple(names)


def raters(entry: Golden) -> ConfusionMatrix:
    one, other = (coded(entry.params[name]) for name in ("rows", "cols"))
    return ConfusionMatrix.from_codes(one[0], other[0], one[1])


def contingency(entry: Golden) -> Contingency:
    if "truth" in entry.params:
        columns = (np.unique(entry.params[n], return_inverse=True) for n in ("truth", "pred"))
        one, other = ((codes, tuple(map(str, names))) for names, codes in columns)
    else:
        file = "iris_clusters.csv"
        one, other = (coded(entry.params[n], file) for n in ("reference", "clustering"))
    return Contingency.from_codes(one[0], other[0], one[1], other[1])


KAPPAS = {
    "kappa_unweighted": "cohen_kappa",
    "kappa_linear": "weighted_kappa_linear",
    "kappa_quadratic": "weighted_kappa_quadratic",
}


@every(*KAPPAS)
def test_kappas_of_ordered_classes_are_those_of_vcd(entry: Golden):
    counts = raters(entry).counts.astype(np.float64)
    entry.check({"kappa": METRIC[KAPPAS[entry.quantity]].over_classes(counts)})


@every("percent_agreement")
def test_the_agreement_of_two_raters_is_the_accuracy(entry: Golden):
    entry.check(METRIC["accuracy"].over_classes(raters(entry).counts.astype(np.float64)))


@every("confusion_tp_fp_fn_tn", pattern="confusion.*.thr*")
def test_counts_at_a_threshold_are_those_of_caret(entry: Golden):
    counts = scores(entry.params["model"]).at(entry.params["threshold"])
    entry.check({name: getattr(counts, name) for name in ("tp", "fp", "fn", "tn")})


@every("mann_whitney_u")
def test_the_area_under_the_roc_curve_is_a_count_of_pairs(entry: Golden):
    table = scores(entry.params["model"])
    entry.check(roc_area(table) * table.positives * table.negatives)


@every("partial_auc_fpr_0.2")
def test_a_raw_part_of_the_area_is_that_of_rocr(entry: Golden):
    table = scores(entry.params["model"])
    entry.check(partial_roc_area(table, 0.0, entry.params["fpr_max"], standardised=False))


@every("rmse_prob")
def test_the_root_of_the_brier_score_is_that_of_rocr(entry: Golden):
    entry.check(np.sqrt(METRIC["brier"](scores(entry.params["model"]))))


@every("brier_decomposition_distinct")
def test_with_a_bin_per_probability_the_parts_of_the_brier_score_add_up(entry: Golden):
    table = scores(entry.params["model"])
    positive, negative = table.steps()
    rows = positive + negative
    edges = np.append(0.0, table.threshold[::-1])
    bins = ReliabilityTable(edges, rows, rows * table.threshold, positive)
    entry.check(
        {
            "reliability": METRIC["brier_reliability"](bins),
            "resolution": METRIC["brier_resolution"](bins),
            "uncertainty": METRIC["brier_uncertainty"](table),
        }
    )


@every("kendall_tau_b")
def test_tau_b_is_that_of_r(entry: Golden):
    data = frame("diabetes_reg_cv.csv")
    truth, prediction = (
        data[name].to_numpy(float) for name in ("truth", f"{entry.params['model']}_pred")
    )
    entry.check({"tau_b": METRIC["kendall_tau_b"](Ranks.from_values(truth, prediction))})


@every("sse_per_cluster")
def test_the_squares_within_each_cluster_are_those_of_r(entry: Golden):
    data, column = frame("iris_clusters.csv"), entry.params["clustering"]
    names, codes = np.unique(data[column].to_numpy(), return_inverse=True)
    features = frame("iris_clusters.csv")[entry.params["features"]].to_numpy(float)
    points = Points(names=tuple(map(str, names)), cluster=codes, features=features)
    entry.check(Centroids.from_points(points).within.tolist())


@every("variation_of_information_bits")
def test_the_variation_of_information_in_bits_is_that_in_nats(entry: Golden):
    entry.check(METRIC["variation_of_information"](contingency(entry)) / np.log(2))


@every("entropies_nats")
def test_entropies_are_those_of_r(entry: Golden):
    table = contingency(entry)
    entry.check(
        {
            "H_truth": entropy(table.class_sizes),
            "H_cluster": entropy(table.cluster_sizes),
            "H_joint": entropy(table.cells),
        }
    )


@every("mse", pattern="textbook.j")
def test_errors_of_a_textbook_are_exact(entry: Golden):
    truth, prediction = (np.array(entry.params[name], float) for name in ("truth", "pred"))
    table = ResidualMoments.from_values(truth, prediction)
    keys = ("mse", "rmse", "mae", "r2", "explained_variance")
    entry.check({key: METRIC[key](table) for key in keys})


@every("ari_formula_iris_kmeans3")
def test_the_adjusted_rand_index_is_the_formula_of_hubert_and_arabie(entry: Golden):
    pairs = BinaryCounts(
        tp=entry.params["g1_together_both"],
        fn=entry.params["g2_together_in_truth_only"],
        tn=entry.params["g3_apart_both"],
        fp=entry.params["g4_together_in_clusters_only"],
    )
    entry.check({"correct": METRIC["cohen_kappa"](pairs)})


@every("wilson_ci_acc_0.8")
def test_wilsons_interval_of_a_textbook_is_exact(entry: Golden):
    found = {}
    for rows in entry.value:
        made = wilson(0.8 * int(rows), int(rows), entry.params["conf_level"])
        found[rows] = {"z_exact": [made.low, made.high]}
    entry.check(found)


@every("brier_multiclass_mean_over_classes")
def test_the_brier_score_of_classes_may_be_a_mean_over_them(entry: Golden):
    names = sorted(set(frame("iris_cv.csv")["truth"]))
    given = [f"{entry.params['model']}_prob_{name}" for name in names]
    probabilities = frame("iris_cv.csv")[given].to_numpy(float)
    table = ClassScores.from_probabilities(coded("truth")[0], probabilities, tuple(names))
    entry.check(METRIC["brier_multiclass"].over_classes(table) / len(names))
