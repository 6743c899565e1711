"""The page Report: sections, words and the file to take away."""

import re
from base64 import b64decode

import pytest
from streamlit.testing.v1 import AppTest

from dev import ROOT
from evalboard.cli import main
from evalview.report import material
from tests.evalview.report import made
from tests.pages.conftest import Opened, words


def preview(at: AppTest) -> str:
    (code,) = at.code
    return str(code.value)


SAMPLES = ("breast_cancer", "digits", "diabetes", "iris", "folds", "subscribers")


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_report_is_that_of_the_command(
    sample: str, loaded: Opened, capsys: pytest.CaptureFixture[str]
) -> None:
    at = loaded("report", sample=sample.replace("_", "-"), format="markdown")
    assert not at.exception
    file = str(ROOT / "assets" / "samples" / f"{sample}.csv")
    assert main(["report", file, "-o", "-", "--format", "markdown"]) == 0
    assert preview(at).strip() == capsys.readouterr().out.strip()


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


def test_the_report_has_the_costs_in_use_and_says_what_the_page_says_of_them(
    loaded: Opened,
) -> None:
    said = {"costs": "0,1,10,0", "prevalence": "5", "volume": "400", "shown": "random forest"}
    sample = {"sample": "breast_cancer", **said}
    where = "is cheapest where a miss costs 10 times a false alarm, and 5.0% are malignant."
    before = words(loaded("thresholds", **sample))
    found = re.search(r"Threshold 0\.5 is in use; for random forest, (0\.\d+) is cheapest", before)
    assert found
    best = found.group(1)
    why = f"For random forest, the threshold in use, {best}, {where}"
    assert why in words(loaded("thresholds", **sample, threshold=best))
    shown = loaded("report", **sample, threshold=best)
    assert why in preview(loaded("report", **sample, threshold=best, format="markdown"))
    page = b64decode(shown.get("iframe")[0].proto.src.partition(",")[2]).decode()
    for told in ('"fn":10.0', '"share":0.05', '"volume":400'):
        assert told in page


def test_slices_are_of_the_columns_picked_or_the_weak_ones_of_all(uploaded: Opened) -> None:
    file = ("sliced.csv", made.csv(made.sliced(600)))
    at = uploaded("report", *file, format="markdown", parts="slices")
    assert "found on one half of the rows" in preview(at).lower()
    at.multiselect(key="by").set_value(["region"]).run()
    assert not at.exception
    assert "every slice of the chosen columns" in preview(at).lower()
    assert preview(at).count("| region = ") == 3


def test_weak_slices_are_in_the_report_where_they_are_found_at_once(
    uploaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ("sliced.csv", made.csv(made.sliced(600)))
    at = uploaded("report", *file, format="markdown")
    assert "slices" in at.multiselect(key="parts").value
    assert "## Slices" in preview(at)
    assert "parts" not in at.query_params
    monkeypatch.setattr(material, "MOST_CELLS", 10)
    at = uploaded("report", *file, format="markdown")
    assert "slices" not in at.multiselect(key="parts").value
    assert "## Slices" not in preview(at)
    assert "Add Slices to see the groups" in words(at)


def test_the_preview_names_the_sections_to_scroll_to(loaded: Opened) -> None:
    at = loaded("report", sample="iris")
    (told,) = [one.value for one in at.caption if one.value.startswith("Preview")]
    assert told.endswith("and Data and settings.")


def test_a_note_beside_a_section_stands_in_the_address_and_in_the_report(loaded: Opened) -> None:
    parts = {"parts": ["summary", "data"], "note-data": "Made *by hand*."}
    at = loaded("report", sample="iris", format="markdown", **parts)
    assert "## Data and settings\n\nMade \\*by hand\\*." in preview(at)
    at.text_area(key="note-summary").set_value("Twice").run()
    assert "## Summary\n\nTwice" in preview(at)


def test_a_view_is_shared_or_its_report_downloaded(loaded: Opened) -> None:
    at = loaded("thresholds", sample="breast-cancer")
    at.button(key="share").click().run()
    assert not at.exception
    (button,) = at.get("download_button")
    assert button.label == "Download the report instead"
