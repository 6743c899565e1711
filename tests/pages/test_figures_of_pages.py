"""A figure that a notebook draws with one call holds the lines that the page shows."""

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from evalview import ASSETS, figures
from tests.pages.conftest import OPEN

Opened = Callable[..., AppTest]

SHOWN = [
    ("overview", "breast_cancer", "roc"),
    ("overview", "breast_cancer", "precision_recall"),
    ("overview", "breast_cancer", "calibration_curve"),
    ("errors", "diabetes", "normal_quantiles"),
    ("errors", "diabetes", "bland_altman"),
    ("costs", "breast_cancer", "decision_curve"),
    ("confusion", "breast_cancer", "confusion_matrix"),
]


def numbers(spec: dict[str, Any]) -> list[tuple[tuple[float, ...], ...]]:
    """Return what each trace of numbers in a figure's JSON holds along its axes."""
    held = []
    for trace in spec["data"]:
        axes = [values(trace[axis]) for axis in "xy" if axis in trace]
        if len(axes) == 2 and all(len(axis) > 2 for axis in axes):
            held.append(tuple(axes))
    return held


def values(axis: Any) -> tuple[float, ...]:
    """Return numbers that plotly wrote as bytes; nothing for any others."""
    if not isinstance(axis, dict):
        return ()
    raw = np.frombuffer(base64.b64decode(axis["bdata"]), axis["dtype"])
    return tuple(np.round(raw.astype(float), 9).tolist())


@pytest.mark.parametrize(("page", "sample", "name"), SHOWN)
def test_one_call_draws_the_lines_of_the_page(
    loaded: Opened, page: str, sample: str, name: str
) -> None:
    at = loaded(page, sample=sample, **(OPEN if page == "overview" else {}))
    specs = [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]
    shown = {line for spec in specs for line in numbers(spec)}
    figure = getattr(figures, name)(ec.read(ASSETS / "samples" / f"{sample}.csv"))
    drawn = numbers(json.loads(figure.to_json()))
    assert drawn or name == "confusion_matrix"
    assert [line for line in drawn if line not in shown] == []
