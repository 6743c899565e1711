"""The overview: every number that evalcore gives, and nothing claimed beyond it."""

import json
import re
from collections.abc import Callable
from functools import cache
from html import unescape
from unittest.mock import patch

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from streamlit.testing.v1 import AppTest

from evalcore.compare import compare, verdict
from evalcore.evaluate import evaluate
from evalcore.metrics.catalog import by_key
from evalcore.options import Options
from evalread.loading import load
from evalview import headlines, sentences
from evalview.text import low_dash_high, number, with_interval
from pages.models import overview_classes
from pages.session import store
from pages.widgets import comparing, tables as tables_widgets
from pages.widgets.tables import Picked
from tests.pages.conftest import OPEN, html, open_page, words
from tests.pages.hostile import HOSTILE

Opened = Callable[..., AppTest]
SAMPLES = "assets/samples"
TAGS = ("<img src=x", "<b>bold", "<a href='j")


@cache
def sample(name: str, threshold: float = 0.5):
    from tests.browser.serving import ROOT

    content = (ROOT / SAMPLES / name).read_bytes()
    return evaluate(load([(name, content)]), Options(threshold=threshold))


def tables(at: AppTest) -> str:
    return b" ".join(t.proto.arrow_data.styler.display_values for t in at.dataframe).decode(
        errors="replace"
    )


def test_of_very_many_models_numbers_come_at_once_and_intervals_for_the_one_picked(
    uploaded: Opened,
) -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 2
    scores = np.round((truth[:, np.newaxis] + rng.random((60, 61)) * 2) / 3, 3)
    header = ",".join(["y", *(f"m{k}_score" for k in range(61))])
    rows = (",".join(map(str, [y, *row])) for y, row in zip(truth, scores.tolist(), strict=True))
    at = uploaded("overview", "many.csv", "\n".join([header, *rows]).encode(), **OPEN)
    assert not at.exception
    assert "With more than 60 models" in words(at)
    table = at.dataframe[-1].value
    assert len(table) == 61
    areas = table["roc_auc"]
    told = [roc_auc_score(truth, column) for column in scores.T]
    assert sorted(map(float, areas)) == pytest.approx(sorted(told))


def test_without_data_the_page_shows_the_way_to_some(empty: Opened) -> None:
    at = empty("overview")
    assert "No predictions yet" in words(at)
    assert not at.exception


def test_the_cards_show_the_numbers_of_evalcore(loaded: Opened) -> None:
    model = next(iter(sample("breast_cancer.csv").models.values()))
    shown = html(loaded("overview", **OPEN))
    known = {**model.ranking, **model.probability, **model.decisions["threshold"].metrics}
    for key in ("roc_auc", "average_precision", "brier", "recall", "precision", "f1", "mcc"):
        assert f">{number(known[key].value)}<" in shown, key


def test_the_table_holds_every_model_with_its_intervals(loaded: Opened) -> None:
    shown = tables(loaded("overview", **OPEN))
    for model in sample("breast_cancer.csv").models.values():
        assert with_interval(model.ranking["roc_auc"], low_dash_high) in shown
        assert with_interval(model.decisions["labels"].metrics["recall"], low_dash_high) in shown


def test_the_cards_follow_the_model_and_the_threshold_of_the_address(loaded: Opened) -> None:
    model = sample("breast_cancer.csv", 0.3).models["naive bayes"]
    shown = html(loaded("overview", **OPEN, shown="naive bayes", threshold="0.3"))
    assert f">{number(model.decisions['threshold'].metrics['recall'].value)}<" in shown
    assert "At threshold 0.3" in shown


def test_picking_a_model_changes_cards_and_address(loaded: Opened) -> None:
    at = loaded("overview", **OPEN)
    next(box for box in at.selectbox if box.label == "Model").set_value("naive bayes").run()
    assert at.query_params["shown"] == "naive bayes"
    area = sample("breast_cancer.csv").models["naive bayes"].ranking["roc_auc"]
    assert f">{number(area.value)}<" in html(at)


