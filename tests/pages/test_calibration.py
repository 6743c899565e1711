"""The page about calibration: what it finds, recalibration out of fold, odd files."""

import numpy as np
import pytest
from scipy.special import expit

from tests.pages.conftest import Opened, words
from tests.pages.test_costs import BAD, figures, table


def file(n: int, sharpness: float, seed: int = 0) -> bytes:
    """A file whose log odds are so many times as large as they should be."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(0, 1.2, n)
    truth = rng.random(n) < expit(odds)
    rows = "".join(
        f"{int(t)},{p:.12f}\n" for t, p in zip(truth, expit(sharpness * odds), strict=True)
    )
    return f"truth,m_score\n{rows}".encode()


def test_true_probabilities_are_taken_at_their_word(uploaded: Opened) -> None:
    at = uploaded("calibration", "f.csv", file(1500, 1.0))
    assert not at.exception
    assert "can be taken at its word, as far as 1,500 rows can tell" in words(at)
    assert "neither too extreme nor too timid" in words(at)
    assert "None of the three lowers the Brier score for sure" in words(at)


def test_overconfident_probabilities_are_told_and_mended(uploaded: Opened) -> None:
    at = uploaded("calibration", "f.csv", file(1500, 3.0))
    assert "cannot be taken at its word everywhere" in words(at)
    assert "the probabilities are too extreme" in words(at)
    assert "lowers the Brier score by" in words(at)
    assert "5 folds at random, each class evenly" in words(at)
    told = table(at, "Brier score saved")
    before, after = (float(told["Brier score"][row].split(" ")[0]) for row in (0, 3))
    assert after < before


def test_the_folds_of_the_file_are_used(loaded: Opened) -> None:
    at = loaded("calibration", shown="random forest", bins="5", binning="quantile")
    assert not at.exception
    assert "the file's 10 folds" in words(at)
    assert len(at.get("plotly_chart")) == 3


def test_the_parts_add_up_to_the_brier_score(loaded: Opened) -> None:
    parts = table(loaded("calibration"), "part")["value"].str.replace("−", "-").astype(float)
    assert parts[:3].sum() == pytest.approx(parts[3], abs=2e-4)


def test_each_class_has_its_own_calibration(loaded: Opened) -> None:
    at = loaded("calibration", sample="digits", **{"class": "8"})
    assert not at.exception
    assert len(at.get("plotly_chart")) == 3
    assert "8" in figures(at)[0]


@pytest.mark.parametrize("name", [name for name in BAD if name not in ("logits", "huge")])
def test_files_that_hold_too_little_say_so(uploaded: Opened, name: str) -> None:
    at = uploaded("calibration", "f.csv", BAD[name].encode(), task="binary", positive="yes")
    assert not at.exception
    assert "chance alone bends such a picture" in words(at)
    if name == "one class":
        assert "To tell that takes rows of both classes" in words(at)


@pytest.mark.parametrize("name", ["logits", "huge"])
def test_scores_that_are_no_probabilities_have_no_such_page(uploaded: Opened, name: str) -> None:
    at = uploaded("calibration", "f.csv", BAD[name].encode(), task="binary", positive="yes")
    assert not at.exception
    assert "This page needs a probability" in words(at)
