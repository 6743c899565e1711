"""Models of the lab: the same numbers as scikit-learn's own, and what is handed on of them."""

from collections.abc import Mapping
from threading import Event

import numpy as np
import pytest
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_validate

from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalcore.work import Progress
from evalread import loading
from evalread.dataset import Task
from evalview.lab import experiments
from evalview.lab.experiments import NESTED, divided, importance, models, pipeline, run, schemes
from evalview.lab.handed_on import called, handed_on
from evalview.lab.splits import Plan, Splits
from evalview.lab.tables import BUNDLED, TrainingTable, training_table

PLAN = Plan(folds=4, repeats=2, test_share=0.3, seed=1)


def mixed(n: int = 120, *, numbers: bool = False) -> TrainingTable:
    """Return rows with numbers, categories, missing cells and groups."""
    rng = np.random.default_rng(3)
    size, color = rng.normal(size=n), rng.integers(3, size=n)
    value = size + 0.8 * color + rng.normal(size=n)
    target = value if numbers else np.where(value > 1, "large", "small")
    lines = ["size,color,patient,target"]
    for at in range(n):
        shown = "" if at % 11 == 0 else f"{size[at]:.6f}"
        name = "" if at % 17 == 0 else ("red", "green", "blue")[color[at]]
        lines.append(f"{shown},{name},p{at // 4},{target[at]}")
    table = loading.read("mixed.csv", "\n".join(lines).encode())
    return training_table(table, "target", "numbers" if numbers else "classes", group="patient")


def pairs(splits: Splits) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(splits.train(at), splits.test(at)) for at in range(len(splits.role))]


