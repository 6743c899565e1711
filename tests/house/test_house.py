"""The size and shape of the code: figures with limits, so that it does not grow back.

A run prints them below its results. A new room may raise a limit in the commit that builds it.
"""

import ast
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("evalcore", "evalread", "evalview", "evalboard", "pages")
SAMPLE = "assets/samples/breast_cancer.csv"


@cache
def files() -> Mapping[str, Path]:
    """Return every module outside tests, benchmarks and docs, by its dotted name."""
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    found += [*ROOT.glob("*.py"), *(ROOT / "assets").rglob("*.py")]
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in found}
    return {name.removesuffix(".__init__"): path for name, path in sorted(named.items())}


@cache
def lines(name: str) -> int:
    return files()[name].read_text("utf-8").count("\n")


@cache
def import_statements(name: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    found, left = [], list(ast.parse(files()[name].read_text("utf-8")).body)
    while left:  # expressions, which make most of a tree, hold none
        node = left.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(node)
        for inside in ("body", "orelse", "finalbody", "handlers", "cases"):
            held = getattr(node, inside, ())
            left += held if isinstance(held, list) else ()
    return tuple(found)


def imports(name: str, *, at_start: bool = False) -> set[str]:
    """Return the modules of this project that one imports; `at_start`: when it is imported."""
    found = set()
    for node in import_statements(name):
        if at_start and node.col_offset:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in files() else node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return (found & files().keys()) - {name}


def modules() -> list[str]:
    """Return the modules that hold something: packages' own files are left out."""
    return [name for name, path in files().items() if path.name != "__init__.py"]


@cache
def chain(name: str) -> tuple[str, ...]:
    """Return the longest chain of imports that begins at a module."""
    longest = max((chain(other) for other in imports(name, at_start=True)), key=len, default=())
    return (name, *longest)


def import_lines(name: str) -> int:
    nodes = import_statements(name)
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def entered(script: str) -> int:
    """Return how many files of the project have a function called while a script runs."""
    return _entered_by_each()[script]


@cache
def _entered_by_each() -> Mapping[str, int]:
    """Run every script in one process, which imports all there is once."""
    scripts = (EVALUATE, FIRST_PAGE)
    told = "".join(f"seen.clear()\n{script}{_TELL}" for script in scripts)
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _PROFILED.format(root=str(ROOT), scripts=told)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in run.stdout.splitlines() if line.startswith("ENTERED")]
    return {script: len(line.split()) for script, line in zip(scripts, lines, strict=True)}


_PROFILED = """
import sys, threading
sys.path.insert(0, {root!r})
seen = set()
def note(frame, event, arg):
    # A module's own body and the names that dataclasses make are no call into a file.
    if event == "call" and not frame.f_code.co_name.startswith("<"):
        seen.add(frame.f_code.co_filename)
names = ("evalcore", "evalread", "evalview", "evalboard", "pages")
packages = tuple({root!r} + "/" + name + "/" for name in names)
{scripts}
"""

_TELL = """
sys.setprofile(None); threading.setprofile(None)
print("ENTERED" + " ".join(sorted(name for name in seen if name.startswith(packages))))
"""

EVALUATE = f"""
from pathlib import Path
from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalread.loading import load
threading.setprofile(note); sys.setprofile(note)
evaluate(load([("a.csv", Path({SAMPLE!r}).read_bytes())]), Options())
"""

FIRST_PAGE = """
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

def overview():
    at = AppTest.from_file("pages/frame.py", default_timeout=120)
    at.query_params["data"] = "sample-breast-cancer"
    at._page_hash = calc_hash("overview")
    assert not at.run().exception

overview()  # imports all there is, so that only what the page itself calls is counted
from pages.session import cache
cache.clear()
st.cache_resource.clear()
threading.setprofile(note); sys.setprofile(note)
overview()
"""


