"""The lessons that train models: splitting the rows, and over-fitting."""

import pytest

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


def test_copies_made_before_splitting_are_told_from_those_made_after(empty: Opened) -> None:
    at = empty("overfitting")
    assert not at.exception
    assert "50% of the test rows were seen in training" in words(at)
    at.selectbox(key="trained").set_value("linear").run()
    assert not at.exception
    assert "This model has no dial here" in words(at)
