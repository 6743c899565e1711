#!/usr/bin/env python3
"""Everything that is done with this project, from a clean clone, with Python alone.

python3 dev.py run           opens the dashboard
python3 dev.py test          lint, types, import contracts, tests; with SLOW=1 the slow ones too
python3 dev.py screenshots   takes the pictures of docs/screenshots anew
python3 dev.py oldest        the command's tests with the lowest versions that are allowed
python3 dev.py pin           looks up the newest versions: constraints.txt, requirements.lock
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
CONSTRAINTS = ROOT / "constraints.txt"
LOCK = ROOT / "requirements.lock"
OLDEST = (3, 11)
BUILD = ("hatchling", "editables")
OLD_TOOLS = ("hypothesis", "pytest")
NOTHING_KEPT = "PYTHONDONTWRITEBYTECODE"
HEADER = "# Exact versions that the tests ran with; written by `python3 dev.py pin`.\n"


COMPILE = (
    *("-m", "uv", "pip", "compile", "pyproject.toml", "--no-header", "--no-annotate"),
    *("--no-emit-index-url", "--no-emit-find-links", "--quiet"),
)
EVERYTHING = ("--all-extras", "--python-version", ".".join(map(str, OLDEST)))
"""What the tests run with, on this system, in versions that the oldest Python still takes."""

OF_SERVER = ("--constraint", str(CONSTRAINTS), "--generate-hashes", "--universal", "--upgrade")
"""The same versions for a server, with the hashes of their files for all systems."""


class SetupError(Exception):
    """Something is missing here; the message says what and what to do."""


def main() -> int:
    """Do what the first argument says; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=list(TASKS))
    parser.add_argument("rest", nargs=argparse.REMAINDER, help="passed on to pytest or evalboard")
    given = parser.parse_args()
    try:
        check_python()
        return TASKS[given.task](given.rest)
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def check_python() -> None:
    """Say what is missing before anything is tried."""
    if sys.version_info < OLDEST:
        here = ".".join(map(str, sys.version_info[:2]))
        raise SetupError(f"Python 3.11 or newer is needed; this is {here}: {sys.executable}")
    if importlib.util.find_spec("ensurepip") is None:
        raise SetupError(
            "This Python cannot make virtual environments: its module ensurepip is missing. "
            "On Debian and Ubuntu, `apt-get install python3-venv` brings it."
        )


def run(rest: list[str]) -> int:
    """Open the dashboard in the browser, on the files that follow, by the command `evalboard`."""
    command = str(environment(".venv", "-e", str(ROOT)).with_name("evalboard"))
    if os.name == "posix":
        # Become the server, so that whoever stops this process stops the server.
        os.execv(command, [command, *rest])
    return subprocess.call([command, *rest])


def test(rest: list[str]) -> int:
    """Run every check, each to its end; fail if one of them fails."""
    python = environment(".venv", "-e", f"{ROOT}[dev]")
    if find_chromium() is None and not os.environ.get("CI"):
        print("There is no Chromium here, so the tests in a real browser are left out.")
    checks = {
        "format": ("-m", "ruff", "format", "--check", "."),
        "lint": ("-m", "ruff", "check", "."),
        "types": ("-m", "mypy"),
        "imports": ("-c", "from importlinter.cli import lint_imports_command as go; go()"),
    }
    # Types keep one core busy, so the tests begin beside the checks; what they say is told after.
    with begun(python, *pytest(), *rest) as tests:
        failed = [name for name, command in checks.items() if step(name, python, *command)]
        if finish("tests", tests):
            failed.append("tests")
    if failed:
        print(f"\nFailed: {', '.join(failed)}", file=sys.stderr)
    return len(failed)


def screenshots(rest: list[str]) -> int:
    """Take the pictures of the documentation."""
    return call(
        environment(".venv", "-e", f"{ROOT}[dev]"), "-m", "tests.browser.screenshots", *rest
    )


def oldest(rest: list[str]) -> int:
    """Run the tests of the command with the lowest versions that pyproject.toml allows."""
    import tomllib  # Python 3.11 has it, and older ones are told so first.

    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    tools = [one for one in named["optional-dependencies"]["dev"] if one.startswith(OLD_TOOLS)]
    lowest = [one.replace(">=", "==") for one in (*named["dependencies"], *tools)]
    # Not held to the pinned versions; installed itself, since reports say which version wrote them.
    python = environment(".venv-oldest", "--upgrade", "-e", str(ROOT), *lowest)
    smoke = ("tests/evalboard", "tests/cases", "tests/pages/test_frame.py")
    return step("oldest", python, *pytest(), *(rest or smoke))


