import pandas as pd
import pytest

from pages.figures import palette
from pages.widgets import columns
from tests.figures.test_theme import contrast

DRAWN = 0.6
"""Streamlit draws pinned cells at this opacity."""


@pytest.mark.parametrize("look", [palette.LIGHT, palette.DARK], ids=lambda look: look.name)
def test_pinned_names_can_be_read(look: palette.Look) -> None:
    seen = palette.tint(columns.INK[look.name], look.background, DRAWN)
    assert contrast(seen, look.background) >= 4.5


def test_pinned_names_leave_half_a_phone_to_the_numbers() -> None:
    column = columns.names(pd.Series(["x" * 3000], name="model"))
    assert column["pinned"]
    assert column["width"] == columns.HALF <= 390 / 2
