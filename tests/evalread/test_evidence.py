"""The evidence about the truth: each rule alone, the margin, and what no order changes."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from evalboard.cli import main
from evalcore.errors import EvalError
from evalread.dataset import Roles, Task
from evalread.detection.evidence import MARGIN, RULES, Facts, Rule
from evalread.detection.profile import profiles
from evalread.detection.roles import detect, explain
from evalread.loading import read

from .files import codes, csv, loaded, refused

CASES = Path(__file__).parent.parent / "cases"


def found(rule: Rule, text: str) -> list[str]:
    table = read(*csv(text.replace(";", "\n") + "\n"))
    return [column for column, _ in rule.finds(Facts(table, tuple(profiles(table).values())))]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.points:+} {rule.says}")
def test_each_rule_holds_for_its_example_and_not_for_its_counter_example(rule: Rule) -> None:
    assert rule.about in found(rule, rule.example)
    assert rule.about not in found(rule, rule.counter)


def test_no_rule_of_values_alone_outweighs_a_name() -> None:
    text = "label_seen,y_true,pred\nhot,1,1\ncold,0,0\nhot,0,1\n"
    assert loaded(text).roles.truth == "y_true"
    assert MARGIN > 1


def test_a_small_margin_is_a_question_with_the_likeliest_column_first() -> None:
    error = refused(
        "colour,lamp_won,shirt_won,score\nred,a,b,0.3\nblue,b,b,0.25\nred,a,a,0.1\nblue,b,a,0.4\n"
    )
    assert error.code == "ambiguous"
    assert [offer.value for offer in error.offers] == ["lamp_won", "shirt_won"]


def test_two_columns_that_say_the_same_are_no_question() -> None:
    text = "seen_true,noted_true,score\na,a,0.9\nb,b,0.2\nb,b,0.3\n"
    assert loaded(text).roles.truth == "seen_true"


def test_a_label_beside_the_confidence_in_it_is_asked_about() -> None:
    text = "label,confidence\n" + "".join(f"{k % 2},0.{60 + (7 * k) % 40}\n" for k in range(20))
    error = refused(text)
    assert error.code == "ambiguous"
    assert 'The truth could be "label"' in error.message
    assert loaded(text, truth="label").roles.truth == "label"
    low = text.replace("0.60", "0.10")
    assert loaded(low).roles.truth == "label"


def test_labels_stay_labels_however_many_numbers_they_are() -> None:
    rows = "".join(f"{k},{(k * 7) % 300},0.{k % 90 + 10}\n" for k in range(250))
    data = loaded(f"true_label,pred_label,confidence\n{rows}")
    assert [model.label for model in data.roles.models.values()] == ["pred_label"]


def test_words_of_which_none_is_predicted_are_no_truth() -> None:
    rows = "kk,1,0.9\nru,0,0.2\nkk,0,0.3\nru,1,0.8\n" * 3
    error = refused(f"lang_label,pred_label,pred_prob\n{rows}")
    assert error.code == "no-truth"


def test_a_guess_is_said_before_anything_that_rests_on_it() -> None:
    data = loaded("match,colour,distance\n1,red,0.8\n0,red,3.9\n1,red,1.1\n0,red,4.4\n")
    (first, *_) = data.notices
    assert (first.code, first.severity, first.column) == ("guessed-truth", "warning", "match")
    named = loaded("y_true,distance\n1,0.8\n0,3.9\n1,1.1\n0,4.4\n")
    assert "guessed-truth" not in {notice.code for notice in named.notices}


def test_a_file_of_nothing_but_features_claims_no_truth() -> None:
    error = refused("name,colour\nann,red\nbob,blue\nann,blue\nbob,red\n")
    assert error.code == "no-predictions"
    assert "holds the truth" not in error.message


def test_evidence_is_printed_with_its_points_also_where_a_question_remains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "won.csv"
    path.write_text("lamp_won,shirt_won,score\na,b,0.3\nb,b,0.25\na,a,0.1\nb,a,0.4\n")
    assert main(["inspect", str(path), "--explain"]) == 2
    said = capsys.readouterr()
    assert "named after something that happens or not" in said.out
    assert "shirt_won" in said.err
    path.write_text("actual_sales,fitted\n1.5,1.4\n2.5,2\n")
    assert main(["inspect", str(path), "--explain"]) == 0
    assert "+5" in capsys.readouterr().out
    assert main(["inspect", str(path), "--explain", "--json"]) == 0
    assert '"evidence"' in capsys.readouterr().out


def test_evidence_is_told_of_a_chosen_truth_too() -> None:
    table = read(*csv("y_true,score\n1,0.9\n0,0.2\n"))
    assert {one.column for one in explain(table)} == {"y_true"}
    assert detect(table).evidence == explain(table)


PLAIN = sorted(path for path in CASES.glob("*.csv") if 100 < path.stat().st_size < 20_000)


def played(path: Path, cells: list[list[str]]) -> Roles | str:
    text = "\n".join(",".join(row) for row in cells) + "\n"
    try:
        return detect(read(path.name, text.encode()))
    except EvalError as error:
        return error.code


def as_sets(roles: Roles | str) -> object:
    """Return what a reading settles, without the order that the file gives it."""
    if isinstance(roles, str):
        return roles
    columns = {name: frozenset(model.columns) for name, model in roles.models.items()}
    kept = (roles.task, roles.truth, roles.fold, roles.weight, roles.group, roles.positive)
    clusters = (frozenset(roles.clusterings.items()), frozenset(roles.features))
    return kept, columns, clusters


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(PLAIN), seed=st.integers(0, 2**16))
def test_no_order_of_rows_or_columns_changes_a_reading(path: Path, seed: int) -> None:
    lines = path.read_text("utf-8", errors="replace").strip().splitlines()
    cells = [line.split(",") for line in lines]
    # Some tools tell a column by its place.
    try:
        by_tool = read(path.name, path.read_bytes()).source.tool is not None
    except EvalError:
        return
    header = cells[0]
    named = all(header) and len(set(header)) == len(header) and not lines[0].startswith("#")
    square = len({len(row) for row in cells}) == 1 and len(cells) > 3
    if by_tool or '"' in "".join(lines) or not (named and square):
        return
    rng = np.random.default_rng(seed)
    rows = cells[1:]
    across = rng.permutation(len(header))
    down = rng.permutation(len(rows))
    moved = [[row[at] for at in across] for row in [header, *(rows[at] for at in down)]]
    assert as_sets(played(path, moved)) == as_sets(played(path, cells))


def test_a_perfect_model_does_not_make_another_models_label_the_truth() -> None:
    rows = "".join(
        f"{k % 2},{k % 2},{0.6 * (k % 2) + 0.01 * (k % 7)},{k % 3 % 2},{k % 5 - 2}.5\n"
        for k in range(60)
    )
    data = loaded("diagnosis,rf_label,rf_score,svm_label,svm_score\n" + rows)
    assert data.roles.truth == "diagnosis"
    assert [*data.roles.models] == ["rf", "svm"]


def test_what_a_person_says_is_the_truth_beside_what_a_judge_says() -> None:
    said = ("bad", "good")
    rows = "".join(f"{said[k % 2]},{said[k % 3 > 0]}\n" for k in range(40))
    assert loaded("judge_label,human_label\n" + rows).roles.truth == "human_label"
    assert loaded("human_label,judge_label\n" + rows).roles.truth == "human_label"


LATER = "region,income,prob_a,prob_b\n" + "".join(
    f"{'NESW'[k % 4]},{2000 + 37 * (k * 7 % 60)}.5,{k * 7 % 60 / 60:.3f},{k * 11 % 60 / 60:.3f}\n"
    for k in range(60)
)


def test_a_file_of_probabilities_without_true_answers_may_be_a_later_one() -> None:
    asked = refused(LATER)
    assert (asked.code, len(asked.offers)) == ("ambiguous", 2)
    assert "none of them answers yes or no" in asked.message
    assert "evalboard shift" in asked.message
    regions = "\n".join(",".join([row.split(",")[0], *row.split(",")[2:]]) for row in LATER.split())
    assert refused(regions).code == "no-truth"
    assert "evalboard shift" in refused(regions).message


def test_a_question_about_a_column_of_yes_and_no_says_nothing_of_later_files() -> None:
    head, *rows = LATER.split()
    lines = [f"{head},north,south", *(f"{row},{k % 2},{k % 3 % 2}" for k, row in enumerate(rows))]
    asked = refused("\n".join(lines))
    assert asked.code == "ambiguous"
    assert "later file" not in asked.message


# Predicted numbers beside words and several numbers.


def stays(columns: str, rows: int = 200) -> str:
    """Return a file of stays in hospital: wards, days, predictions, and what goes with them."""
    rng = np.random.default_rng(5)
    days = rng.gamma(2, 4, rows).round(1)
    known = {
        "ward": rng.choice(["surgery", "medicine", "icu", "geriatrics"], rows),
        "days": days,
        "count": days.round(),
        "earlier": (days / 2 + rng.gamma(2, 2, rows)).round(1),
        "cost": (900 * days + rng.normal(0, 500, rows)).round(1),
        "case": np.arange(1, rows + 1),
        "pred_a": (0.6 * days + 3 + rng.normal(0, 2, rows)).round(2),
        "ols": (0.7 * days + 2 + rng.normal(0, 3, rows)).round(2),
        "pred_a_lower": (0.6 * days + 1).round(2),
        "pred_a_upper": (0.6 * days + 5).round(2),
        "other": rng.permutation(0.6 * days + 3).round(2),
    }
    names = [name.replace("forecast", "other").replace("stay", "days") for name in columns.split()]
    lines = [",".join(map(str, row)) for row in zip(*(known[name] for name in names), strict=True)]
    return "\n".join([columns.replace(" ", ","), *lines])


@pytest.mark.parametrize(
    "columns",
    [
        *("ward days pred_a", "case ward stay pred_a ols", "pred_a ward days", "ward count pred_a"),
        *("ward days ols", "ward days forecast"),
        "ward pred_a pred_a_lower pred_a_upper days",
    ],
)
def test_words_are_not_what_numbers_predict(columns: str) -> None:
    data = loaded(stays(columns))
    assert data.roles.truth in ("days", "stay", "count")
    assert data.roles.task is Task.REGRESSION
    # Values alone tell, so that it is said to be a guess.
    assert "guessed-truth" in codes(data)


def test_of_several_numbers_those_that_predictions_follow_are_asked_about_first() -> None:
    for columns in ("ward earlier cost days pred_a", "days cost ward earlier pred_a ols"):
        problem = refused(stays(columns))
        assert problem.code == "ambiguous"
        assert problem.offers[0].value == "days"
        assert "ward" not in [offer.value for offer in problem.offers]


def test_inspect_tells_which_numbers_predictions_follow(capsys, tmp_path) -> None:
    path = tmp_path / "stays.csv"
    path.write_text(stays("ward days pred_a"))
    assert main(["inspect", "--explain", str(path)]) == 0
    said = capsys.readouterr().out
    assert "the predicted numbers are the nearest to it, and follow it (rank correlation 0." in said
    assert "it holds words, and what is predicted are numbers" in said


def test_words_that_are_chosen_as_the_truth_of_numbers_lead_to_the_numbers() -> None:
    text = stays("case ward days pred_a ols")
    problem = refused(text, truth="ward")
    assert 'they follow "days"' in problem.message
    assert [(one.choice, one.value) for one in problem.offers] == [("truth", "days")]
    assert loaded(text, truth="days").roles.task is Task.REGRESSION
    unnamed = text.replace("pred_a", "m1").replace("ols", "m2")
    assert ("truth", "days") in [(o.choice, o.value) for o in refused(unnamed, truth="ward").offers]


def test_numbers_per_class_predict_words_all_the_same() -> None:
    rng = np.random.default_rng(1)
    kinds = rng.integers(0, 3, 90)
    logits = rng.normal(0, 1, (90, 3)) + 3 * np.eye(3)[kinds]
    rows = [
        ",".join(["abc"[k] + "us", f"{one[0] * 2:.2f}", *(f"{x:.3f}" for x in one)])
        for k, one in zip(kinds, logits, strict=True)
    ]
    text = "\n".join(["species,petal,pred_aus,pred_bus,pred_cus", *rows])
    assert loaded(text).roles.truth == "species"


def test_the_ward_of_a_hospital_is_no_clustering() -> None:
    assert loaded(stays("ward days ols")).roles.task is Task.REGRESSION
    numbered = "\n".join(["ward,x,y", *(f"{k % 3},{k / 7},{k % 11 / 3}" for k in range(40))])
    assert loaded(numbered).roles.task is Task.CLUSTERING
    named = numbered.replace("ward", "ward_k3").replace("\n0,", "\nicu,")
    assert loaded(named).roles.task is Task.CLUSTERING
