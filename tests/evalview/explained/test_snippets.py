"""The Python shown beside a number is run, and gives that number."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.evaluation.condense import condense
from evalcore.evaluation.estimates import judge_classes
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate, Family, Metric
from evalcore.options import Options
from evalcore.plan import Expected, plan
from evalread.dataset import Choices, Scale
from evalread.loading import load
from evalview.explained.snippets import (
    Place,
    calibration_code,
    evalcore_code,
    planned_code,
    sklearn_code,
)

SAMPLES = Path(__file__).resolve().parents[3] / "assets" / "samples"
HOSTILE = 'it\'s "a"\n\\x = 1;import os#\u202e.csv'


def weighted(classes: int) -> bytes:
    """Return a file of weighted rows with labels and probabilities of a model."""
    rng = np.random.default_rng(classes)
    truth = rng.integers(0, classes, 150)
    given = rng.dirichlet(np.ones(classes), 150) + np.eye(classes)[truth]
    given = np.round(given / given.sum(axis=1, keepdims=True), 3)
    given[:, -1] = np.round(1 - given[:, :-1].sum(axis=1), 3)
    names = [f"class{code}" for code in range(classes)]
    lines = [",".join(["truth", "label", *(f"prob_{name}" for name in names), "weight"])]
    label = np.where(rng.random(150) < 0.7, truth, rng.integers(0, classes, 150))
    weight = rng.integers(1, 4, 150) / 2
    for row in range(150):
        cells = [names[truth[row]], names[label[row]], *given[row], weight[row]]
        lines.append(",".join(map(str, cells)))
    return "\n".join(lines).encode()


FILES = {
    "breast_cancer.csv": (SAMPLES / "breast_cancer.csv").read_bytes(),
    "digits.csv": (SAMPLES / "digits.csv").read_bytes(),
    "iris.csv": (SAMPLES / "iris.csv").read_bytes(),
    "diabetes.csv": (SAMPLES / "diabetes.csv").read_bytes(),
    "two.csv": weighted(2),
    "three.csv": weighted(3),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files")
    for name, content in FILES.items():
        (made / name).write_bytes(content)
    return made


@pytest.fixture(autouse=True)
def _in_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


@cache
def prepared(lines: str) -> dict[str, object]:
    """Run all lines but the last; most numbers of a file share them."""
    space: dict[str, object] = {}
    exec(compile(lines, "snippet", "exec"), space)
    return space


def run(code: str) -> float:
    *lines, last = code.splitlines()
    return float(eval(last, prepared("\n".join(lines))))


@cache
def numbers(name: str) -> list[tuple[Metric, Estimate, Place]]:
    """Return every number of the first model of a file, and where it is found."""
    dataset = load([(name, FILES[name])])
    made = evaluate(dataset, Options(threshold=0.4))
    model, found = next(iter(made.models.items()))
    shared = {"threshold": 0.4, "classes": len(dataset.classes)}
    shared["weighted"] = dataset.models[model].weight is not None
    listed = []
    for place, estimates in found.metrics.items():
        group, way = (place, "") if place in PLAIN else ("decisions", place)
        where = Place((name,), Choices(), model, group, way, **shared)
        listed += [(by_key()[key], estimate, where) for key, estimate in estimates.items()]
    return listed


PLAIN = ("ranking", "probability", "values")
MODELS = [name for name in FILES if name != "iris.csv"]


@pytest.mark.parametrize("name", MODELS)
def test_the_python_of_evalcore_gives_every_number(name: str):
    for metric, estimate, place in numbers(name):
        value = run(evalcore_code(metric, place))
        assert value == pytest.approx(estimate.value, nan_ok=True), (metric.key, place)


@pytest.mark.filterwarnings("ignore:The y_prob values do not sum to one")
@pytest.mark.parametrize("name", MODELS)
def test_the_python_of_scikit_learn_gives_every_number_that_shows_it(name: str):
    shown = 0
    # The probabilities of the digits have six decimals, of which scikit-learn complains.
    rel = 1e-6 if name == "digits.csv" else 1e-9
    for metric, estimate, place in numbers(name):
        code = sklearn_code(metric, place)
        if code and estimate.defined:
            shown += 1
            assert run(code) == pytest.approx(estimate.value, rel=rel), (metric.key, place)
    assert shown > 8


def test_the_python_gives_every_number_of_a_clustering():
    made = evaluate(load([("iris.csv", FILES["iris.csv"])]), Options())
    name, found = next(iter(made.clusterings.items()))
    shown = 0
    for group, estimates in found.metrics.items():
        for key, estimate in estimates.items():
            metric = by_key(Family(group))[key]
            place = Place(("iris.csv",), Choices(), name, group, classes=0, among="clusterings")
            assert run(evalcore_code(metric, place)) == pytest.approx(estimate.value), key
            if code := sklearn_code(metric, place):
                shown += 1
                assert run(code) == pytest.approx(estimate.value, rel=1e-9), key
    assert shown == 12


def test_the_python_gives_the_numbers_of_a_class_and_of_averages():
    made = evaluate(load([("three.csv", FILES["three.csv"])]), Options())
    model, found = next(iter(made.models.items()))
    labels, where = found.decisions["labels"], (("three.csv",), Choices(), model)
    for part, estimates in (
        ("per_class['class1']", labels.per_class["class1"]),
        ("averages['weighted']", labels.averages["weighted"]),
    ):
        place = Place(*where, "decisions", "labels", classes=3, weighted=True, part=part)
        for key, estimate in estimates.items():
            assert run(evalcore_code(by_key()[key], place)) == pytest.approx(estimate.value)
            assert not sklearn_code(by_key()[key], place)
    ranked = Place(*where, "ranking", classes=3, part="class_ranking['class2']")
    code = evalcore_code(by_key()["roc_auc"], ranked)
    assert run(code) == pytest.approx(found.class_ranking["class2"]["roc_auc"].value)


def test_the_python_gives_the_calibration_of_a_class_and_of_the_likeliest():
    tables = condense(load([("digits.csv", FILES["digits.csv"])]))
    model = next(iter(tables))
    scores = tables[model].class_scores
    assert scores is not None
    options = Options(bins=5, binning="quantile")
    made, p_value = judge_classes(scores, options), by_key()["spiegelhalter_p"]
    for part, found, adjusted in (
        ("8", made.classes["8"], made.p_values["8"]),
        ("", made.top_label, made.p_top_label),
    ):
        place = Place(("digits.csv",), Choices(), model, "probability", classes=10, part=part)
        slope = by_key()["calibration_slope"]
        assert run(calibration_code(slope, place, options)) == found[slope.key].value
        assert run(calibration_code(p_value, place, options)) == adjusted


def test_what_was_settled_about_the_columns_is_in_the_python(folder: Path):
    choices = Choices(
        positive="benign", scale=Scale.PROBABILITY, scores={"": "random_forest_score"}
    )
    recall = by_key()["recall"]
    place = Place(("breast_cancer.csv",), choices, "m", "decisions", "threshold")
    for code in (evalcore_code(recall, place), sklearn_code(recall, place)):
        assert "score={'': 'random_forest_score'}" in code
        assert "positive='benign'" in code
        assert "scale='probability'" in code
        read = next(line for line in code.splitlines() if "ec.read(" in line)
        made = prepared(f"import evalcore as ec\n{read}")["dataset"]
        assert (
            made.digest == load([("breast_cancer.csv", FILES["breast_cancer.csv"])], choices).digest
        )


def test_several_files_are_read_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    files = {"truth.csv": "id,truth\na,0\nb,1\nc,1\n", "m.csv": "id,score\nb,0.9\nc,0.4\na,0.1\n"}
    for name, content in files.items():
        Path(name).write_text(content)
    place = Place(tuple(files), Choices(), "score", "ranking")
    assert run(evalcore_code(by_key()["roc_auc"], place)) == 1.0


def test_names_from_a_file_stay_text_in_the_python():
    place = Place((HOSTILE,), Choices(truth=HOSTILE), HOSTILE, "decisions", "labels")
    for code in (
        evalcore_code(by_key()["recall"], place),
        sklearn_code(by_key()["recall"], place),
    ):
        texts = {node.value for node in _texts(code)}
        assert HOSTILE in texts
        assert all(line.isprintable() for line in code.splitlines())


def _texts(code: str) -> Iterator[object]:
    return (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant))


def test_probabilities_that_do_not_sum_to_one_are_not_given_to_scikit_learn():
    loss = by_key()["log_loss"]
    for sums in (True, False):
        place = Place(("f.csv",), Choices(), "m", "probability", classes=3, sums=sums)
        assert bool(sklearn_code(loss, place)) is sums


def test_a_file_that_is_not_there_is_said_by_python_itself():
    place = Place(("gone.csv",), Choices(), "m", "ranking")
    with pytest.raises((FileNotFoundError, EvalError)):
        run(evalcore_code(by_key()["roc_auc"], place))


def test_what_rows_show_is_drawn_as_it_was_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[go.Figure] = []
    monkeypatch.setattr(go.Figure, "show", lambda figure: shown.append(figure))
    expected = Expected("roc_auc", 0.8, share=0.2, models=5)
    exec(planned_code(expected), {})
    difference, width = shown[0].data
    last = plan(expected, rows=100_000)
    assert difference.y[-1] == last.smallest_difference
    assert width.y[-1] == (last.high or 0) - (last.low or 0)
