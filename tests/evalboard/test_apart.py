"""Models that are worked on by processes of their own."""

import os
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import sleep

import numpy as np
import pytest

from evalboard import apart, serialise
from evalboard.apart import by_processes
from evalcore.evaluate import by_threads, evaluate
from evalcore.evaluation.condense import condense
from evalcore.options import Options
from evalcore.results import Evaluation, ModelEvaluation
from evalcore.work import NO_PROGRESS, Progress
from evalread.loading import load
from tests.evalcore.made import seeded

OPTIONS = Options(resamples=200)


def some_models(*, folds: bool = False) -> bytes:
    rng = seeded(3)
    truth = rng.random(60) < 0.4
    scores = np.clip(0.3 + 0.3 * truth + rng.normal(scale=0.2, size=(4, 60)), 0.01, 0.99)
    names = ["label", *(f"score_m{place}" for place in range(4))]
    rows = np.column_stack([truth, *np.round(scores, 3)])
    lines = [",".join(f"{cell:g}" for cell in row) for row in rows]
    if folds:
        names.append("fold")
        lines = [f"{line},{place % 3}" for place, line in enumerate(lines)]
    return "\n".join([",".join(names), *lines]).encode()


def evaluated(of_all: Callable[..., Mapping[str, ModelEvaluation]]) -> Evaluation:
    return evaluate(load([("a.csv", some_models())]), OPTIONS, of_all=of_all)


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "FEWEST_MODELS", 3)
    monkeypatch.setattr(apart.os, "cpu_count", lambda: 2)


def test_processes_give_every_number_that_threads_give() -> None:
    shares: list[float] = []
    tables = condense(load([("a.csv", some_models())]))
    made = by_processes(tables, OPTIONS, Progress(shares.append))
    assert shares == [0.25, 0.5, 0.75, 1.0]
    assert [*made] == [*tables]
    alike = [
        serialise.text(serialise.evaluation(evaluated(of_all)))
        for of_all in (by_threads, lambda *_: made)
    ]
    assert alike[0] == alike[1]


@pytest.mark.parametrize("why", ["few", "large", "folds", "one processor", "no processes"])
def test_what_processes_do_not_help_is_left_to_threads(
    why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> ProcessPoolExecutor:
        raise OSError("no semaphores here")

    changes: dict[str, Callable[[], None]] = {
        "few": lambda: monkeypatch.setattr(apart, "FEWEST_MODELS", 100),
        "large": lambda: monkeypatch.setattr(apart, "MOST_ROWS", 10),
        "folds": lambda: None,
        "one processor": lambda: monkeypatch.setattr(apart.os, "cpu_count", lambda: 1),
        "no processes": lambda: monkeypatch.setattr(apart, "ProcessPoolExecutor", refused),
    }
    changes[why]()
    taken: list[int] = []
    monkeypatch.setattr(apart, "by_threads", lambda tables, *_: taken.append(len(tables)))
    tables = condense(load([("a.csv", some_models(folds=why == "folds"))]))
    by_processes(tables, OPTIONS, NO_PROGRESS)
    assert taken == [4]


def test_a_process_that_is_ended_from_outside_is_told_as_too_little_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool = ProcessPoolExecutor(1, get_context("spawn"), apart._begin)
    os.kill(pool.submit(os.getpid).result(), signal.SIGKILL)
    monkeypatch.setattr(apart, "_pool", lambda: pool)
    with pytest.raises(MemoryError):
        by_processes(condense(load([("a.csv", some_models())])), OPTIONS, NO_PROGRESS)


def test_a_process_ends_with_the_command_that_began_it(tmp_path: Path) -> None:
    """A process between, which is killed, stands for the command."""
    between = get_context("spawn").Process(target=_begin_and_wait, args=(tmp_path / "pid",))
    between.start()
    while not (tmp_path / "pid").exists():
        between.join(0.05)
    worker = int((tmp_path / "pid").read_text())
    between.kill()
    between.join()
    for _ in range(200):
        if not _runs(worker):
            return
        sleep(0.05)
    pytest.fail("the process goes on")


def _begin_and_wait(told: Path) -> None:
    pool = ProcessPoolExecutor(1, get_context("spawn"), apart._begin)
    worker = pool.submit(os.getpid).result()
    told.with_suffix(".new").write_text(str(worker))
    told.with_suffix(".new").rename(told)
    pool.submit(signal.pause).result()


def _runs(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
