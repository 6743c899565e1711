"""How many rows an evaluation takes, at the command line."""

import pytest

from tests.evalboard.said import Run


def test_a_plan_tells_rows_and_what_it_rests_on(run: Run):
    # z is 2.807 at 0.995 (ten pairs): (2.807 sqrt(0.35) + 0.842 sqrt(0.3475))^2 / 0.05^2.
    text = run("plan", "accuracy", "0.8", "--difference", "0.05", "--models", "5").out
    assert "takes 1,861 rows, allowing for 10 pairs" in text
    assert "are uncorrelated" in text
    assert "To show a true difference of 0.05 in 8 of 10 files" in text


def test_a_plan_as_json_holds_the_numbers_and_the_sentences(run: Run):
    tree = run("plan", "recall", "0.8", "--share", "0.1", "--width", "0.1", "--json").json
    assert tree["schema"] == "evalboard.plan/1"
    assert tree["expected"]["share"] == 0.1
    # Of 244 positives Wilson's interval of 0.8 is just less than 0.1 wide.
    assert tree["rows_for_width"] == pytest.approx(2442, abs=10)
    assert tree["rows_for_difference"] is None
    assert str(f"{tree['rows_for_width']:,} rows") in tree["sentences"][0]


@pytest.mark.parametrize(
    "words",
    [
        ("f1", "0.8", "--rows", "10"),
        ("accuracy", "0.8"),
        ("accuracy", "much", "--rows", "10"),
        ("roc_auc", "0.8", "--rows", "10"),
    ],
)
def test_what_cannot_be_planned_is_refused_with_the_way_out(words: tuple[str, ...], run: Run):
    left = run("plan", *words)
    assert left.code == 2
    assert left.err.strip()
