"""What `app.py` settles for the whole process, which all readers share."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from dev import ROOT


def run(code: str, *words: str) -> None:
    """Run code in a process of its own, in which `app` is not imported yet."""
    told = [sys.executable, "-c", code, *words]
    made = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr


LOOKS_THE_SAME = """
import sys, app
from streamlit.runtime.scriptrunner.exec_code import modified_sys_path
before = [*sys.path]
with modified_sys_path(str(app.app._resolve_script_path())):
    assert sys.path == before
"""


def test_the_run_of_one_reader_changes_nowhere_where_others_look_for_modules() -> None:
    """Whoever looks while a place is taken out misses another: packages are then not found."""
    run(LOOKS_THE_SAME)


HEAPS = """
import ctypes, sys, threading
if sys.argv[2:]:
    import app
libc = ctypes.CDLL(None)
libc.fopen.restype, libc.malloc.restype = ctypes.c_void_p, ctypes.c_void_p
libc.malloc_info.argtypes, libc.fclose.argtypes = [ctypes.c_int, ctypes.c_void_p], [ctypes.c_void_p]
def take(): libc.malloc(1000); all_have.wait()
all_have = threading.Barrier(5)
threads = [threading.Thread(target=take) for _ in range(4)]
for thread in threads: thread.start()
all_have.wait()
file = libc.fopen(sys.argv[1].encode(), b"w")
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="glibc alone has heaps")
def test_threads_share_one_heap_so_that_memory_goes_back(tmp_path: Path) -> None:
    told = tmp_path / "told.xml"
    run(HEAPS, str(told))
    assert told.read_text().count("<heap nr") > 1, "threads have heaps of their own by themselves"
    run(HEAPS, str(told), "app")
    assert told.read_text().count("<heap nr") == 1
