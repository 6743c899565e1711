"""What readers are told: the sentences of `notices.txt`, and how their words are filled in."""

import ast
from pathlib import Path

import numpy as np
import pytest

import evalread
from evalread.dataset import SCHEMA
from evalread.notices import fill, notice, refusal, sayings

_SOURCES = sorted(Path(evalread.__file__).parent.rglob("*.py"))


def test_every_sentence_is_said_somewhere() -> None:
    nodes = (node for path in _SOURCES for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    written = {node.value for node in nodes if isinstance(node, ast.Constant)}
    in_parts = {
        f"{code}{ending}" for code in written for ending in written if str(ending)[:1] == "/"
    }
    assert sayings().keys() <= written | in_parts


def test_every_offer_settles_a_choice() -> None:
    offers = [saying.offer[1] for saying in sayings().values() if saying.offer]
    assert set(offers) <= {one.field for one in SCHEMA}


@pytest.mark.parametrize(
    ("sentence", "words", "told"),
    [
        ("{n:row} {n:is|are} left", {"n": 1}, "1 row is left"),
        ("{n:row} {n:is|are} left", {"n": np.int64(1200)}, "1,200 rows are left"),
        ("{n:infinite value}", {"n": 2}, "2 infinite values"),
        ("{names:2} {names:lies|lie}", {"names": ["a", "b", "c"]}, '"a", "b", … lie'),
        ("{share:.2f} of {n:,}", {"share": 0.5, "n": 1000}, "0.50 of 1,000"),
        ("{said}", {"said": "{n} | {said!r}"}, "{n} | {said!r}"),
    ],
)
def test_words_are_filled_in(sentence: str, words: dict[str, object], told: str) -> None:
    assert fill(sentence, **words) == told


def test_a_notice_counts_and_names_its_rows() -> None:
    told = notice("repeated-rows", rows=np.array([False, True, True]), all=3)
    assert told.severity == "warning"
    assert told.rows == (2, 3)
    assert told.message.startswith("2 rows of 3 repeat an earlier row")
    assert "(rows 2 and 3)" in told.message


def test_one_code_has_several_sentences() -> None:
    told = refusal("no-rows/weight", column="w")
    assert (told.code, told.column) == ("no-rows", "w")
