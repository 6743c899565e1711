"""The tab of rows: which come first, what is shown of them, and the notes that readers type."""

from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evalread import loading
from evalview import sharing
from pages.session import current, store
from pages.widgets import rows as widget
from tests.pages.conftest import Opened, html, words
from tests.pages.hostile import HOSTILE

FILE = b"truth,m_score,photo\nno,0.1,a.png\nyes,0.05,https://x.example/b.png\nno,0.6,c\nyes,0.9,\n"


def table(at: AppTest) -> pd.DataFrame:
    return next(frame.value for frame in at.dataframe if "note" in frame.value)


def test_the_surest_mistake_comes_first(uploaded: Opened) -> None:
    at = uploaded("rows", "f.csv", FILE)
    assert not at.exception
    assert table(at)["row"].tolist() == [2, 3, 1, 4]
    assert table(at)["log loss"].tolist() == pytest.approx(
        (-np.log([0.05, 0.4, 0.9, 0.9])).tolist()
    )
    assert table(at)["called"].tolist() == ["no", "yes", "no", "yes"]
    assert "The rows that m gets most wrong" in html(at)
    assert "4 rows: the largest log loss first." in html(at)


def test_five_rows_and_few_columns_are_shown_until_all_are_asked_for(uploaded: Opened) -> None:
    head = "truth,a_label,a_score,b_score,age,band,place,remark"
    lines = [f"no,no,0.{n},0.5,{n},1-{n},p{n},see {n}" for n in range(1, 8)]
    content = "\n".join([head, *lines]).encode()
    at = uploaded("rows", "f.csv", content)
    assert table(at)["row"].tolist() == [7, 6, 5, 4, 3]
    first = ["row", "log loss", "called", "truth", "a_score", "remark", "note", "tag"]
    assert table(at).columns.tolist() == first
    assert (
        table(uploaded("rows", "f.csv", content, **{"rows-by": "disagreement"}))
        .columns.isin(["a_score", "b_score"])
        .sum()
        == 2
    )
    whole = table(uploaded("rows", "f.csv", content, **{"all-rows": "true"}))
    assert whole["row"].tolist() == [7, 6, 5, 4, 3, 2, 1]
    assert set(head.split(",")) < set(whole)
    assert not uploaded("rows", "f.csv", b"truth,m_label\nno,yes\n").toggle


def test_links_and_pictures_are_text_and_the_page_says_so(uploaded: Opened) -> None:
    at = uploaded("rows", "f.csv", FILE)
    assert table(at)["photo"].tolist()[0] == "https://x.example/b.png"
    assert "nothing is loaded" in words(at)
    columns = next(f for f in at.dataframe if "note" in f.value).proto.columns
    assert "link" not in columns
    assert "image" not in columns


def test_a_cell_and_mistakes_narrow_the_list_down(uploaded: Opened) -> None:
    token = store.keep([("f.csv", FILE)])
    for address, rows in (
        ({"row-truth": "yes"}, [2, 4]),
        ({"row-truth": "yes", "row-called": "no"}, [2]),
        ({"which": "wrong"}, [2, 3]),
        ({"rows-by": "file"}, [1, 2, 3, 4]),
        ({"rows-by": "confidence"}, [3, 1, 4, 2]),
        ({"selected": ["model=m", "column:photo=c"]}, [3]),
    ):
        at = _open(token, **address)
        assert table(at)["row"].tolist() == rows, address
    assert "There are no such rows." in words(_open(token, which="noted"))


def _open(token: str, **address: Any) -> AppTest:
    from tests.pages.conftest import open_page

    return open_page("rows", data=token, **address)


def typed(monkeypatch: pytest.MonkeyPatch, edited: dict[int, dict[str, str]]) -> None:
    """Run what a table runs when cells were typed in."""
    monkeypatch.setitem(st.session_state, "editor", {"edited_rows": edited})
    widget._take("editor", "|4", (2, 3, 1, 4), note="note", tag="tag")


def test_what_is_typed_is_kept_with_the_data_and_survives_a_new_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    token = store.keep([("f.csv", FILE)])
    monkeypatch.setattr(current, "view", lambda: sharing.View(data=token))
    typed(monkeypatch, {0: {"note": " wrong label? "}, 3: {"tag": "ok"}})
    typed(monkeypatch, {0: {"note": "wrong label?", "tag": "x"}})
    monkeypatch.undo()
    at = _open(token)  # another session, by the address alone
    assert table(at)["note"].tolist() == ["wrong label?", "", "", ""]
    assert table(at)["tag"].tolist() == ["x", "", "", "ok"]
    noted = _open(token, which="noted")
    assert table(noted)["row"].tolist() == [2, 4]
    current.close(token)
    assert store.notes(token) == {}


def test_a_note_of_another_reader_is_not_overwritten_by_an_older_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    token = store.keep([("f.csv", FILE)])
    monkeypatch.setattr(current, "view", lambda: sharing.View(data=token))
    monkeypatch.setitem(st.session_state, "editor-taken", {})
    typed(monkeypatch, {0: {"note": "mine"}})
    store.note(token, "|4", 2, store.Note("theirs"))
    typed(monkeypatch, {0: {"note": "mine"}, 1: {"note": "next"}})
    assert store.notes(token)[("|4", 2)].note == "theirs"
    assert store.notes(token)[("|4", 3)].note == "next"