def test_labels_that_differ_from_the_threshold_are_told_of_and_have_no_cards_of_their_own(
    loaded: Opened,
) -> None:
    shown = html(loaded("overview", **OPEN, threshold="0.2"))
    assert "At threshold 0.2" in shown
    assert "That changes 83 of 569 labels." in shown
    assert "By the file’s own labels" not in shown
    assert shown.count('class="eb-score"') == 10
    asked = html(loaded("overview", **OPEN, threshold="0.2", decided="labels"))
    assert "By the file’s own labels" in asked
    assert "The threshold changes 83 of 569 labels" in asked
    assert asked.count('class="eb-score"') == 10


def test_labels_that_agree_with_the_threshold_in_every_row_are_shown_once(loaded: Opened) -> None:
    shown = html(loaded("overview", **OPEN))
    assert "The file’s own labels agree in every row." in shown
    assert "By the file’s own labels" not in shown


def test_the_headline_admits_a_tie_and_the_line_below_says_who_is_behind(loaded: Opened) -> None:
    said = unescape(html(loaded("overview")))
    tie = "logistic regression and random forest are too close to call; both beat chance by far"
    assert f">{tie}<" in said
    below = r"logistic regression is probably better than naive bayes · (.*) · 569 rows · 3 models"
    apart = re.search(below, said)
    assert apart is not None
    assert re.fullmatch(r"ROC AUC of the two best differs by \S+ \(−\S+ to \S+\)", apart[1])


def test_below_a_clear_verdict_stands_by_how_much(loaded: Opened) -> None:
    said = unescape(html(loaded("overview", sample="digits")))
    assert re.search(r"Accuracy is higher by \S+ \(0\S+ to \S+\) · 1,797 rows", said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("digits", "logistic regression is clearly better than naive bayes"),
        ("diabetes", "linear regression is probably better than both others"),
    ],
)
def test_the_headline_says_who_is_better_and_how_sure_that_is(
    loaded: Opened, name: str, said: str
) -> None:
    assert f">{said}<" in html(loaded("overview", sample=name))


def test_evidence_stands_on_compare_and_not_on_the_summary(loaded: Opened) -> None:
    for name in ("breast_cancer", "digits", "diabetes"):
        data = load([(f"{name}.csv", (store.SAMPLES / f"{name}.csv").read_bytes())])
        made = compare(data, Options())
        reasons, _ = comparing.reasons(made)
        _, evidence = headlines.finding(made)
        assert reasons in unescape(html(loaded("comparison", sample=name)))
        assert reasons not in unescape(html(loaded("overview", sample=name)))
        assert evidence not in unescape(html(loaded("overview", sample=name)))


def test_always_giving_the_larger_class_does_not_make_a_model_the_best() -> None:
    """Of 3,355 people 78 are ill: "always healthy" is right more often, and finds nobody."""
    found = unescape(words(open_page("overview", data="sample-rare-disease-test")))
    assert "No single best: classifier tells the classes apart better, and always healthy" in found
    assert "is not shown to be right more often than always naming the commonest class" in found
    assert "always healthy is right more often" not in found
    assert "Naming it for all rows is right on 97.7%" in found
    assert "3,355 rows in 4 lines" in found


def test_a_single_model_that_may_be_no_better_than_the_commonest_class_says_so(
    uploaded: Opened,
) -> None:
    rows = "".join(
        f"{int(k % 10 == 0)},{0.9 if k % 10 == 0 and k % 20 else 0.1}\n" for k in range(400)
    )
    good = unescape(words(uploaded("overview", "f.csv", f"truth,m_score\n{rows}".encode())))
    assert "always naming the commonest class" not in good
    rows = "".join(f"{int(k % 10 == 0)},{0.9 if k % 40 == 0 else 0.1}\n" for k in range(400))
    weak = unescape(words(uploaded("overview", "f.csv", f"truth,m_score\n{rows}".encode())))
    assert "it is not shown to be right more often than always naming the commonest class" in weak


