"""Data frames in and out."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import recall_score, roc_auc_score

from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalread.dataset import Choices
from evalread.loading import load, load_frame


def predictions(rows: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    truth = rng.choice(["cat", "dog", "macro"], rows)
    said = np.where(rng.random(rows) < 0.7, truth, rng.choice(["cat", "dog", "macro"], rows))
    return pd.DataFrame({"truth": pd.Categorical(truth), "m_pred": said})


def test_a_frame_means_what_its_file_means() -> None:
    frame = predictions()
    from_file = load([("p.csv", frame.to_csv(index=False).encode())])
    made, read = (evaluate(data, Options()) for data in (load_frame(frame), from_file))
    pd.testing.assert_frame_equal(made.to_frame(), read.to_frame())


def test_numbers_are_those_of_scikit_learn_for_the_whole_and_for_a_class() -> None:
    frame = predictions()
    table = evaluate(load_frame(frame), Options()).to_frame()
    recalls = table[table.metric.eq("recall")].set_index(["part", "of"]).value
    told = recall_score(frame.truth, frame.m_pred, average=None, labels=["cat", "dog", "macro"])
    assert recalls["class"].to_dict() == dict(zip(["cat", "dog", "macro"], told, strict=True))
    # A class of that name stays apart from the average.
    assert recalls["average", "macro"] == pytest.approx(told.mean())


def test_every_number_of_the_whole_is_a_row() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 50)
    frame = pd.DataFrame({"truth": truth, "score": rng.random(50) + truth / 2})
    found = evaluate(load_frame(frame), Options())
    table = found.to_frame()
    whole = table[table.part.eq("all")]
    assert len(whole) == sum(map(len, found.models["score"].metrics.values()))
    auc = whole[whole.metric.eq("roc_auc")].iloc[0]
    assert auc.value == pytest.approx(roc_auc_score(truth, frame.score))
    assert (auc.low, auc.high) == (
        found.models["score"].ranking["roc_auc"].low,
        found.models["score"].ranking["roc_auc"].high,
    )


def test_undefined_numbers_come_with_their_reason() -> None:
    frame = pd.DataFrame({"truth": ["no", "yes"], "m_pred": ["no", "no"]})
    table = evaluate(load_frame(frame, Choices(positive="yes")), Options()).to_frame()
    precision = table[table.metric.eq("precision") & table.part.eq("all")].iloc[0]
    assert np.isnan(precision.value)
    assert "no row is called" in precision.why


def test_clusterings_are_rows_too() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(20, 2)), columns=["x", "y"])
    frame["cluster"] = np.repeat(["a", "b"], 10)
    table = evaluate(load_frame(frame), Options()).to_frame()
    assert "silhouette" in set(table.metric)


@pytest.mark.parametrize(
    ("frame", "named"),
    [
        (pd.DataFrame({"truth": [1, "a"], "score": [0.1, 0.2]}), "truth"),
        (pd.DataFrame([[1, 0.2], [0, 0.3]], columns=["a", "a"]), "a"),
        (pd.DataFrame({"truth": [1, 0], "score": [1 + 2j, 2]}), "score"),
    ],
    ids=["two types", "two columns of one name", "complex"],
)
def test_a_frame_that_cannot_be_used_is_refused_by_column(frame: pd.DataFrame, named: str) -> None:
    with pytest.raises(EvalError, match=rf"The data frame cannot be used: .*\b{named}\b"):
        load_frame(frame)
