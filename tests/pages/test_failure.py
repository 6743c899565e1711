"""No traceback and no inner word of an error ever reaches a reader."""

import logging
import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import words


def test_a_surprise_is_a_card_whose_number_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def script() -> None:
        from pages.widgets.guard import show_failure

        assert show_failure(ValueError("secret of row 7"))

    with caplog.at_level(logging.ERROR, logger="evalboard"):
        at = AppTest.from_function(script).run(timeout=60)
    shown = words(at)
    number = re.search(r"\*\*([0-9a-f]{8})\*\*", shown)
    assert number is not None
    assert number[1] in caplog.text
    assert "secret of row 7" in caplog.text
    assert "secret" not in shown
    assert not at.exception


def test_a_refusal_is_its_sentence_with_the_rows() -> None:
    def script() -> None:
        from evalcore.errors import EvalError
        from pages.widgets.guard import refusals_told

        with refusals_told():
            raise EvalError("bad", "[Odd](x) cells.", rows=range(1, 20))

    error = AppTest.from_function(script).run(timeout=60).error[0].value
    assert "[Odd]" not in error
    assert "Rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more." in error


def test_rows_that_the_sentence_names_are_not_named_again() -> None:
    def script() -> None:
        from evalcore.errors import EvalError
        from pages.widgets.guard import show_refusal

        show_refusal(EvalError("bad", "Row 5 is odd.", rows=[5]))

    assert AppTest.from_function(script).run(timeout=60).error[0].value.count("5") == 1
