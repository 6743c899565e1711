from collections.abc import Sequence

import numpy as np
import pytest

from evalcore.errors import Notice
from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalread.dataset import Choices, Dataset, Scale, Task, apply_offer
from evalread.loading import load
from evalread.rewriting import own_order

from .files import codes, csv, loaded, notice, refused

SPELT = "y,pred,p\nyes,Yes,0.9\nno,no,0.2\nYES,yes,0.7\nyes,yes,0.8\nno,no,0.1\n"


def the(data: Dataset, code: str) -> Notice:
    (found,) = [found for found in data.notices if found.code == code]
    return found


def after(text: str, code: str) -> Dataset:
    """Return the data read again, after the first offer of a notice was taken."""
    data = loaded(text)
    offer = the(data, code).offers[0]
    return load([csv(text)], apply_offer(offer, Choices(), data.roles))


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


def test_a_score_never_below_one_half_under_either_label_is_a_confidence_unless_denied() -> None:
    text = "y,pred,score\n0,0,0.9\n1,1,0.8\n1,0,0.6\n"
    read, denied = loaded(text), loaded(text, scale=Scale.PROBABILITY)
    (told,), (asked,) = ([n for n in d.notices if n.code == "confidence"] for d in (read, denied))
    assert read.models["score"].score.tolist() == pytest.approx([0.1, 0.8, 0.4])
    assert denied.models["score"].score.tolist() == [0.9, 0.8, 0.6]
    assert (told.offers[0].value, asked.offers[0].value) == ("probability", "confidence")


def test_a_score_that_a_threshold_parts_is_no_confidence() -> None:
    assert "confidence" not in codes(loaded("y,pred,score\n0,0,0.2\n1,1,0.8\n1,0,0.1\n"))
    high = loaded("y,pred,score\n0,0,0.6\n1,1,0.8\n1,0,0.7\n")
    assert high.roles.scale is None
    assert notice(high, "confidence").startswith('Column "score" is never below 0.5')


def test_repeated_ids_are_named() -> None:
    data = loaded("id,y,score\na,1,0.9\nb,0,0.2\na,1,0.8\n")
    assert notice(data, "repeated-id") == (
        "1 id appears in several rows (rows 1 and 3); each row counts."
    )


def test_rows_shared_between_folds_are_told_from_repeated_rows() -> None:
    data = loaded("id,fold,y,score\na,1,1,0.9\nb,1,0,0.2\na,2,1,0.8\nb,2,0,0.3\n")
    assert "in several folds" in notice(data, "repeated-id")


def test_sound_data_has_nothing_to_say() -> None:
    assert loaded("id,fold,y,score\na,1,1,0.9\nb,1,0,0.2\nc,2,1,0.8\nd,2,0,0.3\n").notices == ()


def test_labels_spelt_apart_are_counted_and_can_be_made_one() -> None:
    text = "truth,pred\ncat,Cat\nCat,cat\ncat,cat\ndog,dog\ncow,dog\n"
    found = the(loaded(text), "spelling")
    assert "(2 rows with a rarer spelling)" in found.message
    assert found.rows == (1, 2)
    data = after(text, "spelling")
    assert data.classes == ("cat", "cow", "dog")
    assert data.models["pred"].label.tolist() == [*data.models["pred"].truth.tolist()[:4], 2]
    assert the(data, "merged").rows == (1, 2)


def test_merging_spellings_makes_a_question_of_yes_or_no_of_three_classes() -> None:
    assert loaded(SPELT).roles.task is Task.MULTICLASS
    data = loaded(SPELT, merge_spellings=True)
    assert (data.roles.task, data.classes) == (Task.BINARY, ("no", "yes"))
    assert data.roles.models["p"].score == "p"
    assert "3 classes" not in notice(data, "merged")


def test_labels_that_only_differ_in_case_from_the_truth_offer_to_be_merged() -> None:
    text = "truth,pred\ncat,CAT\ndog,DOG\n"
    offer, _ = refused(text).offers
    assert load([csv(text)], apply_offer(offer, Choices())).classes == ("cat", "dog")


def test_numbers_written_in_two_ways_are_one_class_and_told() -> None:
    told = notice(loaded("y,pred\n1,1.0\n0,0.0\n2,2.0\n"), "number-labels")
    assert told == (
        'Labels that are numbers are compared by value: "1.0" as "1" in "pred", '
        '"0.0" as "0" in "pred", "2.0" as "2" in "pred".'
    )