def test_models_that_cannot_be_compared_have_a_reason_in_the_headline(uploaded: Opened) -> None:
    content = b"truth,a_score,b_label\n" + b"yes,0.9,yes\nno,0.2,no\nno,0.6,yes\n" * 9
    at = uploaded("overview", "f.csv", content, **OPEN)
    assert not at.exception
    assert "No two models can be compared" in html(at)
    assert "needs two models" in html(at)


def test_figures_are_small_described_and_titled_in_words(loaded: Opened) -> None:
    at = loaded("overview", **OPEN)
    charts = at.get("plotly_chart")
    assert len(charts) == 3
    for chart in charts:
        assert len(chart.proto.spec) <= 64 * 1024
        assert len(chart.proto.alt) > 20
        assert json.loads(chart.proto.config)["displayModeBar"] is False
    assert "pairs of malignant and benign right" in html(at)


def test_every_number_opens_into_formula_live_counts_source_and_python(loaded: Opened) -> None:
    at = loaded("overview", **OPEN)
    formulas, shown = [formula.value for formula in at.latex], words(at)
    assert any("\\frac{TP}{TP + FN}" in formula for formula in formulas)
    assert any("\\frac{165}{165 + 47}" in formula and "0.778302" in formula for formula in formulas)
    assert "Altman and Bland" in shown
    assert "decisions['threshold'].metrics['recall'].value" in shown


def test_the_python_of_an_explanation_gives_the_number_on_the_card(
    loaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.browser.serving import ROOT

    at = loaded("overview", **OPEN)
    script = next(code.value for code in at.code if "['recall']" in code.value)
    *lines, last = script.splitlines()
    monkeypatch.chdir(ROOT / SAMPLES)
    names: dict[str, object] = {}
    exec("\n".join([*lines, f"value = {last}"]), names)
    assert number(names["value"]) == "0.778"


def test_several_classes_show_averages_classes_and_curves(loaded: Opened) -> None:
    at = loaded("overview", **OPEN, sample="digits")
    assert not at.exception
    shown, table = html(at), tables(at)
    for text in ("Macro: every class", "Micro: every row", "Weighted: every class"):
        assert text in shown
    model = next(iter(sample("digits.csv").models.values()))
    assert with_interval(model.decisions["labels"].averages["macro"]["f1"], low_dash_high) in table
    assert with_interval(model.decisions["labels"].per_class["8"]["recall"], low_dash_high) in table
    assert len(at.get("plotly_chart")) == 2


def test_labels_alone_are_enough(uploaded: Opened) -> None:
    at = uploaded(
        "overview", "f.csv", b"truth,a_label\n" + b"yes,yes\nno,no\nno,yes\n" * 20, **OPEN
    )
    assert not at.exception
    assert "a finds all 20 rows of class “yes”; 20 of its 40 alarms are right" in html(at)
    assert not at.get("plotly_chart")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("one class", b"truth,a_score\nyes,0.1\nyes,0.7\n"),
        ("constant", b"truth,a_score\nyes,0.5\nno,0.5\n"),
        ("logits", b"truth,a_score\nyes,3.5\nno,-2\nno,1\n"),
        ("three rows", b"truth,a_score\nyes,0.9\nno,0.2\nno,0.1\n"),
        ("huge", b"truth,a_score\nyes,1e300\nno,-1e300\nno,0\n"),
        ("one row", b"truth,a_label,b_label\nyes,yes,no\n"),
    ],
)
def test_little_and_odd_data_give_a_page_with_reasons(
    uploaded: Opened, name: str, content: bytes
) -> None:
    at = uploaded("overview", f"{name}.csv", content, **OPEN)
    assert not at.exception
    assert ">nan<" not in html(at).lower()
    assert "<h1" in html(at) or at.error


def test_what_is_undefined_has_a_reason_and_no_number(uploaded: Opened) -> None:
    shown = html(
        uploaded("overview", "f.csv", b"truth,a_score\n" + b"yes,0.1\nyes,0.7\n" * 3, **OPEN)
    )
    assert shown.count("undefined") >= 2
    assert "only one class" in shown


def test_few_rows_are_flagged(uploaded: Opened) -> None:
    shown = html(
        uploaded("overview", "f.csv", b"truth,a_score\nyes,0.9\nno,0.2\nno,0.95\n", **OPEN)
    )
    assert "rests on 1 row only" in shown


