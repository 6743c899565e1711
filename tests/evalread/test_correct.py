"""Files that say of each item whether models were right, and files that only look like them."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from evalread.dataset import Missing, Task

from .files import loaded, refused


def table(head: str, *rows: str) -> str:
    return "\n".join((head, *rows, ""))


LONG = table("task,model,passed", *(f"t{i},{m},{int((i + k) % 3 > 0)}" for i in range(12)
             for k, m in enumerate(("alpha", "beta"))))  # fmt: skip
TRIED = table("question,epoch,topic,gpt_score,claude_score", *(
    f"q{i},{e},{'maths' if i % 2 else 'code'},{int((i + e) % 2)},{int(i % 3 > 0)}"
    for i in range(10) for e in range(4)
))  # fmt: skip

READ = {
    "a model's name in a column": (LONG, {"alpha": 8 / 12, "beta": 8 / 12}),
    "several tries": (TRIED, {"gpt": 0.5, "claude": 0.6}),
    "a mark of each model": (
        table("id,a_correct,b_correct", "x,True,False", "y,True,True", "z,False,False"),
        {"a": 2 / 3, "b": 1 / 3},
    ),
    "bare names beside items": (
        table("item,model_a,model_b", *(f"i{i},{i % 2},1" for i in range(8))),
        {"model_a": 0.5, "model_b": 1.0},
    ),
    "pass and fail": (
        table("instance_id,resolved", *(f"r{i},{'yes' if i % 4 else 'no'}" for i in range(8))),
        {"model": 0.75},
    ),
    "a confidence beside the mark": (
        table("item,confidence,correct", *(f"i{i},0.{i + 10},{i % 2}" for i in range(12))),
        {"model": 0.5},
    ),
    "free text asked and answered": (
        table("question,expected,response,model,is_correct",
              *(f"q{i},city {i},It is city {i * k}.,m{k},{int(i % 2 == 0)}"
                for i in range(10) for k in (1, 2))),
        {"m1": 0.5, "m2": 0.5},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_right_or_wrong_is_read(name: str) -> None:
    text, accuracies = READ[name]
    data = loaded(text)
    assert data.roles.task is Task.CORRECT
    assert {n: m.share.mean() for n, m in data.models.items()} == pytest.approx(accuracies)


OTHER = {
    "truth and prediction": table("truth,prediction,correct",
                                  *(f"{i % 2},{i % 3 % 2},{int(i % 2 == i % 3 % 2)}"
                                    for i in range(12))),
    "an outcome with its score": table("student,passed,prob",
                                       *(f"s{i},{i % 2},0.{i + 10}" for i in range(12))),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER)
def test_where_more_is_known_that_is_used(name: str) -> None:
    assert loaded(OTHER[name]).roles.task is Task.BINARY


@pytest.mark.parametrize(
    "text",
    [
        table("a,b", *(f"{i % 2},{i % 3 % 2}" for i in range(12))),
        table("id,age,passed", *(f"{i},{i + 20},{i % 2}" for i in range(12))),
        table("movie,action,comedy", *(f"m{i},{i % 2},{i % 3 % 2}" for i in range(12))),
        table("patient,right_knee,right_hip", *(f"p{i},{i % 2},{i % 3 % 2}" for i in range(12))),
    ],
)
def test_columns_of_0_and_1_alone_are_no_marks(text: str) -> None:
    assert refused(text).code != "no-right-or-wrong"


def test_where_a_mark_only_says_that_two_columns_of_classes_agree_these_are_judged() -> None:
    rows = (
        f"q{i} text?,{'ABCD'[i % 4]},{'ABCD'[i * 3 % 4]},{i * 3 % 4 == i % 4}" for i in range(16)
    )
    data = loaded(table("question,answer,prediction,correct", *rows))
    assert (data.roles.task, data.roles.truth) == (Task.MULTICLASS, "answer")


def test_marks_of_people_are_opinions() -> None:
    rows = (f"i{i},{i % 2},{i % 3 % 2}" for i in range(12))
    error = refused(table("item,annotator_1,annotator_2", *rows))
    assert error.code == "ambiguous"


def test_marks_are_letters_too_and_counted() -> None:
    rows = (f"s{i},m{k},{'CI'[(i + k) % 3 == 0]}" for i in range(9) for k in (1, 2))
    assert loaded(table("sample_id,model,score", *rows)).models["m1"].right.sum() == 6
    counts = loaded(table("model,correct,n", "a,1,40", "a,0,10", "b,1,30", "b,0,20"))
    assert [own.total for own in counts.models.values()] == [50, 50]
    assert counts.models["a"].share @ counts.models["a"].weight == 40


def test_items_are_the_unit_and_keep_their_group() -> None:
    data = loaded(TRIED)
    assert (data.roles.id, data.roles.group, data.rows_used) == ("question", "topic", 10)
    assert data.models["gpt"].tries.tolist() == [4.0] * 10
    assert any("up to 4 times" in notice.message for notice in data.notices)


def test_models_are_paired_by_item_whatever_rows_they_have() -> None:
    text = table("item,model,correct", "x,a,1", "y,a,0", "y,b,1", "z,b,1", "x,b,0")
    a, b = loaded(text).models.values()
    assert (a.rows.tolist(), b.rows.tolist()) == ([1, 2], [1, 2, 4])
    assert (a.right.tolist(), b.right.tolist()) == ([1, 0], [0, 1, 1])


def test_a_guess_is_said_with_the_way_out() -> None:
    [notice] = [n for n in loaded(READ["bare names beside items"][0]).notices
                if n.code == "right-or-wrong"]  # fmt: skip
    assert notice.severity == "warning"
    assert [offer.choice for offer in notice.offers] == ["truth", "truth"]


def test_blank_marks_are_left_out_or_count_as_wrong() -> None:
    text = table("item,model,correct", "x,a,1", "y,a,", "x,b,1", "y,b,1")
    data = loaded(text)
    assert data.models["a"].n == 1
    [notice] = [n for n in data.notices if n.code == "no-answer"]
    assert notice.rows == (2,)
    assert notice.offers[0].choice == "missing"
    wrong = loaded(text, missing=Missing.WRONG)
    assert wrong.models["a"].right.tolist() == [1, 0]
    blank = loaded("item,correct\nx,1\ny,\nz,\n")
    [notice] = [n for n in blank.notices if n.code == "no-answer"]
    assert notice.message.startswith("2 tries are marked neither right nor wrong")


def test_a_mark_is_chosen_by_option() -> None:
    text = table("name,x,y", *(f"n{i},{i % 2},{i % 3 % 2}" for i in range(6)))
    data = loaded(text, correct={"first": "x"})
    assert data.models["first"].right.tolist() == [0, 1, 0, 1, 0, 1]
    assert set(loaded(text, task=Task.CORRECT).models) == {"x", "y"}


def test_what_is_neither_right_nor_wrong_is_named() -> None:
    text = table("item,model,correct", "x,a,1", "y,a,maybe")
    error = refused(text, correct={"": "correct"})
    assert (error.code, error.rows, error.column) == ("no-right-or-wrong", (2,), "correct")
    assert '"maybe"' in error.message


def test_a_file_chosen_to_hold_marks_that_holds_none_is_refused() -> None:
    error = refused("a,b\n0.5,x\n0.7,y\n", task=Task.CORRECT)
    assert error.code == "no-right-or-wrong"
    assert "--correct" in error.message


@settings(max_examples=30)
@given(st.sampled_from([LONG, TRIED]), st.randoms(use_true_random=False))
def test_order_of_rows_and_columns_decides_nothing(text: str, random: object) -> None:
    head, *rows = (line.split(",") for line in text.strip().split("\n"))
    random.shuffle(rows)
    places = list(range(len(head)))
    random.shuffle(places)
    mixed = "\n".join(",".join(line[k] for k in places) for line in (head, *rows)) + "\n"
    before, after = loaded(text), loaded(mixed)
    for name, own in before.models.items():
        assert np.sort(after.models[name].share).tolist() == np.sort(own.share).tolist()
    assert (before.roles.id, before.roles.group) == (after.roles.id, after.roles.group)