def planned(scheme: str) -> Plan:
    return PLAN if experiments.SCHEMES[scheme].repeats else Plan(folds=4, seed=1)


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("scheme", [one for one in experiments.SCHEMES if one != NESTED])
def test_each_round_equals_cross_validate_with_the_same_splits(scheme: str, numbers: bool) -> None:
    table = mixed(16 if scheme == "leave-one-out" else 60, numbers=numbers)
    if scheme not in schemes(table):
        assert numbers
        assert scheme.startswith("stratified")
        return
    splits = divided(table, scheme, planned(scheme))
    names = models(table) if scheme == "k-fold" else models(table)[:3]  # what splits concern
    made = run(table, names, splits)
    for name in names:
        theirs = cross_validate(
            pipeline(name, table, table.n // 2),
            table.features,
            table.truth,
            cv=pairs(splits),
            scoring="neg_mean_absolute_error" if numbers else "accuracy",
            error_score="raise",
        )["test_score"]
        ours = made.trials(name).tested
        np.testing.assert_allclose(ours, -theirs if numbers else 1 - theirs, atol=1e-12)


@pytest.mark.parametrize("numbers", [False, True])
def test_a_nested_scheme_equals_a_grid_search_in_each_round(numbers: bool) -> None:
    table, grids = mixed(80, numbers=numbers), {"nearest neighbours": [1, 3, 5, 9, 15]}
    grids["decision tree"] = [1, 2, 3, 5, 8]
    splits = divided(table, NESTED, Plan(folds=2, seed=1))
    made = run(table, [*grids, models(table)[0]], splits)
    scoring = "neg_mean_absolute_error" if numbers else "accuracy"
    for name, values in grids.items():
        plain = pipeline(name, table, table.n // 2)
        dial = "n_neighbors" if name == "nearest neighbours" else "max_depth"
        search = GridSearchCV(
            plain, {f"{plain.steps[-1][0]}__{dial}": values}, cv=5, scoring=scoring
        )
        theirs = cross_validate(
            search, table.features, table.truth, cv=pairs(splits), scoring=scoring
        )["test_score"]
        ours = made.trials(name).tested
        np.testing.assert_allclose(ours, -theirs if numbers else 1 - theirs, atol=1e-12)


def test_a_nested_scheme_needs_each_class_in_each_of_its_folds() -> None:
    table = mixed(60)
    with pytest.raises(EvalError, match="needs 50"):
        divided(table, NESTED, Plan(folds=50))


@pytest.mark.parametrize("key", list(BUNDLED))
def test_a_table_that_comes_with_scikit_learn_is_handed_on_as_it_was_measured(key: str) -> None:
    table = BUNDLED[key]()
    names = models(table)[:2]
    made = run(table, names, divided(table, schemes(table)[0], Plan(folds=3)))
    found = handed_on(made, called(schemes(table)[0], Plan(folds=3)))
    dataset = loading.load([(found.name, found.data)], found.choices)
    tasks = {0: Task.REGRESSION, 2: Task.BINARY}
    assert dataset.roles.task is tasks.get(len(table.classes), Task.MULTICLASS)
    assert dataset.rows == table.n
    assert list(dataset.models) == list(names)
    assert dataset.fold is not None
    assert len(dataset.fold.names) == 3
    result = evaluate(dataset, Options())
    for name in names:
        error = np.average(made.trials(name).tested, weights=np.bincount(made.place))
        model = result.models[name]
        metrics = model.decisions["labels"].metrics if table.classes else model.values
        shown = metrics["accuracy" if table.classes else "mae"]
        assert shown.value == pytest.approx(1 - error if table.classes else error, abs=1e-12)


def test_rows_that_test_several_times_are_a_group_and_no_folds() -> None:
    table = BUNDLED["iris"]()
    made = run(table, models(table)[:2], divided(table, "bootstrap", Plan(repeats=3)))
    found = handed_on(made, "bootstrap")
    dataset = loading.load([(found.name, found.data)], found.choices)
    assert dataset.fold is None
    assert dataset.group is not None
    assert len(dataset.group.names) == len(np.unique(made.row)) < dataset.rows


def test_names_of_classes_and_columns_stay_as_they_are() -> None:
    hostile = ["=1+1", "<b>x</b>", "fold"]
    lines = ["row,fold,<i>a</i>,nearest neighbours: label,target"]
    lines += [f"z{at},{at % 2},{at * 0.37:.2f},{at % 5},{hostile[at % 3]}" for at in range(60)]
    table = training_table(loading.read("x.csv", "\n".join(lines).encode()), "target", "classes")
    assert table.classes == tuple(sorted(hostile))
    made = run(table, ["nearest neighbours"], divided(table, "k-fold", Plan(folds=3)))
    found = handed_on(made, "k-fold")
    dataset = loading.load([(found.name, found.data)], found.choices)
    assert set(dataset.classes) == set(hostile)
    assert "<i>a</i>" in dataset.table.names
    assert dataset.table.names.count("fold") == 1
    assert {"fold'", "nearest neighbours: label'"} <= set(dataset.table.names)


def test_importance_equals_that_of_scikit_learn_round_by_round() -> None:
    table = mixed()
    splits = divided(table, "k-fold", Plan(folds=3))
    made = importance(table, "logistic regression", splits)
    rounds = []
    for at, (train, test) in enumerate(pairs(splits)):
        model = pipeline("logistic regression", table, len(train))
        model.fit(table.features[train], table.truth[train])
        theirs = permutation_importance(
            model, table.features[test], table.truth[test], scoring="accuracy", n_repeats=5,
            random_state=at,
        )  # fmt: skip
        rounds.append(theirs.importances_mean)
    order = np.argsort(-np.mean(rounds, axis=0))
    assert made.columns == tuple(table.columns[at] for at in order)
    np.testing.assert_allclose(made.mean, np.mean(rounds, axis=0)[order])
    # By hand: t of 2 degrees is c √(2 / (1 - c²)), here with Bonferroni's c for so many features;
    # folds of 40 test after 80 train.
    c = 1 - 0.05 / len(table.columns)
    half = (
        c
        * np.sqrt(2 / (1 - c**2))
        * np.std(rounds, axis=0, ddof=1)[order]
        * np.sqrt(1 / 3 + 40 / 80)
    )
    np.testing.assert_allclose(made.interval.high - made.mean, half, rtol=1e-6)


def test_importance_is_refused_where_nothing_can_be_shuffled() -> None:
    table = BUNDLED["iris"]()
    with pytest.raises(EvalError, match="one row"):
        importance(table, "naive Bayes", divided(table, "leave-one-out", Plan()))


def test_work_stops_between_two_models_and_tells_how_far_it_is() -> None:
    table, cancel, told = BUNDLED["iris"](), Event(), list[float]()

    def report(share: float) -> None:
        told.append(share)
        if len(told) == 3:
            cancel.set()

    with pytest.raises(EvalError, match="stopped"):
        run(
            table, models(table), divided(table, "k-fold", Plan(folds=10)), Progress(report, cancel)
        )
    assert told == [pytest.approx(at / 70) for at in (1, 2, 3)]


def test_times_are_those_of_training_and_of_predicting() -> None:
    table = BUNDLED["breast-cancer"]()
    made = run(table, ["most common class", "random forest"], divided(table, "hold-out", Plan()))
    quick, slow = made.models.values()
    assert 0 < quick.fit_seconds[0] < slow.fit_seconds[0]
    assert 0 < slow.predict_seconds[0] < slow.fit_seconds[0]


REFUSED: Mapping[str, tuple[str, Plan, str]] = {
    "a rare class": ("stratified k-fold", Plan(folds=5), '"rare" has 2 rows'),
    "few groups": ("group k-fold", Plan(folds=20), "10 groups cannot make 20 folds"),
    "few rows": ("k-fold", Plan(folds=50), "40 rows cannot make 50 folds"),
    "one class left": ("hold-out", Plan(test_share=0.9, seed=0), "of one class"),
}


@pytest.mark.parametrize("case", list(REFUSED))
def test_a_scheme_that_the_rows_do_not_allow_is_refused_with_what_to_do(case: str) -> None:
    lines = ["a,who,target"]
    lines += [
        f"{at * 0.7:.1f},g{at // 4},{'rare' if at in (3, 30) else 'common'}" for at in range(40)
    ]
    read = loading.read("x.csv", "\n".join(lines).encode())
    table = training_table(read, "target", "classes", group="who")
    scheme, plan, said = REFUSED[case]
    with pytest.raises(EvalError, match=said):
        run(table, ["naive Bayes"], divided(table, scheme, plan))


def test_leaving_one_out_of_too_many_rows_is_refused() -> None:
    lines = ["a,target", *(f"{at % 97}.5,{at % 2}" for at in range(5_001))]
    table = training_table(loading.read("x.csv", "\n".join(lines).encode()), "target", "classes")
    with pytest.raises(EvalError, match="ten folds"):
        divided(table, "leave-one-out", Plan())


@pytest.mark.slow
def test_leave_one_out_of_569_logistic_regressions_takes_less_than_a_minute() -> None:
    import time

    table = BUNDLED["breast-cancer"]()
    began = time.process_time()
    made = run(table, ["logistic regression"], divided(table, "leave-one-out", Plan()))
    assert time.process_time() - began < 60
    assert made.trials("logistic regression").error == pytest.approx(12 / 569)
