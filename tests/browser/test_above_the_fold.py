"""How much a reader meets above the fold of each page, at 1440 x 900.

Counted is every number in text, boxes and tables. Not counted is what a figure draws, its scale and
the cells of its picture, which is seen as one; and what only looks like a number: the digits in a
name (`kmeans_k3`, class “8”), and what is folded away or hidden until it is pointed at.

Three lessons are not counted, since the numbers above their fold are what is worked with: the ten
rows that draw the curve of ROC step by step, the two points of Distances feature by feature, and
the numbers of rows that Planning lets choose from. Nor is the glossary: its list holds a number for
every box that picks a row, which nobody sees.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.serving import first_of, settle

SHOWN = (Path(__file__).parent / "shown.js").read_text(encoding="utf-8")
CANCER, DIABETES = "?data=sample-breast-cancer", "?data=sample-diabetes"
DIGITS, IRIS = "?data=sample-digits", "?data=sample-iris"
SUBSCRIBERS = "?data=sample-subscribers"

MOST = 25
NUMBER = r"(?<!\w)\d+(?:[.,]\d+)*"


def shown(page: Page) -> str:
    """Return what stands above the fold."""
    said: str = page.evaluate(SHOWN)
    return said


def numbers(text: str) -> list[str]:
    """Return the numbers in a text; one in quotation marks is a name."""
    return re.findall(NUMBER, re.sub(r"“[^”]*”", "“”", text))


def at_the_fold(page: Page, address: str) -> str:
    """Open a page; return what stands above the fold once it is complete."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(address)
    settle(page)
    page.locator(":is(h1, h2):visible").first.wait_for()
    return shown(page)


@pytest.mark.parametrize(
    "path",
    first_of(
        [
            f"thresholds{CANCER}&costs=0,1,10,0",
            f"leaderboard{CANCER}",
            f"thresholds{CANCER}",
            f"thresholds{DIGITS}",
            f"leaderboard{DIABETES}",
            f"costs{CANCER}",
            f"costs{CANCER}&costs=0,1,10,0",
            f"errors{DIABETES}",
            f"calibration{CANCER}",
            f"comparison{CANCER}",
            f"cross_validation{CANCER}",
            "cross_validation?data=sample-folds",
            f"data{CANCER}",
            f"silhouettes{IRIS}",
            f"clusterings{IRIS}",
            f"grouping{IRIS}",
            f"agreement{IRIS}",
            f"calibration{DIGITS}",
            f"slices{SUBSCRIBERS}",
            "",
            f"confusion{CANCER}",
            f"confusion{DIGITS}",
            f"rows{CANCER}",
            f"rows{DIGITS}",
            f"rows{DIABETES}",
            f"rows{SUBSCRIBERS}",
        ]
    ),
)
def test_a_page_meets_its_reader_with_few_numbers(page: Page, server: str, path: str) -> None:
    found = numbers(at_the_fold(page, f"{server}/{path}"))
    assert len(found) <= MOST, found


@pytest.mark.parametrize("sample", first_of(["breast-cancer", "digits", "diabetes", "iris"]))
def test_the_summary_is_short(page: Page, server: str, sample: str) -> None:
    said = at_the_fold(page, f"{server}/overview?data=sample-{sample}")
    assert len(numbers(said)) <= MOST
    assert 30 <= len(re.findall(r"[^\W\d_][\w-]*", said)) <= 120
