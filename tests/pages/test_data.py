"""What was read: roles with reasons, changed by hand, undone, and nothing in them interpreted."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import words

Opened = Callable[..., AppTest]


def box(at: AppTest, label: str, nth: int = 0):
    return [element for element in at.selectbox if element.label == label][nth]


def use_these_columns(at: AppTest) -> AppTest:
    return (
        at.button[[button.label for button in at.button].index("Use these columns")].click().run()
    )


def test_each_role_is_shown_with_its_reason(loaded: Opened) -> None:
    shown = words(loaded("data"))
    for text in ("logistic_regression_score", "named like a score", "UTF-8", "569 rows, 9 columns"):
        assert text in shown


def test_the_same_call_on_the_command_line_is_shown(loaded: Opened) -> None:
    at = loaded("data", threshold="0.25")
    assert at.code[0].value == "python -m evalcore evaluate breast_cancer.csv --threshold 0.25"


def test_the_positive_class_can_be_switched_and_the_switch_undone(loaded: Opened) -> None:
    at = loaded("data", threshold="0.25")
    at.radio[0].set_value("benign").run()
    assert at.query_params["positive"] == "benign"
    assert "threshold" not in at.query_params
    assert "(chosen)" in words(at)
    undo = next(button for button in at.button if button.label == "Undo")
    undo.click().run()
    assert "positive" not in at.query_params
    assert at.radio[0].value == "malignant"
    assert not any(button.label == "Undo" for button in at.button)


def test_a_role_changed_by_hand_is_bound_again_and_written_to_the_address(loaded: Opened) -> None:
    at = loaded("data")
    box(at, "Score", 0).set_value("random_forest_score")
    use_these_columns(at)
    columns = [text.partition("=")[2] for text in at.query_params["score"]]
    assert columns == ["random_forest_score", "random_forest_score", "naive_bayes_score"]
    assert not at.error
    assert box(at, "Score", 0).value == "random_forest_score"


def test_a_column_can_be_none_of_the_roles(loaded: Opened) -> None:
    at = loaded("data")
    box(at, "Fold").set_value("")
    use_these_columns(at)
    assert at.query_params["fold"] == ""
    assert box(at, "Fold").value == ""


def test_columns_that_cannot_be_used_so_are_refused_and_all_stays(loaded: Opened) -> None:
    at = loaded("data")
    box(at, "Weight").set_value("truth")
    use_these_columns(at)
    assert len(at.error) == 1
    assert "weight" not in at.query_params
    assert "569 rows · 3 models" in words(at)


def test_a_file_whose_columns_say_nothing_asks_for_them(uploaded: Opened) -> None:
    content = b"alpha,beta\n" + b"".join(b"%d,0.%d\n" % (i % 2, i) for i in range(1, 9))
    at = uploaded("data", "mystery.csv", content)
    assert not at.exception
    if at.error:
        box(at, "What was true").set_value("alpha")
        box(at, "Score").set_value("beta")
        use_these_columns(at)
    assert not at.error
    assert "1 model" in words(at)


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "[x](javascript:alert(1))"])
def test_names_from_the_file_are_never_markup(uploaded: Opened, name: str) -> None:
    at = uploaded("data", f"{name}.csv", f'y,"{name}"\n1,0.9\n0,0.2\n1,0.7\n'.encode())
    assert not at.exception
    for element in [*at.markdown, *at.title, *at.subheader, *at.caption, *at.error]:
        assert name not in element.value
    for element in at.get("html"):
        assert "<img" not in element.value


def test_columns_without_a_role_are_named(uploaded: Opened) -> None:
    content = b"truth,rf_score,<b>\n" + b"".join(
        b"%d,0.%d,%d\n" % (i % 2, i, 9) for i in range(1, 9)
    )
    at = uploaded("data", "a.csv", content)
    assert any("Not used: &quot;&lt;b&gt;&quot;" in element.value for element in at.get("html"))


def test_the_call_of_a_file_with_a_question_names_the_option(uploaded: Opened) -> None:
    content = b"left,right,score\na,b,0.5\nb,b,0.25\na,a,0.1\n"
    at = uploaded("data", "a.csv", content)
    assert at.code[0].value == "python -m evalcore evaluate a.csv --truth COLUMN"
