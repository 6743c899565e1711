"""The glossary: every metric is on it, is found by all its names, and shows its value here."""

import importlib.util
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.evaluate import evaluate
from evalcore.metrics.catalog import METRICS, PARAMETRIC, WITH_COSTS
from evalcore.metrics.metric import Estimate, Family
from evalcore.options import Options
from evalread.loading import load
from evalview.explained.cards import _cell, entry_html, known_html
from evalview.explained.concepts import concepts
from evalview.explained.lookup import FAMILIES, METHODS, entries, name_of, search, setting
from evalview.text import decimals, number
from pages.lessons.glossary import _value, label
from pages.widgets.tables import Found
from tests.pages.conftest import words

Opened = Callable[..., AppTest]
ROOT = Path(__file__).resolve().parents[2]
every = pytest.mark.parametrize("name", entries())


def names(at: AppTest) -> list[str]:
    """Return the names in the list, as they are shown."""
    return list(at.radio(key="metric_picked").options)


def term(at: AppTest) -> str:
    """Return the name of the metric that is shown in full."""
    return re.search(r'eb-term">([^<]+)<', words(at))[1]


@cache
def sample(name: str):
    content = (ROOT / "assets" / "samples" / name).read_bytes()
    return next(iter(evaluate(load([(name, content)]), Options()).models.values()))


def test_every_metric_of_the_catalogue_is_an_entry(empty: Opened) -> None:
    assert set(METRICS) <= set(entries().values())
    assert set(WITH_COSTS) <= set(entries())
    listed = [label(name, None) for name in (*entries(), *concepts())]
    assert names(empty("glossary")) == listed


@every
def test_every_entry_says_all_that_is_declared(name: str) -> None:
    metric = entries()[name]
    shown = entry_html(metric) + known_html(metric, declared=True)
    for part in ("Range", "Undefined when", "Interval", "Source", "is better"):
        assert part in shown
    assert len(metric.source.text) > 20
    assert not metric.source.url or f'href="{metric.source.url[:20]}' in shown
    assert ("Beware" in shown) is bool(metric.misleads)
    assert "nan" not in shown


@every
def test_every_entry_is_found_by_its_key_its_name_and_its_synonyms(name: str) -> None:
    metric = entries()[name]
    for called in (metric.key, metric.name, *metric.synonyms):
        assert name in search(called), called
    assert name in search("", metric.family)


def test_an_exact_name_comes_first_and_the_order_of_reading_is_kept() -> None:
    assert search("PPV")[0] == "precision"
    assert search("Sensit")[:2] == ("recall", "sensitivity_at_specificity")
    assert search("roc-auc")[0] == "roc_auc"
    assert search("") == tuple(entries())
    assert search("no such number") == ()


def test_two_families_may_share_a_key() -> None:
    assert entries()["fowlkes_mallows"].family is Family.COUNTS
    of_pairs = entries()["agreement.fowlkes_mallows"]
    assert of_pairs.family is Family.AGREEMENT
    assert name_of(of_pairs) == "agreement.fowlkes_mallows"


def test_every_family_and_every_setting_is_named() -> None:
    assert set(FAMILIES) == set(Family)
    told = " ".join(setting(metric) for metric in entries().values())
    assert all(f"{name}(…)" in told for name in PARAMETRIC)


def test_a_metric_that_is_none_of_the_entries_has_no_name() -> None:
    assert name_of(PARAMETRIC["f_beta"].metric(7)) == ""


def test_a_link_opens_one_metric(empty: Opened) -> None:
    at = empty("glossary", metric="brier")
    assert term(at) == "Brier score"
    assert at.radio(key="metric_picked").value == "brier"
    assert len(at.get("latex")) == 1


@pytest.mark.parametrize("metric", ["nothing", "<b>", "../x", ""])
def test_a_link_to_no_metric_opens_the_first(empty: Opened, metric: str) -> None:
    at = empty("glossary", metric=metric)
    assert not at.exception
    assert term(at) == "Accuracy"


def test_without_data_the_call_of_scikit_learn_is_shown(empty: Opened) -> None:
    calls = {key: empty("glossary", metric=key).code for key in ("recall", "log_loss", "dunn")}
    assert calls["recall"][0].value == "recall_score(truth, decision)"
    many = empty("glossary", metric="roc_auc_hand_till").code[0].value
    assert many.startswith("roc_auc_score(truth, probabilities")
    assert not calls["dunn"]