@pytest.mark.parametrize(
    ("classes", "order"),
    [
        ("high low medium", "low medium high"),
        ("Often Never Always", "Never Often Always"),
        ("XL S M", "S M XL"),
        ("stage10 stage2 stage9", "stage2 stage9 stage10"),
        ("10-19 5-9 20-29", "5-9 10-19 20-29"),
        ("cat dog cow", None),
        ("high low", None),
        ("low medium huge", None),
        ("a1 b2 c3", None),
        ("1 2 2", None),
    ],
)
def test_an_order_is_read_from_the_names_of_classes(classes: str, order: str | None) -> None:
    assert own_order(classes.split()) == (tuple(order.split()) if order else None)


def test_ordered_classes_can_be_put_in_order_which_weighted_kappa_follows() -> None:
    text = "truth,pred\nlow,medium\nmedium,medium\nhigh,medium\nlow,low\nhigh,high\n"
    assert loaded(text).classes == ("high", "low", "medium")
    data = after(text, "class-order")
    assert data.classes == ("low", "medium", "high")
    assert "class-order" not in codes(data)
    made = evaluate(data, Options(resamples=100)).models["pred"].metrics["labels"]
    # Observed: 2 of 5 rows one class off, 0.4. By chance: 0.04 * (6 + 4 + 1 + 1 + 4 + 6) = 0.88.
    assert made["weighted_kappa_linear"].value == pytest.approx(1 - 0.4 / 0.88)


@pytest.mark.parametrize("order", [("low", "high"), ("low", "mid", "high"), ("a", "a", "b")])
def test_an_order_must_name_each_class_once(order: tuple[str, ...]) -> None:
    error = refused("truth,pred\nlow,medium\nmedium,medium\nhigh,medium\n", order=order)
    assert error.code == "bad-order"


def test_few_whole_numbers_say_how_they_were_read_and_can_be_read_otherwise() -> None:
    text = "y,pred\n1,2\n2,2\n3,3\n4,4\n3,4\n"
    data = loaded(text)
    assert data.roles.task is Task.MULTICLASS
    numbers = after(text, "numbers-as-classes")
    assert numbers.roles.task is Task.REGRESSION
    (offer,) = the(numbers, "classes-as-numbers").offers
    again = load([csv(text)], apply_offer(offer, Choices(task=Task.REGRESSION), numbers.roles))
    assert again.classes == data.classes


def test_weights_are_told_and_can_be_left_out() -> None:
    text = "y,p,weight\n1,0.9,2\n0,0.2,0\n1,0.6,1\n"
    found = the(loaded(text), "weighted")
    assert found.message == (
        'Each row counts "weight" times: 3 rows stand for 3; 1 row has weight 0 and is left out.'
    )
    assert found.rows == (2,)
    assert after(text, "weighted").roles.weight is None


def test_weights_that_are_not_whole_say_how_much_rows_matter() -> None:
    text = "y,p,weight\n1,0.9,0.5\n0,0.2,0.5\n1,0.6,1.5\n0,0.3,1.5\n"
    found = the(loaded(text), "weighted")
    # Kish's: (0.5 + 0.5 + 1.5 + 1.5)^2 / (0.25 + 0.25 + 2.25 + 2.25) = 16 / 5.
    assert "4 rows carry about as much information as 3 rows of equal weight" in found.message
    assert [offer.choice for offer in found.offers] == ["weight", "weight_kind"]


def test_weights_too_small_beside_others_to_change_a_number_are_flagged() -> None:
    text = "y,p,weight\n1,0.9,1e14\n0,0.2,0.01\n1,0.6,5e13\n0,0.3,1e14\n"
    found = the(loaded(text), "weights-apart")
    assert (found.severity, found.rows, found.column) == ("warning", (2,), "weight")
    assert "1 row has so little weight" in found.message
    assert "weights-apart" not in {one.code for one in loaded(text.replace("0.01", "1")).notices}


def patients(column: str, count: int = 30) -> str:
    rows = (f"{k % count},{k % 2},0.{k % 9}" for k in range(90))
    return f"{column},y,score\n" + "\n".join(rows)


