"""Reading in a process of its own: the same result, within limits, and nothing left behind."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from evalcore.errors import EvalError
from evalread import loading
from evalread.dataset import NO_CHOICES, Choices
from evalread.worker import client, parcels

pytestmark = pytest.mark.skipif(not client.AVAILABLE, reason="this system cannot fork")

CASES = Path(__file__).parents[1] / "cases"
ALIKE = [
    "06_truth_only_positive.csv",
    "103_caret_regression.csv",
    "144_arrays_one_hot_logits.npz",
    "216_three_clusterings.csv",
    "89_cv_corrected_t_test.csv",
    "95_uint8_regression.parquet",
    "97_xlsx_second_sheet_blank_first_row.xlsx",
]
REFUSED = ["49_zero_bytes.csv", "155_zip_bomb.zip", "200_no_truth_but_features.csv"]


@pytest.fixture(autouse=True, scope="module")
def _ended() -> Iterator[None]:
    yield
    client.end()


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Limits from the environment hold for the process that is begun next."""
    client.end()
    yield monkeypatch
    client.end()


def lines(rows: int) -> bytes:
    """JSON that takes some seconds to read, if it has a million rows."""
    return b'{"truth": 1, "score": 0.75}\n{"truth": 0, "score": 0.25}\n' * (rows // 2)


def table_of(rows: int) -> bytes:
    return b"truth,score\n" + b"yes,0.75\nno,0.25\n" * (rows // 2)


@pytest.mark.parametrize("name", ALIKE)
def test_the_result_is_that_of_reading_in_the_same_process(name: str) -> None:
    data = (CASES / name).read_bytes()
    table, dataset, problem = client.Job().read([(name, data)], NO_CHOICES)
    here = loading.load([(name, data)])
    assert (problem, table is None, dataset is None) == (None, False, False)
    assert dataset.table.columns == here.table.columns
    assert dataset.table.source == here.table.source
    assert (dataset.roles, dataset.notices) == (here.roles, here.notices)
    assert dataset.digest == here.digest


@pytest.mark.parametrize("name", REFUSED)
def test_what_reading_refuses_is_refused_in_the_same_words(name: str) -> None:
    data = (CASES / name).read_bytes()
    _, dataset, problem = client.Job().read([(name, data)], NO_CHOICES)
    with pytest.raises(EvalError) as here:
        loading.load([(name, data)])
    assert dataset is None
    assert (problem.code, problem.message, problem.offers) == (
        here.value.code,
        here.value.message,
        here.value.offers,
    )


def test_other_columns_are_bound_without_reading_the_file_again() -> None:
    data = b"truth,a,b\n" + b"1,0.75,0.5\n0,0.25,0.75\n" * 5000
    table, _, _ = client.Job().read([("f.csv", data)], NO_CHOICES)
    chosen = Choices(scores={"": "b"})
    again, dataset, problem = client.Job().read([], chosen, table, size=len(data))
    assert problem is None
    assert list(dataset.models) == ["b"]
    assert again.columns == table.columns


def test_a_file_that_takes_too_much_memory_is_stopped(limited: pytest.MonkeyPatch) -> None:
    limited.setenv("EVALBOARD_READ_MB", "250")
    with pytest.raises(EvalError, match="more than 250 MB of memory") as told:
        client.Job().read([("f.csv", table_of(10_000_000))], NO_CHOICES)
    assert told.value.code == "too-large"
    assert client.Job().read([("f.csv", table_of(100))], NO_CHOICES)[1].rows == 100


def test_a_file_that_takes_too_long_is_stopped(limited: pytest.MonkeyPatch) -> None:
    limited.setenv("EVALBOARD_READ_SECONDS", "1")
    with pytest.raises(EvalError, match="more than 1 second of processor time") as told:
        client.Job().read([("f.jsonl", lines(1_500_000))], NO_CHOICES)
    assert told.value.code == "too-slow"


def test_whoever_waits_can_stop_the_reading() -> None:
    job = client.Job()
    data = lines(1_500_000)
    client.Job().read([("f.csv", table_of(100))], NO_CHOICES)  # the process is there
    threading.Timer(0.5, job.stop).start()
    began = time.monotonic()
    with pytest.raises(EvalError) as told:
        job.read([("f.jsonl", data)], NO_CHOICES)
    assert told.value.code == "cancelled"
    assert time.monotonic() - began < 5
    assert client.Job().read([("f.csv", table_of(100))], NO_CHOICES)[1].rows == 100


def test_a_thread_that_is_stopped_as_its_turn_comes_gives_it_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    takes_turn = client.Job._takes_turn

    def and_is_stopped(job: client.Job) -> None:
        takes_turn(job)
        raise KeyboardInterrupt

    with monkeypatch.context() as stopping:
        stopping.setattr(client.Job, "_takes_turn", and_is_stopped)
        with pytest.raises(KeyboardInterrupt):
            client.Job().read([("f.csv", table_of(100))], NO_CHOICES)
    assert not client._IN_TURN
    assert client.Job().read([("f.csv", table_of(100))], NO_CHOICES)[1].rows == 100


def test_no_more_files_than_processors_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "AT_ONCE", 1)
    first, second = client.Job(), client.Job()
    assert first._takes_turn()
    waiting = threading.Thread(target=lambda: read_until_stopped(second))
    waiting.start()
    time.sleep(0.2)
    assert waiting.is_alive()
    assert {first} == client._IN_TURN
    second.stop()
    waiting.join()
    client._IN_TURN.discard(first)


def test_if_the_process_dies_whoever_waits_is_told_and_the_next_is_served() -> None:
    client.Job().read([("f.csv", table_of(100))], NO_CHOICES)
    over = threading.Event()

    def end_again_and_again() -> None:  # until the job has been in one of the processes
        while not over.wait(0.3):
            client.end()

    ending = threading.Thread(target=end_again_and_again)
    ending.start()
    with pytest.raises(EvalError) as told:
        client.Job().read([("f.jsonl", lines(1_500_000))], NO_CHOICES)
    over.set()
    ending.join()
    assert told.value.code == "reader-crash"
    assert client.Job().read([("f.csv", table_of(100))], NO_CHOICES)[1].rows == 100


def shared_memory() -> int:
    """Count the pieces of shared memory in use here."""
    return Path("/proc/self/maps").read_text("utf-8").count("memfd:evalboard")


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs Linux's /proc")
def test_memory_returns_to_the_system_as_soon_as_a_data_set_is_dropped() -> None:
    gc.collect()
    before = shared_memory()
    made = client.Job().read([("f.csv", table_of(500_000))], NO_CHOICES)
    assert shared_memory() > before
    del made
    gc.collect()
    assert shared_memory() == before


SERVER = """
import time
from evalread.worker import client, parcels
from evalread.dataset import NO_CHOICES
client.start()
print(client._reader()._process.pid, flush=True)
client.Job().read([("f.jsonl", b'{"truth": 1, "score": 0.75}\\n' * 3_000_000)], NO_CHOICES)
"""


def test_an_array_that_several_refer_to_is_handed_over_once() -> None:
    array = np.arange(100_000.0)
    one, other = parcels.unpack(parcels.pack((array, array[:])))
    assert np.array_equal(one, array)
    assert np.shares_memory(one, other)


def test_memory_that_has_gone_is_not_taken_for_that_of_an_array_in_its_place() -> None:
    array = np.arange(100_000.0)

    class Gone:
        pass

    gone = weakref.ref(Gone())
    parcels._OPEN[0, 0] = parcels._Open(gone, array.ctypes.data, array.nbytes, -1)
    try:
        descriptors = parcels.pack(array)
    finally:
        del parcels._OPEN[0, 0]
    assert len(descriptors) == 1
    assert np.array_equal(parcels.unpack(descriptors), array)


def test_what_reading_takes_is_told_while_it_lasts() -> None:
    client.Job().read([("short.csv", table_of(10))], NO_CHOICES)
    job = client.Job()
    waiting = threading.Thread(target=lambda: read_until_stopped(job))
    idle = client.memory()
    waiting.start()
    end = time.monotonic() + 60
    while client.memory() < idle + 50_000_000:
        assert time.monotonic() < end
        time.sleep(0.01)
    job.stop()
    waiting.join()
    while client.memory() > idle + 50_000_000:
        assert time.monotonic() < end
        time.sleep(0.01)


def read_until_stopped(job: client.Job) -> None:
    with pytest.raises(EvalError, match="stopped"):
        job.read([("long.jsonl", lines(2_000_000))], NO_CHOICES)


def test_a_server_that_is_killed_leaves_no_process_behind() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE)
    with server:
        pid = int(server.stdout.readline())
        time.sleep(0.5)
        server.send_signal(signal.SIGKILL)
    until = time.monotonic() + 20
    while time.monotonic() < until and alive(pid):
        time.sleep(0.05)
    assert not alive(pid)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text("utf-8").rsplit(")", 1)[1].split()[0] != "Z"
