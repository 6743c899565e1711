"""A command in process, and a file for it."""

from pathlib import Path

import pytest

from evalboard.cli import main
from tests.evalboard.said import Run, Said

ROWS = "y,rf_score,gb_score\n1,0.9,0.2\n0,0.2,0.6\n1,0.7,0.4\n0,0.6,0.5\n1,0.4,0.7\n0,0.1,0.3\n"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str | Path) -> Said:
        code = main([str(word) for word in words])
        return Said(code, *capsys.readouterr())

    return command


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path
