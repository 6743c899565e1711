"""Readers without a browser: sessions that are open on a dashboard and let a threshold go."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

SUBPROTOCOL = "streamlit"


@contextmanager
def reading(url: str, sessions: int, pause: float) -> Iterator[list[int]]:
    """Hold sessions open on the page of `url`; each chooses a threshold every `pause` seconds.

    Yields a list that holds, at its place 0, how many thresholds were chosen.
    """
    chosen, stop = [0], threading.Event()
    task = threading.Thread(target=lambda: asyncio.run(_all(url, sessions, pause, chosen, stop)))
    task.start()
    try:
        yield chosen
    finally:
        stop.set()
        task.join()


async def _all(
    url: str, sessions: int, pause: float, chosen: list[int], stop: threading.Event
) -> None:
    asked = urlsplit(url)
    query = {name: values[0] for name, values in parse_qs(asked.query).items()}
    page = asked.path.strip("/")
    async with asyncio.TaskGroup() as group:
        for seed in range(sessions):
            rng = np.random.default_rng(seed)
            group.create_task(_one(asked.netloc, (page, query), rng, pause, (chosen, stop)))


async def _one(
    host: str,
    view: tuple[str, dict[str, str]],
    rng: np.random.Generator,
    pause: float,
    told: tuple[list[int], threading.Event],
) -> None:
    chosen, stop = told
    stream = f"ws://{host}/_stcore/stream"
    async with connect(stream, subprotocols=[SUBPROTOCOL], max_size=None) as socket:
        listening = asyncio.create_task(_listen(socket))
        while not stop.is_set():
            await socket.send(_asking(view, float(rng.uniform(0.05, 0.95))))
            chosen[0] += 1
            await _wait(pause * rng.uniform(0.5, 1.5), stop)
        listening.cancel()


async def _listen(socket: ClientConnection) -> None:
    with suppress(ConnectionClosed, asyncio.CancelledError):
        async for _ in socket:
            pass


async def _wait(seconds: float, stop: threading.Event) -> None:
    for _ in range(int(seconds / 0.1) + 1):
        if not stop.is_set():
            await asyncio.sleep(0.1)


def _asking(view: tuple[str, dict[str, str]], threshold: float) -> bytes:
    page, query = view
    message = BackMsg()
    message.rerun_script.page_name = page
    message.rerun_script.query_string = urlencode({**query, "threshold": repr(threshold)})
    encoded: bytes = message.SerializeToString()
    return encoded