@pytest.mark.parametrize("label", HOSTILE[:3])
def test_a_hostile_name_of_one_of_two_classes_is_text(uploaded: Opened, label: str) -> None:
    rows = "".join(f'"{label}",0.{i}\nother,0.{9 - i}\n' for i in range(3, 9))
    at = uploaded("overview", "f.csv", f"truth,m_score\n{rows}".encode(), **OPEN)
    assert not at.exception
    assert not any(tag in html(at) for tag in TAGS)


def test_many_hostile_class_names_are_text(uploaded: Opened) -> None:
    rows = "".join(f'"{label}","{label}"\n"{label}",other\n' for label in HOSTILE)
    at = uploaded("overview", "f.csv", f"truth,m_label\n{rows}".encode(), **OPEN)
    assert not at.exception
    assert not any(tag in html(at) for tag in TAGS)


def test_notices_of_the_file_are_shown(uploaded: Opened) -> None:
    content = b"truth,a_score\n" + b"yes,0.9\nno,0.2\nno,\n" * 5
    assert "5 of 15" in html(uploaded("overview", "f.csv", content, **OPEN))


@pytest.mark.parametrize(
    ("table", "row", "metric", "worked", "code"),
    [
        ("classes", "3", "f1", r"\frac{2 TP}", "decisions['labels'].per_class['3']['f1']"),
        ("classes", "8", "roc_auc", "pairs ranked right", "class_ranking['8']['roc_auc']"),
        ("averages", "weighted", "f1", "rows · value, added up", "averages['weighted']['f1']"),
    ],
)
def test_a_clicked_number_of_a_table_is_worked_out_below_it(
    loaded, table, row, metric, worked, code
) -> None:
    shown = tables_widgets.metric_table

    def clicked(*args, **options):
        shown(*args, **options)
        return Picked(row, by_key()[metric], table) if options["key"] == table else None

    with patch.object(overview_classes, "metric_table", clicked):  # keeps what was computed
        at = loaded("overview", **OPEN, sample="digits")
        assert not at.exception
        assert any(worked in latex.value for latex in at.get("latex"))
        assert any(f".{code}.value" in snippet.value for snippet in at.code)
        at.button(key=f"close-{table}").click()
        at.run()
        assert at.session_state[table]["selection"]["cells"] == []


def test_of_models_that_all_rank_backwards_none_is_picked_as_leading(loaded: Opened) -> None:
    at = loaded("overview", **OPEN, positive="benign")
    assert "All scores run backwards" in words(at)
    assert at.selectbox[1].value == "logistic regression"
    turned = loaded("overview", **OPEN, positive="benign", reverse="yes")
    assert "logistic regression and random forest are too close to call" in words(turned)
    assert "threshold 0.5" in words(turned)


def test_labels_of_the_file_may_lead_only_where_the_threshold_decides_otherwise(
    loaded: Opened,
) -> None:
    def way(**address: str) -> str:
        at = loaded("overview", **address)
        return next((g.value for g in at.get("button_group") if g.label == "Decided by"), "")

    assert way() == ""
    assert way(threshold="0.3") == "threshold"
    assert way(threshold="0.3", decided="labels") == "labels"
    assert way(**{"own-threshold": "logistic regression=0.2"}) == "threshold"


def test_a_threshold_is_typed_on_the_first_screen_and_stands_in_the_address(
    loaded: Opened,
) -> None:
    at = loaded("overview")
    assert at.number_input[0].label == "At threshold (the default)"
    assert "logistic regression misses 47 (36 to 60) of 212 malignant rows" in html(at)
    at.number_input[0].set_value(0.3).run()
    assert at.query_params["threshold"] == "0.3"
    assert at.number_input[0].label == "At threshold"
    counts = sample("breast_cancer.csv", 0.3).models["logistic regression"]
    missed = counts.decisions["threshold"].confusion.binary().fn
    assert f"logistic regression misses {missed:.0f} (" in html(at)


