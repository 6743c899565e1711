"""The wheel runs outside the checkout: the command, and the dashboard with all that it shows."""

import os
import signal
import site
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dev import ROOT, python_of

pytestmark = pytest.mark.slow
SAMPLE = "assets/samples/breast_cancer.csv"
FONT = "app/static/fonts/inter-latin-wght-normal.woff2"


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of an environment that holds the wheel, and other packages from this one."""
    pytest.importorskip("hatchling", reason="builds the wheel")
    folder = tmp_path_factory.mktemp("an environment")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "env", symlinks=os.name != "nt")
    python = python_of(folder / "env")
    others = "\n".join(path for path in site.getsitepackages() if Path(path).is_dir())
    where = [str(python), "-c", "import site; print(site.getsitepackages()[0])"]
    own = subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip()
    Path(own, "others.pth").write_text(others + "\n", encoding="utf-8")
    (wheel,) = (folder / "dist").glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "-q"]
    # The checkout may stand in this environment; the wheel is installed all the same.
    subprocess.run([*pip, "--ignore-installed", str(wheel)], check=True, capture_output=True)
    return python.with_name("evalboard")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file in a folder of its own, whose name holds a space."""
    folder = tmp_path / "my files"
    folder.mkdir()
    copy = folder / "my predictions.csv"
    copy.write_bytes((ROOT / SAMPLE).read_bytes())
    return copy


def test_the_installed_command_evaluates_a_file(command: Path, file: Path) -> None:
    call = [str(command), "evaluate", file.name]
    done = subprocess.run(call, cwd=file.parent, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ROC AUC" in done.stdout


def test_the_installed_command_writes_a_sample(command: Path, tmp_path: Path) -> None:
    call = [str(command), "sample", "ten-rows"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "ten_rows.csv").is_file()


def test_the_installed_dashboard_serves_a_file(command: Path, file: Path) -> None:
    with serving(command, file) as address:
        server, _, token = address.partition("?open=")
        assert len(token) >= 20
        with urllib.request.urlopen(server + FONT) as answer:
            assert answer.headers["Content-Security-Policy"]
            assert len(answer.read()) > 10_000
        with urllib.request.urlopen(server) as answer:
            assert answer.status == 200


@contextmanager
def serving(command: Path, file: Path) -> Iterator[str]:
    """Run the dashboard on a file, from the file's folder; yield the address that it says."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    call = [str(command), file.name, "--no-browser", "--port", str(port)]
    with subprocess.Popen(call, cwd=file.parent, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            wait_for(f"http://127.0.0.1:{port}/_stcore/health", server)
            yield next(word for word in said.split() if word.startswith("http"))
        finally:
            server.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)


def wait_for(url: str, server: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert server.poll() is None, "the server has stopped"
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.1)
    raise TimeoutError(f"No answer from {url}.")
