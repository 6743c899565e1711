"""Spark in local mode, reached as a client by Spark Connect: the same cells as DuckDB and numpy."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evalread.engines.lying import as_folder, counted_here, counted_there, models, same

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SERVER = """
import sys
from pyspark.sql import SparkSession
build = SparkSession.builder.master("local[2]")
for key, value in {
    "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
    "spark.connect.grpc.binding.port": sys.argv[1],
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
}.items():
    build = build.config(key, value)
session = build.getOrCreate()
print("ready", flush=True)
sys.stdin.read()
session.stop()
"""
"""A Spark of one process that answers clients until its input ends."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Start a Spark of its own process, yield its address, and stop it at the end."""
    pytest.importorskip("pyspark")
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-c", SERVER, str(port)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin
        assert running.stdout
        assert b"ready" in running.stdout.readline()
        yield f"sc://localhost:{port}"
        running.stdin.close()


@pytest.mark.parametrize("most", [10_000, 1500, 400])
def test_spark_counts_the_same_cells(server: str, tmp_path: Path, most: int) -> None:
    table = models(3000, names=("a", "b", "c"))
    as_folder(table, tmp_path)
    found = counted_there(f"{server}?parquet={tmp_path}", most=most)
    same(found, counted_here(table, most=most))


def test_spark_and_duckdb_count_the_same_file_alike(server: str, tmp_path: Path) -> None:
    address = as_folder(models(300_000, names=("a", "b")), tmp_path)
    for most in (1_000_000, 50_000):
        there = counted_there(f"{server}?parquet={tmp_path}", most=most, pairs=most < 100_000)
        same(there, counted_there(address, most=most, pairs=most < 100_000))
