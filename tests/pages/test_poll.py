"""A question to a class: asked by its teacher, answered once by each reader, pooled live."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from evalview.course.lessons import lessons
from evalview.course.polls import Question
from pages.lessons import poll
from tests.pages.conftest import Opened, words


def one(at: AppTest, name: str) -> str:
    told = at.query_params[name]
    return told if isinstance(told, str) else "".join(told)


def read(at: AppTest) -> str:
    """Return the texts of a page without the marks that keep them from being code."""
    return words(at).replace("\\", "")


def payload_of(at: AppTest) -> str:
    """Return what the browser is sent to draw a lesson."""
    drawn = [one.proto for one in at.get("bidi_component") if "lesson" in one.proto.component_name]
    return "".join(str(json.loads(one.json)) for one in drawn)


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click().run()
    assert not at.exception
    return at


def test_a_teacher_asks_and_the_answers_of_readers_are_pooled(empty: Opened) -> None:
    teacher = press(empty("poll"), "Ask")
    assert "No answer yet" in words(teacher)
    key = one(teacher, "ask")
    for value in (0.1, 0.2, 0.6):
        reader = empty("poll", ask=key)
        assert poll.GUESS in words(reader)
        assert "No answer yet" not in words(reader)
        reader.number_input[0].set_value(value)
        press(reader, "Answer")
        assert f"Your answer: **{value:g}**".replace(".", "\\.") in words(reader)
        again = empty("poll", ask=key, me=one(reader, "me"))
        assert not again.number_input, "each reader answers once"
    teacher.run()
    assert "3 answers; half of them up to 0.2" in words(teacher)
    press(teacher, "Stop taking answers")
    late = empty("poll", ask=key)
    assert not late.number_input
    press(teacher, "Remove and ask another")
    assert poll.polls().asked(key) is None


def test_the_question_of_a_lesson_is_asked_with_answers_to_pick(empty: Opened) -> None:
    at = empty("poll", about="densities")
    assert at.text_input[0].value
    assert at.text_area[0].value == "\n".join(lessons()["densities"].choices)
    at.text_area[0].set_value("<b>yes</b>\n[no](http://x)").run()
    press(at, "Ask")
    reader = empty("poll", ask=one(at, "ask"))
    reader.radio[0].set_value(1)
    press(reader, "Answer")
    at.run()
    assert "1 answer; most often" in words(at)
    assert "<b>yes" not in words(at)


@pytest.mark.parametrize(
    ("choices", "said"), [("", "Enter the answers"), ("same\nsame", "different")]
)
def test_answers_that_cannot_be_picked_from_are_refused(
    empty: Opened, choices: str, said: str
) -> None:
    at = empty("poll")
    at.radio[0].set_value("choice").run()
    at.text_area[0].set_value(choices).run()
    press(at, "Ask")
    assert said in at.error[0].value


def test_whoever_has_no_proof_sees_no_answers(empty: Opened) -> None:
    key, host = poll.polls().ask(Question("Which one?", ("a", "b")))
    poll.polls().answer(key, "somebody", 1)
    assert "most often" in words(empty("poll", ask=key, host=host))
    for wrong in ("", "x", "é"):
        at = empty("poll", ask=key, host=wrong)
        assert not at.exception
        assert "most often" not in words(at)


def test_a_question_that_is_over_is_said(empty: Opened) -> None:
    at = empty("poll", ask="deadbeef")
    assert not at.exception
    assert "This question is over" in words(at)


def test_what_is_right_is_shown_when_the_teacher_shows_it(empty: Opened) -> None:
    teacher = press(empty("poll", about="rare"), "Ask")
    key = one(teacher, "ask")
    right = lessons()["rare"].answer[:40]
    reader = empty("poll", ask=key)
    reader.radio[0].set_value(1)
    press(reader, "Answer")
    me = one(reader, "me")
    assert right not in words(reader)
    assert "once your teacher shows it" in words(reader)
    press(teacher, "Show the right answer")
    assert right in read(teacher)
    again = empty("poll", ask=key, me=me)
    assert right in read(again)
    assert not empty("poll", ask=key).radio, "late guesses would be no guesses"


def test_a_class_sees_the_answer_of_a_lesson_when_its_teacher_shows_it(empty: Opened) -> None:
    teacher = press(empty("lessons", teach="yes"), "Begin a class")
    its = {name: one(teacher, name) for name in ("class", "teach")}
    answer = lessons()["rare"].answer

    def sent(**address: str) -> str:
        at = empty("rare", **address)
        assert not at.exception
        assert not at.warning
        return payload_of(at)

    pupil = {"class": its["class"]}
    assert answer not in sent(**pupil)
    assert answer in sent(**its), "the teacher sees it"
    assert answer not in sent(**pupil, teach="yes"), "to say so is no proof"
    assert answer in sent(), "who learns alone sees it"
    assert answer in sent(**{"class": "deadbeef"}), "a class that is over keeps nothing back"
    lesson = press(empty("rare", **its), "Show the answer to the class")
    assert answer in sent(**pupil)
    assert lessons()["folds"].answer not in payload_of(empty("folds", **pupil))
    press(lesson, "Hide the answer from the class")
    assert answer not in sent(**pupil)
