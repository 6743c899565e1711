"""Comparisons from files and from scores of folds, end to end."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from evalboard import serialise
from evalcore.compare import compare
from evalcore.comparison.candidates import choose_candidates
from evalcore.comparison.catalog import TESTS
from evalcore.comparison.resampled import ResampledValues
from evalcore.comparison.spec import IDENTICAL, Design
from evalcore.errors import EvalError
from evalcore.evaluation.condense import condense
from evalcore.metrics.ranking import AVERAGE_PRECISION
from evalcore.options import Options
from evalcore.predictions import FoldScores
from evalcore.tables.scores import ScoreTable
from evalread.dataset import NO_CHOICES, Choices
from evalread.loading import load

from .golden import FOLDER, entries, frame

CASES = Path(__file__).parents[1] / "cases"
QUICK = Options(resamples=300)


def of_file(path: Path, options: Options = QUICK, *, choices: Choices = NO_CHOICES, **asked):
    return compare(load([(path.name, path.read_bytes())], choices), options, **asked)


def of_frame(data: pd.DataFrame, options: Options = QUICK, *, choices=NO_CHOICES, **asked):
    table = load([("made.csv", data.to_csv(index=False).encode())], choices)
    return compare(table, options, **asked)


def found(made, test, first=None, second=None):
    (one,) = [t for t in made.tests if (t.test, t.first, t.second) == (test, first, second)]
    return one


def fold_scores(name: str, metric: str) -> FoldScores:
    """Return a file of one score per model and fold, in long form."""
    wide = pd.read_csv(CASES / name).pivot(index="fold", columns="model", values=metric)
    sizes = pd.read_csv(CASES / name).groupby("fold")[["n_train", "n_test"]].first() if (
        "n_train" in pd.read_csv(CASES / name)
    ) else None  # fmt: skip
    return FoldScores(
        metric=metric,
        models=tuple(wide.columns),
        score=wide.to_numpy().T,
        fold=tuple(map(str, wide.index)),
        n_train=None if sizes is None else sizes["n_train"].to_numpy(float),
        n_test=None if sizes is None else sizes["n_test"].to_numpy(float),
    )


def test_models_that_agree_on_every_row_are_identical():
    made = of_file(CASES / "85_mcnemar_no_discordant.csv", metric="accuracy")
    exact = found(made, "mcnemar_exact", "model_A", "model_B")

    assert (made.n, exact.finding.p_value) == (8, 1)
    assert exact.finding.details == {"b": 0, "c": 0}
    assert made.models["model_A"].value == 0.75
    assert any("identical" in notice.message for notice in made.notices)
    assert all(t.finding.p_value == 1 for t in made.tests)


def test_models_are_compared_on_the_rows_that_all_have():
    made = of_file(CASES / "99_models_with_different_missing_rows.csv")

    assert made.n == 6
    assert made.models["model_A"].value == 1
    assert made.models["model_B"].value == pytest.approx(8 / 9)
    assert any("6 of 8" in notice.message for notice in made.notices)


def test_the_corrected_test_uses_the_sizes_of_the_folds():
    made = compare(fold_scores("89_cv_corrected_t_test.csv", "accuracy"), QUICK)
    plain, corrected = (
        found(made, key, "gbm", "rf") for key in ("paired_t", "corrected_resampled_t")
    )

    assert made.differences[0].difference == pytest.approx(-0.008)
    assert plain.finding.statistic == pytest.approx(-4.519461462928256)
    assert plain.finding.p_value == pytest.approx(0.0014479122143980171)
    assert corrected.finding.statistic == pytest.approx(-3.110506704652226)
    assert corrected.finding.p_value == pytest.approx(0.012508633565409811)
    assert (made.design, made.n, made.unit) == (Design.FOLDS, 10, "folds")


def test_folds_are_paired_by_name_and_a_missing_one_is_said():
    made = compare(fold_scores("90_cv_missing_fold.csv", "auc"), QUICK)

    assert made.n == 4
    assert made.metric == "roc_auc"
    assert made.differences[0].difference == pytest.approx(0.0125)
    assert any("fold 3" in notice.message for notice in made.notices)


def test_every_test_of_a_real_file_agrees_with_r():
    made = of_file(FOLDER / "breast_cancer_cv.csv")
    (delong,) = entries(id="roc.breast_cancer_cv.logreg_vs_rf.delong")

    assert made.design is Design.FOLDS
    assert found(made, "delong", "logreg", "rf").finding.p_value == pytest.approx(
        delong.value["p_value"]
    )
    names = {t.test for t in made.tests} | {r.test for r in made.not_applicable}
    assert names == {test.key for test in TESTS if not test.instead_of}
    (t_test,) = entries(id="test.breast_cancer_cv.rf_vs_knn.paired_t_over_folds")
    by_accuracy = of_file(FOLDER / "breast_cancer_cv.csv", metric="accuracy")
    assert found(by_accuracy, "paired_t", "rf", "knn").finding.p_value == pytest.approx(
        t_test.value["p_value"]
    )


def test_several_pairs_are_adjusted_by_holm():
    made = of_file(FOLDER / "breast_cancer_cv.csv")
    raw = sorted(t.finding.p_value for t in made.tests if t.test == "delong")
    adjusted = sorted(t.p_adjusted for t in made.tests if t.test == "delong")

    assert adjusted[0] == pytest.approx(3 * raw[0])


def test_the_usual_metric_follows_from_what_models_give():
    assert of_file(FOLDER / "breast_cancer_cv.csv").metric == "roc_auc"
    assert of_file(FOLDER / "iris_cv.csv").metric == "accuracy"
    assert of_file(FOLDER / "diabetes_reg_cv.csv").metric == "rmse"


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("breast_cancer_cv.csv", "f1"),
        ("breast_cancer_cv.csv", "average_precision"),
        ("breast_cancer_cv.csv", "ks_statistic"),
        ("breast_cancer_cv.csv", "best_f1"),
        ("breast_cancer_cv.csv", "brier"),
        ("iris_cv.csv", "mcc"),
        ("iris_cv.csv", "f1"),
        ("diabetes_reg_cv.csv", "r2"),
        ("diabetes_reg_cv.csv", "mae"),
        ("diabetes_reg_cv.csv", "pearson"),
        ("diabetes_reg_cv.csv", "spearman"),
        ("diabetes_reg_cv.csv", "medae"),
        ("diabetes_reg_cv.csv", "kendall_tau_b"),
    ],
)
def test_any_metric_has_an_interval_of_the_difference_and_a_bootstrap_test(name, metric):
    made = of_file(FOLDER / name, metric=metric)

    mean = metric in ("mae", "brier")
    assert made.primary == "diebold_mariano" if mean else "paired_bootstrap"
    for gap in made.differences:
        values = made.models[gap.second].value - made.models[gap.first].value
        assert gap.difference == pytest.approx(values)
        assert gap.low - 1e-12 <= gap.difference <= gap.high + 1e-12
        assert gap.method == ("paired-t" if mean else "bootstrap-percentile")
    # A number chosen as the best on these rows has no interval of its own.
    for model in made.models.values():
        assert metric.startswith("best_") or model.low <= model.value <= model.high


@pytest.mark.parametrize("metric", ["max_error", "roc_auc_hand_till"])
def test_a_metric_without_resamples_is_compared_on_folds_alone(metric):
    name = "iris_cv.csv" if metric.startswith("roc") else "diabetes_reg_cv.csv"
    made = of_file(FOLDER / name, metric=metric)

    refused = {refusal.test: refusal.why for refusal in made.not_applicable}
    assert "It is not available for" in refused["paired_bootstrap"]
    assert any(t.test == "corrected_resampled_t" for t in made.tests)
    assert made.differences[0].low is None


def test_resamples_of_a_ranking_are_those_of_a_loop():
    data = frame("breast_cancer_cv.csv")
    truth = (data["truth"] == "malignant").to_numpy(np.int8)
    scores = [data[f"{name}_score"].to_numpy() for name in ("logreg", "knn")]
    rng = np.random.default_rng(3)
    gaps = []
    for _ in range(1000):
        rows = rng.integers(569, size=569)
        one, other = (
            float(AVERAGE_PRECISION(ScoreTable.from_scores(truth[rows], s[rows]))) for s in scores
        )
        gaps.append(other - one)
    made = of_file(FOLDER / "breast_cancer_cv.csv", Options(), metric="average_precision")
    (gap,) = [d for d in made.differences if (d.first, d.second) == ("logreg", "knn")]

    spread = np.std(gaps)
    assert gap.low == pytest.approx(np.quantile(gaps, 0.025), abs=0.2 * spread)
    assert gap.high == pytest.approx(np.quantile(gaps, 0.975), abs=0.2 * spread)


def many_rows(n=30_000):
    rng = np.random.default_rng(0)
    truth = (rng.random(n) < 0.2).astype(int)
    shared = truth + rng.normal(size=n)
    return pd.DataFrame(
        {"truth": truth} | {f"{m}_score": (shared + k * rng.normal(size=n)).round(4)
                            for m, k in (("good", 0.3), ("fair", 0.6))}
    )  # fmt: skip


def test_of_many_rows_the_grouped_resamples_agree_with_delong():
    made = of_frame(many_rows(), Options())
    gap, boot = made.differences[0], found(made, "paired_bootstrap", "good", "fair")

    assert gap.method == "delong"
    assert boot.finding.p_value < 0.01
    again = of_frame(many_rows(), Options(), metric="gini").differences[0]
    assert again.method == "bootstrap-grouped"
    assert again.low == pytest.approx(2 * gap.low, abs=0.15 * (gap.high - gap.low))
    assert again.high == pytest.approx(2 * gap.high, abs=0.15 * (gap.high - gap.low))


def independent(n=300):
    rng = np.random.default_rng(0)
    truth = (rng.random(2 * n) < 0.4).astype(int)
    score = truth + rng.normal(size=2 * n)
    one = np.where(np.arange(2 * n) < n, score, np.nan)
    other = np.where(np.arange(2 * n) >= n, 2 * truth + rng.normal(size=2 * n), np.nan)
    return pd.DataFrame({"truth": truth, "A_score": one, "B_score": other})


def test_models_on_rows_of_their_own_are_independent():
    made = of_frame(independent())

    assert made.design is Design.INDEPENDENT
    assert made.n == 600
    assert found(made, "delong", "A", "B").finding.p_value < 0.001
    assert made.differences[0].method == "delong"
    by_accuracy = of_frame(independent(), metric="accuracy")
    assert by_accuracy.primary == "two_proportion_z"
    assert by_accuracy.differences[0].method == "newcombe"
    by_f1 = of_frame(independent(), metric="f1")
    assert by_f1.primary == "independent_bootstrap"
    assert by_f1.differences[0].low > 0
    assert by_f1.verdict.winner == "B"
    assert "paired_bootstrap" in {refusal.test for refusal in by_f1.not_applicable}


def test_models_of_which_only_some_share_rows_cannot_be_compared_all_together():
    data = independent()
    data["C_score"] = data["A_score"] * 2

    with pytest.raises(EvalError, match='"A" and "C" share some') as caught:
        of_frame(data)
    assert caught.value.code == "no-common-row"


def test_models_that_do_not_give_what_is_compared_are_left_out():
    data = frame("breast_cancer_cv.csv").drop(columns=["knn_score"])
    made = of_frame(data)

    assert set(made.models) == {"logreg", "rf"}
    assert any(notice.code == "left-out" and "knn" in notice.message for notice in made.notices)


@pytest.mark.parametrize(
    ("metric", "code"),
    [("no_such", "unknown-metric"), ("hosmer_lemeshow", "not-comparable"), ("rmse", "one-model")],
)
def test_what_cannot_be_compared_is_an_error_in_a_sentence(metric, code):
    with pytest.raises(EvalError) as caught:
        of_file(FOLDER / "breast_cancer_cv.csv", metric=metric)

    assert caught.value.code == code


def test_one_model_alone_is_an_error():
    data = frame("breast_cancer_cv.csv")[["truth", "rf_score"]]
    with pytest.raises(EvalError, match="needs two models"):
        of_frame(data)


def test_weight_two_is_the_row_twice():
    data = frame("breast_cancer_cv.csv")[["truth", "rf_score", "rf_label", "knn_score",
                                          "knn_label"]]  # fmt: skip
    weight = np.random.default_rng(0).integers(0, 3, size=len(data))
    for metric, test in (("roc_auc", "delong"), ("accuracy", "mcnemar_exact")):
        one = of_frame(data.assign(weight=weight), choices=Choices(weight="weight"), metric=metric)
        other = of_frame(data.loc[data.index.repeat(weight)], metric=metric)
        mine, theirs = (found(made, test, "rf", "knn").finding for made in (one, other))
        assert mine.p_value == pytest.approx(theirs.p_value)
        assert one.differences[0].low == pytest.approx(other.differences[0].low)
        assert one.n == other.n


def test_one_class_leaves_the_area_undefined():
    data = frame("breast_cancer_cv.csv").query("truth == 'benign'")[["truth", "rf_score",
                                                                      "knn_score"]]  # fmt: skip
    made = of_frame(data, choices=Choices(truth="truth", scores={"rf": "rf_score",
                                                                 "knn": "knn_score"}),
                    metric="roc_auc")  # fmt: skip

    assert all(np.isnan(model.value) for model in made.models.values())
    assert made.summary.startswith("Nothing can be concluded")


def test_many_models_are_each_compared_with_the_best():
    rng = np.random.default_rng(0)
    truth = np.arange(400) % 2
    data = pd.DataFrame({"truth": truth} | {
        f"m{k}_score": truth + rng.normal(scale=0.8 + k / 50, size=400) for k in range(70)
    })  # fmt: skip
    made = of_frame(data)

    assert len(made.differences) == 69
    raw = [t.finding.p_value for t in made.tests if t.test == "delong"]
    adjusted = [t.p_adjusted for t in made.tests if t.test == "delong"]
    assert min(adjusted) == pytest.approx(min(raw) * 70 * 69 / 2)
    leader = made.order[0]
    assert all(leader in (gap.first, gap.second) for gap in made.differences)
    assert any(notice.code == "best-against-others" for notice in made.notices)


def test_groups_hold_models_that_cannot_be_told_apart():
    truth, shift = np.arange(600) % 2, np.random.default_rng(0).normal(size=(4, 600))
    noise = {"a": 0.5 * shift[0], "b": 0.5 * shift[1], "c": 2 * shift[2], "d": 2 * shift[3]}
    data = pd.DataFrame({"truth": truth} | {f"{m}_score": truth + noise[m] for m in noise})
    made = of_frame(data)

    apart = {frozenset((t.first, t.second)) for t in made.tests
             if t.test == "delong" and t.p_adjusted < 0.05}  # fmt: skip
    assert frozenset("ac") in apart
    for group in made.verdict.groups:
        assert not any(pair <= set(group) for pair in apart)
    for first, second in zip(made.order, made.order[1:], strict=False):
        together = any({first, second} <= set(group) for group in made.verdict.groups)
        assert together is not (frozenset((first, second)) in apart)


def on_data_sets(models=4, datasets=12):
    rng = np.random.default_rng(2)
    score = 0.7 + 0.03 * np.arange(models)[:, np.newaxis] + rng.normal(0, 0.02, (models, datasets))
    return FoldScores(
        metric="accuracy",
        models=tuple("ABCDEFGH"[:models]),
        score=np.repeat(score, 2, axis=1),
        fold=("1", "2") * datasets,
        dataset=tuple(f"set {k // 2}" for k in range(2 * datasets)),
    )


def test_several_data_sets_are_ranked():
    made = compare(on_data_sets(), QUICK)

    assert (made.design, made.n, made.unit) == (Design.DATASETS, 12, "data sets")
    assert made.order[0] == "D"
    assert list(made.mean_ranks) == sorted(made.mean_ranks)
    assert made.critical_difference == pytest.approx(1.354, abs=0.001)
    assert made.primary == "nemenyi"
    assert found(made, "friedman").finding.p_value < 0.001


def test_two_models_on_several_data_sets_have_wilcoxons_test():
    made = compare(on_data_sets(2), QUICK)

    assert made.primary == "wilcoxon"
    assert np.isnan(made.critical_difference)


def test_repeated_folds_do_without_the_plain_t_test():
    data = pd.read_csv(FOLDER / "five_by_two_cv_scores.csv").query(
        "dataset == 'breast_cancer' and model_A == 'logreg' and model_B == 'knn'"
    )
    scores = FoldScores(
        metric="accuracy",
        models=("logreg", "knn"),
        score=data[["score_A", "score_B"]].to_numpy().T,
        fold=tuple(data["fold"].astype(str)),
        repeat=tuple(data["repeat"].astype(str)),
        n_train=data["n_train"].to_numpy(float),
        n_test=data["n_test"].to_numpy(float),
    )
    made = compare(scores, QUICK)

    assert {t.test for t in made.tests} == {
        "corrected_resampled_t", "bayes_correlated_t", "five_by_two_t", "five_by_two_f",
    }  # fmt: skip


def test_folds_are_put_in_order_within_repeats():
    rng = np.random.default_rng(0)
    names = [(str(r), str(f)) for r in range(5) for f in range(2)]
    values = {name: rng.normal(size=2) for name in names}

    def made(order):
        return compare(
            FoldScores(
                metric="accuracy",
                models=("A", "B"),
                score=np.array([values[name] for name in order]).T,
                fold=tuple(f for _, f in order),
                repeat=tuple(r for r, _ in order),
            ),
            QUICK,
        )

    one, other = (found(made(order), "five_by_two_t", "A", "B")
                  for order in (names, names[::-1]))  # fmt: skip
    assert one.finding.statistic == pytest.approx(other.finding.statistic)


def test_a_file_of_several_metrics_is_compared_by_the_one_that_is_asked_for():
    rng = np.random.default_rng(0)
    rows = [(m, k, 0.8 + 0.1 * (m == "B") + 0.01 * rng.random(), 50 - 9 * (m == "A") + rng.random(),
             rng.random()) for m in "AB" for k in range(6)]  # fmt: skip
    data = pd.DataFrame(rows, columns=["model", "fold", "accuracy", "RMSE", "skill"])
    first, second, third = (of_frame(data, metric=m) for m in (None, "rmse", "skill"))

    assert (first.metric, first.verdict.winner, first.rope) == ("accuracy", "B", 0.01)
    assert (second.metric, second.verdict.winner, second.rope) == ("rmse", "A", 0.5)
    assert third.metric == "skill"
    with pytest.raises(EvalError, match="scores of the folds are of"):
        of_frame(data, metric="f1")


def test_the_rope_of_an_error_is_in_its_unit():
    made = of_file(FOLDER / "diabetes_reg_cv.csv")

    assert made.rope == pytest.approx(0.6)
    assert of_file(FOLDER / "diabetes_reg_cv.csv", metric="r2").rope == 0.01


def test_without_a_fold_that_all_have_nothing_can_be_compared():
    scores = FoldScores(
        metric="auc", models=("A", "B"), fold=("1", "2"),
        score=np.array([[0.8, np.nan], [np.nan, 0.9]]),
    )  # fmt: skip
    with pytest.raises(EvalError, match="No fold has a score of every model"):
        compare(scores, QUICK)


def test_a_row_without_a_fold_is_in_no_fold():
    data = frame("breast_cancer_cv.csv")
    blanked = data["fold"].astype(object).where(data.index > 20, "")
    made = of_frame(data.assign(fold=blanked), metric="accuracy", choices=Choices(fold="fold"))

    assert made.n == 569
    assert found(made, "paired_t", "rf", "knn").finding.details["df"] == 9


def test_the_same_seed_gives_the_same_comparison():
    one, other = (of_file(FOLDER / "diabetes_reg_cv.csv") for _ in range(2))

    assert one.differences == other.differences
    assert one.summary == other.summary


def test_models_that_rank_alike_are_identical_by_area():
    data = frame("breast_cancer_cv.csv")[["truth", "rf_score"]]
    data["twin_score"] = data["rf_score"]
    made = of_frame(data)

    assert found(made, "delong", "rf", "twin").finding.note == IDENTICAL
    assert found(made, "paired_bootstrap", "rf", "twin").finding.p_value == 1


def test_what_is_taken_as_a_decision_is_said():
    data = frame("breast_cancer_cv.csv").drop(columns=["rf_label", "knn_label", "logreg_label"])
    by_score = of_frame(data, Options(resamples=300, threshold=0.3), metric="accuracy")
    by_probability = of_frame(
        frame("iris_cv.csv").drop(columns=["rf_label", "knn_label", "logreg_label"]), metric="f1"
    )

    assert any("score >= 0.3" in notice.message for notice in by_score.notices)
    said = {notice.code for notice in by_probability.notices}
    assert {"decisions", "macro"} <= said


def test_averages_are_compared_over_the_classes_of_which_every_model_has_a_value():
    rows = {"truth": list("aabbcc"), "one": list("aabbbb"), "other": list("abbbca")}
    made = of_frame(pd.DataFrame(rows), metric="precision")
    # One never says c. Precision of a and b: 1 and 1/2 of one, 1/2 and 2/3 of the other.
    assert made.models["one"].value == pytest.approx(3 / 4)
    assert made.models["other"].value == pytest.approx(7 / 12)
    (said,) = [notice.message for notice in made.notices if notice.code == "averaged-classes"]
    assert said.startswith('"one" has no value of "c"')
    assert said.endswith("over 2 classes.")
    assert made.models["one"].low <= 3 / 4 <= made.models["one"].high


def test_areas_are_compared_over_the_classes_that_every_model_has_a_probability_of():
    data = frame("iris_cv.csv")
    names = ("setosa", "versicolor", "virginica")
    kept = {f"rf_prob_{name}": data[f"rf_prob_{name}"] for name in names}
    kept |= {f"knn_prob_{name}": data[f"knn_prob_{name}"] for name in names[:2]}
    made = of_frame(pd.DataFrame({"truth": data["truth"], **kept}), metric="roc_auc_ovr_macro")
    for model in ("rf", "knn"):
        areas = [
            roc_auc_score(data["truth"] == name, data[f"{model}_prob_{name}"]) for name in names[:2]
        ]
        assert made.models[model].value == pytest.approx(np.mean(areas))
    assert "averaged-classes" in {notice.code for notice in made.notices}


def test_folds_without_a_value_are_left_out_and_said():
    data = frame("breast_cancer_cv.csv")
    one_class = (data["fold"] == 3) & (data["truth"] == "malignant")
    made = of_frame(data[~one_class])

    assert found(made, "paired_t", "rf", "knn").finding.details["df"] == 8
    assert any("1 of 10 folds ROC AUC is undefined" in n.message for n in made.notices)


def test_leave_one_out_has_no_scores_of_folds():
    data = frame("breast_cancer_cv.csv").assign(fold=range(569))
    made = of_frame(data, choices=Choices(fold="fold"), metric="accuracy")

    assert made.design is Design.PAIRED_ROWS
    assert any("there are 569" in notice.message for notice in made.notices)


def test_two_classes_are_compared_by_weighted_kappa_as_by_kappa():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 80)
    said = {
        f"{name}_pred": truth ^ (rng.random(80) < wrong) for name, wrong in (("a", 0.1), ("b", 0.3))
    }
    data = pd.DataFrame({"truth": truth, **said})
    weighted, plain = (
        of_frame(data, metric=key) for key in ("weighted_kappa_linear", "cohen_kappa")
    )
    for name, estimate in plain.models.items():
        assert weighted.models[name].value == pytest.approx(estimate.value)


@pytest.mark.parametrize("metric", ["roc_auc", "brier", "accuracy"])
@pytest.mark.parametrize("missing", [0, 7], ids=["all rows", "common rows"])
def test_tables_at_hand_change_nothing_but_the_time(metric: str, missing: int) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 120)
    scores = {f"score_{k}": rng.random(120).round(2) for k in range(3)}
    scores["score_1"][:missing] = np.nan
    data = {"truth": truth, **scores, "weight": rng.integers(1, 3, 120)}
    dataset = load([("made.csv", pd.DataFrame(data).to_csv(index=False).encode())])
    tables = condense(dataset)
    candidates = choose_candidates(dataset, metric, QUICK, tables)
    drawn = ResampledValues(candidates, QUICK)
    at_hand = compare(dataset, QUICK, metric=metric, resampled=drawn)
    alone = compare(dataset, QUICK, metric=metric)
    assert serialise.comparison(at_hand) == serialise.comparison(alone)
    taken = [one.table is tables[one.name].scores for one in candidates.models]
    assert all(taken) == (metric != "accuracy" and not missing)
