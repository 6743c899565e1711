"""What a server installs is what the tests ran with, and each file of it has a hash."""

import re
import tomllib

from dev import CONSTRAINTS, LOCK, ROOT

PIN = re.compile(r"^([a-z0-9._-]+)==(\S+)", re.MULTILINE | re.IGNORECASE)


def pins(text: str) -> dict[str, str]:
    return {re.sub("[-_.]+", "-", name).lower(): version for name, version in PIN.findall(text)}


def test_the_lock_file_has_the_versions_of_the_tests_with_hashes_and_no_address() -> None:
    text = LOCK.read_text("utf-8")
    tested, locked = pins(CONSTRAINTS.read_text("utf-8")), pins(text)
    assert {name: tested.get(name, version) for name, version in locked.items()} == locked
    for pinned in re.split(r"\n(?! )", text.strip()):
        assert "--hash=sha256:" in pinned
    assert "://" not in text
    assert "index" not in text


def test_the_lock_file_has_all_that_the_project_needs() -> None:
    named = re.findall(
        r'^    "([a-z-]+)>=', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE
    )
    assert {"numpy", "streamlit"} <= set(named)
    needed = set(named[: named.index("threadpoolctl") + 1])
    assert needed <= pins(LOCK.read_text("utf-8")).keys()


def test_the_tests_ran_with_a_known_version_of_all_that_any_part_needs() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = [*declared["build-system"]["requires"], *declared["project"]["dependencies"]]
    for extra in declared["project"]["optional-dependencies"].values():
        wanted += extra
    names = {re.split(r"[^\w.-]", one)[0].replace("_", "-").lower() for one in wanted}
    assert {"hatchling", "numpy", "pytest"} <= names
    assert names <= pins(CONSTRAINTS.read_text("utf-8")).keys()
