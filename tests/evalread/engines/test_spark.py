"""Spark in local mode, reached as a client by Spark Connect: the same cells as DuckDB and numpy."""

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evalread.engines.lying import as_folder, counted_here, counted_there, models, same

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

ADDRESS = "sc://localhost:15002"


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    """Start a Spark of one process that answers clients, and stop it at the end."""
    pyspark = pytest.importorskip("pyspark")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        started = SparkSession.builder.remote("local[2]").getOrCreate()
    assert pyspark.__version__
    yield
    started.stop()


@pytest.mark.parametrize("most", [10_000, 1500, 400])
def test_spark_counts_the_same_cells(tmp_path: Path, most: int) -> None:
    table = models(3000, names=("a", "b", "c"))
    as_folder(table, tmp_path)
    found = counted_there(f"{ADDRESS}?parquet={tmp_path}", most=most)
    same(found, counted_here(table, most=most))


def test_spark_and_duckdb_count_the_same_file_alike(tmp_path: Path) -> None:
    address = as_folder(models(300_000, names=("a", "b")), tmp_path)
    for most in (1_000_000, 50_000):
        there = counted_there(f"{ADDRESS}?parquet={tmp_path}", most=most, pairs=most < 100_000)
        same(there, counted_there(address, most=most, pairs=most < 100_000))