def test_rows_of_a_patient_are_drawn_together_and_can_be_taken_as_independent() -> None:
    found = the(loaded(patients("patient_id")), "grouped-rows")
    assert "resample its 30 groups whole, 3 rows each" in found.message
    after_all = after(patients("patient_id"), "grouped-rows")
    assert after_all.roles.group == "patient_id"
    assert after_all.roles.unit is None
    assert after_all.models["score"].unit is None


def test_few_groups_are_flagged() -> None:
    found = the(loaded(patients("patient", 12)), "grouped-rows")
    assert found.severity == "warning"
    assert "fewer than 20" in found.message


def test_a_group_of_few_values_is_a_slice_until_it_is_chosen() -> None:
    data = loaded(patients("segment", 3))
    assert (data.roles.group, data.roles.unit) == ("segment", None)
    assert "grouped-rows" not in codes(data)
    assert the(loaded(patients("store_id", 3)), "perhaps-grouped").offers[0].choice == "group"
    assert after(patients("store_id", 3), "perhaps-grouped").roles.unit == "store_id"


def test_hard_labels_can_be_read_as_such_beside_other_models() -> None:
    text = "y,a_score,b_score\n1,1,0.9\n0,1,0.3\n0,0,0.4\n"
    data = after(text, "hard-labels")
    assert data.roles.models["a"].label == "a_score"
    assert data.roles.models["b"].score == "b_score"
    assert "hard-labels" not in codes(data)


def repeated(rows: int, again: int) -> str:
    lines = [f"{row % 2},0.{row:03}" for row in range(rows)]
    return "\n".join(["y,p", *lines, *lines[:again]]) + "\n"


def test_many_rows_that_repeat_whole_are_counted_and_few_are_not() -> None:
    found = the(loaded(repeated(90, 10)), "repeated-rows")
    assert found.message.startswith("10 rows of 100 repeat an earlier row in every cell")
    assert found.rows == tuple(range(91, 101))
    assert "repeated-rows" not in codes(loaded(repeated(96, 4)))


def test_rows_of_few_values_repeat_without_a_word() -> None:
    assert "repeated-rows" not in codes(loaded("y,p\n" + "1,0.5\n0,0.4\n" * 50))


def test_rows_that_repeat_because_scores_are_rounded_are_not_told() -> None:
    rng = np.random.default_rng(0)
    rows = zip(rng.integers(0, 2, 400), rng.random(400), strict=True)
    text = "y,p\n" + "".join(f"{truth},{score:.3f}\n" for truth, score in rows)
    repeats = 400 - len(set(text.splitlines()[1:]))
    assert repeats > 20
    assert "repeated-rows" not in codes(loaded(text))


def test_a_threshold_that_gives_the_labels_is_offered() -> None:
    text = "y,pred,p\n1,1,0.9\n0,0,0.2\n1,1,0.3138\n0,0,0.2911\n"
    notices = evaluate(loaded(text), Options(resamples=100)).notices
    (found,) = [one for one in notices if one.code == "labels-disagree"]
    (offer,) = found.offers
    assert (offer.choice, offer.value) == ("threshold", "0.3")
    agreed = evaluate(loaded(text), Options(resamples=100, threshold=float(offer.value)))
    assert "labels-disagree" not in {one.code for one in agreed.notices}


def spare(names: str) -> Dataset:
    rng = np.random.default_rng(0)
    wide = names.count(";") + 1
    rows = "".join(
        f"{k % 2};" + ";".join(f"{value:.3f}" for value in rng.random(wide)) + "\n"
        for k in range(40)
    )
    return loaded(f"outcome;{names}\n{rows}")


def test_a_column_like_a_score_beside_named_ones_is_offered_as_a_model() -> None:
    data = spare("spare;baseline_score")
    assert len(data.models) == 1
    assert '"spare" lies between 0 and 1 like a score' in notice(data, "spare-score")
    (made,) = (made for made in data.notices if made.code == "spare-score")
    choices = apply_offer(made.offers[0], Choices(), data.roles)
    assert set((choices.scores or {}).values()) == {"baseline_score", "spare"}


def test_many_columns_between_0_and_1_are_features_and_what_was_chosen_stays() -> None:
    data = spare("a;b;c;d;baseline_score")
    assert "spare-score" not in codes(data)


# Answers that no name speaks of: labels of readers, and points.

SITES = ["cyst", "polyp", "normal", "fibrosis"]


