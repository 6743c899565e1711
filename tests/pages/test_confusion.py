"""The confusion matrix page: cells, shares, and the rows behind them."""

import json
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element

from tests.pages.conftest import WHOLE, html, words
from tests.pages.hostile import HOSTILE

Opened = Callable[..., AppTest]


def matrix(at: AppTest) -> dict[str, object]:
    return json.loads(at.get("plotly_chart")[0].proto.spec)


def shown(table: Element) -> list[dict[str, str]]:
    """Return the rows of a table as their cells are written."""
    written = table.proto.arrow_data.styler.display_values
    return pa.ipc.open_stream(written).read_all().to_pylist()


def choose(at: AppTest, label: str, value: str) -> AppTest:
    group = next(group for group in at.get("button_group") if group.label == label)
    return group.set_value(value).run()


def rows(at: AppTest) -> list[int]:
    return at.dataframe[0].value["row"].tolist()


def test_without_data_the_page_shows_the_way_to_some(empty: Opened) -> None:
    assert "No predictions yet" in words(empty("confusion"))


def test_the_headline_holds_the_counts_in_the_words_of_the_data(loaded: Opened) -> None:
    shown = html(loaded("confusion"))
    said = "logistic regression finds 165 of 212 malignant rows and raises 22 false alarms"
    assert said in shown


def test_cells_say_rows_or_shares(loaded: Opened) -> None:
    at = loaded("confusion")
    assert "165" in matrix(at)["data"][0]["text"][0][0]
    choose(at, "Cells show", "share of truth")
    assert "77.8&#37;" in matrix(at)["data"][0]["text"][0][0]
    choose(at, "Cells show", "share of decision")
    assert "88.2&#37;" in matrix(at)["data"][0]["text"][0][0]


def test_decisions_of_labels_and_threshold_are_never_mixed(loaded: Opened) -> None:
    at = loaded("confusion", threshold="0.9", decided="labels")
    assert "finds 165 of 212" in html(at)
    choose(at, "Decided by", "threshold")
    assert "finds 165 of 212" not in html(at)
    assert "Called malignant when the score is at least 0.9." in html(at)


@pytest.mark.parametrize("page", ["confusion", "glossary"])
def test_a_chosen_threshold_leads_and_the_files_labels_are_a_click_away(
    loaded: Opened, page: str
) -> None:
    def way(**address: str) -> str:
        at = loaded(page, **address)
        assert not at.exception
        return next(g.value for g in at.get("button_group") if g.label == "Decided by")

    assert way() == "labels"
    assert way(threshold="0.3") == "threshold"
    assert way(**{"own-threshold": "naive bayes=0.2"}) == "threshold"
    assert way(threshold="0.3", decided="labels") == "labels"


def test_at_first_the_most_frequent_error_is_shown_with_its_rows(loaded: Opened) -> None:
    at = loaded("confusion", **WHOLE)
    assert "47 malignant rows called benign" in html(at)
    shown = at.dataframe[0].value
    assert len(shown) == 47
    assert set(shown["truth"]) == {"malignant"}
    assert set(shown["logistic_regression_label"]) == {"benign"}


def test_the_surest_errors_come_first(loaded: Opened) -> None:
    scores = loaded("confusion", **WHOLE).dataframe[0].value["logistic_regression_score"]
    assert scores.tolist() == sorted(scores)


def test_naming_a_cell_in_the_boxes_shows_its_rows(loaded: Opened) -> None:
    at = loaded("confusion", **WHOLE)
    at.selectbox(key="actual").set_value("benign")
    at.selectbox(key="called").set_value("malignant").run()
    assert "22 benign rows called malignant" in html(at)
    assert len(rows(at)) == 22


def test_all_cells_together_hold_every_row_once(loaded: Opened) -> None:
    at = loaded("confusion", **WHOLE)
    seen: list[int] = []
    for actual in ("benign", "malignant"):
        for called in ("benign", "malignant"):
            at.selectbox(key="actual").set_value(actual)
            at.selectbox(key="called").set_value(called).run()
            seen += rows(at)
    assert sorted(seen) == list(range(1, 570))


def test_the_rows_shown_are_those_that_the_matrix_counts(loaded: Opened) -> None:
    at = loaded("confusion", sample="digits", **WHOLE)
    at.selectbox(key="actual").set_value("1")
    at.selectbox(key="called").set_value("9").run()
    count = matrix(at)["data"][0]["text"][1][9]
    assert str(len(rows(at))) == count


def test_an_empty_cell_says_so(loaded: Opened) -> None:
    at = loaded("confusion", sample="digits")
    at.selectbox(key="actual").set_value("0")
    at.selectbox(key="called").set_value("1").run()
    assert "There are no such rows." in words(at)
    assert "0 rows" in html(at)


def test_several_classes_list_the_pairs_that_are_confused(loaded: Opened) -> None:
    table = loaded("confusion", sample="digits").dataframe[-1]
    pairs = table.value
    assert pairs.iloc[0][["is", "called", "rows"]].tolist() == ["8", "1", 8]
    assert (pairs["rows"].diff().dropna() <= 0).all()
    # 8 of 174 rows; the ends are those of scipy's binomtest(8, 174).proportion_ci(method="wilson").
    first = shown(table)[0]
    assert first == {"is": "8", "called": "1", "rows": "8", "share": "4.6% (2.3% – 8.8%)"}


