"""The page about calibration: what it finds, recalibration out of fold, odd files."""

import html
import re
from unittest.mock import patch

import numpy as np
import pytest
from scipy.special import expit
from streamlit.testing.v1 import AppTest

from evalcore.options import Options
from evalcore.results import ModelTables
from evalcore.tables.scores import ScoreTable
from evalview import conclusions
from evalview.figures.calibration import calibration_curve_title
from evalview.figures.theme import LIGHT, Scene
from evalview.lab import recalibration
from evalview.lab.recalibration import binned
from pages.models import calibration
from pages.session.computed import Question
from pages.widgets.tables import Picked
from tests.pages.conftest import Opened, grouped, words
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


def cells(at: AppTest, heading: str) -> dict[str, str]:
    """Return the first two cells of each row of the last small table with this heading."""
    (*_, last) = (one.value for one in at.get("html") if f'"col">{heading}<' in one.value)
    found = re.findall(r'<th scope="row"[^>]*>(.*?)</th><td>(.*?)</td>', last)
    return {html.unescape(name): html.unescape(value) for name, value in found}


def recalibrated(at: AppTest) -> list[dict[str, str]]:
    """Return the rows of the table of what recalibration gives, each by its headings."""
    (*_, last) = (one.value for one in at.get("html") if "Brier score saved<" in one.value)
    heads, *rows = (
        [html.unescape(cell) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", last)
    )
    return [dict(zip(heads, row, strict=True)) for row in rows]


def test_true_probabilities_are_said_to_fit(uploaded: Opened) -> None:
    at = uploaded("calibration", "f.csv", file(1500, 1.0))
    assert not at.exception
    assert "s probabilities fit, as far as 1,500 rows can tell" in words(at)
    assert "No bin is clearly off, all judged together" in words(at)
    assert "None of the three clearly lowers the Brier score" in words(at)
    assert "98.3% interval for each of the three, so 95% for all together" in words(at)


def test_overconfident_probabilities_are_told_and_mended(uploaded: Opened) -> None:
    at = uploaded("calibration", "f.csv", file(1500, 3.0))
    assert "s probabilities are over-confident, too low below" in words(at)
    assert "Largest gap beyond chance: " in words(at)
    assert "lowers the Brier score by" in words(at)
    assert "5 folds at random, each class evenly" in words(at)
    told = recalibrated(at)
    before, after = (float(row["Brier score"].split(" ")[0]) for row in (told[0], told[3]))
    assert after < before


def test_a_first_look_is_taken_only_while_the_whole_is_not_there_yet(
    uploaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "FIRST_ROWS", 500)
    looked: list[int] = []
    kept = recalibration.fold_tables

    def counting(truth, score, codes, weight):
        looked.append(int((codes >= 0).sum()))
        return kept(truth, score, codes, weight)

    monkeypatch.setattr(recalibration, "fold_tables", counting)
    at = uploaded("calibration", "f.csv", file(900, 1.0))
    assert looked == [500, 900]
    at.run()
    assert looked == [500, 900]
    assert not at.exception


def test_the_folds_of_the_file_are_used(loaded: Opened) -> None:
    at = loaded("calibration", shown="random forest", bins="5", binning="quantile")
    assert not at.exception
    assert "the file's 10 folds" in words(at)


def test_the_curves_of_all_models_are_drawn_when_they_are_opened(loaded: Opened) -> None:
    assert len(loaded("calibration").get("plotly_chart")) == 1
    assert len(loaded("calibration", curves="true").get("plotly_chart")) == 3


def test_the_parts_add_up_to_the_brier_score(loaded: Opened) -> None:
    parts = list(cells(loaded("calibration"), "part").values())
    assert len(parts) == 4
    told = [float(value.replace("−", "-")) for value in parts]
    assert sum(told[:3]) == pytest.approx(told[3], abs=2e-4)


def test_each_class_has_its_own_calibration(loaded: Opened) -> None:
    at = loaded("calibration", sample="digits", curves="true", **{"class": "8"})
    assert not at.exception
    assert len(at.get("plotly_chart")) == 3
    assert "8" in figures(at)[0]


def three(sharpness: float, names: tuple[str, ...] = ("a", "b", "c")) -> bytes:
    """A file of three classes whose probabilities are so much more extreme than they should be."""
    rng = np.random.default_rng(0)
    true = rng.dirichlet([1.0, 2.0, 3.0], 600)
    truth = (true.cumsum(axis=1) < rng.random((600, 1))).sum(axis=1)
    said = true**sharpness / (true**sharpness).sum(axis=1, keepdims=True)
    head = ",".join(["truth", *(f"prob_{name}" for name in names)])
    told = zip(truth, said, strict=True)
    rows = (",".join([names[t], *(f"{p:.12f}" for p in row)]) for t, row in told)
    return "\n".join([head, *rows]).encode()


def test_all_classes_stand_side_by_side_the_worst_first(uploaded: Opened) -> None:
    at = uploaded("calibration", "f.csv", three(3.0))
    assert not at.exception
    assert "3 of 3 classes are off by Spiegelhalter’s test" in words(at)
    assert "whose errors have a mean of" in words(at)
    told = table(at, "spiegelhalter_p")
    assert told["class"][0] == "likeliest class"
    assert set(told["class"][1:]) == {"a", "b", "c"}
    errors = told["ece"].astype(float)[1:]
    assert errors.is_monotonic_decreasing
    assert (told["calibration_slope"].astype(float) < 0.6).all()


def test_true_probabilities_of_several_classes_are_not_doubted(uploaded: Opened) -> None:
    at = uploaded("calibration", "f.csv", three(1.0, ("likeliest class", "=1+1", "$x$")))
    assert "No class is shown to be off by Spiegelhalter’s test" in words(at)
    assert table(at, "spiegelhalter_p")["class"][0] == "likeliest class (decided for)"


@pytest.mark.parametrize(("row", "code"), [(0, ".top_label['ece'].value"), (1, ".classes[")])
def test_a_clicked_number_of_a_class_is_worked_out(uploaded: Opened, row: int, code: str) -> None:
    def clicked(rows, metrics, **options):
        return Picked(list(rows)[row], metrics[0], options["key"])

    with patch.object(calibration, "metric_table", clicked):  # keeps what was computed
        at = uploaded("calibration", "f.csv", three(3.0), bins="5")
    assert not at.exception
    assert "rows · gap" in words(at)
    assert "Options(bins=5, binning='uniform')" in words(at)
    assert code in words(at)


@pytest.mark.parametrize("name", [name for name in BAD if name not in ("logits", "huge")])
def test_files_that_hold_too_little_say_so(uploaded: Opened, name: str) -> None:
    at = uploaded("calibration", "f.csv", BAD[name].encode(), task="binary", positive="yes")
    assert not at.exception
    assert "bends by chance alone" in words(at)
    if name == "one class":
        assert "That needs rows of both classes" in words(at)


@pytest.mark.parametrize("name", ["logits", "huge"])
def test_scores_that_are_no_probabilities_have_no_such_page(uploaded: Opened, name: str) -> None:
    at = uploaded("calibration", "f.csv", BAD[name].encode(), task="binary", positive="yes")
    assert not at.exception
    assert "This page needs a probability" in words(at)


@pytest.mark.parametrize("page", ["calibration", "thresholds", "roc_steps"])
def test_a_class_without_a_probability_is_not_asked_about(uploaded: Opened, page: str) -> None:
    rows = "".join(f"{'abc'[k % 3]},0.{2 + k % 5},0.{3 + k % 4}\n" for k in range(60))
    at = uploaded(page, "f.csv", f"truth,prob_a,prob_b\n{rows}".encode(), **{"class": "c"})
    assert not at.exception
    assert at.selectbox(key="class").options == ["a", "b"]


def test_probabilities_that_run_backwards_are_told_and_can_be_reversed(loaded: Opened) -> None:
    at = loaded("calibration", positive="benign")
    assert "s probabilities run backwards" in words(at)
    assert "The higher they are, the less often the event happens." in words(at)
    assert "-confident" not in words(at)
    assert 'below 0.5: it ranks "benign" behind "malignant"' in html.unescape(words(at))
    assert "only Platt scaling can reverse the order" in words(at)
    told = {row["probabilities"]: row["log loss"] for row in recalibrated(at)}
    assert float(told["temperature"].split(" ")[0]) == pytest.approx(np.log(2), abs=0.01)
    (button,) = [each for each in at.button if each.label.startswith("Low scores mean")]
    button.click().run()
    assert not at.exception
    assert "run backwards" not in words(at)
    as_read = cells(loaded("calibration"), "Metric")
    assert cells(at, "Metric")["Calibration slope"] == as_read["Calibration slope"]


def test_what_is_reversed_is_not_offered_to_be_reversed(uploaded: Opened) -> None:
    rows = file(200, 1.0).replace(b"truth,m_score", b"truth,p")
    for asked, offered in (({"positive": "0"}, 1), ({"reverse": "yes"}, 0)):
        at = uploaded("calibration", "f.csv", rows, **asked)
        assert "below 0.5" in words(at)
        assert sum("Low scores mean" in button.label for button in at.button) == offered


VERDICTS = (
    *("probabilities fit,", "are over-confident", "are under-confident", "run backwards"),
    *("too few to tell whether", "are too low on", "are too high on", "are too extreme"),
)


def judged(n: int, sharpness: float, shift: float, seed: int) -> tuple[str, str]:
    """Return headline and title of the figure, of probabilities that are off in this way."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(0, 1.2, n)
    truth = (rng.random(n) < expit(odds)).astype(np.int8)
    off = shift * np.sin(4 * odds)
    return verdict(ScoreTable.from_scores(truth, expit(sharpness * odds + off)))


def verdict(table: ScoreTable) -> tuple[str, str]:
    """Return headline and title of the figure."""
    n = int(table.n)
    question = Question(
        repr((table.threshold.tobytes(), table.tp.tobytes())),  # by which results are kept
        ("no", "yes"),
        {"m": ModelTables(n=n, classes=("no", "yes"), scores=table, probability=True)},
    )
    scene = Scene(names=("m",), chosen="m", positive="yes", look=LIGHT)
    made = calibration.estimates(question, "m", Options())
    curve = binned(table, Options())
    said = " ".join(conclusions.of_probabilities(table, n, made, curve, scene))
    title = calibration_curve_title(scene, {"m": curve})
    return said, title


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("sharpness", "shift"), [(1, 0), (3, 0), (0.4, 0), (-1, 0), (1, 1.5)])
def test_one_verdict_is_given_and_nothing_beside_it_says_the_opposite(
    sharpness: float, shift: float, seed: int
) -> None:
    said, title = judged((12, 60, 400, 3000)[seed % 4], sharpness, shift, seed)
    given = [each for each in VERDICTS if each in said]
    where = title.removeprefix("Probabilities of m are ").partition(", most")[0]
    assert len(given) == 1 or (not given and f"m’s probabilities are {where}" in said)
    one = given[0] if given else ""
    assert (one == "probabilities fit,") <= (title == "No bin is clearly off, all judged together")
    assert (one.endswith("-confident") and where in said) <= ("Largest gap" in said)


@pytest.mark.parametrize("reverse", [False, True])
def test_probabilities_that_expect_too_few_or_too_many_are_off_on_the_whole(
    reverse: bool,
) -> None:
    # Log odds are off by log(8/3) at both probabilities: the slope is 1.
    truth = np.repeat([1, 0, 1, 0], [40, 60, 80, 20]).astype(np.int8)
    score = np.repeat([0.2, 0.6], 100)
    said, title = verdict(
        ScoreTable.from_scores(*((1 - truth, 1 - score) if reverse else (truth, score)))
    )
    expected, seen, off = (120, 80, "−0.981") if reverse else (80, 120, "0.981")
    assert f"m’s probabilities are too {'high' if reverse else 'low'} on the whole" in said
    assert (
        f"expect {expected} of 200 rows to be yes; {seen} are (calibration in the large {off}"
        in said
    )
    assert "Calibration slope 1.000" in said
    assert f"too {'high' if reverse else 'low'} in all 2 bins" in title
    assert "on the whole, clearly so in all 2 bins: where they say " in said


def test_the_worst_place_is_the_largest_gap_and_a_negative_skill_is_said_in_words() -> None:
    # Being 5 points off in 900 rows weighs more than 60 points in 60 rows.
    said = np.repeat([0.02, 0.15, 0.9], [1000, 900, 60])
    seen = ((1000, 20), (900, 90), (60, 18))
    truth = np.concatenate([np.arange(n) < k for n, k in seen]).astype(np.int8)
    found, title = verdict(ScoreTable.from_scores(truth, said))
    assert "over-confident, too high above 10%: where they say 90.0%, 30.0% are Largest" in found
    assert "Largest gap beyond chance: that one, in 60 rows." in found
    assert title == "Probabilities of m are too high above 10%, most where they say 90%"
    base = 128 / 1960
    skill = 1 - np.mean((said - truth) ** 2) / (base * (1 - base))
    told = (
        f"They are worse than always saying {base:.1%}, by the Brier score (skill −{-skill:.3f} ("
    )
    assert told in found


def test_p_values_that_assume_independent_rows_say_so_beside_the_number(uploaded: Opened) -> None:
    at = uploaded("calibration", "f.csv", grouped())
    assert not at.exception
    assert cells(at, "Metric")["Spiegelhalter’s p value"].split("<sup>")[1].startswith("[1]")
    assert re.search(r"\[1\]</sup> not reliable: it assumes independent rows, which", words(at))


def test_the_headline_names_the_class_of_several_that_it_is_about(loaded: Opened) -> None:
    for label in ("3", "8"):
        at = loaded("calibration", sample="digits", **{"class": label})
        assert f"’s probabilities of class “{label}” " in words(at)
    assert "’s probabilities of" not in words(loaded("calibration"))


@pytest.mark.parametrize(
    ("truth", "score", "said"),
    [
        ([1, 0, 0, 1] * 10, [0, 0, 0.4, 0.6] * 10, "10 rows with a probability of 0 are yes."),
        ([0, 1, 0, 1] * 9, [1, 1, 0.3, 0.6] * 9, "9 rows with a probability of 1 are not yes."),
        ([0, 1] * 20, [1, 1] + [1 / 3, 2 / 3] * 19, "1 row with a probability of 1 is not yes."),
        # Of 200 rows with 0.004 each, which is written as 0.00, one happens in half of all files.
        ([1] + [0] * 199 + [0, 1] * 20, [0] * 200 + [0.44, 0.56] * 20, ""),
        ([0, 1] * 20, [0.0, 1.0] * 20, ""),
    ],
)
def test_probabilities_of_0_or_1_that_were_wrong_are_too_extreme(
    truth: list[int], score: list[float], said: str
) -> None:
    table = ScoreTable.from_scores(np.array(truth, dtype=np.int8), np.array(score))
    found, _ = verdict(table)
    assert ("are too extreme" in found) == bool(said)
    assert said in found
    if " count as " not in found:
        assert re.search(r" of exactly [01] have infinite log odds, and are not known to be", found)


def test_rounded_probabilities_of_0_are_counted_and_what_is_made_of_them_is_said(
    uploaded: Opened,
) -> None:
    rng = np.random.default_rng(0)
    exact = expit(rng.normal(-3, 1.5, 1500))
    rows = zip((rng.random(1500) < exact).astype(int), exact.round(2), strict=True)
    text = "".join(f"{t},{p:.2f}\n" for t, p in rows)
    at = uploaded("calibration", "f.csv", f"truth,m_score\n{text}".encode())
    zero = int((exact.round(2) == 0).sum())
    said = f"{zero} probabilities of exactly 0 count as 0.005, half of their last digit"
    assert f"For it {said}." in words(at)
    assert f"For these, {zero} probabilities of exactly 0 count as 1e-09 from that end." in words(
        at
    )
    assert "undefined" not in cells(at, "Metric")["Calibration slope"]
