"""The names of models in what tools write change the names of a reading, and nothing else."""

import pytest
from hypothesis import given, settings, strategies as st

from evalread.dataset import Dataset

from .files import loaded

CHANCES = "yes,no,0.9,0.1,no,0.6,0.4\nno,no,0.8,0.2,yes,0.4,0.6\nyes,yes,0.3,0.7,yes,0.1,0.9\n"
ROWS = "".join(f"AA,{k},{'ab'[k % 2]},{'ab'[k % 3 % 2]},0.{k}\n" for k in range(1, 8))
FOLDS = "".join(f"AA,0.1,0.01,0.{k}\n" for k in range(6, 9))


def both(of_one: str) -> str:
    """Return what is written of the model AA, and then of BB."""
    return of_one + of_one.replace("AA", "BB")


FILES = {
    "KNIME": f"y{both(',Prediction (y)_AA,P (y=no)_AA,P (y=yes)_AA')}\n{CHANCES}",
    "brackets": f"y{both(',Prediction (y) (AA),P (y=no) (AA),P (y=yes) (AA)')}\n{CHANCES}",
    "Orange": f"y{both(',AA,AA (no),AA (yes)')}\n{CHANCES}",
    "caret": f"Resample{both(',AA~Accuracy')}\nF1,0.8,0.7\nF2,0.9,0.75\nF3,0.7,0.72\n",
    "scikit-learn": f"model,fit_time,score_time,test_score\n{both(FOLDS)}",
    "tidymodels": f".config,.row,y,.pred_class,.pred_a\n{both(ROWS)}",
}
"""A file with models AA and BB of each tool that names models."""

NAMES = st.sampled_from(
    ["SVM", "Random Forest", "gpt-4o", "k3", "Model 1", "xgb_v2", "score", "p", "tree", "y_hat"]
) | st.text("abcXYZ019", min_size=1, max_size=8)


def read(data: Dataset, first: str, second: str) -> object:
    """Return what a reading settles, with the names of the models as AA and BB."""

    def called(name: object) -> str:
        return {first: "AA", second: "BB"}.get(str(name), str(name))

    roles = data.roles
    kinds = {
        called(name): (model.label is None, model.score is None, len(model.probabilities))
        for name, model in roles.models.items()
    }
    scores = () if roles.folds is None else sorted(map(called, roles.folds.scores))
    return data.table.source.tool, roles.task, roles.truth, roles.positive, kinds, scores


@settings(max_examples=60, deadline=None)
@given(names=st.lists(NAMES, min_size=2, max_size=2, unique_by=str.lower))
@pytest.mark.parametrize("tool", FILES)
def test_renaming_models_changes_no_reading_but_for_the_names(tool: str, names: list[str]) -> None:
    first, second = names
    renamed = FILES[tool].replace("AA", "\0").replace("BB", second).replace("\0", first)
    assert read(loaded(renamed), first, second) == read(loaded(FILES[tool]), "AA", "BB")
