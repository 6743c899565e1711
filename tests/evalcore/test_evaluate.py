"""From a data set to every number: what goes together, what is said, and what stays apart."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from evalcore.evaluate import decide, evaluate
from evalcore.evaluation.condense import condense
from evalcore.evaluation.estimates import judge_probabilities, rank, rank_classes
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.results import Evaluation, ModelTables
from evalread.dataset import Choices
from evalread.loading import load
from tests.evalcore.golden import FOLDER
from tests.evalcore.made import QUICK, data, noisy, only, rows
from tests.evalcore.metrics.rows import Rows, random_rows, scores


@pytest.fixture(scope="module")
def breast_cancer() -> Evaluation:
    name = "breast_cancer_cv.csv"
    return evaluate(load([(name, (FOLDER / name).read_bytes())]), QUICK)


@pytest.fixture(scope="module")
def iris() -> Evaluation:
    name = "iris_cv.csv"
    return evaluate(load([(name, (FOLDER / name).read_bytes())]), QUICK)


def every_estimate(evaluation: Evaluation) -> list[tuple[str, Estimate]]:
    found: list[tuple[str, Estimate]] = []
    for model in evaluation.models.values():
        groups = [*model.metrics.values(), *model.class_ranking.values()]
        for part in model.decisions.values():
            groups += [*part.per_class.values(), *part.averages.values()]
        found += [pair for group in groups for pair in group.items()]
    return found


@pytest.mark.parametrize("which", ["breast_cancer", "iris"])
def test_every_number_has_a_value_within_its_interval_or_a_reason(
    which: str, request: pytest.FixtureRequest
):
    for key, made in every_estimate(request.getfixturevalue(which)):
        metric = by_key()[key]
        if not made.defined:
            assert made.why, key
            continue
        assert metric.low <= made.value <= metric.high, key
        if made.low is not None and made.high is not None:
            assert metric.low - 1e-12 <= made.low <= made.high <= metric.high + 1e-12, key
            assert made.level == 0.95
            assert made.method


def test_labels_and_threshold_are_decided_apart(breast_cancer: Evaluation):
    model = breast_cancer.models["rf"]
    assert list(model.decisions) == ["labels", "threshold"]
    assert list(model.metrics) == ["labels", "threshold", "ranking", "probability"]


def test_the_metrics_of_two_classes_are_those_of_the_positive_one(breast_cancer: Evaluation):
    for part in breast_cancer.models["knn"].decisions.values():
        assert part.metrics == part.per_class["malignant"]
        assert part.per_class["benign"]["recall"] == part.metrics["specificity"]


def test_many_classes_are_decided_by_label_and_by_the_largest_probability(iris: Evaluation):
    model = iris.models["logreg"]
    assert list(model.decisions) == ["labels", "argmax"]
    assert set(model.class_ranking) == {"setosa", "versicolor", "virginica"}
    assert "roc_auc_hand_till" in model.ranking
    assert "recall" not in model.decisions["argmax"].metrics
    assert "recall" in model.decisions["argmax"].per_class["setosa"]


@given(drawn=random_rows())
@settings(max_examples=30)
def test_a_threshold_decides_as_a_direct_comparison_does(drawn: Rows):
    tables = ModelTables(
        n=len(drawn.truth), classes=("no", "yes"), scores=scores(drawn), probability=True
    )
    for threshold in (0.0, 0.25, 0.5, 1.0, 1.1):
        counts = decide(tables, Options(threshold=threshold, resamples=100))["threshold"]
        called = drawn.score >= threshold
        for truth in (0, 1):
            for decision in (0, 1):
                cell = (drawn.positive == truth) & (called == decision)
                assert counts.confusion.counts[truth, decision] == drawn.weight[cell].sum()


def test_the_same_seed_gives_the_same_numbers(breast_cancer: Evaluation):
    name = "breast_cancer_cv.csv"
    again = evaluate(load([(name, (FOLDER / name).read_bytes())]), QUICK)
    mine, theirs = every_estimate(breast_cancer), every_estimate(again)
    assert [repr(pair) for pair in mine] == [repr(pair) for pair in theirs]


def test_the_parts_are_those_of_the_whole(breast_cancer: Evaluation):
    tables = condense(breast_cancer.dataset)["rf"]
    model = breast_cancer.models["rf"]
    assert repr(dict(rank(tables, QUICK))) == repr(dict(model.ranking))
    assert repr(dict(judge_probabilities(tables, QUICK))) == repr(dict(model.probability))
    assert repr(decide(tables, QUICK)["labels"].metrics) == repr(model.metrics["labels"])
    assert not rank_classes(tables, QUICK)


def test_each_fold_has_the_numbers_of_its_rows(breast_cancer: Evaluation):
    import pandas as pd

    frame = pd.read_csv(FOLDER / "breast_cancer_cv.csv")
    folds = breast_cancer.models["logreg"].folds
    assert [fold.fold for fold in folds] == [str(number) for number in range(1, 11)]
    for fold in folds[::3]:
        part = frame[frame["fold"] == int(fold.fold)]
        assert fold.n == len(part)
        right = (part["truth"] == part["logreg_label"]).mean()
        assert fold.metrics["labels"]["accuracy"].value == pytest.approx(right)
        alone = evaluate(data(part.drop(columns="fold").to_csv(index=False)), QUICK)
        for group, estimates in fold.metrics.items():
            for key, made in alone.models["logreg"].metrics[group].items():
                assert estimates[key].value == pytest.approx(made.value, nan_ok=True), key


def test_folds_keep_their_rows_when_others_are_left_out():
    text = "y,p,fold\n1,0.9,a\n0,,a\n0,0.1,b\n1,0.2,b\n0,0.3,a\n"
    folds = only(evaluate(data(text), QUICK)).folds
    assert [(fold.fold, fold.n) for fold in folds] == [("a", 2), ("b", 2)]
    assert folds[0].metrics["threshold"]["accuracy"].value == 1
    assert folds[1].metrics["threshold"]["accuracy"].value == 0.5


def test_scores_that_are_no_probabilities_still_rank():
    model = only(evaluate(data("y,p\n1,7\n0,-2\n1,3\n0,4\n"), QUICK))
    assert model.ranking["roc_auc"].value == 0.75
    assert model.calibration is None
    assert all("not probabilities" in made.why for made in model.probability.values())


def test_labels_alone_give_no_ranking():
    model = only(evaluate(data("y,pred\n1,1\n0,1\n1,0\n0,0\n"), QUICK))
    assert list(model.metrics) == ["labels"]
    assert model.roc is None


def test_a_class_without_a_probability_is_left_out_and_counted():
    text = "y_true,p_1,p_2,p_4\n1,0.6,0.3,0.1\n2,0.1,0.8,0.1\n4,0.3,0.3,0.4\n3,0.5,0.4,0.1\n"
    model = only(evaluate(data(text), QUICK))
    assert model.ranking["roc_auc_ovr_macro"].note.startswith("over 3 of 4 classes")
    assert "no probability" in model.class_ranking["3"]["roc_auc"].why
    assert model.probability["log_loss"].value == np.inf


def test_an_average_says_over_how_many_classes_it_runs():
    text = "truth,pred\nred,red\nred,green\ngreen,green\ngreen,green\nblue,red\nblue,green\n"
    averages = only(evaluate(data(text), QUICK)).decisions["labels"].averages
    assert averages["macro"]["precision"].note == "over 2 of 3 classes"
    assert averages["macro"]["recall"].note == ""


def test_a_label_that_only_models_say_is_named_and_no_class_of_averages():
    text = "truth,pred_first,pred_second\na,a,a\na,x,b\nb,b,b\nb,b,x\nc,c,x\nc,c,c\n"
    made = evaluate(data(text), QUICK)
    (said,) = [notice.message for notice in made.notices if notice.code == "never-true"]
    assert '"x" (said by "first" in 1 row and by "second" in 2 rows)' in said
    assert "over the 3 classes of the truth" in said
    of = {name: model.decisions["labels"].averages["macro"] for name, model in made.models.items()}
    # F1 of a, b and c: 2/3, 1, 1 of the first; 2/3, 1/2, 2/3 of the second.
    assert of["first"]["f1"].value == pytest.approx(8 / 9)
    assert of["second"]["f1"].value == pytest.approx(11 / 18)


@pytest.mark.parametrize("label", ["b", ""])
def test_labels_of_the_truth_need_no_word(label: str):
    made = evaluate(data(f"truth,pred\na,a\nb,b\nc,c\na,{label}\n"), QUICK)
    assert "never-true" not in {notice.code for notice in made.notices}


def test_predicted_numbers_have_values_and_folds():
    text = "y,prediction,fold\n1.5,1.0,a\n2.5,2.0,a\n3.5,4.5,b\n4.5,4.0,b\n"
    model = only(evaluate(data(text), QUICK))
    assert model.values["mae"].value == pytest.approx(0.625)
    assert model.folds[1].metrics["values"]["mae"].value == pytest.approx(0.75)


def naive(truth: NDArray[Any], called: NDArray[Any], metric: Any, draws: int) -> NDArray[Any]:
    rng = np.random.default_rng(5)
    places = (rng.integers(0, len(truth), len(truth)) for _ in range(draws))
    return np.array([metric(truth[p], called[p]) for p in places])


def test_the_interval_of_f1_is_that_of_resampled_rows():
    def f1(truth, called):
        return 2 * np.sum(truth & called) / (np.sum(truth) + np.sum(called))

    truth, score = noisy(150)
    dataset = rows(list(truth), list(score), header="y,p")
    made = only(evaluate(dataset, Options(resamples=4000))).metrics["threshold"]["f1"]
    low, high = np.quantile(naive(truth == 1, score >= 0.5, f1, 2000), [0.025, 0.975])
    assert made.low == pytest.approx(low, abs=0.012)
    assert made.high == pytest.approx(high, abs=0.012)


def test_counting_weights_count_rows():
    text = "truth,pred,n\npos,pos,600\nneg,pos,70\npos,neg,40\nneg,neg,900\n"
    dataset = data(text)
    model = only(evaluate(dataset, QUICK))
    assert model.n == 1610
    accuracy = model.metrics["labels"]["accuracy"]
    assert accuracy.value == pytest.approx(1500 / 1610)
    assert accuracy.high is not None
    assert accuracy.low is not None
    assert accuracy.high - accuracy.low < 0.03


def test_a_large_file_draws_its_curve_through_chosen_points_of_exact_counts():
    truth, score = noisy(20_000)
    score = score + np.random.default_rng(1).uniform(0, 1e-4, len(score))
    model = only(evaluate(rows(list(truth), list(np.minimum(score, 1)), header="y,p"), QUICK))
    assert model.roc is not None
    assert len(model.roc.fpr) <= 2002
    assert model.roc.fpr[0] == model.roc.tpr[0] == 0
    assert model.roc.fpr[-1] == model.roc.tpr[-1] == 1


@pytest.mark.parametrize("alike", [False, True])
def test_the_notice_says_whether_grouping_makes_a_difference(alike):
    rng = np.random.default_rng(0)
    group = np.arange(400) // 2
    truth, noise = rng.integers(0, 2, 400), rng.normal(size=400)
    if alike:
        truth, noise = truth[group], noise[group]
    lines = zip(truth, (truth + noise).round(3), group, strict=True)
    content = "\n".join(["truth,a_score,patient", *(",".join(map(str, one)) for one in lines)])
    made = evaluate(load([("f.csv", content.encode())], Choices(group="patient")), QUICK)
    (told,) = [one.message for one in made.notices if one.code == "design-effect"]
    assert ("likely by chance: intervals of 400 rows are narrower" in told) == (not alike)
    assert ("independent rows of equal weight" in told) == alike


LESS = '"a": groups differ less in the mean error than groups of independent rows would, '


@pytest.mark.parametrize(
    ("mixed", "alike", "says"),
    [
        (8, 1, f"{LESS}likely by chance: intervals of 20 rows are narrower than without groups"),
        (
            160,
            20,
            f"{LESS}since rows of one group differ more than others: intervals of 400 rows are "
            "narrower than without groups",
        ),
        (20, 10, '"a": grouping makes no difference to the mean error of 80 rows'),
    ],
)
def test_groups_that_differ_less_than_independent_rows_are_not_said_to_make_no_difference(
    mixed: int, alike: int, says: str
):
    # Errors of 1 and 3, each a distance of 1 from their mean: of groups that hold both the sum of
    # distances is 0, of all others 2, so that the design effect is 4 a / (m + 2 a).
    errors = [1, 3] * mixed + [1, 1] * alike + [3, 3] * alike
    truth = np.random.default_rng(0).normal(50, 9, len(errors)).round(3)
    group = np.arange(len(errors)) // 2
    lines = zip(truth, truth + errors, group, strict=True)
    content = "\n".join(["truth,pred_a,patient", *(",".join(map(str, one)) for one in lines)])
    made = evaluate(load([("f.csv", content.encode())], Choices(group="patient")), QUICK)
    (told,) = [one.message for one in made.notices if one.code == "design-effect"]
    assert told == f"{says} (design effect {4 * alike / (mixed + 2 * alike):.2g})."
