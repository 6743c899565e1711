"""The verdict of the overview: what a comparison concludes, by its main test alone."""

from pathlib import Path

import numpy as np
import pytest

from evalcore.compare import compare, verdict
from evalcore.comparison.results import Place
from evalcore.errors import EvalError
from evalcore.options import Options
from evalread.loading import load

OPTIONS = Options(resamples=200)


def dataset_of(columns):
    rows = zip(*columns.values(), strict=True)
    text = "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)])
    return load([("file.csv", text.encode())])


def judged(columns):
    return verdict(dataset_of(columns), OPTIONS)


def scores_of(n, *noises, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    told = {f"m{i}_score": truth + rng.normal(0, noise, n) for i, noise in enumerate(noises)}
    return {"truth": truth, **told}


@pytest.mark.parametrize("metric", [None, "accuracy", "f1"])
def test_the_verdict_is_the_summary_of_the_comparison_to_the_letter(metric):
    rng = np.random.default_rng(3)
    columns = scores_of(120, 0.5, 0.7, 2.0) | {"fold": rng.integers(5, size=120)}
    dataset = dataset_of(columns)
    short, whole = (
        made(dataset, OPTIONS, metric=metric) for made in (verdict, compare)
    )  # fmt: skip
    assert short.summary == whole.summary
    assert short.standing.order == whole.standing.order
    assert short.standing.groups == whole.standing.groups
    assert short.winner == whole.winner
    assert {made.test for made in short.tests} == {whole.primary}


def test_a_clearly_better_model_is_surely_ahead_of_every_other():
    made = judged(scores_of(400, 2.0, 0.4, 2.5))
    assert (made.winner, made.metric) == ("m1", "roc_auc")
    assert made.is_ahead("m1", "m0")
    assert not made.is_ahead("m0", "m1")


def test_models_of_the_same_worth_have_no_winner():
    made = judged(scores_of(60, 1.0, 1.0))
    assert made.winner is None
    assert made.standing.groups == (made.standing.order,)


def test_nothing_is_sure_with_few_rows_of_a_class():
    columns = {"truth": [1] * 9 + [0] * 9, "a_score": [2] * 9 + [1] * 9, "b_score": [1, 2] * 9}
    made = judged(columns)
    assert (made.standing.order[0], made.winner) == ("a", None)
    assert made.summary.startswith("Nothing can be concluded")


def test_a_perfect_model_is_better_than_a_constant_one():
    columns = {"truth": [1] * 40 + [0] * 40, "a_score": [2] * 40 + [1] * 40, "b_score": [1] * 80}
    assert judged(columns).winner == "a"


def test_labels_are_compared_where_the_truth_has_one_class_only():
    columns = {"truth": ["yes"] * 20, "a_label": ["yes"] * 20, "a_score": [0.9] * 20}
    columns |= {"b_label": ["yes", "no"] * 10, "b_score": [0.9, 0.1] * 10}
    made = judged(columns)
    assert (made.metric, made.winner) == ("accuracy", "a")


def test_a_model_that_gives_no_scores_leaves_one_that_has_nothing_to_be_compared_with():
    truth = ["no", "yes"] * 20
    with pytest.raises(EvalError, match="takes two models"):
        judged({"truth": truth, "a_score": [0, 1] * 20, "b_label": truth})


def test_more_models_make_the_same_two_harder_to_tell_apart():
    two = judged(scores_of(200, 0.5, 1.5))
    five = judged(scores_of(200, 0.5, 1.5, 9, 9, 9))
    p = [made.tested("delong", "m0", "m1").p_adjusted for made in (two, five)]
    assert p[1] > 3 * p[0]


@pytest.mark.slow
def test_three_equal_models_rarely_have_one_that_is_surely_ahead():
    wrong = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        truth = np.arange(100) % 2
        shared = truth + rng.normal(0, 1, 100)
        scores = [shared + rng.normal(0, 0.5, 100) for _ in range(3)]
        columns = {"truth": truth, **{f"m{i}_score": score for i, score in enumerate(scores)}}
        made = judged(columns)
        best, *others = made.standing.order
        wrong += any(made.is_ahead(best, other) for other in others)
    assert wrong <= 20  # 5% of 200 are 10; more than 20 would be less likely than 1 in 500


@pytest.mark.parametrize("name", ["breast_cancer", "diabetes", "digits"])
def test_places_say_what_the_headline_says(name: str) -> None:
    file = Path(__file__).parents[2] / f"assets/samples/{name}.csv"
    made = verdict(load([(file.name, file.read_bytes())]), Options())
    leader, *others = made.standing.order
    ahead = [other for other in others if made.is_ahead(leader, other)]
    if len(ahead) == len(others):
        assert made.places == {leader: Place.BEST, **dict.fromkeys(others, Place.BEHIND)}
    else:
        level = [leader, *(other for other in others if other not in ahead)]
        assert [n for n, place in made.places.items() if place is Place.LEVEL] == level
        assert Place.BEST not in made.places.values()
