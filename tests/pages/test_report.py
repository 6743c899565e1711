"""The page Report: sections, words and the file to take away."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Opened


def preview(at: AppTest) -> str:
    (code,) = at.code
    return str(code.value)


@pytest.mark.parametrize("sample", ["breast-cancer", "folds"])
def test_a_report_is_ready_for_every_kind_of_data(sample: str, loaded: Opened) -> None:
    at = loaded("report", sample=sample, format="markdown")
    assert not at.exception
    assert preview(at).startswith("# Evaluation of")


def test_sections_title_and_notes_are_chosen_and_stand_in_the_address(loaded: Opened) -> None:
    at = loaded("report", sample="iris", format="markdown", parts="data", title="Flowers")
    shown = preview(at)
    assert shown.startswith("# Flowers")
    assert "## Data and settings" in shown
    assert "## Summary" not in shown
    at.text_area(key="notes").set_value("Seen by *nobody*.").run()
    assert "Seen by \\*nobody\\*." in preview(at)
    assert at.query_params["parts"] in ("data", ["data"])


def test_the_report_decides_by_the_threshold_that_is_looked_at(loaded: Opened) -> None:
    at = loaded("report", sample="breast-cancer", format="markdown", threshold="0.3")
    assert "| 0.3 |" in preview(at)
