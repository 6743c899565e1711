"""Concepts and tests that the glossary explains, and the legend of every formula."""

import re

import pytest

from evalview.explained.concepts import concepts, find_concepts, legend
from evalview.explained.lookup import entries
from pages import contents

COMMANDS = re.compile(r"\\[a-zA-Z]+")
WORDS = {"median"}
"""What a formula names in full."""

SIGNS = set(
    r"\frac \tfrac \sum \int \sqrt \left \right \lVert \rVert \cdot \max \min \log \ln"
    r" \ge \le \ne \neq \mid \sim \mathrm \bar \hat".replace("\\", " \\").split()
)
"""Commands that write signs of arithmetic, known to all, or marks of letters."""


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("confusion matrix", "Confusion matrix"),
        ("ROC curve", "ROC curve"),
        ("bootstrap", "Bootstrap"),
        ("cross-validation", "Cross-validation"),
        ("leave-one-out", "Leave-one-out"),
        ("hold-out", "Hold-out"),
        ("holdout", "Hold-out"),
        ("stratified", "Stratified"),
        ("over-fitting", "Over-fitting"),
        ("overfitting", "Over-fitting"),
        ("confidence interval", "Confidence interval"),
        ("null hypothesis", "Null hypothesis"),
        ("Minkowski", "Minkowski distance"),
        ("l infinity", "Minkowski distance"),
        ("imbalance", "Imbalance"),
        ("recognition rate", "Recognition rate"),
        ("exactness", "Exactness"),
        ("t-test", "t-test"),
        ("t test", "t-test"),
        ("error matrix", "Confusion matrix"),
        ("prevalence", "Base rate"),
        ("dev set", "Train, dev and test"),
        ("train / dev / test", "Train, dev and test"),
        ("validation set", "Train, dev and test"),
        ("iid", "IID"),
        ("bias-variance", "Bias and variance"),
        ("class imbalance", "Imbalance"),
        ("LOOCV", "Leave-one-out"),
        ("p-value", "Null hypothesis"),
    ],
)
def test_a_concept_is_found_by_its_names(asked: str, found: str) -> None:
    assert find_concepts(asked)[0].name == found


@pytest.mark.parametrize("asked", ["", "  ", "!?", "no such thing", "<x9>"])
def test_what_is_no_concept_is_not_found(asked: str) -> None:
    assert find_concepts(asked) == []


def test_every_concept_is_short_and_leads_to_a_page_or_a_number() -> None:
    pages = {entry.name for entry in contents.CONTENTS}
    for key, one in concepts().items():
        assert key not in entries()
        assert 40 <= len(one.text) <= 400, one.name
        assert one.page in pages or one.metric in entries(), one.name
        assert one.kind in ("concept", "test")


@pytest.mark.parametrize("name", entries())
def test_every_symbol_of_a_formula_is_explained(name: str) -> None:
    metric = entries()[name]
    written = set(re.findall(r"[A-Za-z]+", COMMANDS.sub(" ", metric.formula)))
    told = legend(metric)
    assert written - WORDS <= set(re.findall(r"[A-Za-z]+", " ".join(told)))
    greek = set(COMMANDS.findall(metric.formula)) - SIGNS
    assert greek <= set(COMMANDS.findall(" ".join(told)))
    assert all(told.values())


def test_agreement_counts_pairs_and_says_so() -> None:
    pairs = legend(entries()["rand_index"])
    rows = legend(entries()["accuracy"])
    assert all("pairs" in pairs[cell] for cell in ("TP", "FP", "FN", "TN"))
    assert all("pairs" not in rows[cell] for cell in ("TP", "FP", "FN", "TN"))


def test_symbols_of_textbooks_are_explained() -> None:
    assert "own cluster" in legend(entries()["silhouette"])["a_i"]
    assert "nearest other cluster" in legend(entries()["silhouette"])["b_i"]
    assert set(legend(entries()["kendall_tau_b"])) == {"C", "D", "T_y", "T_f"}
