import numpy as np
import pytest
from hypothesis import given

from evalcore.curves.roc import GainCurve
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.strategies import Scored, with_both_classes


def test_gain_and_lift_by_hand() -> None:
    score, truth = np.array([0.9, 0.6, 0.6, 0.2]), np.array([1, 0, 1, 0])
    curve = GainCurve.from_table(ScoreTable.from_scores(truth, score))
    assert curve.share.tolist() == [0, 0.25, 0.75, 1]
    assert curve.gain.tolist() == [0, 0.5, 1, 1]
    # Half of the rows: the first, and one of the two tied ones, a positive half of the time.
    assert curve.gain_at(0.5) == 0.75
    assert curve.lift_at(0.5) == 1.5


@pytest.mark.parametrize("truth", [[], [0, 0]])
def test_without_positives_there_is_no_gain(truth: list[int]) -> None:
    table = ScoreTable.from_scores(np.array(truth, np.int8), np.array([0.1, 0.2][: len(truth)]))
    curve = GainCurve.from_table(table)
    assert np.isnan(curve.gain).all()
    assert np.isnan(curve.gain_at(0.5))


@given(with_both_classes())
def test_all_rows_hold_all_positives_and_lift_one(data: Scored) -> None:
    curve = GainCurve.from_table(ScoreTable.from_scores(data.truth, data.score, data.weight))
    assert curve.gain_at(1) == curve.lift_at(1) == 1
    assert (np.diff(curve.gain_at(np.linspace(0, 1, 11))) >= -1e-12).all()


@pytest.mark.parametrize(
    "golden", found := entries(quantity="cumulative_gain_deciles"), ids=ids(found)
)
def test_deciles_equal_those_from_rocrs_counts(golden: Golden) -> None:
    curve = GainCurve.from_table(ScoreTable.from_scores(*breast_cancer(golden.params["model"])))
    share = np.array(golden.value["fraction"])
    golden.check({"gain": curve.gain_at(share).tolist(), "lift": curve.lift_at(share).tolist()})
