"""The lessons that train models: splitting the rows, and over-fitting."""

import pytest

from pages.widgets import chart
from tests.pages.conftest import Opened, words


def test_visits_of_one_patient_hide_the_error_from_k_fold(empty: Opened) -> None:
    at = empty("splitting")
    assert not at.exception
    assert "K-fold puts the error at 1.7%; on 1,200 rows kept aside it is 38.6%" in words(at)
    assert "Group k-fold comes nearest this time" in words(at)
    table = next(frame.value for frame in at.dataframe if "scheme" in frame.value)
    assert len(table) == 8


@pytest.mark.parametrize("folds", [2, 20])
def test_numbers_are_split_without_classes(empty: Opened, folds: int) -> None:
    at = empty("splitting").selectbox(key="rows").set_value("illness").run()
    at.number_input(key="folds").set_value(folds).run()
    assert not at.exception
    assert "there are no classes to keep in proportion" in words(at)


def test_rows_of_the_file_can_be_trained_on(loaded: Opened) -> None:
    at = loaded("splitting", sample="iris").selectbox(key="rows").set_value("own").run()
    assert not at.exception
    assert "trained on 75 rows" in words(at)


def test_rows_of_a_file_without_features_are_divided_by_its_groups(uploaded: Opened) -> None:
    lines = [f"{k % 3 == 0:d},{k % 7 / 7:.2f},p{k // 4}" for k in range(200)]
    content = "\n".join(["truth,score,patient", *lines]).encode()
    at = uploaded("splitting", "f.csv", content).selectbox(key="rows").set_value("own").run()
    assert not at.exception
    assert "How 100 rows of your file divide by k-fold" in words(at)
    assert [chart.key for chart in at.get("plotly_chart")] == ["roles", "shares"]


@pytest.mark.parametrize("size", ["e148", "e-300"])
def test_features_of_any_size_are_trained_on(uploaded: Opened, size: str) -> None:
    lines = [f"{k}.5{size},{k % 3},{'pq'[k % 2]},{'ab'[k > 20]}" for k in range(40)]
    content = "\n".join(["x,y,class,cluster", *lines]).encode()
    at = uploaded("splitting", "f.csv", content, trained="decision tree")
    at.selectbox(key="rows").set_value("own").run()
    assert not at.exception
    assert "A decision tree model is trained on 20 rows" in words(at)


def test_files_that_cannot_be_trained_on_are_not_offered_for_over_fitting(loaded: Opened) -> None:
    at = loaded("overfitting", sample="breast_cancer")
    assert "your file" not in at.selectbox(key="rows").options
    assert "your file" in loaded("overfitting", sample="iris").selectbox(key="rows").options


def test_copies_made_before_splitting_are_told_from_those_made_after(empty: Opened) -> None:
    at = empty("overfitting")
    assert not at.exception
    assert "Copied before splitting, the ROC AUC in folds is" in words(at)
    at.selectbox(key="trained").set_value("linear").run()
    assert not at.exception
    assert "This model has no complexity to vary" in words(at)
    assert "This model cannot memorise copies" in words(at)


def test_a_distance_is_worked_out_feature_by_feature(empty: Opened) -> None:
    at = empty("distances")
    assert "Iris flowers 6 and 150 are 3.818 apart by p = 2" in words(at)
    assert "row 17, 0.400 away" in words(at)
    assert "row 19, 0.332 away" in words(at)
    at.select_slider(key="minkowski").set_value("∞").run()
    assert "Iris flowers 6 and 150 are 3.400 apart by p = ∞" in words(at)
    assert at.dataframe[0].value["share of the sum"].tolist() == [1, 0, 0, 0]


def test_rows_of_the_file_are_apart_by_its_features(loaded: Opened) -> None:
    at = loaded("distances", sample="iris")
    at.toggle(key="standardise").set_value(True).run()
    assert not at.exception
    at.number_input(key="second-row").set_value(6).run()
    assert "Rows 6 and 6 are 0.000 apart" in words(at)


@pytest.mark.parametrize(
    ("page", "figures"),
    [
        ("splitting", ["roles", "shares", "schemes"]),
        ("overfitting", ["learning-curve", "validation-curve", "rare"]),
        ("distances", ["unit-circle"]),
    ],
)
def test_every_figure_on_built_in_rows_has_its_python(
    empty: Opened, monkeypatch: pytest.MonkeyPatch, page: str, figures: list[str]
) -> None:
    shown: dict[str, str] = {}
    monkeypatch.setattr(chart, "figure_menu", lambda key, *rest: shown.update({key: rest[-1]}))
    assert not empty(page).exception
    assert list(shown) == figures
    assert all("figure.show()" in code for code in shown.values())


@pytest.mark.parametrize("page", ["splitting", "overfitting", "distances"])
def test_rows_of_a_lesson_are_not_shown_under_the_name_of_the_file(
    empty: Opened, loaded: Opened, page: str
) -> None:
    assert "not your file" not in words(empty(page))
    shown = words(loaded(page, sample="digits"))
    assert ", not your file." in shown
    assert "digits.csv" not in shown


@pytest.mark.parametrize("page", ["splitting", "overfitting", "distances"])
def test_rows_of_the_file_are_shown_under_its_name(loaded: Opened, page: str) -> None:
    shown = words(loaded(page, sample="iris", rows="own"))
    assert "iris.csv" in shown
    assert "not your file" not in shown


def test_errors_say_what_they_are_and_how_far_the_numbers_reach(empty: Opened) -> None:
    shown = words(empty("overfitting"))
    assert "Error 22.3 on training rows, 62.8 on new rows" in shown
    assert "mean absolute errors; the numbers predicted run from" in shown
    assert "wrong on training rows" in words(empty("overfitting", rows="flowers"))


def test_a_scheme_of_a_link_that_the_rows_do_not_allow_is_told(empty: Opened) -> None:
    at = empty("splitting", rows="illness", scheme="stratified k-fold")
    assert not at.exception
    assert "stratified k" in at.warning[0].value


def test_a_stratified_scheme_is_not_withdrawn_in_silence(uploaded: Opened) -> None:
    lines = [f"{k / 200:.3f},{'ill' if k % 50 == 0 else 'well'}" for k in range(200)]
    content = "\n".join(["score,truth", *lines]).encode()
    shown = words(uploaded("splitting", "f.csv", content, rows="own"))
    assert "No stratified scheme: the rarest class has 2 rows, fewer than 10 folds." in shown


def test_a_dot_is_explained_only_where_one_is_drawn(empty: Opened) -> None:
    def about(scheme: str) -> str:
        shown = words(empty("splitting", scheme=scheme))
        return next(part for part in shown.split("\n") if "share among all rows" in part)

    assert "A dot is a round. The diamond" in about("k-fold")
    assert "A dot is" not in about("leave-one-out")
