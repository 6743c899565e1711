"""Counts that are kept: found again while the source is the same, and only then."""

import os
from pathlib import Path
from typing import Any

import pytest

from evalread.dataset import Choices
from evalread.engines import reading
from evalread.engines.reading import Asked, counts_file
from evalread.engines.sources import Origin, named, origin
from tests.evalread.engines.lying import Cluster, as_database, as_folder, models


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return what is asked of engines."""
    from evalread.engines.connecting import Opened

    questions: list[Any] = []
    whole = Opened.ask

    def ask(self: Opened, question: Any, *rest: Any) -> Any:
        questions.append(question)
        return whole(self, question, *rest)

    monkeypatch.setattr(Opened, "ask", ask)
    return questions


def test_a_second_look_asks_nothing(tmp_path: Path, asked: list[Any]) -> None:
    source = origin(as_folder(models(50), tmp_path))
    first = counts_file(source)
    assert asked
    asked.clear()
    second = counts_file(source)
    assert not asked
    assert (first.data, first.made) == (second.data, None)
    assert second.made is not None


def test_files_that_changed_are_counted_anew(tmp_path: Path, asked: list[Any]) -> None:
    source = origin(as_database(models(50), tmp_path))
    first = counts_file(source)
    as_database(models(60), tmp_path)
    asked.clear()
    assert counts_file(source).data != first.data
    assert asked


def test_other_choices_and_pairs_are_counted_anew(tmp_path: Path, asked: list[Any]) -> None:
    source = origin(as_folder(models(50), tmp_path))
    counts_file(source)
    for about in (Asked(Choices(positive="0")), Asked(pairs=True), Asked(fresh=True)):
        asked.clear()
        counts_file(source, about)
        assert asked
    asked.clear()
    counts_file(source)  # those with pairs serve, too
    assert not asked


def test_counts_of_a_server_are_kept_for_the_time_that_its_source_says(
    cluster: Cluster, asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = origin(cluster.put(models(50), "kept"))
    counts_file(source)
    now = reading.time.time()
    for later, anew in ((source.keep - 60, False), (source.keep + 60, True)):
        asked.clear()
        monkeypatch.setattr(reading.time, "time", lambda later=later: now + later)
        counts_file(source)
        assert bool(asked) == anew


def test_a_column_that_changes_with_the_table_tells_whether_it_did(
    cluster: Cluster, asked: list[Any], tmp_path: Path
) -> None:
    address = cluster.put(models(50), "versions")
    (tmp_path / "sources.toml").write_text(f'[s]\naddress = "{address}"\nversion = "fold"', "utf-8")
    source = named("s")
    counts_file(source)
    asked.clear()
    counts_file(source)
    assert len(asked) == 1
    cluster.run("update versions set fold = 9 where fold = 1")
    assert counts_file(source).made is None


def test_the_oldest_go_when_there_are_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_KEPT", 2)
    folder = Path(os.environ["EVALBOARD_CACHE"])
    for rows in (50, 51, 52, 53):
        counts_file(origin(as_database(models(rows), tmp_path)))
    assert len([*folder.iterdir()]) == 2
    assert folder.stat().st_mode & 0o077 == 0


def test_a_folder_that_takes_no_file_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("EVALBOARD_CACHE", str(tmp_path / "file"))
    source = origin(as_database(models(50), tmp_path))
    assert counts_file(source).made is None
    assert counts_file(source).made is None


def test_a_kept_file_that_is_damaged_is_made_anew(tmp_path: Path) -> None:
    source = origin(as_database(models(50), tmp_path))
    first = counts_file(source)
    [path] = Path(os.environ["EVALBOARD_CACHE"]).iterdir()
    path.write_bytes(first.data[:-40])
    assert reading.dataset_of(source).models.keys() == {"a", "b"}


def test_no_secret_is_kept(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALBOARD_PASSWORD", "hunter2")
    kept = counts_file(Origin(**vars(origin(cluster.put(models(50), "open_to_all")))))
    assert b"hunter2" not in kept.data
