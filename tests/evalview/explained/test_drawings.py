"""The code of each figure runs as it stands, on a file that has what the figure shows."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from evalread.dataset import NO_CHOICES
from evalview.explained.snippets import DRAWINGS, OF_TWO_CLASSES, Place, drawing_code

SAMPLES = Path(__file__).resolve().parents[3] / "assets" / "samples"
OF_SEVERAL = ("roc", "precision-recall", "calibration", "reliability", "recalibration", "matrix")
BINARY = ("breast_cancer.csv", "random forest", 2)
CLUSTERS = ("map", "contingency", "gap-curve", *(key for key in DRAWINGS if key.startswith("by-")))
NUMBERS = (
    "predicted-actual",
    "residuals",
    "error-curve",
    "error-histogram",
    "normal",
    "bland-altman",
    "error-groups",
)
FILES = {
    **dict.fromkeys(NUMBERS, ("diabetes.csv", None, 0)),
    "quantiles": ("stated.csv", None, 0),
    "coverage": ("stated.csv", None, 0),
    **dict.fromkeys(CLUSTERS, ("iris.csv", None, 0)),
    **{f"{key}.classes": ("digits.csv", None, 10) for key in OF_SEVERAL},
    "decided-likeliest": ("digits.csv", None, 10),
    "decided-cheapest": ("digits.csv", None, 10),
    "silhouette": ("clusters.csv", None, 0),
    "folds-alone": ("one_model.csv", None, 2),
}
OWN = {
    "one_model.csv": "truth,fold,score\n"
    + "".join(f"{k % 2},{k // 20},0.{3 + 2 * (k % 2)}{k % 7}\n" for k in range(60)),
    "clusters.csv": "x,y,cluster\n" + "".join(f"{a},{a % 3},{'ab'[a > 9]}\n" for a in range(20)),
    "stated.csv": "y,q50,q05,q95\n"
    + "".join(f"{k + k % 3}.5,{k * 1.1:.1f},{k - 2}.5,{k + 2}.5\n" for k in range(40)),
}


def place(name: str, model: str, classes: int) -> Place:
    costs = tuple((1.0 - np.eye(classes)).ravel().tolist())
    return Place(
        (name,),
        NO_CHOICES,
        model,
        "",
        threshold=0.4,
        classes=classes,
        costs=costs,
        prevalence=0.2,
        label="8",
    )


def points(trace: Any) -> int:
    """Return how many numbers a trace shows."""
    shown = (trace[name] for name in "xyz" if name in trace)
    return max(np.size(values) for values in shown if values is not None)


def first_model(name: str) -> str:
    from evalread.loading import load

    dataset = load([(name, Path(name).read_bytes())])
    return next(iter({**dataset.models, **dataset.clusterings}))


@pytest.mark.parametrize("key", [*DRAWINGS, *(f"{key}.classes" for key in OF_SEVERAL)])
def test_it_draws_something(key: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    name, model, classes = FILES.get(key, BINARY)
    own = OWN.get(name)
    (tmp_path / name).write_bytes((SAMPLES / name).read_bytes() if own is None else own.encode())
    monkeypatch.chdir(tmp_path)
    shown: list[go.Figure] = []
    monkeypatch.setattr(go.Figure, "show", lambda figure: shown.append(figure))
    made: dict[str, Any] = {}
    asked = place(name, model or first_model(name), classes)
    exec(drawing_code(key.removesuffix(".classes"), asked), made)
    [figure] = shown
    assert figure.data
    assert sum(map(points, figure.data)) > 1


def test_what_is_drawn_for_two_classes_alone_has_no_code_for_more() -> None:
    for key in OF_TWO_CLASSES:
        assert drawing_code(key, place("iris.csv", "m", 3)) == ""
    assert drawing_code("a figure without code", place("f.csv", "m", 2)) == ""


def test_names_stand_in_it_as_python_strings() -> None:
    hostile = "a'\"\n__import__('os')"
    code = drawing_code("matrix", place(hostile, hostile, 2))
    assert repr(hostile) in code
    compile(code, "figure", "exec")
    assert hostile not in code


def test_models_are_drawn_by_the_metric_that_is_looked_at() -> None:
    asked = replace(place("a.csv", "a", 2), metric="f1")
    assert "metric='f1'" in drawing_code("resampled", asked)
    assert "metric='f1'" in drawing_code("differences", asked)


def test_stated_shares_are_in_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLES)
    shown: list[go.Figure] = []
    monkeypatch.setattr(go.Figure, "show", lambda figure: shown.append(figure))
    asked = replace(place("digits.csv", first_model("digits.csv"), 10), shares=(91.0, *[1.0] * 9))
    exec(drawing_code("decided-cheapest", asked), {})
    exec(drawing_code("decided-cheapest", replace(asked, shares=None)), {})
    stated, usual = shown
    assert stated.to_json() != usual.to_json()


def test_the_code_is_read_at_a_glance() -> None:
    code = drawing_code("roc", place("a.csv", "a", 2))
    assert "figures.roc(dataset, model='a', threshold=0.4).show()" in code
    assert len([line for line in code.splitlines() if line]) == 4
