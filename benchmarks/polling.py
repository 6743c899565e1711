"""A class that answers a pooled question: how long each reader waits for the thanks.

    python benchmarks/polling.py [--readers 300] [--seconds 30]

Starts the dashboard; a teacher asks for a number, all readers open the address, and each answers at
a moment of their own within the seconds given, while the teacher looks at the histogram.
Exits 1 where the 95th percentile misses the bar, or an answer is not counted.
"""

import argparse
import asyncio
import sys
import time
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
from load import Reader
from sessions import SUBPROTOCOL
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

from tests.browser.serving import served

P95_BAR = 0.3
AT_ONCE = 4
"""Readers who open the page at the same time: nobody waits for it in a class that talks."""


@dataclass
class Pupil(Reader):
    """A reader who knows the boxes of the page."""

    number: str = ""
    fragment: str = ""
    query: str = ""
    html: list[str] = field(default_factory=list)

    def _note(self, told: ForwardMsg) -> None:
        super()._note(told)
        if told.WhichOneof("type") == "page_info_changed":
            self.query = told.page_info_changed.query_string

    def _note_delta(self, told: ForwardMsg) -> None:
        super()._note_delta(told)
        element = told.delta.new_element
        match element.WhichOneof("type"):
            case "number_input":
                self.number = element.number_input.id
            case "button":
                self.fragment = told.delta.fragment_id or self.fragment
            case "html":
                self.html.append(element.html.body)

    async def press(self, label: str, number: float | None = None, *, alone: bool = False) -> float:
        """Press a button, with a number in the box; `alone`: only its part of the page runs."""
        message = BackMsg()
        asked = message.rerun_script
        asked.page_name, asked.query_string = "poll", self.query
        if alone:
            asked.fragment_id = self.fragment
        state = asked.widget_states.widgets.add()
        state.id, state.trigger_value = self.buttons[label], True
        if number is not None:
            state = asked.widget_states.widgets.add()
            state.id, state.double_value = self.number, number
        return await self.ask(message)


async def _class(address: str, readers: int, seconds: float) -> tuple[list[float], int]:
    """Return how long each reader waited, and how many answers were counted."""
    stream = f"ws://{urlsplit(address).netloc}/_stcore/stream"
    rng, gate = np.random.default_rng(0), asyncio.Semaphore(AT_ONCE)
    async with connect(
        stream, subprotocols=[SUBPROTOCOL], max_size=None, ping_interval=None
    ) as socket:
        teacher = Pupil(address, socket)
        await teacher.open("poll")
        await teacher.press("Ask")
        await asyncio.sleep(1)
        (key,) = parse_qs(teacher.query)["ask"]
        ready, waits = asyncio.Barrier(readers + 1), []

        async def one(moment: float, value: float) -> None:
            async with gate:
                mine = await connect(
                    stream, subprotocols=[SUBPROTOCOL], max_size=None, ping_interval=None
                )
                pupil = Pupil(address, mine)
                pupil.query = urlencode({"ask": key})
                await pupil.open("poll", ask=key)
            await ready.wait()
            await asyncio.sleep(moment)
            waits.append(await pupil.press("Answer", value, alone=True))
            await mine.close()

        async with asyncio.TaskGroup() as group:
            for at in range(readers):
                group.create_task(one(float(rng.uniform(0, seconds)), at / readers))
            await ready.wait()
            await _look(teacher, seconds)
        teacher.html.clear()
        await teacher.open("poll", **{n: v[0] for n, v in parse_qs(teacher.query).items()})
        told = " ".join(teacher.html)
        return waits, readers if f"{readers} answers" in told else 0


async def _look(teacher: Pupil, seconds: float) -> None:
    """Look at the histogram every second, as the teacher's page does."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = "poll", teacher.query
        message.rerun_script.fragment_id = teacher.fragment
        await teacher.ask(message)
        await asyncio.sleep(1)


def main() -> int:
    """Run the class and print what it waited."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readers", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=30)
    asked = parser.parse_args()
    with served() as address:
        waits, counted = asyncio.run(_class(address, asked.readers, asked.seconds))
    p50, p95 = np.quantile(waits, (0.5, 0.95))
    print(f"{len(waits)} answers within {asked.seconds:g} s, {counted} counted")
    print(f"p50 {p50 * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms of at most {P95_BAR * 1000:.0f} ms")
    return int(p95 > P95_BAR or counted != asked.readers)


if __name__ == "__main__":
    sys.exit(main())
