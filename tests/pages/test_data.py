"""What was read: roles with reasons, changed by hand, undone, and nothing in them interpreted."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from evalread.dataset import Missing
from tests.evalread.files import jsonl, xlsx
from tests.pages.conftest import OPEN, grouped, words

Opened = Callable[..., AppTest]


def box(at: AppTest, label: str, nth: int = 0):
    return [element for element in at.selectbox if element.label == label][nth]


def use_these_columns(at: AppTest) -> AppTest:
    return (
        at.button[[button.label for button in at.button].index("Use these columns")].click().run()
    )


def test_each_role_is_shown_with_its_reason(loaded: Opened) -> None:
    shown = words(loaded("data"))
    for text in ("logistic_regression_score", "named like a score", "UTF-8", "569 rows, 9 columns"):
        assert text in shown


def test_the_same_call_on_the_command_line_is_shown(loaded: Opened) -> None:
    at = loaded("data", threshold="0.25")
    assert at.code[0].value == "evalboard evaluate breast_cancer.csv --threshold 0.25"


def test_the_positive_class_can_be_switched_and_the_switch_undone(loaded: Opened) -> None:
    at = loaded("data", threshold="0.25")
    at.radio[0].set_value("benign").run()
    assert at.query_params["positive"] == "benign"
    assert "threshold" not in at.query_params
    assert "(chosen)" in words(at)
    undo = next(button for button in at.button if button.label == "Undo")
    undo.click().run()
    assert "positive" not in at.query_params
    assert at.radio[0].value == "malignant"
    assert not any(button.label == "Undo" for button in at.button)


def test_a_role_changed_by_hand_is_bound_again_and_written_to_the_address(loaded: Opened) -> None:
    at = loaded("data")
    box(at, "Score", 0).set_value("random_forest_score")
    use_these_columns(at)
    columns = [text.partition("=")[2] for text in at.query_params["score"]]
    assert columns == ["random_forest_score", "random_forest_score", "naive_bayes_score"]
    assert not at.error
    assert box(at, "Score", 0).value == "random_forest_score"


def test_a_column_can_be_none_of_the_roles(loaded: Opened) -> None:
    at = loaded("data")
    box(at, "Fold").set_value("")
    use_these_columns(at)
    assert at.query_params["fold"] == ""
    assert box(at, "Fold").value == ""


def test_columns_that_cannot_be_used_so_are_refused_and_all_stays(loaded: Opened) -> None:
    at = loaded("data")
    box(at, "Weight").set_value("truth")
    use_these_columns(at)
    assert len(at.error) == 1
    assert "weight" not in at.query_params
    assert "569 rows · 3 models" in words(at)


def test_a_file_whose_columns_say_nothing_asks_for_them(uploaded: Opened) -> None:
    content = b"alpha,beta\n" + b"".join(b"%d,0.%d\n" % (i % 2, i) for i in range(1, 9))
    at = uploaded("data", "mystery.csv", content)
    assert not at.exception
    if at.error:
        box(at, "Truth").set_value("alpha")
        box(at, "Score").set_value("beta")
        use_these_columns(at)
    assert not at.error
    assert "1 model" in words(at)


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "[x](javascript:alert(1))"])
def test_names_from_the_file_are_never_markup(uploaded: Opened, name: str) -> None:
    at = uploaded("data", f"{name}.csv", f'y,"{name}"\n1,0.9\n0,0.2\n1,0.7\n'.encode())
    assert not at.exception
    for element in [*at.markdown, *at.title, *at.subheader, *at.caption, *at.error]:
        assert name not in element.value
    for element in at.get("html"):
        assert "<img" not in element.value


def test_columns_without_a_role_are_named(uploaded: Opened) -> None:
    content = b"truth,rf_score,<b>\n" + b"".join(
        b"%d,0.%d,%d\n" % (i % 2, i, 9) for i in range(1, 9)
    )
    at = uploaded("data", "a.csv", content)
    assert any("Not used: &quot;&lt;b&gt;&quot;" in element.value for element in at.get("html"))


def test_columns_that_slices_use_are_not_called_unused(uploaded: Opened) -> None:
    at = uploaded("data", "f.csv", grouped())
    shown = "".join(element.value for element in at.get("html"))
    assert "for slices and over time: &quot;date&quot;, &quot;region&quot;" in shown
    assert "Not used" not in shown


def test_the_call_of_a_file_with_a_question_names_the_option(uploaded: Opened) -> None:
    content = b"left,right,score\na,b,0.5\nb,b,0.25\na,a,0.1\n"
    at = uploaded("data", "a.csv", content)
    assert at.code[0].value == "evalboard evaluate a.csv --truth COLUMN"


def press(at: AppTest, label: str, nth: int = 0) -> AppTest:
    found = [button for button in at.button if button.label == label]
    return found[nth].click().run()


QUESTION = b"left,right,score\n" + b"a,b,0.5\nb,b,0.25\na,a,0.125\nb,a,0.75\n" * 3


def test_a_question_shows_what_each_answer_leads_to_and_takes_one(uploaded: Opened) -> None:
    at = uploaded("data", "a.csv", QUESTION)
    shown = words(at)
    # Scores rank b over a in 3 of 4 pairs by the first column, in 2 of 4 by the second.
    for text in ("is the truth", "2 classes: a, b", "<b>0.75</b>", "<b>0.5</b>"):
        assert text in shown
    press(at, "Use “right” as the truth")
    assert at.query_params["truth"] == "right"
    assert "12 rows: 1 model, judged against “right”" in words(at)
    press(at, "Undo")
    assert "truth" not in at.query_params
    assert "how is each column read?" in words(at)


def test_an_answer_that_leads_to_the_next_question_is_kept(uploaded: Opened) -> None:
    content = b"left,right,age,income\n" + b"a,x,33,1200.5\nb,y,41,900\na,y,25,800.5\n" * 2
    at = uploaded("data", "a.csv", content)
    press(at, "Use “left” as the truth")
    assert at.query_params["truth"] == "left"
    assert "income" in words(at)
    press(at, "Use this reading", 1)
    assert at.query_params["score"] == "=income"
    assert "1 model, judged against “left”" in words(at)


def test_how_sure_each_role_is_stands_beside_its_reason(uploaded: Opened) -> None:
    shown = words(uploaded("data", "a.csv", b"alpha,p\nyes,0.9\nno,0.2\nyes,0.8\n"))
    assert "eb-guess" in shown
    assert "eb-sure" in shown
    assert "a guess: the role of" in shown


def test_a_proposal_of_a_notice_is_taken_with_one_click_and_undone(uploaded: Opened) -> None:
    content = b"truth,pred\nlow,medium\nmedium,medium\nhigh,medium\nlow,low\n"
    at = uploaded("data", "a.csv", content)
    (label,) = [button.label for button in at.button if button.label.startswith("Order them")]
    press(at, label)
    assert at.query_params["order"] == ["low", "medium", "high"]
    assert "--order low --order medium --order high" in at.code[0].value
    assert label not in [button.label for button in at.button]
    press(at, "Undo")
    assert "order" not in at.query_params


def test_a_proposed_threshold_becomes_that_of_the_view(uploaded: Opened) -> None:
    content = b"y,pred,p\n1,1,0.9\n0,0,0.2\n1,1,0.3138\n0,0,0.2911\n"
    at = uploaded("overview", "a.csv", content)
    press(at, "Use 0\\.3 as the threshold")
    assert at.query_params["threshold"] == "0.3"


def test_the_marks_of_a_file_can_be_read_otherwise(uploaded: Opened) -> None:
    content = b"truth;score\n1;0,9\n0;0,2\n1;0,7\n"
    at = uploaded("data", "a.csv", content)
    assert box(at, "Separator").options[0] == "as detected: semicolons"
    assert box(at, "Decimals").options[0] == "as detected: commas (0,5)"
    box(at, "Separator").set_value(",").run()
    assert at.query_params["separator"] == ","
    press(at, "Undo")
    assert "separator" not in at.query_params
    assert "1 model, judged against" in words(at)


def test_an_encoding_that_does_not_fit_is_refused_and_the_box_goes_back(uploaded: Opened) -> None:
    at = uploaded("data", "a.csv", "truth,score\nä,0.9\nb,0.2\n".encode())
    box(at, "Encoding").set_value("utf-16").run()
    assert len(at.error) == 1
    assert "encoding" not in at.query_params
    assert box(at, "Encoding").value == ""


def test_another_sheet_of_a_workbook_can_be_read(uploaded: Opened) -> None:
    rows = [["truth", "score"], ["yes", 0.9], ["no", 0.2], ["yes", 0.8]]
    name, content = xlsx(First=rows, Second=[["truth", "forest_score"], *rows[1:3]])
    at = uploaded("data", name, content)
    assert box(at, "Sheet").options == ["as detected: First", "First", "Second"]
    box(at, "Sheet").set_value("Second").run()
    assert at.query_params["sheet"] == "Second"
    assert "Score of forest" in words(at)
    assert "--sheet Second" in at.code[0].value


def test_formats_without_marks_have_no_boxes_for_them(uploaded: Opened) -> None:
    at = uploaded("data", *jsonl({"truth": 1, "score": 0.9}, {"truth": 0, "score": 0.2}))
    labels = {element.label for element in at.selectbox}
    assert not labels & {"Separator", "Decimals", "Sheet"}


POINTS = b"colour,size,x,y,cluster\n" + b"red,S,1.5,2.25,0\nblue,L,7.5,8.25,1\n" * 5


def test_features_of_a_clustering_are_chosen_in_a_box_and_say_what_they_hold(
    uploaded: Opened,
) -> None:
    at = uploaded("data", "points.csv", POINTS)
    clusters, features, _ = at.multiselect
    assert (clusters.value, features.value) == (["cluster"], ["x", "y"])
    assert "Now 2 columns of numbers." in words(at)
    features.set_value(["colour", "size"])
    use_these_columns(at)
    assert at.query_params["feature"] == ["colour", "size"]
    assert "Now 2 columns of categories" in words(at)
    at.multiselect[1].set_value(["colour", "x"])
    use_these_columns(at)
    assert "No single distance suits both words" in at.error[0].value
    assert at.query_params["feature"] == ["colour", "size"]


def test_more_features_than_a_box_holds_stay_as_they_are_while_it_is_empty(
    uploaded: Opened,
) -> None:
    names = [f"f{k}" for k in range(61)]
    rows = [",".join([*(f"{k}.{row}" for k in range(61)), str(row % 2)]) for row in range(9)]
    content = "\n".join([",".join([*names, "cluster"]), *rows]).encode()
    at = uploaded("data", "wide.csv", content)
    assert at.multiselect[1].value == []
    assert at.multiselect[1].placeholder == "the 61 current columns"
    use_these_columns(at)
    assert "feature" not in at.query_params


REFUSED = b"truth,score_a,score_b\n" + b"".join(
    b"%d,%s,0.%d\n" % (k % 2, b"high" if k == 3 else b"%d" % k, k % 5) for k in range(12)
)


def test_a_refusal_comes_with_what_may_be_done(uploaded: Opened) -> None:
    at = uploaded("data", "a.csv", REFUSED)
    assert "not numeric" in at.error[0].value
    press(at, "Use this reading")
    assert not at.error
    assert at.query_params["ignore"] == "score_a"
    assert at.code[0].value == "evalboard evaluate a.csv --ignore score_a"


def test_a_column_of_a_question_can_be_left_aside(uploaded: Opened) -> None:
    content = b"truth,width,length\n" + b"".join(
        b"%.2f,%.2f,%.2f\n" % (k * 1.5, k * 2.25 + 1, k * 0.75 + 3) for k in range(12)
    )
    at = uploaded("data", "a.csv", content)
    press(at, "Ignore the column")
    assert at.query_params["ignore"] == "width"
    assert "1 model" in words(at)


def test_columns_left_aside_are_chosen_in_a_box_and_can_be_taken_back(uploaded: Opened) -> None:
    content = b"truth,a_score,b_score\n" + b"".join(
        b"%d,0.%d,0.%d\n" % (k % 2, k, 9 - k) for k in range(9)
    )
    at = uploaded("data", "a.csv", content)
    at.multiselect[0].set_value(["b_score"])
    use_these_columns(at)
    assert "1 model" in words(at)
    assert at.multiselect[0].value == ["b_score"]
    at.multiselect[0].set_value([])
    use_these_columns(at)
    assert "2 models" in words(at)


def test_the_probability_of_the_label_is_shown_for_several_classes(uploaded: Opened) -> None:
    content = "truth,pred_label,pred_prob\n" + "".join(
        f"{'abc'[k % 3]},{'abc'[(k + (k % 5 == 0)) % 3]},{0.4 + (k * 7 % 60) / 100}\n"
        for k in range(60)
    )
    at = uploaded("overview", "a.csv", content.encode(), scale="confidence", **OPEN)
    assert not at.exception
    assert "Calibration error of the top label" in words(at)


def test_labels_are_left_out_and_blanks_count_as_wrong_by_boxes(uploaded: Opened) -> None:
    content = "truth,pred\n" + "".join(
        f"{['a', 'b', 'unclear'][k % 3]},{['a', 'b', ''][k % 5 % 3]}\n" for k in range(30)
    )
    at = uploaded("data", "a.csv", content.encode())
    left_out = next(one for one in at.multiselect if one.label.startswith("Rows left out"))
    left_out.set_value(["unclear"])
    box(at, "Rows without a predicted label").set_value(Missing.WRONG)
    use_these_columns(at)
    assert not at.error
    assert at.query_params["ignore-label"] == "unclear"
    assert at.query_params["missing"] == "wrong"
    assert at.code[0].value == "evalboard evaluate a.csv --ignore-label unclear --missing wrong"
    assert "truth that counts" in words(at)


def test_the_data_page_leads_on_to_the_results(loaded: Opened, empty: Opened) -> None:
    assert "See results" in [link.proto.label for link in loaded("data").get("page_link")]
    assert "See results" not in [link.proto.label for link in empty("data").get("page_link")]
