"""Models that were tested on rows of their own: in one long file, or a file each."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.metrics import accuracy_score, roc_auc_score

import evalcore as ec
from evalcore.compare import compare
from evalcore.comparison.spec import Design
from evalcore.options import Options
from evalread.dataset import Choices, Dataset, apply_offer, with_models
from evalread.detection.roles import detect
from evalread.loading import load, read_all
from evalread.previews import preview

from .files import File, codes, csv, loaded, notice, refused, zipped

OWN = "Each model has its own rows; models are compared as independent samples."


def one_test(n: int, seed: int, share: float = 0.4, noise: float = 1.0) -> pd.DataFrame:
    """Return a test of one model: ids, truth, label and score."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < share).astype(int)
    score = 1 / (1 + np.exp(-(2 * truth - 1 + noise * rng.normal(size=n))))
    ids = [f"p{seed}-{row}" for row in range(n)]
    columns = {"id": ids, "y_true": truth, "y_pred": (score > 0.5).astype(int), "y_score": score}
    return pd.DataFrame(columns).round({"y_score": 4})


ALPHA, BETA = one_test(60, 1), one_test(80, 2, 0.5, 1.8)


def long(*, column: str = "model", **tests: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([test.assign(**{column: name}) for name, test in tests.items()])


def file(frame: pd.DataFrame, name: str = "predictions.csv") -> File:
    return csv(frame.to_csv(index=False), name)


def sizes(data: Dataset) -> dict[str, int]:
    return {name: model.n for name, model in data.models.items()}


BOTH = long(alpha=ALPHA, beta=BETA)


@pytest.mark.parametrize("left", [[], ["id"], ["id", "y_score"]])
def test_models_of_a_long_file_without_shared_examples_stay_two(left: list[str]) -> None:
    data = loaded(file(BOTH.drop(columns=left)))
    assert sizes(data) == {"alpha": 60, "beta": 80}
    assert data.models["beta"].rows.tolist() == list(range(61, 141))
    assert notice(data, "own-rows") == OWN
    assert data.roles.model == "model"
    assert "model" not in data.roles.models["alpha"].columns


def test_the_order_of_the_rows_decides_nothing() -> None:
    mixed = BOTH.sample(frac=1, random_state=0)
    data = loaded(file(mixed))
    rows = 1 + np.flatnonzero(mixed["model"] == "beta")
    assert data.models["beta"].rows.tolist() == rows.tolist()
    found = roc_auc_score(data.models["beta"].truth, data.models["beta"].score)
    assert found == roc_auc_score(BETA["y_true"], BETA["y_score"])


@pytest.mark.parametrize("drop", [[], ["id"]])
def test_the_model_column_may_have_any_name_if_it_is_chosen(drop: list[str]) -> None:
    text = file(long(column="hospital", north=ALPHA, south=BETA).drop(columns=drop))
    assert "north" not in loaded(text).models
    assert sizes(loaded(text, model="hospital")) == {"north": 60, "south": 80}


def test_the_truth_of_a_long_file_may_have_any_name() -> None:
    names = {"y_true": "relapse", "y_score": "risk"}
    sick = BOTH.drop(columns=["id", "y_pred"]).rename(columns=names)
    data = loaded(file(sick))
    assert (data.roles.truth, sizes(data)) == ("relapse", {"alpha": 60, "beta": 80})


def test_few_rows_of_a_column_that_is_not_chosen_are_no_models() -> None:
    cars = file(long(Ford=ALPHA[:9], Opel=BETA[:30]).drop(columns="id"))
    data = loaded(cars)
    assert list(data.models) == ["y_score"]
    (offer,) = [n.offers[0] for n in data.notices if n.code == "model-column"]
    assert (offer.choice, offer.value) == ("model", "model")
    assert sizes(loaded(cars, model="model")) == {"Ford": 9, "Opel": 30}


def test_more_names_than_anyone_compares_describe_the_rows() -> None:
    cars = long(**{f"car{k}": one_test(12, k, 0.1 + k / 40) for k in range(21)})
    assert list(loaded(file(cars.drop(columns="id"))).models) == ["y_score"]


def test_ids_that_overlap_in_part_match_what_they_can() -> None:
    other = pd.concat([ALPHA[40:].assign(y_score=0.25), BETA[:30]])
    data = loaded(file(long(alpha=ALPHA, beta=other)))
    assert sizes(data) == {"alpha": 60, "beta": 50}
    common = np.intersect1d(data.models["alpha"].rows, data.models["beta"].rows)
    assert len(common) == 20
    assert data.models["beta"].truth.tolist() == other["y_true"].tolist()
    assert "30 rows of" in notice(data, "rows-of-one")
    made = compare(data, Options(resamples=200))
    assert (made.design, made.n) == (Design.PAIRED_ROWS, 20)


def test_files_whose_ids_overlap_in_part_keep_all_rows_that_have_a_truth() -> None:
    other = pd.concat([ALPHA[40:], BETA[:30]])
    data = loaded(file(ALPHA, "rf.csv"), file(other, "svm.csv"))
    assert [model.n for model in data.models.values()] == [60, 50]


def test_several_columns_together_are_an_id() -> None:
    rng = np.random.default_rng(0)
    days = pd.DataFrame({"site": np.repeat(["x", "y"], 20), "day": [*range(20)] * 2})
    days = days.assign(truth=(rng.random(40) < 0.5).astype(int))
    tests = {name: days.assign(score=rng.random(40)) for name in "ab"}
    mixed = long(**tests).sample(frac=1, random_state=1)
    data = loaded(file(mixed))
    assert sizes(data) == {"a": 40, "b": 40}
    for name, test in tests.items():
        found = roc_auc_score(data.models[name].truth, data.models[name].score)
        assert found == pytest.approx(roc_auc_score(test["truth"], test["score"]))
    assert compare(data, Options(resamples=200)).design is Design.PAIRED_ROWS
    assert set(data.table.names) == {"site", "day", "truth", "a: score", "b: score"}


def same_in_another_order() -> File:
    again = ALPHA.assign(y_score=0.5).sample(frac=1, random_state=0)
    return file(long(alpha=ALPHA, beta=again).drop(columns=["id", "y_score"]))


def test_equal_truths_in_another_order_are_a_question() -> None:
    error = refused(same_in_another_order())
    assert error.code == "ambiguous"
    assert "may have been tested on the same examples" in error.message
    assert "each model has its own rows" in error.message
    assert [offer.choice for offer in error.offers] == ["own_rows", "model", "ignore"]


def test_each_answer_to_the_question_can_be_read_and_previewed() -> None:
    text = same_in_another_order()
    table = read_all([text])
    own, one, *_ = table.question.offers
    assert sizes(loaded(text, own_rows=True)) == {"alpha": 60, "beta": 60}
    assert [model.n for model in loaded(text, model="").models.values()] == [120]
    shown = preview(table, Choices(), own)
    assert len(shown.dataset.models) == 2
    assert set(shown.rows[0]) == {"truth", "alpha"}  # the first row of beta is another one
    assert len(preview(table, Choices(), one).dataset.models) == 1


def test_the_notice_offers_to_take_the_rows_for_those_of_one_model() -> None:
    data = loaded(file(BOTH))
    (told,) = [n for n in data.notices if n.code == "own-rows"]
    again = apply_offer(told.offers[0], Choices(), data.roles)
    assert [model.n for model in load([file(BOTH)], again).models.values()] == [140]


def test_ids_that_number_the_rows_of_each_model_prove_nothing() -> None:
    numbered = long(alpha=ALPHA.assign(id=range(60)), beta=BETA.assign(id=range(80)))
    data = loaded(file(numbered))
    assert sizes(data) == {"alpha": 60, "beta": 80}
    assert "repeated-id" not in codes(data)


def test_real_ids_under_which_truths_differ_are_a_question() -> None:
    mended = ALPHA.assign(y_true=[1 - ALPHA["y_true"][0], *ALPHA["y_true"][1:]])
    error = refused(file(long(alpha=ALPHA, beta=mended)))
    assert (error.code, error.rows) == ("truth-differs", (1,))
    assert error.offers


@pytest.mark.parametrize("drop", [[], ["id"], ["id", "y_score"]])
def test_two_files_of_other_rows_are_two_models(drop: list[str]) -> None:
    tests = {"north.csv": ALPHA, "south.csv": BETA}
    files = [file(test.drop(columns=drop), name) for name, test in tests.items()]
    for together in (files, [zipped(*files)]):
        data = loaded(*together)
        assert sizes(data) == {"north": 60, "south": 80}
        assert notice(data, "own-rows") == OWN


def test_files_whose_columns_have_other_names_are_read_by_their_roles() -> None:
    renamed = BETA.drop(columns="id").rename(
        columns={"y_true": "actual", "y_pred": "predicted", "y_score": "probability"}
    )
    data = loaded(file(ALPHA.drop(columns="id"), "north.csv"), file(renamed, "south.csv"))
    assert sizes(data) == {"north": 60, "south": 80}
    assert data.models["south"].score.tolist() == BETA["y_score"].tolist()


def test_two_files_of_right_and_wrong_about_other_rows_are_two_models() -> None:
    tests = {"north.csv": ALPHA, "south.csv": BETA}
    files = [
        file(pd.DataFrame({"item": test["id"], "correct": test["y_true"]}), name)
        for name, test in tests.items()
    ]
    data = loaded(*files)
    assert sizes(data) == {"north": 60, "south": 80}
    assert notice(data, "own-rows") == OWN


def test_as_many_rows_of_another_truth_are_never_paired() -> None:
    south = BETA[:60].drop(columns="id")
    data = loaded(file(ALPHA.drop(columns="id"), "north.csv"), file(south, "south.csv"))
    assert (data.roles.model, sizes(data)) == ("file", {"north": 60, "south": 60})
    called_otherwise = south.rename(columns={"y_true": "actual"})
    data = loaded(file(ALPHA.drop(columns="id"), "north.csv"), file(called_otherwise, "south.csv"))
    assert data.roles.model == "file"


@pytest.mark.parametrize("kind", ["mended", "in another order"])
def test_a_truth_that_is_nearly_the_same_is_a_question(kind: str) -> None:
    alpha = ALPHA.drop(columns="id")
    other = alpha.sample(frac=1, random_state=3)
    if kind == "mended":
        other = alpha.assign(y_true=[*(1 - alpha["y_true"][:3]), *alpha["y_true"][3:]])
    files = file(alpha, "north.csv"), file(other, "south.csv")
    error = refused(*files)
    assert error.code == "truth-differs"
    assert sizes(loaded(*files, own_rows=True)) == {"north": 60, "south": 60}
    assert [model.n for model in loaded(*files, model="").models.values()] == [120]


def test_the_truth_of_the_same_rows_written_otherwise_is_no_other_truth() -> None:
    numbers = pd.DataFrame({"y_true": np.arange(40) / 3, "y_pred": np.arange(40) / 3 + 0.1})
    error = refused(file(numbers, "a.csv"), file(numbers.round(3), "b.csv"))
    assert error.code == "truth-differs"


def test_files_called_folds_may_be_parts_of_one_test() -> None:
    files = [file(ALPHA[k : k + 20 - k // 20].drop(columns="id"), f"fold_{k}.csv") for k in (0, 20)]
    assert refused(*files).code == "no-key"
    assert [offer.choice for offer in refused(*files).offers] == ["own_rows", "model"]
    assert [model.n for model in loaded(*files, model="").models.values()] == [39]


def test_files_of_which_one_has_no_truth_are_refused_as_before() -> None:
    alone = BETA.drop(columns=["y_true", "id"])
    error = refused(file(ALPHA.drop(columns="id"), "a.csv"), file(alone, "b.csv"))
    assert (error.code, error.offers) == ("no-key", ())
    assert (
        "each has a truth"
        in refused(file(ALPHA, "a.csv"), file(alone, "b.csv"), own_rows=True).message
    )


def test_rows_of_their_own_take_a_column_that_names_the_models() -> None:
    error = refused(file(ALPHA), own_rows=True)
    assert (error.code, "--model" in error.message) == ("no-model-column", True)


def test_fold_group_and_weight_are_those_of_each_row() -> None:
    beside = {"fold": [1, 2] * 70, "group": ["x"] * 70 + ["y"] * 70, "weight": [1, 0, 2, 1] * 35}
    data = loaded(file(BOTH.reset_index(drop=True).assign(**beside)))
    beta = data.models["beta"]
    weight = np.array(beside["weight"])[60:]
    assert beta.weight.tolist() == weight[weight > 0].tolist()
    assert beta.rows.tolist() == (61 + np.flatnonzero(weight > 0)).tolist()
    assert (data.roles.fold, data.roles.group, data.roles.weight) == ("fold", "group", "weight")
    made = ec.evaluate(data, resamples=100)
    assert [fold.n for fold in made.models["beta"].folds] == [60, 20]  # by weight


def test_missing_cells_are_counted_for_each_model() -> None:
    gaps = long(alpha=ALPHA.assign(y_score=[None, *ALPHA["y_score"][1:]]), beta=BETA)
    data = loaded(file(gaps.drop(columns="y_pred")))
    assert sizes(data) == {"alpha": 59, "beta": 80}
    assert notice(data, "missing-score") == (
        '1 of 60 rows has no score for "alpha" (1 blank); 59 rows are used.'
    )


def test_rows_that_name_no_model_are_told() -> None:
    blank = BOTH.assign(model=["", *BOTH["model"][1:]])
    data = loaded(file(blank))
    assert sizes(data) == {"alpha": 59, "beta": 80}
    assert notice(data, "missing-model") == '1 row has no model in "model"; left out.'
    paired = "id,model,truth,score\n1,A,0,0.1\n2,A,1,0.8\n2,B,1,0.9\n1,B,0,0.2\n3,,1,0.5\n"
    assert notice(loaded(paired), "missing-model") == '1 row has no model in "model"; left out.'


def test_several_models_in_a_row_and_a_chosen_column_multiply() -> None:
    wide = BOTH.drop(columns="y_pred").assign(rf_score=BOTH["y_score"] / 2)
    data = loaded(file(wide.rename(columns={"y_score": "svm_score"})), model="model")
    assert set(data.models) == {"alpha rf", "alpha svm", "beta rf", "beta svm"}
    assert set(data.roles.chosen_models) == {"rf", "svm"}


def test_columns_are_chosen_once_for_all_models() -> None:
    data = loaded(file(BOTH))
    ((name, given),) = data.roles.chosen_models.items()
    chosen = with_models(Choices(), {name: replace(given, label=None)})
    again = load([file(BOTH)], chosen)
    assert sizes(again) == {"alpha": 60, "beta": 80}
    assert again.models["beta"].label is None
    assert detect(data.table, Choices()).models == data.roles.models


@settings(max_examples=10, deadline=None)
@given(st.permutations(list(BOTH)), st.integers(0, 99), st.booleans())
def test_order_and_names_change_no_reading(columns: list[str], seed: int, shared: bool) -> None:
    second = ALPHA.assign(y_score=ALPHA["y_score"] / 2) if shared else BETA
    renamed = long(zulu=ALPHA, able=second).sample(frac=1, random_state=seed)[columns]
    first, again = loaded(file(long(alpha=ALPHA, beta=second))), loaded(file(renamed))
    assert (first.roles.model, first.roles.truth) == (again.roles.model, again.roles.truth)
    for name, other in {"alpha": "zulu", "beta": "able"}.items():
        one, two = first.models[name], again.models[other]
        assert sorted(zip(one.truth, one.score, one.label, strict=True)) == sorted(
            zip(two.truth, two.score, two.label, strict=True)
        )


PEOPLE = st.integers(12, 60)


@settings(max_examples=15, deadline=None)
@given(PEOPLE, PEOPLE, st.integers(0, 99), st.booleans())
def test_the_comparison_is_that_of_separate_arrays(n: int, m: int, seed: int, mix: bool) -> None:
    first, second = one_test(n, seed), one_test(m, seed + 100, 0.5, 2)
    if first["y_true"].sum() in (0, n) or second["y_true"].sum() in (0, m):
        return
    both = long(a=first, b=second)
    data = loaded(file(both.sample(frac=1, random_state=seed) if mix else both))
    found = compare(data, Options(resamples=100), metric="roc_auc").models
    for name, test in {"a": first, "b": second}.items():
        alone = ec.estimate("roc_auc", test["y_true"], test["y_score"])
        assert (found[name].value, found[name].low) == pytest.approx((alone.value, alone.low))
        label = accuracy_score(data.models[name].truth, data.models[name].label)
        assert label == pytest.approx(accuracy_score(test["y_true"], test["y_pred"]))
