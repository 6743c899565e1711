import pytest

from .files import codes, loaded, notice


@pytest.mark.parametrize(
    "pair",
    [("Cat", "cat"), ("big dog", "big  dog"), ("\u00e9", "e\u0301"), ("01", "1"), ("ﬁn", "fin")],
)
def test_classes_that_differ_only_in_writing_are_told(pair: tuple[str, str]) -> None:
    first, second = pair
    data = loaded(f"truth,pred\n{first},{second}\n{second},{first}\nx,{first}\n")
    assert len(data.classes) == 3
    assert "differ only in how they are written" in notice(data, "spelling")


def test_different_classes_are_not_told() -> None:
    assert "spelling" not in codes(loaded("truth,pred\ncat,dog\ndog,cow\ncow,cow\n"))


def test_white_space_that_was_removed_is_counted_by_column() -> None:
    data = loaded("truth,pred\ncat,cat\ndog ,dog\n cat,cat\ncow,cow \n")
    assert notice(data, "white-space") == (
        '3 labels had white space before or after, which was removed (2 in "truth", 1 in "pred").'
    )


def test_scores_of_zero_and_one_are_labels() -> None:
    assert "hard-labels" in codes(loaded("y,score\n1,1\n0,1\n0,0\n"))
    assert "hard-labels" not in codes(loaded("y,score\n1,1\n0,0.5\n0,0\n"))


def test_a_score_never_below_one_half_is_perhaps_a_confidence() -> None:
    data = loaded("y,pred,score\n0,0,0.9\n1,1,0.8\n1,0,0.6\n")
    (found,) = [notice for notice in data.notices if notice.code == "confidence"]
    assert found.offers[0].value == "confidence"
    assert "confidence" not in codes(loaded("y,pred,score\n0,0,0.2\n1,1,0.8\n1,0,0.1\n"))


def test_repeated_ids_are_named() -> None:
    data = loaded("id,y,score\na,1,0.9\nb,0,0.2\na,1,0.8\n")
    assert notice(data, "repeated-id") == (
        "1 id stands in several rows (rows 1 and 3); each row counts."
    )


def test_rows_shared_between_folds_are_told_from_repeated_rows() -> None:
    data = loaded("id,fold,y,score\na,1,1,0.9\nb,1,0,0.2\na,2,1,0.8\nb,2,0,0.3\n")
    assert "in several folds" in notice(data, "repeated-id")


def test_sound_data_has_nothing_to_say() -> None:
    assert loaded("id,fold,y,score\na,1,1,0.9\nb,1,0,0.2\nc,2,1,0.8\nd,2,0,0.3\n").notices == ()
