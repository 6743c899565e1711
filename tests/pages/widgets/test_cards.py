import re
from pathlib import Path

import numpy as np
import pytest

from evalcore.metrics.catalog import METRICS, by_key
from evalcore.metrics.decisions import PRECISION, RECALL
from evalcore.metrics.metric import Estimate
from evalcore.metrics.probability import BRIER
from evalcore.metrics.ranking import ROC_AUC
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalview.explained.arithmetic import Working
from evalview.explained.cards import Card, card_html, chain, facts, flags
from evalview.explained.lookup import METHODS
from evalview.explained.of_matrices import of_counts
from evalview.sentences import BinaryFacts, ClassFacts

ROOT = Path(__file__).resolve().parents[3]
COUNTS = BinaryCounts(tp=551, fp=570, fn=65, tn=2814)
KNOWN = {
    "no_information_rate": Estimate(0.846),
    "prevalence": Estimate(0.154),
    "brier_uncertainty": Estimate(0.1303),
    "roc_auc": Estimate(0.93),
}
FRAUD = BinaryFacts("fraud", "honest", COUNTS, [KNOWN])
SURE = Estimate(0.894, 0.868, 0.916, "wilson", 0.95)


def text_of(html):
    return re.sub(r"<[^>]+>", " ", html)


def test_a_card_shows_number_interval_and_sentence():
    shown = text_of(card_html(Card(RECALL, SURE, "551 of 616 fraud rows found", 616)))
    for part in ("Recall", "0.894", "0.868 – 0.916", "95% interval", "551 of 616"):
        assert part in shown


def test_the_bar_places_the_interval_within_the_range_of_the_metric():
    html = card_html(Card(by_key()["mcc"], Estimate(0.5, 0.0, 1.0, "bootstrap", 0.95)))
    assert "left:50.0%;width:50.0%" in html
    assert 'style="left:75.0%"' in html


def test_a_metric_without_bounds_has_no_bar():
    endless = by_key()["log_loss"]
    assert "eb-range" not in card_html(Card(endless, Estimate(0.2, 0.1, 0.3, "bootstrap", 0.95)))


def test_what_is_undefined_is_said_with_the_reason_and_is_never_a_number():
    shown = text_of(
        card_html(Card(PRECISION, Estimate(float("nan"), why="no row is flagged"), "x"))
    )
    assert "undefined" in shown
    assert "no row is flagged" in shown
    assert not re.search(r"\d|nan", shown)


def test_few_rows_and_degenerate_intervals_are_flagged():
    perfect = Estimate(1.0, 0.7, 1.0, "newcombe", 0.95, note="degenerate: no variation")
    assert flags(Card(ROC_AUC, perfect, rows=12)) == [
        "rests on 12 rows only",
        "degenerate: no variation",
    ]
    assert flags(Card(RECALL, SURE, rows=30)) == []


def test_text_on_a_card_is_escaped():
    html = card_html(Card(RECALL, SURE, "5 of 6 “<img src=x onerror=alert(1)>” rows found"))
    assert "<img" not in html
    assert "&lt;img" in html


@pytest.mark.parametrize(
    ("key", "says", "rows"),
    [
        ("recall", "551 of 616 fraud rows found", 616),
        ("precision", "551 of 1,121 flagged rows are fraud", 1121),
        ("specificity", "2,814 of 3,384 honest rows correctly passed", 3384),
        ("accuracy", "84.6% by calling every row honest", 4000),
        ("roc_auc", "93 of 100 pairs ranked right; 50 by chance", 616),
        ("average_precision", "0.154 by chance", 616),
        ("brier", "guessing 15.4% for every row gives 0.130", 4000),
        ("youden_j", "", 616),
    ],
)
def test_sentences_hold_the_counts_and_the_rows_a_number_rests_on(key, says, rows):
    assert FRAUD.sentence(key) == says
    assert FRAUD.rows_behind(key) == rows


def test_a_sentence_about_an_unknown_number_is_left_out():
    assert BinaryFacts("a", "b", COUNTS, []).sentence("brier") == ""


def test_the_accuracy_of_many_classes_holds_the_counts():
    told = ClassFacts(ConfusionMatrix(("a", "b", "c"), np.diag([2, 3, 4])))
    assert told.sentence("accuracy") == "9 of 9 rows are right"
    assert told.rows_behind("accuracy") == 9


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.key)
def test_every_metric_of_the_catalogue_can_be_explained(metric):
    told = " ".join(facts(metric, Estimate(0.5, 0.4, 0.6, "bootstrap", 0.95)))
    assert metric.source.text.split(",")[0].split("&")[0] in told
    assert "is better" in told
    assert "nan" not in told


def test_the_facts_name_the_interval_and_how_it_was_made():
    told = facts(BRIER, Estimate(0.1, 0.08, 0.12, "bootstrap-percentile", 0.9))
    assert told[0].startswith("0.080 – 0.120: 90% interval by the bootstrap: rows are resampled")


def test_what_is_undefined_has_its_reason_among_the_facts():
    told = facts(PRECISION, Estimate(float("nan"), why="no row is flagged"))
    assert told[0] == "There is no finite value here: no row is flagged."
    assert "interval" not in " ".join(told)


def test_a_working_that_is_not_the_formula_begins_in_words():
    in_words = Working(r"\frac{\text{hits}}{4}", {r"\text{hits}": 3.0})
    assert chain(in_words, RECALL).startswith(r"\begin{aligned}&\frac{\text{hits}}{4}")
    as_declared = of_counts(RECALL, COUNTS)
    assert chain(as_declared, RECALL) == (
        r"\begin{aligned}&= \frac{551}{551 + 65} \\[0.9em] &= \frac{551}{616} "
        r"\\[0.9em] &\approx 0.894481\end{aligned}"
    )


MADE_BY = (
    r'Interval\([^"]{0,200}?"([a-z]+(?:-[a-z]+)*)"',
    r'(?<!wanted, )method="([a-z]+(?:-[a-z]+)*)"',  # of an interval, not of a quantile
    r'"([a-z]+(?:-[a-z]+)*)", (?:\w+\.)*level\b',
)
CODE = "".join(
    path.read_text("utf-8")
    for room in ("intervals", "metrics", "evaluation", "comparison", "slices")
    for path in (ROOT / "evalcore" / room).glob("*.py")
)
CHOSEN = " ".join(re.findall(r"\bmethod = (.+)", CODE))
METHODS_MADE = {name for pattern in MADE_BY for name in re.findall(pattern, CODE)}
METHODS_MADE |= set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', CHOSEN))


@pytest.mark.parametrize("method", sorted(METHODS_MADE))
def test_every_method_of_an_interval_has_its_sentence(method):
    assert method in METHODS


def test_the_methods_of_intervals_are_found():
    some = {"wilson", "delong", "bootstrap-se", "jeffreys-draws", "range-draws", "paired-t", "dkw"}
    assert some <= METHODS_MADE
