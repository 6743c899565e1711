"""Values from independent software, and the predictions they were computed from.

`entries(id="roc.*", quantity="auc")` picks entries; `Golden.check(value)` compares with the
entry's own tolerance. Entries whose tolerance is null are for reading only.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Golden:
    """One value with its origin; `value` is a number, a list, or a mapping of these."""

    id: str
    quantity: str
    params: Mapping[str, Any]
    value: Any
    tolerance: float | None
    tool: str

    def check(self, value: Any) -> None:
        """Fail unless the value equals the entry's, part by part, within its tolerance."""
        assert self.tolerance is not None, f"{self.id} is not for checking"
        self._compare(value, self.value, self.id)

    def _compare(self, mine: Any, theirs: Any, where: str) -> None:
        if isinstance(theirs, Mapping):
            assert mine, f"{where}: nothing to compare"
            for key in mine:
                self._compare(mine[key], theirs[key], f"{where}[{key}]")
        elif isinstance(theirs, list):
            assert len(mine) == len(theirs), f"{where}: {len(mine)} values, not {len(theirs)}"
            for position, (one, other) in enumerate(zip(mine, theirs, strict=True)):
                self._compare(one, other, f"{where}[{position}]")
        else:
            self._compare_numbers(float(mine), _number(theirs), where)

    def _compare_numbers(self, mine: float, theirs: float, where: str) -> None:
        if math.isnan(theirs) or math.isinf(theirs):
            assert str(mine) == str(theirs), f"{where}: {mine}, not {theirs}"
            return
        allowed = (self.tolerance or 0) * max(1.0, abs(theirs))
        # Written so that NaN fails.
        assert abs(mine - theirs) <= allowed, f"{where}: {mine}, not {theirs} ({self.tool})"


def entries(**patterns: str) -> Sequence[Golden]:
    """Return the entries whose `id` and `quantity` match shell patterns; at least one."""
    found = _all()
    for name, pattern in patterns.items():
        matches = re.compile(translate(pattern)).match
        found = [entry for entry in found if matches(getattr(entry, name))]
    assert found, f"no golden entry matches {patterns}"
    return found


def ids(found: Sequence[Golden]) -> list[str]:
    """Return the names under which pytest lists parametrised entries."""
    return [entry.id for entry in found]


@cache
def frame(name: str) -> pd.DataFrame:
    """Return one of the folder's CSV files."""
    return pd.read_csv(FOLDER / name)


def breast_cancer(model: str) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Return the truth and a model's scores, malignant being positive."""
    data = frame("breast_cancer_cv.csv")
    truth = (data["truth"] == "malignant").to_numpy(np.int8)
    return truth, data[f"{model}_score"].to_numpy(np.float64)


@cache
def _all() -> tuple[Golden, ...]:
    text = (FOLDER / "golden.json").read_text(encoding="utf-8")
    return tuple(
        Golden(
            entry["id"],
            entry["quantity"],
            entry["params"] or {},
            entry["value"],
            entry["tolerance"],
            entry["tool"],
        )
        for entry in json.loads(text)["entries"]
    )


def _number(value: float | str | None) -> float:
    if isinstance(value, str):
        return float(value.replace("Inf", "inf"))
    return math.nan if value is None else float(value)
