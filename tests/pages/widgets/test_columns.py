import pandas as pd
import pytest

from evalview.figures import theme
from pages.widgets import tables
from tests.evalview.figures.test_theme import contrast

DRAWN = 0.6
"""Streamlit draws pinned cells at this opacity."""


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=lambda look: look.name)
def test_pinned_names_can_be_read(look: theme.Look) -> None:
    seen = theme.tint(tables.INK[look.name], look.background, DRAWN)
    assert contrast(seen, look.background) >= 4.5


def test_pinned_names_leave_half_a_phone_to_the_numbers() -> None:
    column = tables.names(pd.Series(["x" * 3000], name="model"))
    assert column["pinned"]
    assert column["width"] == tables.HALF <= 390 / 2
