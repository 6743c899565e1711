"""The command line stops what takes too much, and tells a fault of its own in one line."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evalcore.errors import EvalError
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


ROWS = b"truth,score\n" + b"yes,0.75\nno,0.25\n" * 20_000
"""More bytes than a pipe holds at once."""

needs_pipes = pytest.mark.skipif(os.name != "posix", reason="this system has no such pipes")


def piped(
    *words: str | Path, data: bytes = ROWS, **limits: str
) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "evalboard", *map(str, words)]
    env = {**os.environ, **limits}
    done = subprocess.run(call, input=data, capture_output=True, timeout=120, check=False, env=env)
    return subprocess.CompletedProcess(
        call, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


@needs_pipes
@pytest.mark.parametrize("named", ["-", "/dev/stdin"])
def test_what_comes_through_a_pipe_is_read_from_its_first_byte(named: str) -> None:
    done = piped("evaluate", named, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["source"]["sha256"] == hashlib.sha256(ROWS).hexdigest()


@needs_pipes
@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("", "The name of the file is empty."),
        ("/dev/zero", '"/dev/zero" is a device, not a file.'),
        ("/dev/null", '"/dev/null" is a device, not a file.'),
    ],
)
def test_what_is_no_file_is_refused_in_a_sentence(named: str, told: str, run: Run) -> None:
    said = run("evaluate", named)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert run("serve", named, "--no-browser").code == 2
    with pytest.raises(EvalError, match=re.escape(told)):
        loading.load_any(named, {})


@needs_limits
def test_a_pipe_is_read_within_the_limit_of_memory(tmp_path: Path) -> None:
    done = piped("evaluate", "-", data=bytes(150 * 2**20), EVALBOARD_READ_MB="100")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Reading took more than 100 MB of memory" in done.stderr
    vast = tmp_path / "vast.csv"
    with vast.open("wb") as file:
        file.truncate(2**33)
    assert "Reading took more than" in command(vast).stderr


@needs_pipes
def test_a_silent_pipe_is_said_to_be_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    call = [sys.executable, "-m", "evalboard", "evaluate", str(pipe), "--json"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
        assert job.stderr is not None
        assert job.stderr.readline() == f'Waiting for data from "{pipe}" (Ctrl+C stops it).\n'
        pipe.write_bytes(ROWS)
        out, err = job.communicate()
    assert (job.returncode, err) == (0, "")
    assert json.loads(out)["source"]["rows"] == 40_000
