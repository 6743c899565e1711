"""Scores whose names tell nothing are found, columns that only look like one are not."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from evalcore.errors import EvalError
from evalread.dataset import Choices
from evalread.loading import load

N = 300
RNG = np.random.default_rng(7)
TRUTH = (RNG.random(N) < 0.35).astype(int)
Columns = Mapping[str, np.ndarray]


def score(strength: float = 1.2) -> np.ndarray:
    """A probability, that much apart for the two classes."""
    odds = (2 * TRUTH - 1) * strength + RNG.normal(0, 1.3, N)
    return (1 / (1 + np.exp(-odds))).round(4)


def margin() -> np.ndarray:
    return ((2 * TRUTH - 1) * 1.2 + RNG.normal(0, 1.3, N)).round(3)


def share() -> np.ndarray:
    """A share that says nothing of the truth."""
    return RNG.random(N).round(3)


AGE, AMOUNT = RNG.integers(18, 90, N), RNG.lognormal(3, 1, N).round(2)
ID, REGION = np.arange(N) + 10_000, RNG.choice(["north", "south"], N)
YES = np.where(TRUTH, "yes", "no")

SCORES: Sequence[tuple[str, Columns, set[str]]] = [
    *(
        (f"{name} alone", {"truth": TRUTH, name: score()}, {name})
        for name in ("m1", "v3", "lgbm", "old", "challenger", "x", "run_17", "final (2)")
    ),
    ("of one family", {"id": ID, "label": TRUTH, "m1": score(), "m2": score(0.6)}, {"m1", "m2"}),
    ("a weak one", {"label": TRUTH, "m1": score(), "m2": score(0.0)}, {"m1", "m2"}),
    ("a method, a version", {"target": TRUTH, "lgbm": score(), "v3": score()}, {"lgbm", "v3"}),
    ("a version first", {"y": TRUTH, "v3": score(), "rf": score()}, {"v3", "rf"}),
    ("words of people", {"churned": YES, "old": score(), "new": score()}, {"old", "new"}),
    ("beside numbers", {"truth": TRUTH, "age": AGE, "amount": AMOUNT, "v3": score()}, {"v3"}),
    ("beside text", {"region": REGION, "outcome": YES, "v3": score()}, {"v3"}),
    ("beside a share", {"truth": TRUTH, "humidity": share(), "v3": score()}, {"v3"}),
    ("a method beside a share", {"truth": TRUTH, "humidity": share(), "rf": score()}, {"rf"}),
    ("margins", {"y": TRUTH, "lgbm": margin()}, {"lgbm"}),
    ("margins beside text", {"region": REGION, "y": TRUTH, "v3": margin()}, {"v3"}),
    ("low means positive", {"y": TRUTH, "rf": 1 - score(), "v3": 1 - score()}, {"rf", "v3"}),
]
TOLD: Sequence[tuple[str, Columns, set[str]]] = [
    *(
        (f"{name} beside {other}", {"id": ID, "truth": TRUTH, other: cells, name: score()}, {name})
        for name in ("score", "probability", "p_hat", "risk_score")
        for other, cells in {
            "age": AGE, "amount": AMOUNT, "humidity": share(), "ratio": score(0.5)
        }.items()
    ),
    ("a score and a method's share", {"truth": TRUTH, "discount": share(), "score": score()},
     {"score"}),
    ("a score and a number", {"truth": TRUTH, "visits": AGE % 7, "pred": score()}, {"pred"}),
]  # fmt: skip
FEATURES: Sequence[tuple[str, Columns]] = [
    ("two numbers", {"truth": TRUTH, "age": AGE, "amount": AMOUNT}),
    ("an id", {"truth": TRUTH, "id": ID}),
    ("text alone", {"truth": YES, "region": REGION}),
    ("numbers and an id", {"id": ID, "target": TRUTH, "age": AGE, "amount": AMOUNT}),
]


def file(columns: Columns) -> bytes:
    rows = zip(*(cells.tolist() for cells in columns.values()), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]).encode()


@pytest.mark.parametrize(("columns", "found"), [pytest.param(*c[1:], id=c[0]) for c in SCORES])
def test_scores_whose_names_tell_nothing_are_found(columns: Columns, found: set[str]) -> None:
    dataset = load([("file.csv", file(columns))])
    assert {model.score for model in dataset.roles.models.values()} == found


@pytest.mark.parametrize(("columns", "found"), [pytest.param(*c[1:], id=c[0]) for c in TOLD])
def test_beside_a_score_that_is_named_a_feature_is_none(columns: Columns, found: set[str]) -> None:
    dataset = load([("file.csv", file(columns))])
    assert {model.score for model in dataset.roles.models.values()} == found


@pytest.mark.parametrize("columns", [pytest.param(c, id=name) for name, c in FEATURES])
def test_features_alone_are_never_taken_for_a_score(columns: Columns) -> None:
    with pytest.raises(EvalError):
        load([("file.csv", file(columns))])


def test_few_rows_are_no_reason_to_leave_a_column_out() -> None:
    dataset = load([("file.csv", b"y,a,b\n1,0.9,0.2\n0,0.2,0.3\n1,0.8,0.4\n0,0.1,0.1\n")])
    assert list(dataset.models) == ["a", "b"]


def test_a_choice_of_one_model_says_which_others_it_leaves_out() -> None:
    columns = {"truth": TRUTH, "age": AGE, "a_score": score(), "b_score": score(), "id": ID}
    data = [("file.csv", file(columns))]
    chosen = load(data, Choices(scores={"a": "a_score"}))
    assert list(chosen.models) == ["a"]
    [said] = [one.message for one in chosen.notices if one.code == "only-chosen"]
    assert said.endswith('named like one: "b_score".')
    both = load(data, Choices(scores={"a": "a_score", "b": "b_score"}))
    for dataset in (load(data), both, load(data, Choices(truth="truth"))):
        assert "only-chosen" not in {one.code for one in dataset.notices}