def test_pairs_of_weighted_rows_say_their_fractions(uploaded: Opened) -> None:
    rows = ["truth,m_label,weight", "a,b,0.5", "b,b,1", "c,c,1", "c,a,1200", "c,a,0.25"]
    table = uploaded("confusion", "f.csv", "\n".join(rows).encode(), weight="weight").dataframe[-1]
    assert [(pair["called"], pair["rows"]) for pair in shown(table)] == [
        ("a", "1,200.25"),
        ("b", "0.5"),
    ]


def test_only_scores_tell_which_calls_are_surest(loaded: Opened, uploaded: Opened) -> None:
    assert "the most confident decisions come first" in html(loaded("confusion"))
    labels_only = html(uploaded("confusion", "f.csv", b"truth,m_label\nno,yes\nyes,yes\n" * 9))
    assert "As in the file, and in its order." in labels_only
    assert "surest" not in labels_only


def test_rows_beyond_five_hundred_are_on_further_pages(uploaded: Opened) -> None:
    content = b"truth,m_label\n" + b"no,yes\n" * 2500 + b"yes,yes\n" * 3
    at = uploaded("confusion", "f.csv", content, **WHOLE)
    assert len(rows(at)) == 500
    assert "Download all 2,500 rows (CSV)" in {button.label for button in at.get("download_button")}


def hundred_classes() -> bytes:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 100, 5000)
    decision = np.where(rng.random(5000) < 0.8, truth, rng.integers(0, 100, 5000))
    lines = [f"class {a},class {b}" for a, b in zip(truth, decision, strict=True)]
    return "\n".join(["truth,m_label", *lines]).encode()


def test_a_hundred_classes_work(uploaded: Opened) -> None:
    at = uploaded("confusion", "f.csv", hundred_classes())
    assert not at.exception
    assert len(at.get("plotly_chart")[0].proto.spec) <= 64 * 1024
    assert "logarithmic" in html(at)
    assert len(rows(at)) > 0


@pytest.mark.parametrize(
    "content",
    [
        b"truth,a_label\nyes,yes\n",
        b"truth,a_score\nyes,0.1\nyes,0.7\n",
        b"truth,a_label\na,b\nb,c\nc,a\n",
        b"row,truth,a_label\n5,yes,no\n6,no,no\n",
    ],
)
def test_little_data_give_a_page(uploaded: Opened, content: bytes) -> None:
    at = uploaded("confusion", "f.csv", content)
    assert not at.exception


def test_hostile_class_names_are_text_and_can_be_picked(uploaded: Opened) -> None:
    rows = "".join(f'"{label}","{label}"\nother,"{label}"\n' for label in HOSTILE)
    at = uploaded("confusion", "f.csv", f"truth,m_label\n{rows}".encode())
    for label in HOSTILE[:3]:
        at.selectbox(key="actual").set_value("other")
        at.selectbox(key="called").set_value(label).run()
        assert not at.exception
        assert "1 other row called" in html(at)
        assert not any(tag in html(at) for tag in ("<img", "<b>bold", "<a href='j"))


def test_what_an_address_asks_for_and_the_data_do_not_have_is_left_out(loaded: Opened) -> None:
    at = loaded("confusion", actual="no such class", cells="no such thing", decided="nobody")
    assert not at.exception
    assert "47 malignant rows called benign" in html(at)


def test_the_cell_is_in_the_address_and_the_address_is_followed(loaded: Opened) -> None:
    at = loaded("confusion", actual="malignant", called="malignant", cells="share of truth")
    assert "165 malignant rows called malignant" in html(at)
    at.selectbox(key="called").set_value("benign").run()
    written = at.query_params["selected"]
    assert {"truth=malignant", "called=benign"} <= set(written)
    other = {"truth=malignant": "truth=benign", "called=benign": "called=malignant"}
    at.query_params["selected"] = [other.get(rule, rule) for rule in written]
    assert "22 benign rows called malignant" in html(at.run())
    at.selectbox(key="actual").set_value(None).run()
    assert "selected" not in at.query_params
    assert not at.exception


MATRIX = "actual,cat,dog\ncat,150,40\ndog,60,250\n"


def test_a_matrix_in_a_file_is_shown_with_its_own_counts(uploaded: Opened) -> None:
    at = uploaded("confusion", "matrix.csv", MATRIX.encode())
    assert "400 of 500" in html(at)
    written = str(matrix(at)["data"][0]["text"])
    assert all(f">{count}<" in written for count in (150, 40, 60, 250)), written


def test_a_matrix_that_does_not_say_its_truth_is_a_click_away(uploaded: Opened) -> None:
    at = uploaded("data", "matrix.csv", MATRIX.replace("actual", "").encode())
    assert "a confusion matrix of 2 classes" in html(at) + words(at)
    first = next(button for button in at.button if button.key == "answer-0")
    first.click().run()
    assert "4 rows standing for 500 examples: 1 model, judged against “rows”" in html(at)
