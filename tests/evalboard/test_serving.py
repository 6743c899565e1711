"""The command opens the dashboard where no other command is named."""

import gzip
import json
import os
import re
import socket
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from evalboard import serving
from evalboard.starting import FILES_VARIABLE
from tests.evalboard.said import Run

Started = Callable[[], SimpleNamespace]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """Return what Streamlit would be called with and told, once the command has been run."""
    calls: list[SimpleNamespace] = []

    def main(words: list[str], **_: object) -> None:
        told = json.loads(os.environ.get(FILES_VARIABLE, "{}"))
        told["words_of_files"] = told.pop("words", {})
        calls.append(SimpleNamespace(words=words, **told))

    monkeypatch.setattr(
        serving, "import_module", lambda name: SimpleNamespace(main=main, Abort=OSError)
    )
    monkeypatch.setenv(FILES_VARIABLE, "")
    return lambda: calls[-1]


def test_without_a_word_the_dashboard_opens(run: Run, started: Started) -> None:
    said = run("--no-browser")
    assert said.code == 0
    assert "Evalboard opens at http://localhost:" in said.out
    assert Path(started().words[1]).name == "app.py"
    assert "--server.address=127.0.0.1" in started().words


def test_a_file_is_told_to_the_server_and_only_its_token_to_the_browser(
    run: Run, started: Started, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    said = run(file.name, "--no-browser")
    assert started().files == [str(file.resolve())]
    assert f"?open={started().token} " in said.out
    assert file.name not in said.out
    assert len(started().token) >= 20


def test_a_file_named_like_a_command_is_given_with_its_folder(
    run: Run, started: Started, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = file.rename(file.with_name("evaluate"))
    monkeypatch.chdir(named.parent)
    run("./evaluate", "--no-browser")
    assert started().files == [str(named.resolve())]


def test_the_host_and_the_port_are_the_ones_asked_for(run: Run, started: Started) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    said = run("--host", "0.0.0.0", "--port", str(port), "--no-browser")
    assert f"http://localhost:{port}/" in said.out
    assert {"--server.address=0.0.0.0", f"--server.port={port}"} <= set(started().words)


@pytest.mark.parametrize(
    ("words", "fragment"),
    [
        (["nowhere.csv"], 'no file "nowhere.csv"'),
        (["."], "folder"),
        (["--port", "99999"], "99999"),
        (["--host", "nowhere.invalid"], "nowhere.invalid"),
        (["evaluat", "a.csv"], "evaluate"),
    ],
)
def test_what_cannot_be_served_is_a_sentence_and_code_two(
    words: list[str], fragment: str, run: Run, started: Started
) -> None:
    said = run(*words, "--no-browser")
    assert (said.code, said.out) == (2, "")
    assert fragment in said.err


UNREADABLE = {
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400, "not a table"),
    "control bytes": (bytes([1, 2, 3, 65]) * 50, "not a table"),
    "an empty file": (b"", "empty"),
    "a workbook of old": (b"\xd0\xcf\x11\xe0" + bytes(600), "Excel"),
}


@pytest.mark.parametrize(("content", "why"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_is_no_table_is_refused_before_a_server_starts_and_as_by_evaluate(
    content: bytes, why: str, run: Run, started: Started, tmp_path: Path
) -> None:
    path = tmp_path / "picture.csv"
    path.write_bytes(content)
    said = run(path, "--no-browser")
    assert (said.code, said.out) == (2, "")
    assert re.search(why, said.err)
    assert said.err == run("evaluate", path).err


@pytest.mark.parametrize(
    "content",
    [
        "truth,score\n1,0.5\n0,é\n".encode("utf-16"),
        "truth,score\n1,0.5\n".encode("utf-16-le"),
        "größe,score\n1,0.5\n".encode("cp1252"),
        b'[{"truth": 1, "score": 0.5}]',
        gzip.compress(b"truth,score\n1,0.5\n", mtime=0),  # the bytes name the test
        b"PAR1 whatever comes",
    ],
)
def test_what_may_be_a_table_starts_the_server(
    content: bytes, run: Run, started: Started, tmp_path: Path
) -> None:
    path = tmp_path / "table"
    path.write_bytes(content)
    assert run(path, "--no-browser").code == 0
    assert started().files == [str(path)]


def test_of_a_large_file_the_first_bytes_alone_are_looked_at(
    run: Run, started: Started, tmp_path: Path
) -> None:
    path = tmp_path / "large.csv"
    with path.open("wb") as opened:
        opened.write(b"truth,score\n" + b"1,0.5\n" * 20_000)
        opened.truncate(50 << 30)  # what follows are zeros, which the disk does not hold
    begun = time.process_time()
    assert run(path, "--no-browser").code == 0
    assert time.process_time() - begun < 10  # the whole of it takes longer on any processor


def test_a_port_in_use_is_said(run: Run, started: Started) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        said = run("--port", port, "--no-browser")
    assert said.code == 2
    assert port in said.err


def test_the_browser_opens_once_the_server_answers(
    monkeypatch: pytest.MonkeyPatch, run: Run, started: Started
) -> None:
    opened: list[str] = []
    monkeypatch.setenv("BROWSER", "a browser")
    monkeypatch.setattr(serving.webbrowser, "open", opened.append)
    monkeypatch.setattr(urllib.request, "urlopen", lambda url, timeout: socket.socket())
    # The server's place is taken by one that waits until the browser has been opened.
    threads: list[object] = []
    monkeypatch.setattr(
        serving.threading,
        "Thread",
        lambda target, args, daemon: (
            threads.append((target, args)) or SimpleNamespace(start=lambda: target(*args))
        ),
    )
    said = run()
    assert len(opened) == 1
    assert opened[0] in said.out


def test_options_about_files_are_told_to_the_server(run: Run, started: Started, file: Path) -> None:
    run(str(file), "--truth", "y", "--ignore", "note", "--no-browser")
    assert (started().words_of_files["truth"], started().words_of_files["ignore"]) == (
        "y",
        ["note"],
    )
    assert run("--truth", "y", "--no-browser").code == 2
    assert run(str(file), "--truth", "y", "--truth", "z", "--no-browser").code == 2


@pytest.mark.parametrize("port", ["80000", "0", "-1", "65536", "http"])
def test_what_is_no_port_is_refused(run: Run, port: str):
    said = run("--no-browser", f"--port={port}")
    assert (said.code, said.out) == (2, "")
    assert "is not a port" in said.err


def test_two_servers_that_start_at_once_print_a_port_each():
    with serving._free_port("127.0.0.1", None) as first:
        with serving._free_port("127.0.0.1", None) as second:
            assert first != second
        with serving._free_port("127.0.0.1", None) as third:
            assert third == second