def test_picking_a_metric_shows_it_and_is_in_the_address(loaded: Opened) -> None:
    at = loaded("glossary")
    at.radio(key="metric_picked").set_value("roc_auc").run()
    assert term(at) == "ROC AUC"
    assert at.query_params["metric"] == "roc_auc"
    assert at.query_params["data"] == "sample-breast-cancer"


def test_searching_narrows_the_list_and_shows_the_best_match(empty: Opened) -> None:
    at = empty("glossary", metric="brier")
    at.text_input(key="find").set_value("sensitivity").run()
    assert names(at)[0] == "Recall"
    assert term(at) == "Recall"
    at.text_input(key="find").set_value("no such number").run()
    assert "Nothing found" in words(at)
    assert not at.radio
    at.text_input(key="find").set_value("").run()
    assert term(at) == "Brier score"


def test_a_family_narrows_the_list(empty: Opened) -> None:
    at = empty("glossary")
    at.button_group(key="about").set_value("points").run()
    assert names(at)[0] == "Silhouette"
    assert len(names(at)) == 7


@pytest.mark.parametrize(
    ("file", "key", "group"),
    [
        ("breast_cancer", "roc_auc", "ranking"),
        ("breast_cancer", "brier", "probability"),
        ("breast_cancer", "mcc", "labels"),
        ("digits", "cohen_kappa", "labels"),
        ("digits", "log_loss", "probability"),
        ("diabetes", "rmse", "values"),
    ],
)
def test_the_value_on_the_data_is_shown_and_worked_out(
    loaded: Opened, file: str, key: str, group: str
) -> None:
    at = loaded("glossary", sample=file, metric=key)
    found = sample(f"{file}.csv").metrics[group][key]
    value = found.value
    assert f"<b>{number(value, decimals(found))}</b>" in words(at)
    assert "95% interval by" in words(at)
    assert f"{value:,.6g}" in at.get("latex")[1].value.replace("{,}", ",")
    assert "evaluation.models" in at.code[0].value


def test_the_value_follows_the_model_and_the_threshold(loaded: Opened) -> None:
    at = loaded("glossary", metric="recall", shown="naive bayes", threshold="0.9")
    at.button_group(key="way_picked").set_value("threshold").run()
    assert "naive bayes, decided at threshold 0.9" in words(at)
    assert "threshold=0.9" in at.code[0].value


def test_a_metric_of_one_class_is_a_mean_over_many(loaded: Opened) -> None:
    at = loaded("glossary", sample="digits", metric="precision")
    made = sample("digits.csv").decisions["labels"].averages["macro"]["precision"]
    assert f"<b>{number(made.value)}</b>" in words(at)
    assert "mean over the classes" in words(at)
    assert "values of the classes, added up" in at.get("latex")[1].value
    assert len(at.code) == 1, "the call for two classes gives another number"
    assert at.code[0].value.endswith(".averages['macro']['precision'].value")


@pytest.mark.parametrize("metric", ["silhouette", "agreement.fowlkes_mallows", "purity"])
def test_the_numbers_of_a_clustering_are_worked_out(loaded: Opened, metric: str) -> None:
    at = loaded("glossary", sample="iris", metric=metric, shown="single_k3")
    assert not at.exception
    assert "single_k3" in words(at)
    assert "undefined</b>" not in words(at)
    assert len(at.get("latex")) == 2
    assert "evaluation.clusterings['single_k3']" in at.code[0].value


def test_the_terms_of_a_sum_are_listed_before_the_sum(loaded: Opened) -> None:
    at = loaded("glossary", metric="average_precision")
    shown = next(html.value for html in at.get("html") if "eb-parts" in html.value)
    assert "<caption>The first 4 and the last 2 of " in shown
    assert shown.count("<tr>") == 8


def test_a_term_that_is_no_whole_number_never_looks_like_one() -> None:
    assert [
        _cell(cell) for cell in (3.0, 0.99999, 1 - 1e-12, 12345.6, 1e20, float("inf"), "…")
    ] == [
        "3",
        "0.99999",
        "0.999999999999",
        "12,345.6",
        "1e+20",
        "∞",
        "…",
    ]


def test_what_is_undefined_says_why(uploaded: Opened) -> None:
    rows = "\n".join(f"{'yes' if row % 2 else 'no'},no" for row in range(40))
    at = uploaded("glossary", "f.csv", f"truth,m_label\n{rows}".encode(), metric="precision")
    assert "<b>undefined</b>" in words(at)
    assert "Because no row is called positive." in words(at)
    assert "sklearn" not in " ".join(code.value for code in at.code)