def test_notes_are_exported_as_text_that_no_spreadsheet_runs(
    uploaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = store.keep([("f.csv", FILE)])
    store.note(token, "|4", 2, store.Note("=1+1", "@x"))
    made: list[bytes] = []
    monkeypatch.setattr(
        st, "download_button", lambda *label, data, **how: made.append(data()) or False
    )
    _open(token)
    cells = pd.read_csv(BytesIO(made[0]), dtype=str)
    assert cells["note"].tolist()[0] == "'=1+1"
    assert cells["tag"].tolist()[0] == "'@x"
    assert cells["row"].tolist() == ["2", "3", "1", "4"]
    assert cells["log loss"].tolist()[0].startswith("2.99")


def test_notes_have_bounds_and_those_on_a_sample_are_of_one_session() -> None:
    token = store.keep([("f.csv", FILE)])
    assert store.note(token, "|4", 1, store.Note("x" * 9999, "y" * 99))
    assert store.notes(token)[("|4", 1)] == ("x" * store.LONGEST_NOTE, "y" * store.LONGEST_TAG)
    store.note(token, "|4", 1, store.Note())
    assert store.notes(token) == {}
    sample = store.SAMPLE_PREFIX + "breast-cancer"
    store.note(sample, "|569", 1, store.Note("mine"))
    assert sample not in store._noted()
    st.session_state.clear()
    assert store.notes(sample) == {}


def test_notes_go_with_the_files_that_they_are_about() -> None:
    token = store.keep([("f.csv", FILE)])
    store.note(token, "|4", 1, store.Note("x"))
    store.forget_notes()
    assert store.notes(token)
    store._uploads().remove(lambda key: key == token)
    store.forget_notes()
    assert token not in store._noted()


def test_rows_with_a_note_are_listed_while_another_reader_writes_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    token = store.keep([("f.csv", FILE)])
    store.note(token, "|4", 1, store.Note("x"))
    monkeypatch.setattr(current, "view", lambda: sharing.View(data=token))

    class Interrupted(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            store.note(token, "|4", 2, store.Note("theirs"))
            return str.__eq__(self, other)

    monkeypatch.setattr(widget, "_reading", lambda dataset: Interrupted("|4"))
    assert widget.noted(loading.load([("f.csv", FILE)])).tolist() == [1]


def test_doubtful_labels_stand_beside_how_many_of_them_are_wrong(uploaded: Opened) -> None:
    rng = np.random.default_rng(0)
    score = rng.beta(0.3, 0.3, 2000)
    truth = (rng.random(2000) < score) ^ (rng.random(2000) < 0.1)
    lines = [f"{'yes' if t else 'no'},{s!r}" for t, s in zip(truth, score.tolist(), strict=True)]
    at = uploaded(
        "rows",
        "f.csv",
        "\n".join(["truth,m_score", *lines]).encode(),
        **{"rows-by": "label-errors"},
    )
    said = html(at)
    assert "doubtful labels are wrong (" in said
    assert "chance alone would list about" in said
    assert "did not train on the row" in words(at)
    assert {"rather", "called"} <= set(table(at))


@pytest.mark.parametrize(
    "content",
    [
        b"truth,a_label\nyes,yes\n",
        b"truth,m_score\nyes,0.7\n",
        b"actual,predicted\n1.5,2.5\n",
        b"row,note,tag,truth,a_label\n5,x,y,yes,no\n6,x,z,no,no\n",
        b"truth,a_label,log loss\nyes,yes,1\nno,yes,2\n",
    ],
)
def test_little_data_and_names_that_are_taken_give_a_page(uploaded: Opened, content: bytes) -> None:
    at = uploaded("rows", "f.csv", content)
    assert not at.exception
    assert len(at.dataframe) == 1


def test_hostile_cells_and_names_stay_text(uploaded: Opened) -> None:
    names = ",".join(f'"{one}"' for one in HOSTILE)
    cells = ",".join(f'"{one}"' for one in reversed(HOSTILE))
    content = f"truth,m_label,{names}\nyes,no,{cells}\nno,no,{cells}\n".encode()
    at = uploaded("rows", "f.csv", content)
    assert not at.exception
    assert "<script" not in html(at)


def test_a_thousand_classes_have_rows(uploaded: Opened) -> None:
    rng = np.random.default_rng(0)
    truth = rng.permutation(np.arange(3600) % 1200)
    said = np.where(rng.random(3600) < 0.7, truth, rng.integers(0, 1200, 3600))
    lines = [f"class {a},class {b}" for a, b in zip(truth, said, strict=True)]
    at = uploaded("rows", "f.csv", "\n".join(["truth,m_label", *lines]).encode(), which="wrong")
    assert not at.exception
    assert f"{(truth != said).sum():,} rows" in html(at)


def test_items_that_were_right_or_wrong_have_rows(uploaded: Opened) -> None:
    at = uploaded("rows", "f.csv", b"item,a,b\n1,1,0\n2,0,0\n3,1,1\n", correct=["a=a", "b=b"])
    assert not at.exception
    assert table(at)["row"].tolist()[0] == 2
