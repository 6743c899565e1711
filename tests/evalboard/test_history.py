"""The history of `check`: what is added, what is flagged, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from evalboard.checks import COLUMNS, signals
from evalcore.intervals.closed import wilson
from evalcore.metrics.metric import Estimate
from evalcore.monitoring.watching import Plan, watch
from tests.evalboard.said import Run

REQUIRE = ["--require", "accuracy>=0.5"]


def written(folder: Path, seed: int, share: float, n: int = 400) -> Path:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    said = np.where(rng.random(n) < share, truth, 1 - truth)
    path = folder / f"rows_{seed}.csv"
    lines = [f"{t},{p}" for t, p in zip(truth, said, strict=True)]
    path.write_text("\n".join(["truth,pred", *lines]), "utf-8")
    return path


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return tmp_path / "history.csv"


def test_each_check_is_a_line_and_the_same_rows_are_one_look(
    run: Run, tmp_path: Path, history: Path
):
    first = written(tmp_path, 1, 0.9)
    assert run("check", first, *REQUIRE, "--history", history).code == 0
    tree = run("check", written(tmp_path, 2, 0.9), *REQUIRE, "--history", history, "--json").json
    assert tree["history"]["checks"] == 2
    assert tree["history"]["numbers"][0]["looks"] == 1
    again = run("check", first, *REQUIRE, "--history", history)
    assert "in the history already" in again.out
    lines = history.read_text("utf-8").splitlines()
    assert lines[0] == ",".join(COLUMNS)
    assert len(lines) == 3
    assert [line.split(",")[1] for line in lines[1:]] == ["rows_1.csv", "rows_2.csv"]


def test_a_drop_is_flagged_and_the_command_leaves_with_one(run: Run, tmp_path: Path, history: Path):
    for seed in range(4):
        said = run("check", written(tmp_path, seed, 0.9), *REQUIRE, "--history", history)
        assert said.code == 0
        assert "No change of accuracy" in said.out
    codes = [
        run("check", written(tmp_path, 10 + seed, 0.75), *REQUIRE, "--history", history).code
        for seed in range(3)
    ]
    assert codes[-1] == 1
    said = run("check", written(tmp_path, 20, 0.75), *REQUIRE, "--history", history)
    assert "CHANGED" in said.out
    assert "is lower than before" in said.out
    tree = run("check", written(tmp_path, 21, 0.9), *REQUIRE, "--history", history, "--json").json
    # An alarm stands until a new history is begun, though the requirement itself is met.
    assert tree["passed"] is False
    assert tree["requirements"][0]["passed"] is True


def test_a_rise_is_told_and_passes(run: Run, tmp_path: Path, history: Path):
    for seed, share in enumerate([0.7, 0.7, 0.9, 0.9, 0.9]):
        said = run("check", written(tmp_path, seed, share), *REQUIRE, "--history", history)
    assert "is higher than before" in said.out
    assert said.code == 0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text[:-5], "last line is cut off"),
        (lambda text: text.replace("accuracy>=0.5", "accuracy>=0.4"), "altered"),
        (lambda text: "".join(text.splitlines(keepends=True)[i] for i in (0, 2)), "taken out"),
        (lambda text: text.replace("time,", "when,"), "first line"),
        (lambda text: text + "a,b\n", "line 4 has 2 cells"),
        (lambda text: "\x00\xff", "first line|not a text file|cut off"),
    ],
)
def test_a_history_that_was_cut_or_altered_is_refused_and_left_as_it_is(
    change, why, run: Run, tmp_path: Path, history: Path
):
    for seed in (1, 2):
        run("check", written(tmp_path, seed, 0.9), *REQUIRE, "--history", history)
    spoilt = change(history.read_text("utf-8"))
    history.write_text(spoilt, "utf-8")
    said = run("check", written(tmp_path, 3, 0.9), *REQUIRE, "--history", history, "--json")
    assert said.code == 2
    assert said.json["error"]["code"] == "bad-history"
    assert any(part in said.json["error"]["message"] for part in why.split("|"))
    assert history.read_text("utf-8") == spoilt


def test_other_requirements_need_another_history(run: Run, tmp_path: Path, history: Path):
    file = written(tmp_path, 1, 0.9)
    run("check", file, *REQUIRE, "--history", history)
    before = history.read_bytes()
    said = run("check", file, "--require", "recall>=0.1", "--history", history, "--json")
    assert said.code == 2
    assert said.json["error"]["code"] == "other-history"
    assert history.read_bytes() == before


def test_a_folder_that_is_not_there_is_refused(run: Run, tmp_path: Path):
    where = tmp_path / "nowhere" / "history.csv"
    said = run("check", written(tmp_path, 1, 0.9), *REQUIRE, "--history", where, "--json")
    assert said.code == 2
    assert said.json["error"]["code"] == "unwritable-file"


def test_the_file_is_left_whole_when_writing_fails(
    run: Run, tmp_path: Path, history: Path, monkeypatch: pytest.MonkeyPatch
):
    run("check", written(tmp_path, 1, 0.9), *REQUIRE, "--history", history)
    before = history.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    said = run("check", written(tmp_path, 2, 0.9), *REQUIRE, "--history", history, "--json")
    assert said.json["error"]["code"] == "unwritable-file"
    assert history.read_bytes() == before
    assert not [*tmp_path.glob(".evalboard-*")]


def alarms(checks: int, rows: int, streams: int) -> float:
    """Return the share of histories without a change in which one is flagged."""
    rng, found = np.random.default_rng(0), 0
    for _ in range(streams):
        made = []
        for k in rng.binomial(rows, 0.9, checks + 1):
            ends = wilson(float(k), float(rows), 0.95)
            made.append(Estimate(k / rows, float(ends.low), float(ends.high), "wilson", 0.95))
        found += watch(signals(made, 0.05), Plan(checks)).at is not None
    return found / streams


def test_false_alarms_of_a_short_history_are_rare():
    assert 0.01 <= alarms(10, 400, 300) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("checks", [10, 100])
def test_4_to_6_percent_of_histories_are_flagged_without_a_change(checks: int):
    share = alarms(checks, 400, 2000)
    print(f"{checks} checks: {share:.2%}")
    assert 0.04 <= share <= 0.06
