"""Files of three tools, dropped one after another: each is right on the first look."""

import re

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

CARET = b"""\
"","pred","obs","rowIndex","No","Yes","mtry","Resample"
"1","No","No",1,0.8,0.2,2,"Fold1"
"2","Yes","Yes",2,0.3,0.7,2,"Fold2"
"3","No","No",1,0.6,0.4,4,"Fold1"
"4","No","Yes",2,0.65,0.35,4,"Fold2"
"""

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


def test_files_of_three_tools_are_right_on_the_first_look(page: Page, server: str) -> None:
    page.goto(server)
    settle(page)
    # 0.7 of the second "no" is above one "yes" of three: 5 of 6 pairs are in order.
    drop(page, weka=WEKA)
    assert "5 rows · 1 model" in main(page)
    assert "0.833" in main(page)
    assert "positive: yes" in main(page)
    # Each tuning setting is a model; the second ranks its "Yes" below its "No".
    drop(page, caret=CARET)
    assert "2 models" in main(page)
    for name in ("mtry=2", "mtry=4"):
        assert name in main(page)
    # Three of four animals are called right.
    drop(page, h2o=H2O, truth=ANIMALS)
    assert "4 rows · 1 model" in main(page)
    assert re.search(r"0\.75\b|75(\.0)?%|3 of 4", main(page))
    assert "Traceback" not in main(page)
