"""Every page with a file of counts: it shows what the rows would, or says that it needs them."""

from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalread.counts.files import as_bytes
from evalread.counts.making import counts_of
from evalread.loading import load
from pages.contents import CONTENTS, LESSONS
from pages.widgets.rows import NO_ROWS
from tests.pages.conftest import words

Opened = Callable[..., AppTest]
SAMPLES = Path("assets/samples")


def sample(name: str, most: int = 1_000_000, by: tuple[str, ...] = ()) -> bytes:
    data = load([(name, (SAMPLES / name).read_bytes())])
    return as_bytes(counts_of(data, by, most=most))


def of(text: str, by: tuple[str, ...] = ()) -> bytes:
    return as_bytes(counts_of(load([("rows.csv", text.encode())]), by), "csv")


LABELS = "truth,label,region\n" + "".join(
    f"{k % 2},{k % 3 // 2},{'north' if k % 5 else 'south'}\n" for k in range(300)
)
ITEMS = "item,model,correct\n" + "".join(
    f"{k // 6},{'ab'[k % 2]},{(k * k + k // 5) % 3 % 2}\n" for k in range(360)
)
CLASSES = "truth,forest: a,forest: b,forest: c,tree: label,fold\n" + "".join(
    f"{'abc'[k % 3]},{0.2 + k % 7 / 10},{0.5 - k % 5 / 10},{0.3 - k % 7 / 10 + k % 5 / 10:.1f},"
    f"{'abc'[k * k % 5 % 3]},{k % 4}\n"
    for k in range(200)
)
FILES = {
    "scores and folds": sample("breast_cancer.csv"),
    "scores in pairs": sample("breast_cancer.csv", 568),
    "labels": of(LABELS, ("region",)),
    "classes": of(CLASSES),
    "numbers": sample("diabetes.csv"),
    "numbers in pairs": sample("diabetes.csv", 400),
    "clusterings": sample("iris.csv"),
    "right or wrong": of(ITEMS),
}


ADDRESSES = [entry.name for entry in CONTENTS if entry.section != LESSONS]


# Counts in pairs differ from others on the pages that compare models.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name.endswith("in pairs") else ())
        for name in FILES
    ],
)
def test_every_page_opens_with_counts(name: str, uploaded: Opened) -> None:
    for page in ADDRESSES:
        at = uploaded(page, "counts.parquet", FILES[name])
        assert not at.exception, (page, at.exception)


def shown(at: AppTest) -> str:
    return unescape(words(at))


def test_lists_of_rows_say_that_counts_have_none(uploaded: Opened) -> None:
    data = FILES["scores and folds"]
    assert "a file of counts has none" in shown(uploaded("rows", "c.parquet", data))
    at = uploaded("comparison", "c.parquet", data, disagree="true")
    assert NO_ROWS in shown(at)
    for name, page in (("labels", "confusion"), ("numbers", "errors")):
        at = uploaded(page, "c.parquet", FILES[name], pick="a~0~0")
        assert not at.exception
    assert NO_ROWS in shown(uploaded("errors", "c.parquet", FILES["numbers"]))


def test_the_data_page_tells_cells_from_rows(uploaded: Opened) -> None:
    said = shown(uploaded("data", "c.csv", FILES["labels"]))
    assert "8 cells standing for 300 rows: 1 model, judged against" in said
    assert "This file holds counts: 8 cells for 300 rows" in said


@pytest.mark.parametrize("page", ["overview", "comparison"])
def test_pages_of_counts_show_the_numbers_of_the_rows(
    page: str, uploaded: Opened, loaded: Opened
) -> None:
    of_rows = loaded(page, sample="breast_cancer")
    of_counts = uploaded(page, "c.parquet", FILES["scores and folds"])
    values = [[one.value for one in at.metric] for at in (of_rows, of_counts)]
    assert values[0] == values[1]
    titles = [[one.value for one in at.subheader] for at in (of_rows, of_counts)]
    assert titles[0] == titles[1]


def test_models_in_pairs_are_compared_on_the_same_rows(uploaded: Opened) -> None:
    at = uploaded("comparison", "c.parquet", FILES["scores in pairs"])
    assert "The test: DeLong" in shown(at)
    assert "each is judged on its own rows" not in shown(at)
    assert "tests between two come from the counts of both" in shown(at)