def test_nothing_below_the_first_screen_is_made_before_it_is_opened(loaded: Opened) -> None:
    at = loaded("overview")
    assert not at.get("plotly_chart")
    assert not at.dataframe
    assert not at.latex


@pytest.mark.parametrize("name", ["breast_cancer", "digits", "diabetes", "iris"])
def test_the_first_screen_has_few_numbers_and_words(loaded: Opened, name: str) -> None:
    at = loaded("overview", sample=name)
    shown = [e.value for e in at.get("html") if "eb-" in e.value and "{" not in e.value]
    folded = {e.value for one in at.expander for e in one.get("html")}
    said = [e for e in shown if e not in folded]
    labels = [box.label for box in (*at.selectbox, *at.number_input)]
    text = unescape(re.sub(r"<[^>]*>", " ", " ".join([*said, *labels])))
    numbers = re.findall(r"\d+(?:[.,]\d+)*", re.sub(r"\w*[a-z_]\d\w*", "", text))
    assert len(numbers) + len(at.number_input) <= 25
    assert len(re.findall(r"[^\W\d_][\w-]*", text)) <= 120


def test_many_models_are_few_on_the_first_screen(uploaded: Opened) -> None:
    rng = np.random.default_rng(0)
    columns = [f"m{k}_score" for k in range(12)]
    truth = np.arange(80) % 2
    rows = [[t, *np.round(t * 0.3 + rng.random(12), 3)] for t in truth]
    lines = [",".join(map(str, row)) for row in [["y", *columns], *rows]]
    shown = html(uploaded("overview", "f.csv", "\n".join(lines).encode()))
    assert shown.count('<th scope="row"') == 4
    assert "the others are under All metrics" in shown


def test_what_the_table_marks_is_what_the_verdict_cannot_tell_apart(loaded: Opened) -> None:
    rows = re.findall(r"<tr[^>]*><th scope=.row.*?</tr>", html(loaded("overview")))
    marked = {re.search('title="([^"]*)"', row)[1] for row in rows if "○" in row}
    assert marked == {"logistic regression", "random forest"}


def test_a_label_that_says_nothing_alone_is_named_with_its_column(uploaded: Opened) -> None:
    content = b"churned,a_score\n" + b"yes,0.9\nno,0.2\nno,0.6\nyes,0.4\n" * 9
    shown = unescape(html(uploaded("overview", "f.csv", content)))
    assert "rows with churned = yes" in shown
    assert "looking for:</span> <span" in shown
    assert not re.search(r"\d (yes|no)\b", shown)


def test_one_model_is_told_by_what_it_finds_and_compared_with_nothing(uploaded: Opened) -> None:
    content = b"tumour,a_score\n" + b"bad,0.9\ngood,0.2\ngood,0.6\nbad,0.4\n" * 9
    at = uploaded("overview", "f.csv", content)
    assert ">a finds 9 of 18 bad rows; 9 of its 18 alarms are right<" in html(at)
    assert "Judged by" not in {box.label for box in at.selectbox}
    assert "too close" not in html(at)


def test_a_leader_by_one_metric_that_another_beats_by_others_is_not_called_the_best() -> None:
    rng = np.random.default_rng(1)
    truth = np.arange(4000) % 2
    ranks = truth * 1.2 + rng.normal(size=4000)
    worse = truth * 1.0 + rng.normal(size=4000)
    first = 1 / (1 + np.exp(-(ranks - 2.0) * 3))  # ranks better, decides worse at 0.5
    second = 1 / (1 + np.exp(-(worse - 0.5)))
    lines = ["y,a_score,b_score"]
    lines += [f"{t},{a:.6f},{b:.6f}" for t, a, b in zip(truth, first, second, strict=True)]
    data = load([("f.csv", "\n".join(lines).encode())])
    by_rank, by_rows = (verdict(data, Options(), metric=key) for key in ("roc_auc", "accuracy"))
    assert by_rank.verdict.winner == "a"
    assert by_rows.verdict.winner == "b"
    said, _ = sentences.verdict(by_rank, [by_rows])
    assert said == "No single best: a ranks better, but b is right more often"
