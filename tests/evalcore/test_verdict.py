"""The verdict of the overview: what a comparison concludes, by its main test alone."""

import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.compare import compare, verdict
from evalcore.comparison.results import Standing, groups_of
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
    assert short.order == whole.order
    assert short.verdict.groups == whole.verdict.groups
    assert short.verdict.winner == whole.verdict.winner
    assert {made.test for made in short.tests} == {whole.primary}


def test_a_clearly_better_model_is_surely_ahead_of_every_other():
    made = judged(scores_of(400, 2.0, 0.4, 2.5))
    assert (made.verdict.winner, made.metric) == ("m1", "roc_auc")
    assert made.verdict.is_ahead("m1", "m0")
    assert not made.verdict.is_ahead("m0", "m1")


def test_models_of_the_same_worth_have_no_winner():
    made = judged(scores_of(60, 1.0, 1.0))
    assert made.verdict.winner is None
    assert made.verdict.groups == (made.order,)


def test_nothing_is_sure_with_few_rows_of_a_class():
    columns = {"truth": [1] * 9 + [0] * 9, "a_score": [2] * 9 + [1] * 9, "b_score": [1, 2] * 9}
    made = judged(columns)
    assert (made.order[0], made.verdict.winner) == ("a", None)
    assert made.summary.startswith("Nothing can be concluded")


def test_a_perfect_model_is_better_than_a_constant_one():
    columns = {"truth": [1] * 40 + [0] * 40, "a_score": [2] * 40 + [1] * 40, "b_score": [1] * 80}
    assert judged(columns).verdict.winner == "a"


def test_labels_are_compared_where_the_truth_has_one_class_only():
    columns = {"truth": ["yes"] * 20, "a_label": ["yes"] * 20, "a_score": [0.9] * 20}
    columns |= {"b_label": ["yes", "no"] * 10, "b_score": [0.9, 0.1] * 10}
    made = judged(columns)
    assert (made.metric, made.verdict.winner) == ("accuracy", "a")


def test_a_model_that_gives_no_scores_leaves_one_that_has_nothing_to_be_compared_with():
    truth = ["no", "yes"] * 20
    with pytest.raises(EvalError, match="needs two models"):
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
        best, *others = made.order
        wrong += any(made.verdict.is_ahead(best, other) for other in others)
    assert wrong <= 20  # 5% of 200 are 10; more than 20 would be less likely than 1 in 500


@pytest.mark.parametrize("name", ["breast_cancer", "diabetes", "digits"])
def test_places_say_what_the_headline_says(name: str) -> None:
    file = Path(__file__).parents[2] / f"assets/samples/{name}.csv"
    made = verdict(load([(file.name, file.read_bytes())]), Options())
    leader, *others = made.order
    ahead = [other for other in others if made.verdict.is_ahead(leader, other)]
    standings = made.verdict.standings
    if len(ahead) == len(others):
        assert made.verdict.standings == {
            leader: Standing.BEST,
            **dict.fromkeys(others, Standing.BEHIND),
        }
    else:
        level = [leader, *(other for other in others if other not in ahead)]
        assert [n for n, place in standings.items() if place is Standing.LEVEL] == level
        assert Standing.BEST not in standings.values()


CONTRADICTION = Path(__file__).parents[1] / "cases/224_p_and_interval_disagree.csv"


def test_a_small_p_beside_an_interval_with_zero_tells_no_models_apart_anywhere() -> None:
    made = compare(load([(CONTRADICTION.name, CONTRADICTION.read_bytes())]), OPTIONS)
    gap = made.gap("b", "a")
    assert made.tested(made.primary, "a", "b").p_adjusted < 0.05
    assert gap.low < 0 < gap.high
    assert made.summary.startswith("b and a are too close to call")
    assert made.verdict.groups == (("b", "a"),)
    assert made.verdict.letters == {"b": "a", "a": "a"}
    assert set(made.verdict.standings.values()) == {Standing.LEVEL}


