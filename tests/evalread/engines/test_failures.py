"""What goes wrong where data lie, each in a sentence that says what to do."""

import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from evalcore.errors import EvalError
from evalcore.work import Progress
from evalread.dataset import Choices
from evalread.engines import connecting
from evalread.engines.condensing import counted
from evalread.engines.connecting import Opened, opened
from evalread.engines.reading import Asked, dataset_of
from evalread.engines.sampling import sampled
from evalread.engines.sources import origin
from tests.evalread.engines.lying import as_csv, as_database, as_folder, counted_there, models


def refused(work: Callable[[], Any]) -> EvalError:
    with pytest.raises(EvalError) as caught:
        work()
    return caught.value


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for address in (f"parquet://{tmp_path}/*.parquet", f"duckdb://{tmp_path}/a.db?table=t"):
        problem = refused(lambda address=address: counted_there(address))
        assert problem.code == "no-such-source"
        assert str(tmp_path) in problem.message


def test_a_table_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    address = as_database(models(10), tmp_path, "predictions")
    problem = refused(lambda: counted_there(address.replace("predictions", "scores")))
    assert problem.code == "no-such-table"
    assert '"predictions"' in problem.message


def test_a_file_that_is_no_parquet(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 is how it begins" * 9)
    problem = refused(lambda: counted_there(f"parquet://{tmp_path}"))
    assert problem.code == "source-failed"
    assert "DuckDB says" in problem.message


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(b"no database" * 900)
    problem = refused(lambda: counted_there(f"duckdb://{tmp_path}/a.db?table=scores"))
    assert problem.code == "source-failed"
    assert "not a valid DuckDB database" in problem.message


@pytest.mark.parametrize("line", ["0", "1,0.2,7", "1,0.1,,x"])
@pytest.mark.parametrize("before", [1, 30_000])
def test_lines_of_other_lengths_are_refused_and_never_skipped(
    tmp_path: Path, line: str, before: int
) -> None:
    lines = ["truth,score", *(f"{k % 2},{k % 7 / 10}" for k in range(before)), line, "1,0.6"]
    (tmp_path / "a.csv").write_text("\n".join(lines), "utf-8")
    assert refused(lambda: counted_there(f"csv://{tmp_path}/a.csv")).code in (
        "source-failed", "no-truth", "source-rows", "no-predictions",
    )  # fmt: skip


def test_too_many_slices_are_refused_before_they_are_fetched(tmp_path: Path) -> None:
    table = pa.table({"truth": [0, 1] * 4500, "pred": [0, 1] * 4500, "user": [*range(9000)]})
    address = as_database(table, tmp_path)
    with opened(origin(address)) as found:
        sample = sampled(found)
        problem = refused(lambda: counted(found, sample, by=("user",), most=1000))
    assert (problem.code, problem.column) == ("too-many-cells", "user")


def test_files_of_a_folder_with_other_columns(tmp_path: Path) -> None:
    as_folder(models(30), tmp_path)
    parquet.write_table(pa.table({"x": [1]}), tmp_path / "part 9.parquet")
    assert refused(lambda: counted_there(f"parquet://{tmp_path}")).code == "source-failed"


def test_a_cell_that_is_no_number_below_many_that_are(tmp_path: Path) -> None:
    lines = ["truth,score", *("1,0.5" for _ in range(30_000)), "0,high"]
    (tmp_path / "a.csv").write_text("\n".join(lines), "utf-8")
    problem = refused(lambda: counted_there(f"csv://{tmp_path}/a.csv"))
    assert "high" in problem.message


def test_a_database_that_another_program_writes_to(tmp_path: Path) -> None:
    address = as_database(models(10), tmp_path)
    script = (
        "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print('open', flush=True); input()"
    )
    words = [sys.executable, "-c", script, str(tmp_path / "data.db")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        problem = refused(lambda: counted_there(address))
        other.communicate(b"\n")
    assert problem.code == "source-locked"


def test_a_table_without_rows(tmp_path: Path) -> None:
    address = as_database(models(10).slice(0, 0), tmp_path)
    assert refused(lambda: counted_there(address)).code == "source-empty"


def test_files_that_change_while_they_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, asked, whole = as_folder(models(50), tmp_path), [], Opened.ask

    def ask(self: Opened, question: Any, progress: Progress = Progress()) -> pa.Table:  # noqa: B008
        asked.append(question)
        if len(asked) == 4:
            as_folder(models(60), tmp_path)
        return whole(self, question, progress)

    monkeypatch.setattr(Opened, "ask", ask)
    assert refused(lambda: counted_there(address)).code in ("source-changed", "source-failed")


def test_a_table_that_gains_rows_while_it_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, whole = as_database(models(50), tmp_path), Opened.ask

    def ask(self: Opened, question: Any, progress: Progress = Progress()) -> pa.Table:  # noqa: B008
        found = whole(self, question, progress)
        if "total" not in found.column_names and "d0" in found.column_names:
            place = found.column_names.index("n")
            found = found.set_column(place, "n", pa.array([found["n"][0].as_py() - 1]))
        return found

    monkeypatch.setattr(Opened, "ask", ask)
    problem = refused(lambda: counted_there(address))
    assert problem.code == "source-changed"
    assert "Run this again" in problem.message


def test_too_many_labels_are_refused_before_they_are_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = pa.array([f"name {k}" for k in range(40_000)])
    address = as_folder(pa.table({"truth": names, "predicted": names}), tmp_path)
    fetched, whole = [], Opened.ask

    def ask(self: Opened, question: Any, progress: Progress = Progress()) -> pa.Table:  # noqa: B008
        found = whole(self, question, progress)
        fetched.append(found.num_rows)
        return found

    monkeypatch.setattr(Opened, "ask", ask)
    monkeypatch.setattr("evalread.engines.sampling._MOST_SAMPLED", 500)
    problem = refused(
        lambda: counted_there(address, Choices(truth="truth", labels={"": "predicted"}))
    )
    assert (problem.code, problem.column) == ("too-many-labels", "truth")
    assert max(fetched) <= 10_001


def test_too_many_groups_are_refused_with_a_way_out(tmp_path: Path) -> None:
    rows = 24_000
    columns = {"truth": [0, 1] * (rows // 2), "score": [0.2, 0.7] * (rows // 2)}
    table = pa.table({**columns, "patient": [k // 2 for k in range(rows)]})
    address = as_database(table, tmp_path)
    problem = refused(lambda: counted_there(address))
    assert (problem.code, problem.column) == ("too-many-groups", "patient")
    assert [(offer.choice, offer.value) for offer in problem.offers] == [("ignore", "patient")]
    assert counted_there(address, Choices(ignore=("patient",))).rows == rows


def test_too_many_cells_are_refused_with_the_column(tmp_path: Path) -> None:
    table = pa.table({"truth": [k % 900 for k in range(900)], "pred": [k % 30 for k in range(900)]})
    choices = Choices(truth="truth", labels={"": "pred"})
    problem = refused(lambda: counted_there(as_database(table, tmp_path), choices, most=100))
    assert (problem.code, problem.column) == ("too-many-cells", "truth")


@pytest.mark.parametrize(
    ("weight", "code"),
    [([1, -2], "bad-weight"), ([1, None], "bad-weight"), ([0.5, 1.5], "counts-weights")],
)
def test_weights_that_count_no_rows(tmp_path: Path, weight: list[Any], code: str) -> None:
    table = pa.table(
        {"truth": [0, 1], "score": [0.2, 0.4], "weight": pa.array(weight, pa.float64())}
    )
    assert refused(lambda: counted_there(as_database(table, tmp_path))).code == code


def test_a_row_for_each_model_and_example_needs_a_view(tmp_path: Path) -> None:
    table = pa.table({"model": ["a", "b"], "truth": [0, 0], "score": [0.2, 0.4], "id": [1, 1]})
    problem = refused(lambda: counted_there(as_database(table, tmp_path)))
    assert problem.code == "source-rows"
    assert "view" in problem.message


def test_a_question_about_columns_is_asked_as_of_a_file(tmp_path: Path) -> None:
    problem = refused(lambda: counted_there(as_csv(pa.table({"a": [0.5], "b": [0.2]}), tmp_path)))
    assert problem.code == "no-truth"


def test_what_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "find_spec", lambda name: None)
    problem = refused(lambda: counted_there(as_database(models(10), tmp_path)))
    assert problem.code == "no-engine"
    assert 'pip install "evalboard[engines]"' in problem.message


@pytest.mark.parametrize("scheme", ["bigquery", "snowflake"])
def test_a_driver_of_others_is_named(scheme: str) -> None:
    problem = refused(lambda: counted_there(f"{scheme}://a/b?table=t"))
    assert problem.code == "no-engine"
    assert f'pip install "ibis-framework[{scheme}]"' in problem.message


def test_counting_is_stopped_when_it_is_cancelled(tmp_path: Path) -> None:
    slow = as_database(pa.table({"x": list(range(3000))}), tmp_path)
    cancel = threading.Event()
    with opened(origin(slow)) as table:
        one = table.table
        many = one.cross_join(one.view(), rname="{name}_b").cross_join(one.view(), rname="{name}_c")
        question = many.aggregate(n=(many.x * many.x_b * many.x_c % 7).sum())
        threading.Timer(0.3, cancel.set).start()
        problem = refused(lambda: table.ask(question, Progress(None, cancel)))
    assert problem.code == "cancelled"


@pytest.mark.parametrize("scheme", ["sc", "spark"])
def test_a_cluster_that_does_not_answer_is_refused_before_spark_tries_for_minutes(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)  # not to be asked at all
    with socket.socket() as free:
        free.bind(("localhost", 0))  # where nobody listens
        place = f"localhost:{free.getsockname()[1]}"
        problem = refused(lambda: counted_there(f"{scheme}://{place}?table=t"))
    assert problem.code == "source-unreachable"
    assert place in problem.message
    assert refused(lambda: counted_there("sc://nowhere.invalid?table=t")).code == problem.code


def test_where_a_source_of_the_settings_file_lies_is_not_told_to_readers(tmp_path: Path) -> None:
    place = tmp_path / "a.parquet"
    named = replace(origin(f"parquet://{place}"), name="scores")
    gone = refused(lambda: counted_there(named))
    place.write_bytes(b"PAR1 is how it begins" * 9)
    damaged = refused(lambda: counted_there(named))
    assert (gone.code, damaged.code) == ("no-such-source", "source-failed")
    for problem in (gone, damaged):
        assert '"scores"' in problem.message
        assert str(tmp_path) not in problem.message
    assert str(tmp_path) in refused(lambda: counted_there(f"parquet://{place}")).message


def test_columns_that_duckdb_would_rename_are_refused(tmp_path: Path) -> None:
    cells = pa.table({"truth": ["a", "b"], "score": [0.1, 0.9], "Score": [0.2, 0.8]})
    parquet.write_table(cells, tmp_path / "a.parquet")
    problem = refused(lambda: counted_there(f"parquet://{tmp_path}"))
    assert problem.code == "source-rows"
    assert "repeated" in problem.message


def test_weights_that_are_found_are_told(tmp_path: Path) -> None:
    cells = pa.table({"truth": ["a", "b"] * 20, "score": [0.1, 0.9] * 20, "weight": [2, 3] * 20})
    parquet.write_table(cells, tmp_path / "a.parquet")
    made = dataset_of(origin(f"parquet://{tmp_path}"), Asked(fresh=True))
    told = [one for one in made.notices if one.code == "counts-weighted"]
    assert [one.column for one in told] == ["weight"]
