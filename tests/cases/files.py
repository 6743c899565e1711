"""The cases, and the bytes of their files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))

Case = Mapping[str, Any]


def paths(case: Case) -> list[Path]:
    return [FOLDER / name for name in case.get("files") or [case["file"]]]


def contents(case: Case) -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in paths(case)]


def called(case: Case) -> str:
    """Return what a test of the case is called."""
    (*folders, file) = paths(case)[0].relative_to(FOLDER).parts
    return folders[0] if folders else file.split(".")[0]
