"""Evaluating needs numpy and its kin alone: no interface, no tool for tests."""

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
OURS = ("numpy", "openpyxl", "pandas", "pyarrow", "scikit-learn", "scipy", "threadpoolctl")
SAMPLE = "assets/samples/breast_cancer.csv"

PROGRAM = """
import importlib, pkgutil, sys

foreign, sample = set(sys.argv[1].split()), sys.argv[2]

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in foreign:
            raise ModuleNotFoundError(f"{name} is not installed here", name=name)

sys.meta_path.insert(0, Missing())
for name in ("evalcore", "evalread", "evalboard"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
from evalboard.cli import main
for command in ("evaluate", "compare"):
    assert main([command, sample, "--json"]) == 0
"""


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(*names: str) -> set[str]:
    """Return packages, and those that they need."""
    found, new = set(), list(names)
    while new:
        package = plain(new.pop())
        if package in found:
            continue
        found.add(package)
        wanted = map(Requirement, metadata.requires(package) or ())
        new += [one.name for one in wanted if not one.marker or one.marker.evaluate({"extra": ""})]
    return found


def test_every_module_and_both_commands_run_where_nothing_else_is_installed() -> None:
    ours = needed(*OURS)
    foreign = {
        module
        for module, packages in metadata.packages_distributions().items()
        if not ours & {plain(package) for package in packages}
    } | {"evalview", "pages"}
    assert {"streamlit", "plotly", "pytest", "requests"} <= foreign
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, " ".join(foreign), SAMPLE],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert '"roc_auc"' in done.stdout
