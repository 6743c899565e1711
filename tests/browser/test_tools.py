"""Files of three tools, dropped one after another: each is right on the first look."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import settle

# The probability of the predicted class: of "yes" it is 0.9, 0.8, 0.35, 0.1 and 0.7.
WEKA = b"""\
inst#,actual,predicted,error,prediction
1,2:yes,2:yes,,0.9
2,2:yes,2:yes,,0.8
3,2:yes,1:no,+,0.65
4,1:no,1:no,,0.9
5,1:no,2:yes,+,0.7
"""


def caret(rows: int = 40) -> bytes:
    """Return what caret saves of two tuning settings: the first ranks all pairs right."""
    lines = ['"","pred","obs","rowIndex","No","Yes","mtry","Resample"']
    for mtry in (2, 4):
        for row in range(rows):
            truth = ("No", "Yes")[row % 2]
            # The second setting takes every fourth row for the other class.
            right = mtry == 2 or row % 4 > 0
            yes = (0.8 if (truth == "Yes") == right else 0.2) + row / 1000
            said = "Yes" if yes > 0.5 else "No"
            cells = f'"{said}","{truth}",{row},{1 - yes:.3f},{yes:.3f},{mtry},"Fold{row % 5}"'
            lines.append(f'"{len(lines)}",{cells}')
    return "\n".join(lines).encode() + b"\n"


H2O = b"predict,cat,cow,dog\ncat,0.8,0.1,0.1\ndog,0.2,0.1,0.7\ndog,0.1,0.3,0.6\ncow,0,0.9,0.1\n"
ANIMALS = b"animal\ncat\ndog\ncow\ncow\n"


def drop(page: Page, **files: bytes) -> None:
    """Go to the first page by its link, and drop files there."""
    page.get_by_role("link", name="Open a file").click()
    settle(page)
    page.locator('input[type="file"]').set_input_files(
        [
            {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": content}
            for name, content in files.items()
        ]
    )
    expect(page.locator(".eb-bar")).to_contain_text(next(iter(files)))
    page.wait_for_url("**/overview?**")
    settle(page)


def main(page: Page) -> str:
    return re.sub(r"\s+", " ", page.locator('[data-testid="stMain"]').inner_text())


@pytest.mark.slow
def test_files_of_three_tools_are_right_on_the_first_look(page: Page, server: str) -> None:
    page.goto(server)
    settle(page)
    # 0.7 of the second "no" is above one "yes" of three: 5 of 6 pairs are in order.
    drop(page, weka=WEKA)
    assert "5 rows · 1 model" in main(page)
    assert "pairs ranked right" in main(page)
    assert " 83 " in main(page)
    assert "looking for: class “yes”" in main(page)
    # Each tuning setting is a model, and the first leads.
    drop(page, caret=caret())
    assert "40 rows · 2 models" in main(page)
    assert re.search("mtry.2 is \\w+ better", page.locator(".eb-headline").inner_text())
    # Three of four animals are called right.
    drop(page, h2o=H2O, truth=ANIMALS)
    assert "4 rows · 1 model" in main(page)
    assert re.search(r"right on 75 of 100|1 \(.*\) of 4 rows", main(page))
    assert "Traceback" not in main(page)
