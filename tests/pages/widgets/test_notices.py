from streamlit.testing.v1 import AppTest

from evalcore.errors import Notice


def show(*found):
    def script(found):
        from pages.widgets.notices import notices

        notices(found)

    return AppTest.from_function(script, args=(found,)).run(timeout=60)


def test_warnings_come_first_and_rows_and_columns_are_named():
    at = show(
        Notice("a", "3 rows have no score.", rows=(1, 2, 3)),
        Notice("b", "Reversed?", "warning", column="p"),
    )
    first, second = (element.value for element in at.get("html"))
    assert "Reversed?" in first
    assert "column p" in first
    assert "3\N{NO-BREAK SPACE}rows have no score." in second
    assert "rows 1, 2, 3" in second


def test_a_long_list_of_rows_is_cut_and_says_so():
    html = show(Notice("a", "Many.", rows=tuple(range(1, 41)))).get("html")[0].value
    assert "10 and 30 more" in html
    whole = show(Notice("a", "Many.", rows=tuple(range(1, 1001)))).get("html")[0].value
    assert "at least 990 more" in whole


def test_more_than_three_notices_fold_away_but_none_is_lost():
    at = show(*(Notice(str(i), f"Notice {i}.") for i in range(5)))
    assert at.expander[0].label == "2 more"
    folded = [element.value for element in at.expander[0].get("html")]
    assert ["Notice 3." in folded[0], "Notice 4." in folded[1]] == [True, True]


def test_text_of_the_data_is_escaped():
    html = show(Notice("a", "<img src=x onerror=alert(1)>")).get("html")[0].value
    assert "<img" not in html


def test_no_notices_show_nothing():
    assert not show().get("html")


def test_warnings_and_the_rest_stand_under_headings_of_their_own():
    def script(found):
        from pages.widgets import notices

        notices.warnings(found)
        notices.remarks(found)

    found = (Notice("a", "3 rows have no score."), Notice("b", "Reversed?", "warning"))
    told = [
        e.value for e in AppTest.from_function(script, args=(found,)).run(timeout=60).get("html")
    ]
    headings = ("Check before trusting", "Reversed?", "Also worth knowing", "no score")
    assert len(told) == 4
    assert all(heading in html for heading, html in zip(headings, told, strict=True))
    for one in found:
        assert len(AppTest.from_function(script, args=((one,),)).run(timeout=60).get("html")) == 2


def test_names_between_backticks_are_set_as_code_and_still_escaped():
    html = show(Notice("a", "Column `<b>x</b>` is a `score`.")).get("html")[0].value
    assert "<code>&lt;b&gt;x&lt;/b&gt;</code> is a <code>score</code>" in html
    assert "`" not in html
