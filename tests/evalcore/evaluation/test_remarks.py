"""What the reader is told before believing a number."""

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss

from evalcore.errors import Offer
from evalcore.evaluate import evaluate
from evalread.dataset import Choices, apply_offer
from evalread.loading import load
from tests.evalcore.made import QUICK, codes, data, noisy, notice, only, rows


def test_one_class_leaves_what_compares_classes_undefined():
    evaluation = evaluate(data("y,p\n1,0.9\n1,0.2\n1,0.8\n"), QUICK)
    model = only(evaluation)
    assert model.ranking["roc_auc"].why == "the truth holds only one class"
    assert model.metrics["threshold"]["specificity"].why == "no row is negative"
    assert model.metrics["threshold"]["recall"].value == pytest.approx(2 / 3)
    assert "only one class" in notice(evaluation, "one-class")


def test_constant_scores_are_said():
    evaluation = evaluate(data("y,p\n1,0.4\n0,0.4\n1,0.4\n"), QUICK)
    assert "constant (0.4" in notice(evaluation, "constant-score")
    assert only(evaluation).ranking["roc_auc"].value == 0.5


def test_a_backward_ranking_is_a_warning_only_where_chance_does_not_explain_it():
    truth, score = noisy(200)
    backward = evaluate(rows(list(truth), list(1 - score), header="y,p"), QUICK)
    told = notice(backward, "auc-below-half")
    assert 'it ranks "1" behind "0". If low scores mean "1", reverse all scores' in told
    assert "1 minus a probability is then used" in told
    by_chance = evaluate(rows([0, 1, 0, 1], [0.4, 0.3, 0.25, 0.2], header="y,p"), QUICK)
    assert "chance" in notice(by_chance, "auc-below-half")


def test_labels_that_follow_another_threshold_are_told_which():
    text = "y,pred,p\n1,1,0.9\n0,1,0.4\n1,0,0.3\n0,0,0.1\n"
    evaluation = evaluate(data(text), QUICK)
    message = notice(evaluation, "labels-disagree")
    assert "on 1 of 4 rows" in message
    assert "above 0.3 and up to 0.4" in message


def test_labels_that_follow_no_threshold_are_told_so():
    text = "y,pred,p\n1,0,0.9\n0,1,0.4\n1,0,0.3\n0,0,0.1\n"
    assert "No threshold gives these labels" in notice(
        evaluate(data(text), QUICK), "labels-disagree"
    )


def test_labels_that_agree_with_the_threshold_bring_no_notice():
    text = "y,pred,p\n1,1,0.9\n0,1,0.6\n1,0,0.3\n0,0,0.1\n"
    assert "labels-disagree" not in codes(evaluate(data(text), QUICK))


def test_tied_largest_probabilities_are_counted_and_the_first_class_taken():
    text = "truth,prob_a,prob_b,prob_c\nb,0.4,0.4,0.2\na,0.5,0.3,0.2\nc,0.1,0.1,0.8\n"
    evaluation = evaluate(data(text), QUICK)
    assert "In 1 of 3 rows" in notice(evaluation, "argmax-ties")
    assert only(evaluation).decisions["argmax"].confusion.counts[1, 0] == 1


def test_probabilities_are_divided_by_their_sum_for_the_log_loss_and_that_is_said():
    text = "truth,prob_a,prob_b,prob_c\nb,0.1,0.2,0.1\na,0.5,0.3,0.2\nc,0.1,0.1,0.8\n"
    evaluation = evaluate(data(text), QUICK)
    assert "only the log loss" in notice(evaluation, "renormalised")
    right = -np.log([0.5, 0.5, 0.8]).mean()
    assert only(evaluation).probability["log_loss"].value == pytest.approx(right)


def test_a_perfect_model_is_called_degenerate():
    evaluation = evaluate(data("y,p\n1,0.9\n1,0.8\n0,0.2\n0,0.1\n"), QUICK)
    made = only(evaluation).ranking["roc_auc"]
    assert made.value == made.high == 1
    assert made.low is not None
    assert made.low < 0.9
    assert "degenerate" in made.note
    assert "too narrow: Accuracy, " in notice(evaluation, "degenerate-interval")


def test_taking_the_offer_mends_every_model_and_keeps_their_probabilities():
    truth, score = noisy(200)
    table = list(zip(truth, 1 - score, 1 - score**2, strict=True))
    text = "y,A_score,B_score\n" + "".join(f"{y},{a:.12f},{b:.12f}\n" for y, a, b in table)
    backward = evaluate(data(text), QUICK)
    (offer, again) = [told.offers[0] for told in backward.notices if told.offers]
    assert offer == again == Offer('Low scores mean "1"', "reverse", "yes")
    turned = load([("rows.csv", text.encode())], apply_offer(offer, Choices()))
    mended = evaluate(turned, QUICK)
    assert "auc-below-half" not in codes(mended)
    for name, model in mended.models.items():
        was = backward.models[name]
        assert model.ranking["roc_auc"].value == pytest.approx(1 - was.ranking["roc_auc"].value)
        right = brier_score_loss(truth, score if name == "A" else score**2)
        assert model.probability["brier"].value == pytest.approx(right)
