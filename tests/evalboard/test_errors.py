"""What cannot be used is a sentence and code 2, never a traceback."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalread.dataset import SCHEMA
from tests.evalboard.said import Run

UNUSABLE = [
    (["evaluate", "nowhere.csv"], "no-such-file", "nowhere.csv"),
    (["evaluate", "."], "no-such-file", "folder"),
    (["evaluate", "a\0b"], "unreadable-file", "cannot be read"),
    (["evaluate", "{file}", "--truth", "z"], None, "z"),
    (["evaluate", "{file}", "--level", "2"], "bad-level", "between 0 and 0.9999"),
    (["evaluate", "{file}", "--resamples", "1"], "bad-resamples", "100"),
    (["evaluate", "{file}", "--bins", "0"], "bad-bins", "1 to 1,000 bins"),
    (["evaluate", "{file}", "--threshold", "x"], "usage", "threshold"),
    (["evaluate", "{file}", "--nonsense"], "usage", "nonsense"),
    (["evaluate", "{file}", "--truth", "y", "--truth", "p"], "usage", "--truth is given twice"),
    (
        ["evaluate", "{file}", "--score", "a=x", "--score", "a=z"],
        "usage",
        '--score is given twice for "a": "x" and "z"',
    ),
    (["evaluate", "{file}", "--merge-label", "x"], "usage", "--merge-label takes FROM=TO"),
    (["evaluate", "{file}", "--distance", "hamming"], "bad-distance", "euclidean"),
    (["evaluate", "{file}", "--distance", "minkowski:x"], "bad-distance", "minkowski:3"),
    (["evaluate", "{file}", "--distance", "minkowski:0.5"], "bad-order", "from 1 to 32"),
    (["evaluate", "{file}", "--task", "folds"], "fold-scores", "can be compared"),
    (["evaluate", "{file}", "--cluster", "y", "--noise", "7"], "no-such-label", '"0", "1"'),
    (["compare", "{file}", "--cluster", "y"], "clusterings", "side by side"),
    (
        ["evaluate", "{file}", "--separator", "\N{PILE OF POO}"],
        "bad-separator",
        "one ASCII character",
    ),
    (["compare", "assets/samples/folds.csv", "--model", "x"], "no-such-column", '"x"'),
    (["evaluate"], "usage", "FILE"),
    (["nonsense"], "usage", "nonsense"),
    (["check", "{file}"], "usage", "--require"),
    (["check", "{file}", "--require", "recal>=1"], "unknown-metric", "recall"),
    (["check", "{file}", "--require", "z:recall>=1"], "no-such-number", 'no model "z"'),
    (["check", "{file}", "--require", "rmse>=1"], "no-such-number", "does not give"),
]


@pytest.mark.parametrize(("words", "code", "fragment"), UNUSABLE)
def test_what_cannot_be_used_is_a_sentence_and_code_two(
    words: list[str], code: str | None, fragment: str, run: Run, file: Path
):
    asked = [word.replace("{file}", str(file)) for word in words]
    said = run(*asked)
    assert (said.code, said.out) == (2, "")
    assert fragment in said.err
    assert "Traceback" not in said.err
    told = run(*asked, "--json")
    assert (told.code, told.err) == (2, "")
    assert told.json["schema"] == "evalboard.error/1"
    assert fragment in told.json["error"]["message"]
    assert code in (None, told.json["error"]["code"])


def test_the_rows_of_an_error_are_counted_from_one(run: Run, file: Path):
    file.write_text("y,p\n1,0.9\n0,inf\n1,0.7\n0,-inf\n", encoding="utf-8")
    error = run("evaluate", file, "--json").json["error"]
    assert (error["rows"], error["column"]) == ([2, 4], "p")


@pytest.mark.parametrize(
    ("rows", "code", "options"),
    [
        ("left,right,score\na,b,0.5\nb,b,0.25\na,a,0.1\n", "ambiguous", ["--truth"]),
        ("y,age,income\n1,33,1200.5\n0,41,900\n1,25,800.5\n", "ambiguous", ["--score"]),
        ("id,score\n1,0.5\n2,0.25\n", "no-truth", ["--truth"]),
        ("id,truth\n1,a\n2,b\n", "no-predictions", ["--label", "--score", "--prediction"]),
    ],
)
def test_a_question_names_the_options_that_answer_it(
    rows: str, code: str, options: list[str], run: Run, file: Path
):
    file.write_text(rows, encoding="utf-8")
    error = run("inspect", file, "--json").json["error"]
    assert (error["code"], error["options"]) == (code, options)
    said = run("evaluate", file).err
    assert all(f"{option} COL" in said for option in options)


def python(*words: str, **kwargs: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "evalcore", *words]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, **kwargs)


def test_the_program_speaks_on_a_screen_that_knows_ascii_only(tmp_path: Path):
    path = tmp_path / "labels.csv"
    path.write_text("truth,pred\nPérdida,Pérdida\nAño,Pérdida\n", encoding="utf-8")
    done = python("evaluate", str(path), env={"PYTHONIOENCODING": "ascii", "PATH": ""})
    assert done.returncode == 0, done.stderr
    assert b"P\\xe9rdida" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize(
    ("end", "code", "told"),
    [
        (">&-", 0, b""),
        ("> /dev/full", 2, b"The output cannot be written: No space left on device."),
    ],
)
def test_an_output_that_takes_nothing_is_no_traceback(
    end: str, code: int, told: bytes, file: Path
) -> None:
    command = f'"{sys.executable}" -m evalcore evaluate "{file}" {end}'
    done = subprocess.run(command, shell=True, capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stderr.strip()) == (code, told)


def test_a_reader_that_has_seen_enough_is_no_error(file: Path):
    command = f'"{sys.executable}" -m evalcore evaluate "{file}" | head -n 1'
    done = subprocess.run(command, shell=True, capture_output=True, timeout=120, check=False)
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr


@pytest.mark.parametrize("command", ["evaluate", "compare", "inspect", "metrics", "check"])
def test_every_command_explains_itself(command: str, run: Run) -> None:
    with pytest.raises(SystemExit) as left:
        run(command, "--help")
    assert left.value.code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--threshold", "nan"), "threshold must be a number"),
        (("--threshold", "inf"), "threshold must be a number"),
        (("--seed", "-1"), "seed must be 0 or more"),
        (("--bins", "1000000"), "1 to 1,000 bins"),
        (("--resamples", "1000000000"), "100 to 1,000,000"),
        (("--level", "0.9999999999999999"), "between 0 and 0.9999"),
    ],
)
def test_settings_outside_their_range_are_refused_in_words(
    run: Run, file: Path, words: tuple[str, str], said: str
) -> None:
    made = run("evaluate", file, *words)
    assert made.code == 2
    assert said in made.err


@pytest.mark.parametrize("size", ["nan", "inf", "-1"])
def test_what_makes_no_difference_must_be_a_size(run: Run, file: Path, size: str) -> None:
    made = run("compare", file, "--rope", size, "--json")
    assert made.code == 2
    assert "0 or more" in made.out


def test_numbers_whose_squares_overflow_are_strict_json(run: Run, file: Path) -> None:
    file.write_text("truth,a_pred\n1e154,2e154\n2e154,-1e154\n3e154,1e154\n", encoding="utf-8")
    bias = run("evaluate", file, "--json").json["models"]["a"]["metrics"]["values"]["bias"]
    assert bias.get("low") is None
    assert "too large to square" in bias["note"]


HOSTILE = ("\N{GRINNING FACE}", "", "a\0b", "x=y", "a:b=c", "a" * 5000)
TRIED = [
    ("folds", HOSTILE[:2]),
    *(
        pytest.param(sample, HOSTILE, marks=pytest.mark.slow)
        for sample in ("folds", "diabetes", "iris", "breast_cancer")
    ),
]


@pytest.mark.parametrize(("sample", "values"), TRIED)
def test_no_value_of_an_option_is_a_fault_of_the_program(
    sample: str, values: tuple[str, ...], run: Run
) -> None:
    file = Path("assets/samples") / f"{sample}.csv"
    for one in SCHEMA:
        for value in values if one.shape else ():
            said = run("inspect", file, f"--{one.option}={value}")
            assert said.code in (0, 2), (one.option, value, said.err)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("evaluate", "--threshold", "abc"), '--threshold takes a number, not "abc". Try'),
        (("evaluate", "--bins", "1.5"), '--bins takes a whole number, not "1.5". Try'),
        (("plan", "accuracy", "x"), 'VALUE takes a number, not "x". Try'),
        (("sample", "brest"), "Did you mean breast-cancer?"),
    ],
)
def test_a_wrong_word_is_answered_in_words(words: tuple[str, ...], said: str, run: Run) -> None:
    command, *rest = words
    made = run(command, "rows.csv", *rest) if command == "evaluate" else run(command, *rest)
    assert made.code == 2
    assert said in made.err


def test_a_file_with_one_model_cannot_be_compared(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("truth,predicted\na,a\nb,a\nb,b\na,a\n", encoding="utf-8")
    said = run("compare", path).err
    assert "A comparison needs two models, and this file has one model." in said