def read_by(names: str, share: float, *, classes: Sequence[str] = SITES, rows: int = 300) -> str:
    """Return a file with a truth and a model; other columns are right in a share of the rows."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, len(classes), rows)
    columns = {"reference": truth, "model": np.where(rng.random(rows) < 0.8, truth, 0)}
    for name in names.split(";"):
        guess = rng.integers(0, len(classes), rows)
        columns[name] = np.where(rng.random(rows) < share, truth, guess)
    lines = [";".join(classes[k] for k in row) for row in zip(*columns.values(), strict=True)]
    return "\n".join([";".join(columns), *lines])


@pytest.mark.parametrize("names", ["reader_A", "reader_A;reader_B", "Meier;Huber;first look"])
def test_columns_that_agree_with_the_truth_are_offered_as_models(names: str) -> None:
    text = read_by(names, 0.7)
    data = loaded(text)
    assert list(data.models) == ["model"]
    (made,) = (one for one in data.notices if one.code == "spare-label")
    assert made.severity == "warning"
    choices = apply_offer(made.offers[0], Choices(), data.roles)
    chosen = load([csv(text)], choices)
    assert list(chosen.models) == ["model", *names.split(";")]
    assert "spare-label" not in codes(chosen)


def unsure(text: str, every: int) -> str:
    """Return a file whose last column says "unknown" in each row of so many."""
    head, *lines = text.splitlines()
    said = (f"{x.rpartition(';')[0]};unknown" if k % every == 0 else x for k, x in enumerate(lines))
    return "\n".join([head, *said])


def test_a_reader_may_not_know_the_answer_in_a_few_rows() -> None:
    text = read_by("reader_A", 0.7)
    assert "spare-label" in codes(loaded(unsure(text, 25)))
    assert "spare-label" not in codes(loaded(unsure(text, 3)))


@pytest.mark.parametrize(
    ("names", "share", "classes"),
    [
        ("stratum", 0.0, SITES),  # the same words, by chance
        ("copy", 1.0, SITES),  # the truth once more
        ("correct", 0.7, ["0", "1"]),
        ("true_again", 0.7, SITES),
        ("smoker", 0.3, ["0", "1"]),  # goes with the truth, as a risk does
        ("later_diagnosis", 0.7, SITES),
    ],
)
def test_groups_copies_and_other_outcomes_are_no_models(names, share, classes) -> None:
    assert "spare-label" not in codes(loaded(read_by(names, share, classes=classes)))


def test_readers_alone_are_offered_together() -> None:
    lines = [line.split(";") for line in unsure(read_by("reader_A", 0.7), 30).splitlines()]
    text = "\n".join(["reference;reader_A;reader_B", *(f"{t};{r};{r}" for t, _, r in lines[1:])])
    problem = refused(text)
    chosen = load([csv(text)], apply_offer(problem.offers[0], Choices()))
    assert list(chosen.models) == ["reader_A", "reader_B"]


def ranked(column: str, *, noise: float, whole: bool = True) -> Dataset:
    """Return a file with two probabilities and a column that follows the truth with noise."""
    rng = np.random.default_rng(4)
    ill = rng.integers(0, 2, 400)
    risk = [1 / (1 + np.exp(-(2 * ill - 1 + rng.normal(0, 1, 400)))) for _ in range(2)]
    other = 5 + 2 * (2 * ill - 1) + rng.normal(0, noise, 400)
    other = np.round(other) if whole else other
    rows = zip(ill, *risk, other, strict=True)
    lines = [f"{y},{p:.4f},{q:.4f},{float(o)!r}" for y, p, q, o in rows]
    return loaded("\n".join([f"ill,risk_a,risk_b,{column}", *lines]))


def test_numbers_that_rank_the_truth_like_the_models_are_offered_as_one() -> None:
    for whole in (True, False):
        data = ranked("points", noise=2.5, whole=whole)
        assert list(data.models) == ["a", "b"]
        assert '"points" ranks "ill" nearly as well as the models do' in notice(data, "spare-rank")
        (made,) = (one for one in data.notices if one.code == "spare-rank")
        assert made.severity == "info"
        choices = apply_offer(made.offers[0], Choices(), data.roles)
        assert set((choices.scores or {}).values()) == {"risk_a", "risk_b", "points"}


@pytest.mark.parametrize(("column", "noise"), [("age", 20), ("days", 0.4), ("error", 2.5)])
def test_numbers_that_rank_little_or_follow_from_the_truth_are_not_offered(column, noise) -> None:
    assert "spare-rank" not in codes(ranked(column, noise=noise))
