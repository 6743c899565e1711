"""Damaged and invented files: an answer or an EvalError, never anything else."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from evalcore.errors import EvalError
from evalread.dataset import Dataset
from evalread.loading import load
from tests.cases.files import CASES, contents

from .files import File, xlsx, zipped

FILES: list[File] = [
    *(file for case in CASES for file in contents(case)),
    xlsx(s=[["y", "p"], [1, 0.5], [0, 0.25]]),
    zipped(("a.csv", b"id,y\n1,0\n2,1\n"), ("b.csv", b"id,p\n1,0.5\n2,0.25\n")),
    ("long.csv", b"id,model,truth,score\n1,A,0,.1\n2,A,1,.8\n1,B,0,.2\n2,B,1,.9\n"),
]
QUIET = settings(max_examples=300, deadline=5000, suppress_health_check=list(HealthCheck))


MOST_MEMORY = 300 * 1024
"""Kilobytes by which the process may grow; twenty-five thousand files once took 62,000."""


@pytest.fixture(autouse=True, scope="module")
def memory_stays_bounded() -> Iterator[None]:
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEMORY


def outcome(name: str, data: bytes) -> Dataset | EvalError:
    try:
        return load([(name, data)])
    except EvalError as error:
        return error


def assert_answered(result: Dataset | EvalError) -> None:
    if isinstance(result, EvalError):
        assert result.message.endswith((".", "?")), result.message
        assert "Traceback" not in result.message
    else:
        assert all(model.n > 0 for model in result.models.values())


@st.composite
def damaged_files(draw: st.DrawFn) -> tuple[str, bytes]:
    name, content = draw(st.sampled_from(FILES))
    data = bytearray(content)
    for _ in range(draw(st.integers(1, 8))):
        place = draw(st.integers(0, len(data)))
        action = draw(st.sampled_from(["set", "insert", "cut", "drop", "repeat"]))
        if action == "insert":
            data[place:place] = draw(st.binary(max_size=6))
        elif action == "cut":
            del data[place:]
        elif action == "drop":
            del data[place : place + draw(st.integers(1, 40))]
        elif action == "repeat":
            data[place:place] = data[: draw(st.integers(0, 60))]
        elif place < len(data):
            data[place] = draw(st.integers(0, 255))
    return name, bytes(data)


@QUIET
@given(damaged_files())
def test_a_damaged_file_gives_a_data_set_or_a_sentence(file: tuple[str, bytes]) -> None:
    assert_answered(outcome(*file))


@QUIET
@given(damaged_files(), damaged_files())
def test_two_damaged_files_together_give_a_data_set_or_a_sentence(
    first: tuple[str, bytes], second: tuple[str, bytes]
) -> None:
    try:
        assert_answered(load([first, second]))
    except EvalError as error:
        assert_answered(error)


@QUIET
@given(st.binary(max_size=400), st.sampled_from(["a.csv", "a.parquet", "a.xlsx", "a.json", "a"]))
def test_any_bytes_give_a_data_set_or_a_sentence(data: bytes, name: str) -> None:
    assert_answered(outcome(name, data))


@QUIET
@given(st.lists(st.lists(st.text(max_size=8), min_size=1, max_size=5), max_size=8))
def test_any_table_of_text_gives_a_data_set_or_a_sentence(rows: list[list[str]]) -> None:
    text = "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows)
    assert_answered(outcome("a.csv", text.encode(errors="surrogatepass")))
