"""What a server bears: many readers at once, large uploads in a row, work whose reader has left.

    python benchmarks/load.py readers [--readers 30] [--rows 100000] [--pause 10]
    python benchmarks/load.py uploads [--uploads 20] [--megabytes 200] [--seconds 60]
    python benchmarks/load.py leaving [--rows 10000000]
    python benchmarks/load.py lab [--readers 30] [--pause 10]

Starts the dashboard and talks to it as browsers do, over its connections for messages, without
drawing. Memory is that of the server and all that it starts. Exits 1 where a bar is missed.
"""

import argparse
import asyncio
import http.client
import io
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import numpy as np
import pandas as pd
from sessions import SUBPROTOCOL
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from evalread.loading import load
from pages.contents import CONTENTS
from tests.browser.serving import served

P50_BAR, P95_BAR, BESIDE_BAR = 0.6, 3.0, 1.5
MEMORY_BAR, BACK_BAR, BACK_SECONDS = 4096.0, 100.0, 60
"""Megabytes at most; and how many more than before, so many seconds after the last has left."""

IDLE_BAR, SECOND_READER_BAR = 0.2, 1.5
"""Processors busy once the only reader has left; the work for two readers to that for one."""

DONE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
"""How a run ends that another one does not follow at once."""

Line = tuple[str, float, float]


@dataclass
class Reader:
    """One tab of a browser: it asks for pages, and waits until each is complete."""

    address: str
    socket: ClientConnection
    view: dict[str, str] = field(default_factory=dict)
    uploader: str = ""
    session: str = ""
    buttons: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    async def open(self, page: str = "", **view: str) -> float:
        """Go to a page; return the seconds until it is complete."""
        message = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.query_string = urlencode({**self.view, **view})
        return await self.ask(message)

    async def ask(self, message: BackMsg) -> float:
        """Ask for a run of the script; return the seconds until it has ended."""
        begun = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        async for raw in self.socket:
            assert isinstance(raw, bytes)
            told = ForwardMsg.FromString(raw)
            self._note(told)
            if told.WhichOneof("type") == "script_finished" and told.script_finished in DONE:
                return time.perf_counter() - begun
        raise ConnectionError("The server closed the connection.")

    def _note(self, told: ForwardMsg) -> None:
        match told.WhichOneof("type"):
            case "new_session":
                self.session = told.new_session.initialize.session_id
            case "page_info_changed":
                pairs = (
                    pair.partition("=") for pair in told.page_info_changed.query_string.split("&")
                )
                self.view |= {name: value for name, _, value in pairs if name == "data"}
            case "page_not_found":
                self.problems.append("page not found")
            case "delta":
                self._note_delta(told)

    def _note_delta(self, told: ForwardMsg) -> None:
        element = told.delta.new_element
        if element.WhichOneof("type") == "file_uploader":
            self.uploader = element.file_uploader.id
        if element.WhichOneof("type") == "button":
            self.buttons[element.button.label] = element.button.id
        if element.WhichOneof("type") == "exception":
            self.problems.append(element.exception.message)
        if told.delta.add_block.id.endswith("failure"):
            self.problems.append("failure card")

    async def drop(self, name: str, data: bytes) -> float:
        """Upload a file and open it; return the seconds until the page after it is complete."""
        begun = time.perf_counter()
        file_id = str(uuid.uuid4())
        path = f"/_stcore/upload_file/{self.session}/{file_id}"
        status, said = await asyncio.to_thread(_put, self.address, path, name, data)
        if status >= 300:
            self.problems.append(f"upload: {status} {said}")
            return time.perf_counter() - begun
        message = BackMsg()
        message.rerun_script.query_string = urlencode(self.view)
        state = message.rerun_script.widget_states.widgets.add()
        state.id = self.uploader
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = name, len(data), file_id
        info.file_urls.file_id, info.file_urls.upload_url = file_id, path
        await self.ask(message)
        return time.perf_counter() - begun


