import csv
import io

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evalcore.comparison.results import Standing
from evalcore.metrics.catalog import by_key
from evalread.loading import load
from evalview.escape import spreadsheet
from pages.widgets.rows import frame
from pages.widgets.tables import _picked, show as show_table

DATA = load([("f.csv", b"row,truth,m_score,note\n9,no,0.5,=1+1\n8,yes,1e-05,a\n7,yes,0.25,\n")])


def test_the_rows_of_a_file_are_numbered_beside_a_column_of_that_name():
    cells = frame(DATA.table, np.array([3, 1]), ["truth", "row"])
    assert cells.columns.tolist() == ["row of the file", "truth", "row"]
    assert cells.values.tolist() == [[3, "yes", "7"], [1, "no", "9"]]


def test_a_download_keeps_the_cells_as_they_stand_but_for_formulas():
    cells = frame(DATA.table, np.array([1, 2, 3]), list(DATA.table.names))
    text = spreadsheet(cells).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[1:] == [
        ["1", "9", "no", "0.5", "'=1+1"],
        ["2", "8", "yes", "1e-05", "a"],
        ["3", "7", "yes", "0.25", ""],
    ]


def show(rows, keys, ranked):
    """Draw a table in an app of its own."""

    def script(rows, keys, ranked):
        from evalcore.metrics.catalog import by_key
        from pages.widgets.tables import metric_table, ranked_table

        metrics = [by_key()[key] for key in keys]
        if ranked is not None:
            ranked_table(rows, metrics, of="Model", key="t", places=ranked)
        else:
            metric_table(rows, metrics, of="Class", key="t", counts={"a": 4.0, "b": 2.5})

    at = AppTest.from_function(script, args=(rows, keys, ranked), default_timeout=30).run()
    assert not at.exception
    return at


def estimates(value, room=0.01, key="recall"):
    from evalcore.metrics.metric import Estimate

    return {key: Estimate(value, value - room, value + room, "wilson", 0.95)}


def test_a_table_holds_numbers_that_sort_as_numbers_and_show_their_intervals():
    rows = {"a": estimates(0.9), "b": estimates(0.5)}
    at = show(rows, ["recall"], ranked={"recall": {"a": Standing.BEST, "b": Standing.BEHIND}})
    element = at.dataframe[0]
    assert element.value["recall"].tolist() == [0.9, 0.5]
    shown = element.proto.arrow_data.styler.display_values
    assert "● 0.900 (0.890 – 0.910)".encode() in shown
    assert "0.500 (0.490 – 0.510)".encode() in shown
    assert "● 0.500".encode() not in shown


def test_models_that_no_test_tells_apart_are_marked_as_level():
    level = {"recall": {"a": Standing.LEVEL, "b": Standing.LEVEL, "c": Standing.BEHIND}}
    rows = {"a": estimates(0.9, 0.1), "b": estimates(0.85, 0.1), "c": estimates(0.8, 0.1)}
    at = show(rows, ["recall"], ranked=level)
    shown = at.dataframe[0].proto.arrow_data.styler.display_values
    assert "●".encode() not in shown
    assert shown.count("○".encode()) == 2
    assert "too close to the best to call" in at.caption[0].value
    assert "better than every other" not in at.caption[0].value


@pytest.mark.parametrize("rows", [["a"], ["a", "b"]], ids=["one model", "no test"])
def test_without_a_test_nothing_is_marked(rows):
    at = show({name: estimates(0.9) for name in rows}, ["recall"], ranked={})
    shown = at.dataframe[0].proto.arrow_data.styler.display_values
    assert "●".encode() not in shown
    assert "○".encode() not in shown
    assert "best" not in at.caption[0].value


def test_a_number_that_is_clicked_is_known_by_its_row_and_metric():
    metrics = [by_key()["recall"], by_key()["f1"]]
    assert _picked([(1, "f1")], ["a", "b"], metrics, "of") == ("b", by_key()["f1"], "of")
    assert _picked([(0, "rows")], ["a", "b"], metrics, "of") is None
    assert _picked([], ["a", "b"], metrics, "of") is None


@pytest.mark.parametrize("missing", [{}, estimates(float("nan"))])
def test_what_is_undefined_is_empty_and_shown_as_undefined(missing):
    at = show({"a": estimates(0.9), "b": missing}, ["recall"], ranked={})
    assert np.isnan(at.dataframe[0].value["recall"][1])
    assert at.dataframe[0].proto.placeholder == "undefined"


def test_classes_have_their_rows_beside_them():
    at = show({"a": estimates(0.9), "b": estimates(0.8)}, ["recall"], ranked=None)
    assert at.dataframe[0].value["rows"].tolist() == [4, 2.5]


def test_names_of_the_data_are_shown_with_their_control_characters():
    at = show({"a\n<b>": estimates(0.9), "c": estimates(0.5)}, ["recall"], ranked={})
    assert at.dataframe[0].value["Model"].tolist() == ["a␊<b>", "c"]


def test_a_table_is_as_high_as_its_rows_but_of_many_shows_only_some(monkeypatch):
    """A thousand rows drawn at once took a browser seconds."""
    asked = []
    monkeypatch.setattr(st, "dataframe", lambda table, **options: asked.append(options))
    for rows in (1, 10, 11, 1000):
        show_table(pd.DataFrame({"a": range(rows)}), alt="numbers")
    assert [options.get("height") for options in asked] == [69, 366, None, None]
