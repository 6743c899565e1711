"""The command line stops what takes too much, and tells a fault of its own in one line."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evalread import loading
from evalread.worker.limits import LIMITED
from tests.evalboard.said import Run

needs_limits = pytest.mark.skipif(not LIMITED, reason="this system has no such limits")


def command(file: Path, **limits: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "evalboard", "inspect", str(file)]
    return subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **limits},
    )


@needs_limits
def test_a_file_that_takes_too_long_is_stopped_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "f.jsonl"
    file.write_bytes(b'{"truth": 1, "score": 0.75}\n{"truth": 0, "score": 0.25}\n' * 1_000_000)
    done = command(file, EVALBOARD_READ_SECONDS="1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Reading took more than 1 second of processor time" in done.stderr
    assert "Traceback" not in done.stderr


@needs_limits
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux's /proc")
def test_a_file_that_takes_too_much_memory_is_stopped_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "f.csv"
    file.write_bytes(b"truth,score\n" + b"yes,0.75\nno,0.25\n" * 5_000_000)
    done = command(file, EVALBOARD_READ_MB="250")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Reading took more than 250 MB of memory" in done.stderr
    assert "Traceback" not in done.stderr


def broken(*_: object) -> None:
    raise IndexError("a cell: secret")


@pytest.mark.parametrize("words", [["evaluate"], ["compare"], ["check", "--require", "mcc>0"]])
def test_a_fault_of_the_program_is_told_in_a_line_to_report_and_code_three(
    words: list[str], run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "load", broken)
    said = run(*words, file)
    assert (said.code, said.out) == (3, "")
    assert said.err.count("\n") == 1
    assert "Please report this line: IndexError in evalboard.cli, line" in said.err
    assert "secret" not in said.err
    told = run(*words, file, "--json")
    assert (told.code, told.json["error"]["code"]) == (3, "internal")


@needs_limits
def test_what_was_limited_is_free_again_afterwards(run: Run, file: Path) -> None:
    import resource

    kinds = (resource.RLIMIT_CPU, resource.RLIMIT_DATA)
    before = [resource.getrlimit(kind) for kind in kinds], signal.getsignal(signal.SIGXCPU)
    assert run("evaluate", file).code == 0
    assert (
        [resource.getrlimit(kind) for kind in kinds],
        signal.getsignal(signal.SIGXCPU),
    ) == before
