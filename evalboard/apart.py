"""Many models at once, in processes of their own: threads wait for each other's Python.

Only for a process with no other purpose, never for a server.
"""

import os
import signal
import sys
from collections.abc import Mapping
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from multiprocessing import get_context, parent_process, reduction
from threading import Thread
from types import MappingProxyType
from typing import Any

from evalcore.evaluate import by_threads, by_workers
from evalcore.options import Options
from evalcore.results import ModelEvaluation, ModelTables
from evalcore.work import Progress, limit_blas

FEWEST_MODELS = 100
"""With fewer, processes take longer to start than they save."""

MOST_ROWS = 20_000
"""Of models with more rows most time is numpy's, in which threads do not wait for each other."""

_MOST_PROCESSES, _AT_A_TIME = 4, 5


def by_processes(
    tables: Mapping[str, ModelTables], options: Options, progress: Progress
) -> Mapping[str, ModelEvaluation]:
    """Return every number of every model, the same as threads do; of few, or large ones, by them.

    Raises:
        MemoryError: A process was ended from outside, as systems do that run out of memory.
    """
    pool = _pool() if _worth_it(tables) else None
    if pool is None:
        return by_threads(tables, options, progress)
    _allow_read_only()
    try:
        return by_workers(pool, tables, options, progress, _AT_A_TIME)
    except BrokenProcessPool as broken:
        raise MemoryError from broken


def _worth_it(tables: Mapping[str, ModelTables]) -> bool:
    # What folds have is made when it is asked for, which no process can hand over.
    small = not any(model.folds or model.n > MOST_ROWS for model in tables.values())
    # A process begins with the file of the command again, which Windows has inside a program.
    return small and len(tables) >= FEWEST_MODELS and sys.platform != "win32"


def _pool() -> ProcessPoolExecutor | None:
    """Return as many processes as there are processors; None for one, or where none can be made."""
    processes = min(os.cpu_count() or 1, _MOST_PROCESSES)
    if processes < 2:
        return None
    try:
        return ProcessPoolExecutor(processes, get_context("spawn"), _begin)
    except (ImportError, NotImplementedError, OSError):
        return None


def _begin() -> None:
    """Prepare a process: it leaves Ctrl-C to the command, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _allow_read_only()
    limit_blas()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _allow_read_only() -> None:
    """Let read-only mappings go from process to process."""
    pickler: Any = reduction.ForkingPickler
    pickler.register(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))


def _read_only(mapping: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(mapping)
