"""Rows counted by engines: the same cells as numpy and pyarrow make of the same rows."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from evalread.counts import blocks
from evalread.counts.blocks import condensed
from evalread.dataset import Choices
from evalread.engines.condensing import cells_of, richness
from evalread.engines.connecting import opened
from evalread.engines.sources import origin
from tests.evalread.engines.lying import (
    Cluster,
    as_csv,
    as_database,
    as_folder,
    counted_here,
    counted_there,
    models,
    same,
)

Put = Callable[[pa.Table], str]


@pytest.fixture(params=["folder", "database", "csv", "postgres"])
def put(request: pytest.FixtureRequest, tmp_path: Path) -> Put:
    """Return what puts rows where an engine counts them."""
    if request.param == "postgres":
        cluster: Cluster = request.getfixturevalue("cluster")
        return cluster.put
    writers = {"folder": as_folder, "database": as_database, "csv": as_csv}
    return lambda table: writers[request.param](table, tmp_path)


def test_few_cells_are_counted_in_one_block(put: Put) -> None:
    table = models()
    same(counted_there(put(table)), counted_here(table))


@pytest.mark.parametrize("most", [1500, 400])
def test_more_cells_are_condensed_by_the_same_rule_for_each_model_and_pair(
    put: Put, most: int
) -> None:
    table = models(names=("a", "b", "c"))
    found = counted_there(put(table), most=most)
    assert len(found.blocks) == 6
    assert any(block.digits for block in found.blocks)
    same(found, counted_here(table, most=most))


def test_a_single_model_keeps_more_cells_than_one_of_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "MOST_CELLS", 400)
    monkeypatch.setattr(blocks, "MOST_ALONE", 3000)
    table = models()
    alone = table.drop_columns("score_b")
    for rows, exact in ((alone, True), (table, False)):
        found = counted_there(as_database(rows, tmp_path))
        assert [not block.digits for block in found.blocks[:1]] == [exact]
        same(found, counted_here(rows))


def test_pairs_are_counted_only_where_they_are_asked_for(tmp_path: Path) -> None:
    address = as_folder(models(), tmp_path)
    assert [b.models for b in counted_there(address, pairs=False, most=400).blocks] == [
        ("a",), ("b",),
    ]  # fmt: skip


def test_labels_of_several_classes_and_their_probabilities_are_counted(put: Put) -> None:
    rng = np.random.default_rng(1)
    names = np.array(["cat", "dog", "wolf"])
    shares = np.round(rng.dirichlet([1, 1, 1], 500), 2)
    columns = {"label": names[rng.integers(0, 3, 500)], "pred": names[shares.argmax(axis=1)]}
    columns |= {f"prob_{name}": shares[:, k] for k, name in enumerate(names)}
    table = pa.table(columns)
    same(counted_there(put(table)), counted_here(table))


def test_predicted_numbers_are_condensed(put: Put) -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(100, 40, 2000)
    table = pa.table({"y_true": truth, "y_pred": truth + rng.normal(0, 9, 2000)})
    found = counted_there(put(table), most=1000)
    assert found.blocks[0].digits == {"y_true": 2, "y_pred": 2}
    same(found, counted_here(table, most=1000))


def test_weights_that_count_rows_are_added_up(put: Put) -> None:
    table = pa.table({"truth": [0, 1, 1, 0], "score": [0.1, 0.8, 0.8, 0.1], "weight": [3, 2, 5, 1]})
    found = counted_there(put(table))
    assert found.blocks[0].table.to_pydict() == {
        "truth": [0, 1], "score": [0.1, 0.8], "n": [4, 7],
    }  # fmt: skip
    same(found, counted_here(table))


def test_labels_that_no_sampled_row_has_are_classes_too(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalread.engines.sampling._MOST_SAMPLED", 50)
    monkeypatch.setattr("evalread.engines.sampling.SAMPLED_ROWS", 50)
    labels = ["a", "b"] * 200 + ["c"] * 40
    table = pa.table({"truth": labels, "predicted": labels[::-1]})
    found = counted_there(put(table))
    assert set(found.blocks[0].table["truth"].to_pylist()) == {"a", "b", "c"}
    same(found, counted_here(table))


def test_what_is_settled_of_columns_holds(tmp_path: Path) -> None:
    table = pa.table({"x": [0, 1, 1, 0], "p": [0.1, 0.8, 0.4, 0.3], "q": [0.5, 0.8, 0.4, 0.2]})
    choices = Choices(truth="x", scores={"m": "p"}, positive="0")
    found = counted_there(as_database(table, tmp_path), choices)
    assert (found.roles.positive, [*found.roles.models]) == ("0", ["m"])
    assert "q" not in found.blocks[0].keys
    same(found, counted_here(table, choices))


def test_other_types_mean_what_they_do_in_files(tmp_path: Path) -> None:
    table = pa.table(
        {
            "truth": [True, False, True, None],
            "score": pa.array(["0.9", " 0.20", "80e-2", None]),
            "fold": pa.array([0, 1, 0, 1], pa.date32()),
            "n_rows": pa.array([1, 2, 3, 4], pa.int8()),
            "price": pa.array([1, 2, 3, 4], pa.decimal128(9, 2)),
        }
    )
    for address in (as_folder(table, tmp_path), as_database(table, tmp_path)):
        same(counted_there(address), counted_here(table))
    scored = pa.table({"truth": [1, 0], "score": pa.array([1, 0], pa.decimal128(9, 2))})
    found = counted_there(as_database(scored, tmp_path)).blocks[0].table
    assert found.to_pydict() == {"truth": [0, 1], "score": [0.0, 1.0], "n": [1, 1]}


@pytest.mark.parametrize("digits", [1, 2, 3, 6])
def test_engines_condense_numbers_as_numpy_does(put: Put, digits: int) -> None:
    rng = np.random.default_rng(digits)
    wide = rng.normal(size=2000) * 10.0 ** rng.integers(-12, 20, 2000)
    edges = [0.0, -0.0, 1e16, -1e16, 1e-7, -1e-8, 0.1, 0.29, 0.3, 1e15, 999_999.5, np.pi * 1e14]
    numbers = np.concatenate([rng.random(2000), wide, edges])
    table = pa.table({"place": np.arange(len(numbers)), "x": numbers})
    with opened(origin(put(table))) as found:
        cells = found.ask(cells_of(found.table, ["place", "x"], ["x"], digits, None))
    assert cells.sort_by("k0")["k1"].to_pylist() == condensed(numbers, digits).tolist()


def test_numbers_that_are_none_or_infinite_stay_as_they_are(tmp_path: Path) -> None:
    table = pa.table({"place": [0, 1, 2, 3], "x": [np.inf, -np.inf, np.nan, None]})
    with opened(origin(as_database(table, tmp_path))) as found:
        cells = found.ask(cells_of(found.table, ["place", "x"], ["x"], 2, None)).sort_by("k0")
    high, low, none, missing = cells["k1"].to_pylist()
    assert (high, low, missing) == (np.inf, -np.inf, None)
    assert np.isnan(none)


def test_the_number_of_kinds_is_estimated_from_below() -> None:
    rng = np.random.default_rng(3)
    for kinds in (50, 1000, 20_000):
        sizes = np.unique(rng.integers(0, kinds, 2000), return_counts=True)[1]
        assert len(sizes) <= richness(sizes) <= 1.35 * kinds