def _put(address: str, path: str, name: str, data: bytes) -> tuple[int, str]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=600)
    connection.request("GET", "/_stcore/health")
    answer = connection.getresponse()
    answer.read()
    cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
    mark = uuid.uuid4().hex
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    headers = {
        "Content-Type": f"multipart/form-data; boundary={mark}",
        "Cookie": cookie,
        "X-Xsrftoken": cookie.partition("=")[2],
    }
    body = b"".join((head.encode(), data, f"\r\n--{mark}--\r\n".encode()))
    connection.request("PUT", path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode(errors="replace")


@contextmanager
def _server() -> Iterator[tuple[str, int]]:
    """Run the dashboard; yield its address and the number of its process."""
    with served() as address:
        told = subprocess.run(
            ["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True
        )
        port = f"--server.port={urlsplit(address).port}"
        yield (
            address,
            next(int(line.split()[0]) for line in told.stdout.splitlines() if port in line),
        )


def family(process: int) -> list[int]:
    """Return a process and all that it has started."""
    found = [process]
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in (thread / "children").read_text().split():
                found += family(int(child))
    return found


def memory(process: int) -> float:
    """Return the megabytes that a process and all that it has started use; shared ones once."""
    total = 0
    for one in family(process):
        with suppress(OSError):
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
            total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def busy(process: int) -> float:
    """Return the seconds of a processor that a process and its children have taken."""
    ticks = 0
    for one in family(process):
        with suppress(OSError):
            told = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += int(told[11]) + int(told[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def watched(process: int) -> Iterator[list[float]]:
    """Look at the memory every half second; yields the megabytes seen."""
    seen: list[float] = []

    async def look() -> None:
        while True:
            seen.append(await asyncio.to_thread(memory, process))
            await asyncio.sleep(0.5)

    task = asyncio.create_task(look())
    try:
        yield seen
    finally:
        task.cancel()


async def reader(address: str) -> Reader:
    """Open a tab on the first page."""
    stream = f"ws://{urlsplit(address).netloc}/_stcore/stream"
    found = Reader(address, await connect(stream, subprotocols=[SUBPROTOCOL], max_size=None))
    await found.open()
    return found


def predictions(rows: int, seed: int) -> pd.DataFrame:
    """Return the truth and the scores of two models, one row in five positive."""
    rng = np.random.default_rng(seed)
    truth = rng.random(rows) < 0.2
    scores = {
        name: 1 / (1 + np.exp(1 - helps * truth - rng.normal(size=rows)))
        for name, helps in (("forest_score", 1.2), ("boosting_score", 1.5))
    }
    return pd.DataFrame({"truth": np.where(truth, "yes", "no"), **scores})


def parquet(rows: int, seed: int) -> bytes:
    """Return such predictions as a file."""
    stream = io.BytesIO()
    predictions(rows, seed).to_parquet(stream)
    return stream.getvalue()


def pages_of(data: bytes) -> list[str]:
    """Return the addresses of all pages that fit a file."""
    dataset = load([("predictions.parquet", data)])
    return [entry.name for entry in CONTENTS if entry.fits(dataset) and entry.name != "start"]


@dataclass
class Walk:
    """What readers who go from page to page have waited."""

    waited: dict[str, list[float]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    async def go(self, one: Reader, pages: Sequence[str], pause: float, rng: Any) -> None:
        """Open each page once, in an order of one's own, with a pause after each."""
        for page in rng.permutation(pages):
            await asyncio.sleep(pause * rng.uniform(0.5, 1.5))
            self.waited.setdefault(str(page), []).append(await one.open(str(page)))
            self.problems += [f"{page}: {problem}" for problem in one.problems]
            one.problems.clear()

    def every(self) -> list[float]:
        """Return all waits."""
        return [seconds for waits in self.waited.values() for seconds in waits]

    def show(self) -> None:
        """Print the slowest pages, and what went wrong."""
        by_worst = sorted(self.waited.items(), key=lambda told: -max(told[1]))
        for page, waits in by_worst[:8]:
            median = np.median(waits)
            print(f"  {page:<20} median {median:6.2f} s, longest {max(waits):6.2f} s")
        for problem in sorted(set(self.problems))[:10]:
            print(f"  {problem}")


async def readers(address: str, process: int, given: argparse.Namespace) -> list[Line]:
    """Let readers go through all pages, each with a file of their own."""
    files = [parquet(given.rows, seed) for seed in range(given.readers)]
    pages, walk = pages_of(files[0]), Walk()
    tabs = [await reader(address) for _ in files]

    async def one(tab: Reader, data: bytes, seed: int) -> None:
        rng = np.random.default_rng(seed)
        await asyncio.sleep(given.pause * rng.uniform())
        dropped.append(await tab.drop("predictions.parquet", data))
        await walk.go(tab, pages, given.pause, rng)

    dropped: list[float] = []
    begun = busy(process)
    with watched(process) as seen:
        await asyncio.gather(
            *(one(tab, data, at) for at, (tab, data) in enumerate(zip(tabs, files, strict=True)))
        )
    walk.show()
    work = (busy(process) - begun) / len(walk.every())
    print(f"  {work:.2f} s of a processor for each page, all of them first visits")
    print(
        f"  dropped to first page: median {np.median(dropped):.2f} s, longest {max(dropped):.2f} s"
    )
    for tab in tabs:
        await tab.socket.close()
    waits = walk.every()
    return [
        (f"errors on {len(waits)} pages", len(walk.problems), 0),
        ("page, median (s)", float(np.median(waits)), P50_BAR),
        ("page, 95th percentile (s)", float(np.quantile(waits, 0.95)), P95_BAR),
        ("memory (MB)", max(seen), MEMORY_BAR),
    ]


async def uploads(address: str, process: int, given: argparse.Namespace) -> list[Line]:
    """Let one reader drop large files in a row, and five others read beside."""
    block = predictions(100_000, 0).round(6).to_csv(index=False).encode()
    head, _, lines = block.partition(b"\n")
    large = head + b"\n" + lines * (given.megabytes * 10**6 // len(lines))
    small, walk, refused = parquet(100_000, 1), Walk(), Walk()
    pages = pages_of(small)
    beside = [await reader(address) for _ in range(5)]
    for tab in beside:
        await tab.drop("predictions.parquet", small)
    for page in pages:  # so that what is shown is known, as to readers in the middle of their work
        await beside[0].open(page)
    hasty = await reader(address)
    before = memory(process)
    end = time.monotonic() + given.seconds

    async def hurry() -> None:
        for number in range(given.uploads):
            await hasty.open("")
            begun = time.monotonic()
            try:
                async with asyncio.timeout(given.seconds / given.uploads):
                    await hasty.drop(f"large{number}.csv", large)
            except TimeoutError:
                pass
            await asyncio.sleep(max(0, given.seconds / given.uploads - time.monotonic() + begun))
        refused.problems += hasty.problems

    async def stroll(tab: Reader, seed: int) -> None:
        while time.monotonic() < end:
            await walk.go(tab, pages[:6], 1.0, np.random.default_rng(seed))

    with watched(process) as seen:
        await asyncio.gather(hurry(), *(stroll(tab, at) for at, tab in enumerate(beside)))
        for tab in (hasty, *beside):
            await tab.socket.close()
        most = max(seen)
        await asyncio.sleep(BACK_SECONDS)
    walk.show()
    refused.show()
    kept = given.megabytes + BACK_BAR  # the last file stays for a day, for who comes back
    return [
        ("errors on the pages beside", len(walk.problems), 0),
        ("page beside, 95th percentile (s)", float(np.quantile(walk.every(), 0.95)), BESIDE_BAR),
        ("memory (MB)", most, MEMORY_BAR),
        ("more memory than before when all have left (MB)", memory(process) - before, kept),
    ]


async def leaving(address: str, process: int, given: argparse.Namespace) -> list[Line]:
    """Let readers leave a slow page, and two ask for one at the same time."""
    tab = await reader(address)
    await tab.drop("predictions.parquet", parquet(given.rows, 0))
    alone = asyncio.create_task(tab.open("calibration"))
    await asyncio.sleep(5)
    alone.cancel()
    await tab.socket.close()
    await asyncio.sleep(5)
    begun = busy(process)
    await asyncio.sleep(10)
    idle = (busy(process) - begun) / 10
    data = {name: value for name, value in tab.view.items() if name == "data"}
    cost = []
    for together, model in ((1, "forest"), (2, "boosting")):
        tabs = [await reader(address) for _ in range(together)]
        for one in tabs:
            one.view = dict(data)
        begun = busy(process)
        waited = await asyncio.gather(*(one.open("calibration", shown=model) for one in tabs))
        cost.append(busy(process) - begun)
        print(
            f"  {together} on the page Calibration: {max(waited):.1f} s, {cost[-1]:.1f} s of work"
        )
    return [
        ("processors busy after the reader has left", idle, IDLE_BAR),
        ("work of two readers of one page to that of one", cost[1] / cost[0], SECOND_READER_BAR),
    ]


LAB_BAR, LAB_VISITS = 1.0, 6
TRAINED = ("iris", "wine", "breast-cancer", "diabetes")


async def lab(address: str, process: int, given: argparse.Namespace) -> list[Line]:
    """Let a class use the lab: each reader has schemes of their own, and lets every other train."""
    tabs, walk = [await reader(address) for _ in range(given.readers)], Walk()

    async def one(tab: Reader, seed: int) -> None:
        rng = np.random.default_rng(seed)
        for visit in range(LAB_VISITS):
            await asyncio.sleep(given.pause * rng.uniform(0.5, 1.5))
            chosen = {"rows": str(rng.choice(TRAINED)), "scheme": "k-fold", "seed": str(seed)}
            seconds = await tab.open("lab", **chosen)
            if visit % 2 and (train := [n for n in tab.buttons if n.startswith("Train ")]):
                message = BackMsg()
                asked = message.rerun_script
                asked.page_name, asked.query_string = "lab", urlencode(chosen)
                state = asked.widget_states.widgets.add()
                state.id, state.trigger_value = tab.buttons[train[0]], True
                seconds = await tab.ask(message)
            walk.waited.setdefault("trains" if visit % 2 else "opens", []).append(seconds)
            tab.buttons.clear()
        walk.problems += tab.problems

    begun = busy(process)
    await asyncio.gather(*(one(tab, at) for at, tab in enumerate(tabs)))
    walk.show()
    print(f"  {busy(process) - begun:.0f} s of a processor, training among them")
    for tab in tabs:
        await tab.socket.close()
    return [
        ("errors in the lab", len(walk.problems), 0),
        ("lab, 95th percentile (s)", float(np.quantile(walk.every(), 0.95)), LAB_BAR),
    ]


SCENES: dict[str, Callable[..., Any]] = {
    "readers": readers,
    "uploads": uploads,
    "leaving": leaving,
    "lab": lab,
}


def main() -> int:
    """Print a line for each bar; return 1 if one is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scene", choices=SCENES)
    parser.add_argument("--readers", type=int, default=30)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument(
        "--pause", type=float, default=10.0, help="seconds a reader looks at a page"
    )
    parser.add_argument("--uploads", type=int, default=20)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0, help="in which all uploads arrive")
    given = parser.parse_args()
    with _server() as (address, process):
        lines = asyncio.run(SCENES[given.scene](address, process, given))
    for name, value, bar in lines:
        print(f"{name:<50} {value:8.2f}, bar {bar:g}: {'ok' if value <= bar else 'MISSED'}")
    return int(any(value > bar for _, value, bar in lines))


if __name__ == "__main__":
    sys.exit(main())
