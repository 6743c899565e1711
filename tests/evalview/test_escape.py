import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from streamlit.testing.v1 import AppTest

from evalview import escape
from evalview.text import abbreviate
from tests.pages.hostile import HIDDEN, HOSTILE


@pytest.mark.parametrize(("text", "shown"), HIDDEN.items())
def test_characters_that_nobody_sees_are_shown_everywhere(text, shown):
    assert escape.visible(text) == shown
    for escaped in (escape.markdown(text), escape.plotly(text), escape.html(text)):
        assert not set(text[1]) & set(escaped)


@pytest.mark.parametrize("text", ["می‌خواهم", "👩‍🚀", "naïve", "クラス", "1"])
def test_writing_of_every_script_stays_as_it_is(text):
    assert escape.visible(text) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_every_punctuation_mark_of_markdown_is_escaped(text):
    escaped = escape.markdown(text)
    rest = re.sub(r"\\[!-/:-@\[-`{-~]", "", escaped)
    assert not re.search(r"[!-/:-@\[-`{-~]", rest)
    assert not escaped.startswith(" ")


def test_a_browser_shows_what_the_label_says():
    """What Markdown and its late changes leave is checked in tests/browser/test_escape.py."""
    assert escape.markdown("a -> b") == "a \\-\u2060\\>\u2060 b"
    assert escape.markdown("www.x.org") == "www\u2060\\.x\\.org"


@pytest.mark.parametrize("text", HOSTILE)
def test_plotly_finds_no_tag_template_or_formula(text):
    escaped = escape.plotly(text)
    assert not set("<>$") & set(escaped)
    assert "%{" not in escaped
    assert "&" not in re.sub(r"&(amp|lt|gt|#36|#37);", "", escaped)


@pytest.mark.parametrize("text", HOSTILE)
def test_html_holds_no_tag_and_leaves_no_attribute(text):
    assert not set("<>\"'") & set(escape.html(text))


@given(st.text())
def test_html_is_read_back_as_the_visible_text(text):
    import html

    read = html.unescape(escape.html(text))
    assert read.replace("\N{LEFT-TO-RIGHT MARK}", "") == escape.visible(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_escaped_text_passes_through_streamlit_unchanged(text):
    def script(markdown, html):
        import streamlit as st

        st.markdown(markdown)
        st.html(f"<p>{html}</p>")

    at = AppTest.from_function(script, args=(escape.markdown(text), escape.html(text))).run(
        timeout=60
    )
    assert not at.exception
    assert at.markdown[0].value == escape.markdown(text).strip()


FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "＝1",
    "－1",
    "=HYPERLINK(1)",
]


@pytest.mark.parametrize("cell", FORMULAS)
def test_no_cell_of_a_spreadsheet_starts_a_formula(cell):
    written = escape.spreadsheet(pd.DataFrame({cell: [cell]}))
    header, row = csv.reader(io.StringIO(written.decode("utf-8-sig"), newline=""))
    assert header == ["'" + cell]
    assert row == ["'" + cell]


@pytest.mark.parametrize("cell", ["-0.5", "+3", "1e-5", "-1E+9", ".5", "a=b", "x-y", ""])
def test_plain_numbers_and_text_stay_as_they_are(cell):
    written = escape.spreadsheet(pd.DataFrame({"a": [cell, "z"]})).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(written)))[1] in ([cell], [])


def test_numbers_are_written_as_numbers_and_rows_in_order():
    frame = pd.DataFrame({"row": np.array([2, 1]), "score": [-0.5, 1e-9], "text": ['é,"', "=x"]})
    written = escape.spreadsheet(frame).decode("utf-8-sig")
    assert written == 'row,score,text\r\n2,-0.5,"é,"""\r\n1,1e-09,\'=x\r\n'


def test_columns_of_the_same_name_are_both_written():
    frame = pd.DataFrame([["=1", "b"]], columns=["a", "a"])
    assert escape.spreadsheet(frame).decode("utf-8-sig") == "a,a\r\n'=1,b\r\n"


@given(st.text())
def test_what_a_spreadsheet_reads_starts_no_formula_whatever_the_cell(cell):
    written = str(escape._inert(cell))
    plain_number = re.fullmatch(r"[+-][\d.eE+-]+", written)
    assert plain_number or not written.lstrip().startswith(("=", "@", "+", "-"))


@given(st.text(max_size=50), st.integers(1, 30))
def test_shortened_text_keeps_its_two_ends(text, n):
    short = abbreviate(text, n)
    assert len(short) <= n or short == text
    assert len(short) == min(len(text), n)
    if len(text) > n > 2:
        assert text.startswith(short[0])
        assert short.endswith(text[-1]) or n < 3


def test_a_download_is_named_after_what_is_in_it():
    name = escape.file_name(
        "rows", "logistic regression", "malignant", "called", "benign", ending="csv"
    )
    assert name == "rows-logistic-regression-malignant-called-benign.csv"


@given(st.lists(st.text() | st.sampled_from(["../..", "/etc/passwd", "C:\\x", "a\x00b", ".csv"])))
def test_the_name_of_a_download_is_never_a_path(parts):
    name = escape.file_name(*parts, ending="csv")
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*\.csv", name)


def test_the_name_of_a_download_stays_short():
    assert len(escape.file_name("rows", *["x" * 3000] * 3, ending="csv")) < 255


def test_intervals_p_values_and_counts_stay_on_one_line():
    for said, unbroken in (
        ("0.5 (−0.4 to 0.6)", "0.5 (−0.4~to~0.6)"),
        ("0.376 (0.346 – 0.417) of 20", "0.376 (0.346~–~0.417) of 20"),
        ("adjusted p = 0.24, of 1,500 rows", "adjusted p~=~0.24, of 1,500~rows"),
        ("x2 rows to go", "x2 rows to go"),
    ):
        assert escape.prose(said) == unbroken.replace("~", "\N{NO-BREAK SPACE}")