def pin(rest: list[str]) -> int:
    """Write the newest versions that go together, and the hashes of those that a server needs.

    Nothing is installed but uv, which only looks them up.
    """
    with tempfile.TemporaryDirectory() as folder:
        python = make_environment(Path(folder) / "fresh")
        pip(python, "install", "--upgrade", "uv")
        build, found = Path(folder) / "build.in", Path(folder) / "found.txt"
        build.write_text("\n".join(BUILD), "utf-8")
        if code := call(python, *COMPILE, str(build), *EVERYTHING, "--output-file", str(found)):
            return code
        CONSTRAINTS.write_text(HEADER + found.read_text("utf-8"), "utf-8")
        return call(python, *COMPILE, *OF_SERVER, "--output-file", str(LOCK))


TASKS = {
    "run": run,
    "test": test,
    "screenshots": screenshots,
    "oldest": oldest,
    "pin": pin,
}


def home() -> Path:
    """Return where environments are kept: beside the code; in a cache where that is read-only."""
    if os.access(ROOT, os.W_OK):
        return ROOT
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "evalboard" / hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]


def environment(name: str, *wanted: str) -> Path:
    """Return the Python of an environment for which pip was told what is wanted."""
    folder = home() / name
    stamp, now = folder / "installed.txt", fingerprint(wanted)
    python = python_of(folder)
    if works(python) and stamp.is_file() and now in stamp.read_text("utf-8").split():
        return python
    print(f"Preparing {name} (once; a minute or two)", flush=True)
    if not works(python):
        python = make_environment(folder)
    pip(python, "install", *wanted)
    with stamp.open("a", encoding="utf-8") as told:
        told.write(now + "\n")
    return python


def fingerprint(wanted: tuple[str, ...]) -> str:
    """Return what changes when something else must be installed."""
    digest = hashlib.sha256(f"{wanted} {sys.version}".encode())
    for file in (ROOT / "pyproject.toml", CONSTRAINTS):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def make_environment(folder: Path) -> Path:
    """Make an empty virtual environment, in place of a broken one."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        venv.create(folder, with_pip=True, symlinks=os.name != "nt")
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"The virtual environment {folder} could not be made: {error}") from error
    return python_of(folder)


def python_of(folder: Path) -> Path:
    """Return where an environment has its Python."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def works(python: Path) -> bool:
    """Whether an environment is there and its Python still runs."""
    return python.exists() and call(python, "-c", "import pip") == 0


def pip(python: Path, *arguments: str) -> None:
    """Install, held to the pinned versions except while these are being looked up."""
    # As an address, since pip takes what stands after a space for another file.
    held = CONSTRAINTS.as_uri()
    # Newer versions of pip take the constraints of what builds a package from the second.
    pinned = {"PIP_CONSTRAINT": held, "PIP_BUILD_CONSTRAINT": held}
    pinned = {} if "--upgrade" in arguments else pinned
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    command = [str(python), "-m", "pip", *arguments, *quiet]
    if subprocess.call(command, cwd=ROOT, env=os.environ | pinned):
        raise SetupError("The packages could not be installed; pip's message above says why.")


def step(name: str, python: Path, *arguments: str) -> int:
    """Run one check under its name."""
    print(f"\n== {name}", flush=True)
    return call(python, *arguments)


def begun(python: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Begin to run Python in the project's folder, where it keeps the code that it compiled."""
    # Tests start this project in many processes, each of which would compile the same files.
    kept = {name: value for name, value in os.environ.items() if name != NOTHING_KEPT}
    pipe, into = subprocess.PIPE, subprocess.STDOUT
    command = [str(python), *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=kept, stdout=pipe, stderr=into)


def finish(name: str, process: subprocess.Popen[bytes]) -> int:
    """Tell under its name what a process says, as it says it; return its exit code."""
    print(f"\n== {name}", flush=True)
    assert process.stdout is not None
    said_at = process.stdout.fileno()
    for said in iter(lambda: os.read(said_at, 4096), b""):
        sys.stdout.buffer.write(said)
        sys.stdout.buffer.flush()
    return process.wait()


def call(python: Path, *arguments: str) -> int:
    """Run Python in the project's folder; return its exit code."""
    return subprocess.call([str(python), *arguments], cwd=ROOT)


def pytest() -> tuple[str, ...]:
    """Return the call of pytest; a worker that is done takes over from one that is not."""
    return ("-m", "pytest", "-n", workers(), "--dist", "worksteal")


def workers() -> str:
    """Return how many test processes share this machine."""
    return str(max(1, min(8, os.cpu_count() or 1)))


def find_chromium() -> str | None:
    """Return a Chromium or Chrome that is installed here."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


if __name__ == "__main__":
    sys.exit(main())
