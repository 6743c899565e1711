"""Which texts of an address are states of a lesson."""

import pytest
from hypothesis import given, strategies as some

from evalview.course.lessons import Lesson, Setting, is_state

LESSON = Lesson(
    "made", "Made", "Made?", 1, "How sure",
    settings=(
        Setting("share", (0.5,), 0.0, 1.0, 0.1),
        Setting("cells", (1.0, 2.0, 3.0, 4.0), 0.0, 1e15, is_square=True),
        Setting("points", (1.0, 2.0), 0.0, 9.0),
        Setting("shift", (0.0,), -4.0, 4.0, 0.1),
        Setting("way", ("one",), options=("one", "two")),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["share~1", "share~0.25~way~two", "cells~1_2_3_4_5_6_7_8_9", "cells~1e15_0_0_1", "points~3_4",
     "shift~-3.5",
     "shift~1e-7"],
)  # fmt: skip
def test_what_the_settings_allow_is_a_state(text: str) -> None:
    assert is_state(LESSON, text)


@pytest.mark.parametrize(
    "text",
    ["share~2", "share~-1", "share~nan", "share~1e999", "share~0x1", "share~0_1", "share~",
     "share", "other~1", "way~three", "share~1~share~0", "cells~1_-2_1_1", "cells~1__2_1",
     "cells~1_2_3", "cells~1", "points~1", "points~1_2_3",
     "<b>~1", "share~<b>", "cells~" + "1_" * 200 + "1", "cells~" + "0" * 2000, "share~٣"],
)  # fmt: skip
def test_anything_else_is_none(text: str) -> None:
    assert not is_state(LESSON, text)


@given(some.text())
def test_no_text_fails(text: str) -> None:
    assert isinstance(is_state(LESSON, text), bool)
    assert not is_state(LESSON, f"share~{text}~") or text == ""
