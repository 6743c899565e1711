"""The overview: every number that evalcore gives, and nothing claimed beyond it."""

import json
from collections.abc import Callable
from functools import cache
from html import unescape

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from streamlit.testing.v1 import AppTest

from evalcore.compare import compare
from evalcore.evaluate import evaluate
from evalcore.metrics.catalog import by_key
from evalcore.options import Options
from evalread.loading import load
from pages.models import overview_classes
from pages.session import store
from pages.text import low_dash_high, number, with_interval
from pages.widgets import comparing, tables as tables_widgets
from pages.widgets.tables import Picked
from tests.pages.conftest import words
from tests.pages.hostile import HOSTILE

Opened = Callable[..., AppTest]
SAMPLES = "assets/samples"
TAGS = ("<img", "<b>bold", "<a href='j")


def html(at: AppTest) -> str:
    return "\n".join(element.value for element in at.get("html") if "<style" not in element.value)


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
    at = uploaded("overview", "many.csv", "\n".join([header, *rows]).encode())
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
    shown = html(loaded("overview"))
    known = {**model.ranking, **model.probability, **model.decisions["threshold"].metrics}
    for key in ("roc_auc", "average_precision", "brier", "recall", "precision", "f1", "mcc"):
        assert f">{number(known[key].value)}<" in shown, key


def test_the_table_holds_every_model_with_its_intervals(loaded: Opened) -> None:
    shown = tables(loaded("overview"))
    for model in sample("breast_cancer.csv").models.values():
        assert with_interval(model.ranking["roc_auc"], low_dash_high) in shown
        assert with_interval(model.decisions["labels"].metrics["recall"], low_dash_high) in shown


def test_the_cards_follow_the_model_and_the_threshold_of_the_address(loaded: Opened) -> None:
    model = sample("breast_cancer.csv", 0.3).models["naive bayes"]
    shown = html(loaded("overview", shown="naive bayes", threshold="0.3"))
    assert f">{number(model.decisions['threshold'].metrics['recall'].value)}<" in shown
    assert "Decided by the threshold 0.3" in shown


def test_picking_a_model_changes_cards_and_address(loaded: Opened) -> None:
    at = loaded("overview")
    picker = next(group for group in at.get("button_group") if group.label == "Model")
    picker.set_value("naive bayes").run()
    assert at.query_params["shown"] == "naive bayes"
    area = sample("breast_cancer.csv").models["naive bayes"].ranking["roc_auc"]
    assert f">{number(area.value)}<" in html(at)


def test_labels_and_threshold_stand_side_by_side_where_they_differ(loaded: Opened) -> None:
    shown = html(loaded("overview", threshold="0.2"))
    assert "Decided by the file’s own labels" in shown
    assert "Decided by the threshold 0.2" in shown
    assert "That changes 83 of 569 labels." in shown
    assert "agree in every row" not in shown


def test_labels_that_agree_with_the_threshold_in_every_row_are_shown_once(loaded: Opened) -> None:
    shown = html(loaded("overview"))
    assert "The file’s own labels agree in every row." in shown
    assert "Decided by the file’s own labels" not in shown


def test_the_headline_names_the_leader_and_who_may_be_as_good(loaded: Opened) -> None:
    said = unescape(html(loaded("overview")))
    assert "logistic regression and random forest are too close to call on ROC AUC" in said
    assert "logistic regression is probably better than naive bayes" in said.lower()


@pytest.mark.parametrize("sample_name", ["breast_cancer", "digits", "diabetes"])
def test_the_headline_is_that_of_the_comparison(loaded: Opened, sample_name: str) -> None:
    name = f"{sample_name}.csv"
    made = compare(load([(name, (store.SAMPLES / name).read_bytes())]), Options())
    finding, evidence = comparing.finding(made)
    for page in ("overview", "comparison"):
        said = unescape(html(loaded(page, sample=sample_name)))
        assert finding in said
        assert evidence in said


def test_models_that_cannot_be_compared_have_a_reason_in_the_headline(uploaded: Opened) -> None:
    content = b"truth,a_score,b_label\n" + b"yes,0.9,yes\nno,0.2,no\nno,0.6,yes\n" * 9
    at = uploaded("overview", "f.csv", content)
    assert not at.exception
    assert "No two models can be compared" in html(at)
    assert "takes two models" in html(at)


def test_figures_are_small_described_and_titled_in_words(loaded: Opened) -> None:
    at = loaded("overview")
    charts = at.get("plotly_chart")
    assert len(charts) == 3
    for chart in charts:
        assert len(chart.proto.spec) <= 64 * 1024
        assert len(chart.proto.alt) > 20
        assert json.loads(chart.proto.config)["displayModeBar"] is False
    assert "pairs of malignant and benign right" in html(at)


def test_every_number_opens_into_formula_live_counts_source_and_python(loaded: Opened) -> None:
    at = loaded("overview")
    formulas, shown = [formula.value for formula in at.latex], words(at)
    assert any("\\frac{TP}{TP + FN}" in formula for formula in formulas)
    assert any("\\frac{165}{165 + 47}" in formula and "0.778302" in formula for formula in formulas)
    assert "Altman and Bland" in shown
    assert "decisions['threshold'].metrics['recall'].value" in shown


