"""Reading as a whole: it stands alone, and it is the same every time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import evalread

CASES = Path(__file__).parents[1] / "cases"


def run(code: str, *words: str, seed: int = 0) -> str:
    """Return what Python code prints in a process of its own."""
    told = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        check=True,
        cwd=CASES.parents[1],
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        text=True,
    )
    return told.stdout


READ_A_FILE = """
import sys
from evalread import load
data = load([("p.csv", b"truth,score\\n1,0.9\\n0,0.2\\n1,0.7\\n")])
assert data.models
print(*sorted(name for name in sys.modules if name.startswith(("evalcore.", "evalread."))))
"""


def test_reading_a_file_loads_no_metric_no_test_and_no_evaluation() -> None:
    loaded = run(READ_A_FILE).split()
    assert "evalread.dataset" in loaded
    rooms = {name.split(".")[1] for name in loaded}
    assert not rooms & {"metrics", "comparison", "evaluation", "intervals", "curves"}


def test_the_package_offers_the_steps_of_reading_by_name() -> None:
    assert dir(evalread) == ["bind", "detect", "load", "read", "read_all"]
    table = evalread.read_all([("p.csv", b"truth,score\n1,0.9\n0,0.2\n1,0.7\n")])
    assert list(evalread.bind(table, evalread.detect(table)).models) == ["score"]
    with pytest.raises(AttributeError, match="no attribute 'write'"):
        _ = evalread.write


READ_ALL_FILES = """
import sys
from pathlib import Path
from evalread.dataset import Choices
from evalcore.errors import EvalError
from evalread import load
for name in sys.argv[1:]:
    try:
        data = load([(name, Path(name).read_bytes())])
        print(name, data.roles, data.notices)
    except EvalError as error:
        print(name, error.code, error.message, error.offers)
wrong = Choices(truth="none", scores={name: f"no {name}" for name in "abcdefgh"})
try:
    load([("p.csv", b"truth,score\\n1,0.9\\n")], wrong)
except EvalError as error:
    print(error.message)
"""


def test_the_same_file_is_read_alike_whatever_the_order_of_sets() -> None:
    files = [str(path) for path in sorted(CASES.glob("*.csv"))]
    first, second = (run(READ_ALL_FILES, *files, seed=seed) for seed in (1, 2))
    assert first.splitlines() == second.splitlines()
    assert 'There is no column "none"' in first
