"""The history of `check`: what is added, what is flagged, and what is refused."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.monitoring import of_history
from evalboard.checks import COLUMNS, read, signals
from evalcore.intervals.closed import wilson
from evalcore.metrics.metric import Estimate
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
        assert ("No change of accuracy" if seed else "the first check of accuracy") in said.out
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


def test_a_difference_that_two_files_alone_would_show_is_told_beside_no_change(
    run: Run, tmp_path: Path, history: Path
):
    head, *rows = written(tmp_path, 1, 1.0).read_text().splitlines()
    for wrong in (40, 61):  # z = (61 - 40) / 400 / sqrt((0.9 * 0.1 + 0.8475 * 0.1525) / 400) = 2.2
        lines = [row[:-1] + str(1 - int(row[-1])) for row in rows[:wrong]] + rows[wrong:]
        file = tmp_path / f"{wrong}.csv"
        file.write_text("\n".join([head, *lines]))
        said = run("check", file, *REQUIRE, "--history", history).out
    assert "no change" in said
    assert "though it went from 0.900 at the first check to 0.848" in said
    assert "all 1,000 planned looks together" in said


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


_CHECKS = """
import sys
from dataclasses import replace
from pathlib import Path
from evalboard.checks import Requirement, check, keep
from evalcore.evaluate import evaluate
from evalcore.monitoring.watching import Plan
from evalcore.options import Options
from evalread.loading import load
file, history, who = sys.argv[1:]
made = evaluate(load([("rows.csv", Path(file).read_bytes())]), Options())
outcomes = check(made, [Requirement.parse("accuracy>=0.5")])
print("ready", flush=True)
sys.stdin.readline()
for k in range(12):
    own = replace(made.dataset, digest=f"{who}-{k}")
    keep(Path(history), replace(made, dataset=own), outcomes, Plan())
"""


def test_checks_that_end_at_the_same_time_are_all_kept(tmp_path: Path, history: Path):
    words = [sys.executable, "-W", "ignore", "-c", _CHECKS, written(tmp_path, 1, 0.9), history]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    jobs = [subprocess.Popen([*words, who], **pipes) for who in ("a", "b")]
    for job in jobs:
        assert job.stdout.readline() == "ready\n"
    for job in jobs:
        job.stdin.write("go\n")
        job.stdin.flush()
    for job in jobs:
        job.communicate(timeout=120)
        assert job.returncode == 0
    lines, _ = read(history)
    assert sorted(line.digest for line in lines) == sorted(
        f"{w}-{k}" for w in "ab" for k in range(12)
    )
    assert sorted(one.name for one in tmp_path.iterdir()) == ["history.csv", "rows_1.csv"]


def test_shares_of_a_history_are_followed_by_their_rows():
    made = []
    for k, n in ((450, 500), (40, 50), (30, 40), (9, 12)):
        ends = wilson(float(k), float(n), 0.95)
        made.append(Estimate(k / n, float(ends.low), float(ends.high), "wilson", 0.95))
    found = signals([made[0], Estimate(np.nan), *made[1:]], 0.05)
    assert [one is None for one in found] == [True, True, False, False, False]
    # 40 of 50, of 490 of 550 in all: 50 drawn without replacement have 44.5 on average.
    share, n, total = 490 / 550, 50, 550
    spread = np.sqrt(n * share * (1 - share) * (total - n) / (total - 1))
    assert found[2].z == pytest.approx((40 - n * share) / spread)
    assert found[2].law is not None


def test_other_numbers_of_a_history_are_followed_by_their_standard_errors():
    made = [Estimate(v, v - 0.0196, v + 0.0196, "delong", 0.95) for v in (0.8, 0.8, 0.83)]
    found = signals(made, 0.05)
    # Each has an error of 0.01; the two before have 0.01 / sqrt(2).
    assert found[2].z == pytest.approx(0.03 / (0.01 * np.sqrt(1.5)), rel=1e-4)
    assert found[2].expected == pytest.approx(0.05 / (0.01 * np.sqrt(1.5)), rel=1e-4)


def test_false_alarms_of_a_short_history_are_rare():
    assert 0.01 <= np.mean([of_history(10, 400, seed) for seed in range(300)]) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("checks", [10, 100])
def test_4_to_6_percent_of_histories_are_flagged_without_a_change(checks: int):
    # 2,000 streams tell 5% to within 1.5 points.
    share = np.mean([of_history(checks, 400, seed) for seed in range(2000)])
    assert 0.035 <= share <= 0.065
