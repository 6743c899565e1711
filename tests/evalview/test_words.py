"""A model is called by its name in sentences, unless it is the only one and its name is none."""

import pytest

from evalread.dataset import Dataset
from evalread.loading import load
from evalview.figures.theme import Scene
from evalview.words import LONGEST_CLASS, at_start, predictions_of, spoken


def read(header: str) -> Dataset:
    """Read forty rows of two classes or of numbers below a header."""
    truth, *others = header.split(",")
    marks = "ab" if truth == "truth" else (1.5, 8.25)
    rows = [
        ",".join(
            [str(marks[i % 2]), *(str((i * step) % 7 / 8) for step in range(3, 3 + len(others)))]
        )
        for i in range(40)
    ]
    return load([("f.csv", "\n".join([header, *rows]).encode())])


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("truth,score", "the model"),
        ("truth,y_pred_proba", "the model"),
        ("truth,p_b", "the model"),
        ("actual,prediction", "the model"),
        ("income,income_pred", "the model"),
        ("truth,forest_score", "forest"),
        ("truth,model_A", "model_A"),
    ],
)
def test_an_only_model_is_called_the_model_where_its_name_says_nothing(header: str, said: str):
    dataset = read(header)
    (name,) = dataset.models
    assert spoken(dataset, name) == said


def test_of_two_models_each_keeps_its_name():
    dataset = read("truth,score,forest_score")
    assert [spoken(dataset, name) for name in dataset.models] == ["score", "forest"]


@pytest.mark.parametrize(("column", "said"), [("cluster", "the clustering"), ("kmeans", "kmeans")])
def test_an_only_clustering_likewise(column: str, said: str):
    rows = "".join(f"{i % 5 + 0.5},{i % 7 + 0.25},{i % 2}\n" for i in range(30))
    dataset = load([("f.csv", f"x,y,{column}\n{rows}".encode())])
    assert spoken(dataset, column) == said


def test_hidden_characters_of_a_name_show():
    assert spoken(read("truth,a\u202eb_score"), "a\u202eb") == "a⟨U+202E⟩b"


def test_a_name_stays_as_it_is_written_where_a_sentence_begins():
    assert at_start("the model") == "The model"
    assert at_start("the clustering") == "The clustering"
    assert at_start("forest") == "forest"


def test_a_scene_speaks_of_the_model_in_front():
    assert Scene(names=("m",), chosen="m").who == "m"
    assert Scene(names=("y_pred",), chosen="y_pred", called="the model").who == "the model"
    assert predictions_of("the model") == "predictions"


def test_a_long_name_is_cut_in_a_sentence():
    dataset = read(f"truth,{'boosting ' * 20}last_score,forest_score")
    long, _ = dataset.models
    assert len(long) > LONGEST_CLASS
    assert len(spoken(dataset, long)) == LONGEST_CLASS
