import numpy as np
import pytest

from evalcore.compare import compare
from evalcore.options import Options
from evalread.loading import load

TRUTH = ["yes", "no"] * 10
SCORES = {"a": np.linspace(0.05, 0.95, 20), "b": 10 * np.linspace(0.95, 0.05, 20)}
ROWS = zip(TRUTH, *SCORES.values(), strict=True)
FILE = "truth,a_score,b_score\n" + "\n".join(f"{truth},{a},{b}" for truth, a, b in ROWS)
DATA = load([("f.csv", FILE.encode())])


@pytest.mark.parametrize("own", [{}, {"b": 6.0}, {"a": 0.7, "b": 2.0}])
def test_each_model_is_judged_at_its_own_threshold(own: dict[str, float]) -> None:
    options = Options(0.5, tuple(own.items()), resamples=100)
    made = compare(DATA, options, metric="recall")
    yes = np.array(TRUTH) == "yes"
    for name, score in SCORES.items():
        assert made.models[name].value == np.mean(score[yes] >= own.get(name, 0.5))


def test_it_says_at_which_thresholds_the_models_decide() -> None:
    made = compare(DATA, Options(0.5, (("b", 6.0),), resamples=100), metric="recall")
    [told] = [notice.message for notice in made.notices if notice.code == "decisions"]
    assert '"b" 6' in told
    assert "all others use 0.5" in told