def test_the_python_of_an_explanation_gives_the_number_on_the_card(
    loaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.browser.serving import ROOT

    at = loaded("overview")
    script = next(code.value for code in at.code if "['recall']" in code.value)
    *lines, last = script.splitlines()
    monkeypatch.chdir(ROOT / SAMPLES)
    names: dict[str, object] = {}
    exec("\n".join([*lines, f"value = {last}"]), names)
    assert number(names["value"]) == "0.778"


def test_several_classes_show_averages_classes_and_curves(loaded: Opened) -> None:
    at = loaded("overview", sample="digits")
    assert not at.exception
    shown, table = html(at), tables(at)
    for text in ("Macro: every class", "Micro: every row", "Weighted: every class"):
        assert text in shown
    model = next(iter(sample("digits.csv").models.values()))
    assert with_interval(model.decisions["labels"].averages["macro"]["f1"], low_dash_high) in table
    assert with_interval(model.decisions["labels"].per_class["8"]["recall"], low_dash_high) in table
    assert len(at.get("plotly_chart")) == 2


def test_labels_alone_are_enough(uploaded: Opened) -> None:
    at = uploaded("overview", "f.csv", b"truth,a_label\n" + b"yes,yes\nno,no\nno,yes\n" * 20)
    assert not at.exception
    assert "a is right on 66.7% of 60 rows" in html(at)
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
    at = uploaded("overview", f"{name}.csv", content)
    assert not at.exception
    assert ">nan<" not in html(at).lower()
    assert "<h1" in html(at) or at.error


def test_what_is_undefined_has_a_reason_and_no_number(uploaded: Opened) -> None:
    shown = html(uploaded("overview", "f.csv", b"truth,a_score\n" + b"yes,0.1\nyes,0.7\n" * 3))
    assert shown.count("undefined") >= 2
    assert "only one class" in shown


def test_few_rows_are_flagged(uploaded: Opened) -> None:
    shown = html(uploaded("overview", "f.csv", b"truth,a_score\nyes,0.9\nno,0.2\nno,0.95\n"))
    assert "rests on 1 row only" in shown


@pytest.mark.parametrize("label", HOSTILE[:3])
def test_a_hostile_name_of_one_of_two_classes_is_text(uploaded: Opened, label: str) -> None:
    rows = "".join(f'"{label}",0.{i}\nother,0.{9 - i}\n' for i in range(3, 9))
    at = uploaded("overview", "f.csv", f"truth,m_score\n{rows}".encode())
    assert not at.exception
    assert not any(tag in html(at) for tag in TAGS)


def test_many_hostile_class_names_are_text(uploaded: Opened) -> None:
    rows = "".join(f'"{label}","{label}"\n"{label}",other\n' for label in HOSTILE)
    at = uploaded("overview", "f.csv", f"truth,m_label\n{rows}".encode())
    assert not at.exception
    assert not any(tag in html(at) for tag in TAGS)


def test_notices_of_the_file_are_shown(uploaded: Opened) -> None:
    content = b"truth,a_score\n" + b"yes,0.9\nno,0.2\nno,\n" * 5
    assert "5 of 15" in html(uploaded("overview", "f.csv", content))


@pytest.mark.parametrize(
    ("table", "row", "metric", "worked", "code"),
    [
        ("classes", "3", "f1", r"\frac{2 TP}", "decisions['labels'].per_class['3']['f1']"),
        ("classes", "8", "roc_auc", "pairs ranked right", "class_ranking['8']['roc_auc']"),
        ("averages", "weighted", "f1", "rows · value, added up", "averages['weighted']['f1']"),
    ],
)
def test_a_clicked_number_of_a_table_is_worked_out_below_it(
    loaded, monkeypatch, table, row, metric, worked, code
) -> None:
    shown = tables_widgets.metric_table

    def clicked(*args, **options):
        shown(*args, **options)
        return Picked(row, by_key()[metric], table) if options["key"] == table else None

    monkeypatch.setattr(overview_classes, "metric_table", clicked)
    at = loaded("overview", sample="digits")
    assert not at.exception
    assert any(worked in latex.value for latex in at.get("latex"))
    assert any(f".{code}.value" in snippet.value for snippet in at.code)
    at.button(key=f"close-{table}").click()
    at.run()
    assert at.session_state[table]["selection"]["cells"] == []


def test_of_models_that_all_rank_backwards_none_is_picked_as_leading(loaded: Opened) -> None:
    at = loaded("overview", positive="benign")
    assert "All scores run backwards" in words(at)
    assert at.segmented_control[0].value == "logistic regression"
    turned = loaded("overview", positive="benign", reverse="yes")
    assert (
        "logistic regression and random forest are too close to call on ROC AUC (0.954 and 0.951)"
        in words(turned)
    )
    assert "threshold 0.5" in words(turned)