def test_names_of_models_are_text(uploaded: Opened) -> None:
    rows = "\n".join(f"{'yes' if row % 2 else 'no'},{0.3 + row % 2 / 3}" for row in range(40))
    hostile = "<img src=x onerror=alert(1)>"
    at = uploaded("glossary", "f.csv", f"truth,{hostile}_score\n{rows}".encode(), metric="mcc")
    assert not at.exception
    assert "<img" not in "".join(e.value for e in at.get("html") if "<style" not in e.value)


def test_the_page_of_the_documentation_is_up_to_date() -> None:
    script = ROOT / "docs" / "make_metrics.py"
    spec = importlib.util.spec_from_file_location("make_metrics", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = module.page()
    assert script.with_name("metrics.md").read_text(encoding="utf-8") == page
    assert all(f"(`{metric.key}`)" in page for metric in METRICS)


@every
def test_a_number_without_an_interval_says_why(name: str) -> None:
    said = entries()[name].interval.says
    assert said.endswith(".")
    assert said != "None."


def test_every_way_of_making_an_interval_has_its_sentence() -> None:
    made = [sample(f"{file}.csv") for file in ("breast_cancer", "digits", "diabetes")]
    groups = [g for one in made for g in (*one.metrics.values(), *one.class_ranking.values())]
    used = {estimate.method for group in groups for estimate in group.values()} - {None}
    assert used <= set(METHODS)
    assert {"test-inversion", "wilson-bootstrap", "jackknife-logit"} <= used


def test_nearly_every_source_can_be_followed() -> None:
    assert sum(bool(metric.source.url) for metric in METRICS) > 0.9 * len(METRICS)


def test_counts_are_whole_numbers_in_the_list_and_beside_their_meaning() -> None:
    metric = entries()["tp"]
    found = Found(Estimate(95.0), "a", "decisions.labels", "")
    assert label("tp", found).endswith(":gray[95]")
    assert "<b>95</b>" in _value(metric, found)
    assert "<b>undefined</b>" in _value(metric, Found(Estimate(float("nan")), "a", "", ""))


def test_numbers_that_the_data_have_lead_and_others_are_said_to_be_for_other_data(loaded) -> None:
    at = loaded("glossary", sample="diabetes")
    assert term(at) == entries()[at.radio(key="metric_picked").value].name
    has_value = [
        not shown.endswith((":gray[not for these data]", ":gray[needs costs]"))
        for shown in names(at)[: len(entries())]
    ]
    assert has_value == sorted(has_value, reverse=True)
    assert 0 < sum(has_value) < len(has_value)
    assert "This number does not apply to these data" not in words(at)
    assert "This number does not apply to these data" in words(
        loaded("glossary", sample="diabetes", metric="recall")
    )


@pytest.mark.parametrize("sought", ["confusion matrix", "exactness", "Minkowski", "t-test"])
def test_a_search_for_a_concept_shows_the_concept(empty: Opened, sought: str) -> None:
    at = empty("glossary", find=sought)
    assert not at.exception
    assert at.radio(key="metric_picked").value in concepts()
    assert concepts()[at.radio(key="metric_picked").value].text in words(at).replace("&#x27;", "'")


def test_a_concept_is_a_link_with_and_without_data(empty: Opened, loaded: Opened) -> None:
    for at in (empty("glossary", metric="roc-curve"), loaded("glossary", metric="roc-curve")):
        assert not at.exception
        assert not at.warning
        assert "The diagonal is chance" in words(at)


def test_only_concepts_are_listed_where_they_alone_are_asked_for(empty: Opened) -> None:
    at = empty("glossary", about="concepts")
    assert len(at.radio(key="metric_picked").options) == len(concepts())


def test_a_formula_says_what_its_symbols_are(empty: Opened) -> None:
    assert "pairs of points together in both groupings" in words(
        empty("glossary", metric="rand_index")
    )


@pytest.mark.parametrize("metric", sorted(WITH_COSTS))
def test_numbers_of_costs_lead_to_the_page_that_takes_costs(loaded: Opened, metric: str) -> None:
    at = loaded("glossary", metric=metric)
    assert "It depends on costs, which only you know." in words(at)
    assert "Enter the costs" in [link.proto.label for link in at.get("page_link")]
    assert "not for these data" not in at.radio(key="metric_picked").value


def test_a_concept_has_a_picture_that_is_told_and_a_way_to_its_lesson(empty: Opened) -> None:
    at = empty("glossary", metric="roc-curve")
    assert not at.exception
    assert 'alt="A curve above the diagonal of chance' in words(at)
    assert "data:image/svg+xml;base64," in words(at)
    links = [link.proto.label for link in at.main.get("page_link")]
    assert "See it: ROC step by step" in links
    assert "Lesson: Two normal densities" in links