def test_where_nothing_can_be_concluded_no_models_are_told_apart() -> None:
    columns = {"truth": [1] * 9 + [0] * 9, "a_score": [2] * 9 + [1] * 9, "b_score": [1, 2] * 9}
    made = judged(columns)
    assert made.tested(made.primary, "a", "b").p_adjusted < 0.05
    assert made.verdict.groups == (("a", "b"),)
    assert set(made.verdict.standings.values()) == {Standing.LEVEL}


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n * n)))))
def test_two_models_share_a_group_unless_they_are_apart(drawn: tuple[int, set[int]]) -> None:
    n, cells = drawn
    names = [f"m{at}" for at in range(n)]
    pairs = [frozenset(pair) for pair in combinations(names, 2)]
    apart = {pair for at, pair in enumerate(pairs) if at in cells}
    groups = groups_of(names, apart)
    shared = {frozenset(pair) for group in groups for pair in combinations(group, 2)}
    assert shared == set(pairs) - apart
    for group in groups:
        outside = set(names) - set(group)
        assert all(any({name, other} in apart for other in group) for name in outside)


def test_groups_of_many_models_take_no_time() -> None:
    names = [str(at) for at in range(60)]
    chance = random.Random(1)
    # Twenty times three models that are apart make 3^20 groups that could not grow.
    apart = {
        frozenset((one, other))
        for one, other in combinations(names, 2)
        if int(one) // 3 == int(other) // 3
    } | {frozenset(chance.sample(names, 2)) for _ in range(100)}
    assert len(groups_of(names, apart)) < 1770


def test_a_larger_bias_is_not_better() -> None:
    truth, noise = np.random.default_rng(0).normal(size=(2, 60))
    columns = {"truth": truth, "a_pred": truth + 0.1 * noise, "b_pred": truth + 5 - 0.1 * noise}
    made = compare(dataset_of(columns), OPTIONS, metric="bias")
    assert made.verdict.winner is None
    assert "is ahead" not in made.summary
    assert made.summary.startswith("Nothing can be concluded: neither a higher nor a lower value")


def rare(n=2000, seed=0):
    """One row of 25 is positive; "shy" flags one row, "eager" some, and "sharp" nearly all."""
    rng = np.random.default_rng(seed)
    truth = (np.arange(n) % 25 == 0).astype(int)
    scores = {
        "shy_score": np.clip(0.05 + 0.2 * truth + rng.normal(0, 0.02, n), 0, 0.49),
        "eager_score": np.clip(0.1 + 0.3 * truth + rng.normal(0, 0.25, n), 0, 1),
        "sharp_score": np.where(truth == 1, 0.9, 0.02) + rng.uniform(-0.01, 0.01, n),
    }
    return {"truth": truth, **{name: score.round(4) for name, score in scores.items()}}


def test_a_model_that_is_right_as_often_as_the_commonest_class_is_known_to_be_no_better():
    columns = rare()
    made = verdict(dataset_of(columns), OPTIONS, metric="accuracy")
    for name, gain in made.gains.items():
        right = np.mean((columns[f"{name}_score"] >= 0.5) == columns["truth"])
        assert gain.value == pytest.approx(right - 0.96)
        assert made.no_better_than_a_guess(name) == (gain.low <= 0) == (name != "sharp")
    assert "No model is shown" not in made.summary
    del columns["sharp_score"]
    both = verdict(dataset_of(columns), OPTIONS, metric="accuracy")
    assert both.order == ("shy", "eager")
    assert both.summary.endswith(
        "No model is shown to be right more often than always naming the commonest class."
    )


def test_the_gain_by_the_brier_score_is_the_skill():
    columns = rare()
    made = verdict(dataset_of(columns), OPTIONS, metric="brier")
    for name, gain in made.gains.items():
        score = np.mean((columns[f"{name}_score"] - columns["truth"]) ** 2)
        assert gain.value == pytest.approx(1 - score / (0.04 * 0.96))
    assert made.gains["eager"].high < 0 < made.gains["sharp"].low
    assert not verdict(dataset_of(columns), OPTIONS, metric="roc_auc").gains
