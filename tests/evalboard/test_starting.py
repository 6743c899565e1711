"""A command starts with what it needs, and nothing else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import sys
from evalboard.__main__ import run
sys.argv[0] = "evalboard"
try:
    run()
except SystemExit:
    pass
print(*sorted({name.split(".")[0] for name in sys.modules} | set(sys.modules)), file=sys.stderr)
"""


def imported(*words: str | Path) -> set[str]:
    """Return every module that is imported when the command has run."""
    call = [sys.executable, "-c", RUN, *map(str, words)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=120, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("command", ["evaluate", "compare", "inspect"])
def test_reading_text_imports_no_data_frames_and_no_interface(command: str, file: Path) -> None:
    modules = imported(command, file)
    assert "pyarrow" in modules
    assert not modules & {"pandas", "sklearn", "streamlit", "plotly", "ssl"}


def test_an_evaluation_imports_no_compiler_and_no_helpers_of_tests(file: Path) -> None:
    assert not imported("evaluate", file) & {"numpy.f2py", "numpy.testing", "unittest"}


@pytest.mark.parametrize(("least", "code"), [(0, 0), (1, 1)])
def test_a_process_prints_everything_before_it_ends(file: Path, least: float, code: int) -> None:
    require = f"roc_auc>={least}"
    call = [sys.executable, "-m", "evalboard", "check", file, "--require", require, "--json"]
    done = subprocess.run(call, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == code
    assert json.loads(done.stdout)["passed"] is not bool(code)


def test_the_help_imports_neither_arrow_nor_scipy() -> None:
    assert not imported("--help") & {"pyarrow", "scipy", "pandas", "evalread.loading"}


def test_the_catalogue_imports_no_verdict_of_a_comparison() -> None:
    assert "evalcore.comparison.headline" not in imported("metrics")
