"""A PostgreSQL cluster of the tests' own, on a socket in a folder of its own; kept counts apart."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evalread.engines.lying import Cluster


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep counts in a folder of the test, and read no settings but its own."""
    monkeypatch.setenv("EVALBOARD_CACHE", str(tmp_path / "kept counts"))
    monkeypatch.setenv("EVALBOARD_SOURCES", str(tmp_path / "sources.toml"))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Yield a running PostgreSQL cluster; its folder is removed at the end."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        missing = "PostgreSQL is not installed (on Debian: apt-get install postgresql)"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)
    programs = found[-1].parent
    folder = Path(tempfile.mkdtemp(prefix="evals-pg-", dir="/tmp"))  # a socket has a short path
    as_user: list[str] = []
    if os.geteuid() == 0:  # which PostgreSQL refuses
        user = pwd.getpwnam("postgres")
        as_user = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        os.chown(folder, user.pw_uid, user.pw_gid)

    def run(program: str, *words: str) -> None:
        done = subprocess.run(
            [*as_user, str(programs / program), *words],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    data, log = str(folder / "data"), str(folder / "log")
    try:
        run("initdb", "-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        rules = "local all locked scram-sha-256\nlocal all all trust\n"
        (folder / "data" / "pg_hba.conf").write_text(rules, "utf-8")
        settings = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -F"
        run("pg_ctl", "-D", data, "-l", log, "-o", settings, "-w", "start")
        try:
            yield Cluster(folder)
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
