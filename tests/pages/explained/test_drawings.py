"""The code of each figure runs as it stands, on a file that has what the figure shows."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from evalcore.dataset import NO_CHOICES
from pages.explained.drawings import CLUSTERS, DRAWINGS, OF_TWO_CLASSES, drawing_code
from pages.explained.snippets import Place

SAMPLES = Path(__file__).resolve().parents[3] / "assets" / "samples"
BINARY = ("breast_cancer.csv", "random forest", 2)
FILES = {
    "roc.classes": ("digits.csv", None, 10),
    "precision-recall.classes": ("digits.csv", None, 10),
    "predicted-actual": ("diabetes.csv", None, 0),
    "residuals": ("diabetes.csv", None, 0),
    "error-curve": ("diabetes.csv", None, 0),
    "normal": ("diabetes.csv", None, 0),
    "bland-altman": ("diabetes.csv", None, 0),
    "error-groups": ("diabetes.csv", None, 0),
    "quantiles": ("stated.csv", None, 0),
    "coverage": ("stated.csv", None, 0),
    **{key: ("iris.csv", None, 0) for key in CLUSTERS if key != "silhouette"},
    "calibration.classes": ("digits.csv", None, 10),
    "reliability.classes": ("digits.csv", None, 10),
    "recalibration.classes": ("digits.csv", None, 10),
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


def first_model(name: str) -> str:
    from evalread.loading import load

    dataset = load([(name, Path(name).read_bytes())])
    return next(iter({**dataset.models, **dataset.clusterings}))


@pytest.mark.parametrize("key", DRAWINGS)
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
    assert all(len(trace.y) > 1 for trace in figure.data)


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
    assert "choose_candidates(dataset, 'f1', options)" in drawing_code("resampled", asked)
    assert "metric='f1'" in drawing_code("differences", asked)


def test_stated_shares_are_in_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLES)
    monkeypatch.setattr(go.Figure, "show", lambda figure: None)
    asked = replace(place("digits.csv", first_model("digits.csv"), 10), shares=(91.0, *[1.0] * 9))
    stated: dict[str, Any] = {}
    usual: dict[str, Any] = {}
    exec(drawing_code("decided-cheapest", asked), stated)
    exec(drawing_code("decided-cheapest", replace(asked, shares=None)), usual)
    assert stated["made"].counts[:, 0].sum() > usual["made"].counts[:, 0].sum()