def figures() -> Iterator[tuple[str, float, float, str]]:
    """Yield each figure with its name, its limit, and where it is at its worst."""
    core = [name for name in files() if name.split(".")[0] == "evalcore"]
    importers = defaultdict(set)
    for name in files():
        for other in imports(name):
            importers[other].add(name)
    single = [name for name in modules() if len(importers[name]) == 1]
    rooms = Counter(str(files()[name].parent.relative_to(ROOT)) for name in modules())
    room, most = rooms.most_common(1)[0]
    longest = max(map(chain, files()), key=len)
    largest = max(files(), key=lines)
    of_imports = sum(map(import_lines, files())) / sum(map(lines, files()))
    # 198, 14 for the report (what it says first, its parts, command and page), 10 for slices, 2
    # for what the command lists and what it adds to an evaluation, 5 for the course (lessons
    # read from files, their states, tables typed in them, two pages), 2 for worked examples, 3
    # each for rows (their order, page and table) and claims met in print (with what settles them),
    # 3 for a later file (its reading and page, and where models fail as text), 1 for pictures,
    # 1 for what is asked of whole files in Python, apart from what is asked of columns, and
    # 5 for the lab (its tables, models, what it hands on, its choices and page), and 2 for
    # questions to a class (what is kept of them, and their page), 5 for files of counts (what
    # they hold, their making, their writing and reading, and what is judged of them) and for
    # writing any file whole, 1 for checks of arrays, and 7 for metrics over time (periods, sums,
    # sequences, limits, alarms, what is found, and what puts them together).
    # The processes that many models are evaluated by are 1 more, rows that are typed another, and
    # counts of pairs another.
    # 7 are for engines that count rows where they lie (addresses, connections, samples, the
    # expression, counting, counts kept, and all of it as data).
    # Connect, the page of sources, is 1 more.
    # The page of metrics over time is 1 more. Of all these, 10 small ones have since joined the
    # files whose subject they are.
    yield "modules", len(modules()), 260, ""
    yield "modules with one importer, %", 100 * len(single) / len(modules()), 10, ""
    yield "files of evalcore", len(core), 86, ""
    # 17,000, 380 that the planner of rows has needed since, 2,400 of slices, 160 for calls that
    # nearly name a metric or give columns in the wrong order, 270 for the order of rows,
    # 310 for what changed from one file to another, with labels and without, 60 for a slice
    # beside the rest of the rows, 60 for asking about two files in Python, 10 for what the
    # pictures of both are drawn from, 1,450 for metrics over time, 50 for points that stand for
    # many, 160 for comparing models by counts of pairs, and 60 to make and add counts in Python.
    # Laws of looks, which limits over time are exact by, are 80 more.
    yield "lines of evalcore", sum(map(lines, core)), 22_450, ""
    pages = [name for name in files() if name.split(".")[0] == "pages"]
    yield "files of pages", len(pages), 70, ""
    yield "lines of pages", sum(map(lines, pages)), 14_250, ""
    yield "files in a room", most, 15, room
    yield "lines of a file", lines(largest), 600, largest
    # 6, and a tenth for a report's parts and page, which are short and put others together; 0.05
    # for files of counts, which are made of what all of reading knows, and 0.02 for engines.
    yield "import lines, %", 100 * of_imports, 6.17, ""
    yield "longest chain of imports", len(longest), 17, " > ".join(longest)
    # 55, and what tells a file of counts from others.
    yield "files entered by load and evaluate", entered(EVALUATE), 56, ""
    yield "files entered by a cold first page", entered(FIRST_PAGE), 102, ""


def test_the_code_keeps_its_size_and_shape(
    record_property: Callable[[str, object], None],
) -> None:
    measured = list(figures())
    for name, value, limit, worst in measured:
        line = f"{name:<36} {value:>8,.5g} of at most {limit:>6,}  {worst}"
        record_property("house", line.rstrip())
    assert [name for name, value, limit, _ in measured if value > limit] == []
