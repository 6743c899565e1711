"""Files of counts: what they hold, and how numbers are condensed."""

import os
from decimal import ROUND_FLOOR, Decimal
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from evalcore.errors import EvalError
from evalread import writing
from evalread.counts.blocks import condensed
from evalread.counts.files import as_bytes, is_counts, read, write
from evalread.counts.making import add, counts_of, to_dataset
from evalread.dataset import Choices, Dataset, WeightKind
from evalread.loading import load

from .files import loaded, notice

SAMPLES = Path("assets/samples")

DIGITS = st.integers(1, 12)


def floored(x: float, digits: int) -> float:
    """Return what `condensed` should, by decimal arithmetic: on the lattice as it is written."""
    if x == 0 or abs(x) >= 1e16:
        return x
    magnitude = next((p for p in range(15, -8, -1) if abs(x) >= float(f"1e{p}")), -8)
    step = Decimal(1).scaleb(magnitude - digits + 1)
    near = (Decimal(x) / step).to_integral_value(ROUND_FLOOR) - 1
    # A literal is the float next to its decimal, which may be on either side of it.
    fits = [float(k * step) for k in (near, near + 1, near + 2) if float(k * step) <= x]
    return max(fits)


@given(st.floats(allow_nan=False, allow_infinity=False), DIGITS)
@example(0.29, 2)
@example(0.57, 2)
@example(1.15, 3)
@example(-0.1, 3)
@example(9.999999999999999e-08, 6)
@example(0.30000000000000004, 1)
def test_numbers_go_to_the_next_lower_decimal_of_so_many_digits(x: float, digits: int) -> None:
    assert condensed(np.array([x]), digits)[0] == floored(x, digits)


@given(st.integers(0, 10**6), st.integers(1, 6), st.floats(0, 1, allow_subnormal=False))
def test_every_threshold_of_so_many_digits_decides_as_before(k: int, digits: int, x: float) -> None:
    threshold = float(f"{k % 10**digits}e-{digits}")
    kept = condensed(np.array([x, threshold]), digits)
    assert (kept[0] >= threshold) == (x >= threshold)
    assert kept[1] == threshold


@given(st.lists(st.floats(allow_nan=False, width=32), min_size=2), DIGITS)
def test_order_stays_and_what_is_condensed_stays(values: list[float], digits: int) -> None:
    found = condensed(np.sort(np.array(values, np.float64)), digits)
    assert (np.diff(found[np.isfinite(found)]) >= 0).all()
    assert np.array_equal(condensed(found, digits), found)


def test_missing_infinite_and_huge_numbers_stay() -> None:
    values = np.array([np.nan, np.inf, -np.inf, 1.2345e16, -9.87654e300])
    assert np.array_equal(condensed(values, 2), values, equal_nan=True)


def test_digits_are_few_enough_to_be_told_apart() -> None:
    for digits in (0, 16):
        with pytest.raises(ValueError, match="digits"):
            condensed(np.array([0.5]), digits)


def sample(name: str = "breast_cancer.csv") -> Dataset:
    return load([(name, (SAMPLES / name).read_bytes())])


def told(data: bytes) -> EvalError:
    with pytest.raises(EvalError) as caught:
        load([("counts", data)])
    return caught.value


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize("name", ["breast_cancer.csv", "digits.csv", "diabetes.csv", "iris.csv"])
def test_a_file_of_counts_is_read_as_it_was_written(name: str, kind: str) -> None:
    counts = counts_of(sample(name))
    found = read(as_bytes(counts, kind))
    assert found.roles == counts.roles
    assert (found.by, found.source, found.digest) == ((), name, counts.digest)
    for block, other in zip(counts.blocks, found.blocks, strict=True):
        assert other.models == block.models
        assert other.table.equals(block.table)
        assert other.rows == counts.rows


HOSTILE = {
    "quotes and separators": 'truth,label\n"a,""b""",x\nx,"a,""b"""\nx,x\n',
    "lines in cells": 'truth,label\n"a\nb",x\nx,"a\nb"\nx,x\n',
    "like the first line": 'truth,label\n"# {""schema""",x\nx,x\nx,"# {""schema"""\n',
    "a name like a path": "truth,.pred[0]\na,a\nb,a\na,b\n",
    "true and false": "truth,label\ntrue,false\nfalse,false\ntrue,true\n",
    "blank cells": "truth,score,fold\n1,0.5,a\n0,,b\n,0.5,\n1,0.25,a\n0,0.5,b\n",
}


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_cells_of_any_kind_come_back(content: str, kind: str) -> None:
    counts = counts_of(loaded(content))
    assert read(as_bytes(counts, kind)).blocks[0].table.equals(counts.blocks[0].table)


def test_counts_are_of_rows_with_the_same_cells() -> None:
    counts = counts_of(loaded("y,score,name\n1,0.5,a\n0,0.5,b\n1,0.5,c\n1,0.9,d\n,0.9,e\n"))
    table = counts.blocks[0].table
    assert table.column_names == ["y", "score", "n"]
    assert sorted(table["n"].to_pylist()) == [1, 1, 1, 2]
    assert counts.rows == 5


def changed(find: str, put: str) -> bytes:
    """Return a small CSV file of counts with a word in place of another."""
    data = as_bytes(counts_of(loaded("y,score\n1,0.5\n0,0.5\n1,0.5\n1,0.9\n")), "csv")
    assert find.encode() in data
    return data.replace(find.encode(), put.encode(), 1)


WRONG = {
    "counts-version": ("evalboard.counts/1", "evalboard.counts/2"),
    "counts-cells": (",2\n", ",-2\n"),
    "counts-totals": (",2\n", ",3\n"),
    "counts-changed": ('"0.5",2', '"0.25",2'),
    "counts-damaged": ('"blocks": [{', '"blocks": ['),
    "counts-cut-off": ('0,"0","0.5",1\n', ""),
}


@pytest.mark.parametrize("code", WRONG)
def test_a_file_that_is_not_as_it_was_made_is_refused(code: str) -> None:
    assert told(changed(*WRONG[code])).code == code


def test_the_row_of_a_negative_count_is_named() -> None:
    error = told(changed(",2\n", ",-2\n"))
    assert error.rows == (1,)
    assert "negative" in str(error)


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_file_that_is_cut_off_anywhere_is_refused(kind: str) -> None:
    data = as_bytes(counts_of(sample("ten_rows.csv")), kind)
    for size in range(len(data) - 2, 100, -97):
        assert told(data[:size]).code.startswith(("counts-", "unreadable"))


@given(st.integers(0, 10**6), st.integers(1, 255))
def test_no_changed_byte_of_a_text_passes_or_breaks_reading(place: int, change: int) -> None:
    data = bytearray(changed("0.5", "0.5"))
    data[place % len(data)] ^= change
    try:
        found = read(bytes(data)) if is_counts(bytes(data)) else None
    except EvalError:
        return
    assert found is None or found.blocks[0].rows == 4  # white space in what the file says of itself


def test_what_is_no_number_of_rows_is_not_counted() -> None:
    about = "y,score,w\n" + "1,0.5,0.25\n0,0.25,0.75\n1,0.75,0.5\n0,0.5,0.125\n"
    with pytest.raises(EvalError) as caught:
        counts_of(loaded(about, weight="w"))
    assert caught.value.code == "counts-weights"
    counted = counts_of(loaded(about, weight="w", weight_kind=WeightKind.COUNTS))
    assert counted.rows == 1.625
    with pytest.raises(EvalError) as caught:
        counts_of(sample("folds.csv"))
    assert caught.value.code == "counts-folds"


def test_a_column_called_like_the_counts_is_refused() -> None:
    with pytest.raises(EvalError) as caught:
        counts_of(loaded("y,n\n1,0.5\n0,0.25\n1,0.75\n", truth="y", scores={"": "n"}))
    assert caught.value.code == "counts-name"


def halves() -> tuple[Dataset, Dataset]:
    head, *lines = (SAMPLES / "breast_cancer.csv").read_text().splitlines(keepends=True)
    return loaded(head + "".join(lines[::2])), loaded(head + "".join(lines[1::2]))


def test_the_counts_of_two_halves_add_up_to_those_of_the_whole() -> None:
    added = add(*map(counts_of, halves()))
    whole = counts_of(sample()).blocks[0].table
    keys = [(name, "ascending") for name in whole.column_names]
    assert added.blocks[0].table.sort_by(keys).equals(whole.sort_by(keys))
    assert added.rows == 569


def test_counts_added_up_have_the_fewest_digits_of_the_parts() -> None:
    one, other = halves()
    fine, coarse = counts_of(one, most=200), counts_of(other, most=60)
    single = {name: block.digits for block in fine.blocks[:3] for name in block.digits}
    assert len(fine.blocks) == 6
    added = add(fine, coarse)
    for block, own, another in zip(added.blocks, fine.blocks, coarse.blocks, strict=True):
        for name, digits in block.digits.items():
            parts = [part.digits[name] for part in (own, another) if name in part.digits]
            assert digits == min(parts)
            values = block.table[name].to_numpy()
            assert np.array_equal(condensed(values, digits), values)
        assert block.rows == own.rows + another.rows
    assert single


OTHERS = {
    "the truth": "target,score\n1,0.5\n0,0.5\n1,0.9\n",
    "the models and their columns": "y,score,score_b\n1,0.5,0.5\n0,0.5,0.25\n1,0.9,0.75\n",
    "the task": "y,score\na,a\nb,a\nc,c\n",
}


@pytest.mark.parametrize("what", OTHERS)
def test_counts_of_other_roles_do_not_add_up(what: str) -> None:
    first = counts_of(loaded("y,score\n1,0.5\n0,0.5\n1,0.9\n"))
    with pytest.raises(EvalError, match=what) as caught:
        add(first, counts_of(loaded(OTHERS[what])))
    assert caught.value.code == "counts-differ"


def test_files_of_counts_are_not_read_side_by_side() -> None:
    data = as_bytes(counts_of(sample()))
    with pytest.raises(EvalError) as caught:
        load([("a.parquet", data), ("b.parquet", data)])
    assert caught.value.code == "counts-several"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name")
def test_what_is_written_into_a_pipe_does_not_take_its_place(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    writing.check_writable(pipe)
    writing.written(pipe, b"counts")
    reader.join(20)
    assert read == [b"counts"]
    assert pipe.is_fifo()


def test_nothing_half_written_is_left_where_writing_fails(tmp_path: Path) -> None:
    counts = counts_of(sample("ten_rows.csv"))
    (tmp_path / "there.csv").mkdir()
    for target in (tmp_path / "no" / "c.parquet", tmp_path / "there.csv"):
        with pytest.raises(EvalError) as caught:
            write(counts, target)
        assert caught.value.code == "unwritable-file"
    assert [path.name for path in tmp_path.iterdir()] == ["there.csv"]
    write(counts, tmp_path / "c.csv")
    assert is_counts((tmp_path / "c.csv").read_bytes())


def test_choices_change_how_cells_are_read_but_cannot_bring_back_rows() -> None:
    data = ("c.parquet", as_bytes(counts_of(sample())))
    usual, turned = load([data]), load([data], Choices(positive="benign"))
    assert (usual.classes, turned.classes) == (("benign", "malignant"), ("malignant", "benign"))
    assert turned.roles.fold == usual.roles.fold == "fold"
    for choices in (Choices(id="row"), Choices(weight="fold"), Choices(model="fold")):
        with pytest.raises(EvalError) as caught:
            load([data], choices)
        assert caught.value.code == "counts-choice"


def test_what_is_told_of_cells_is_told_of_the_rows_they_stand_for() -> None:
    lines = ["1,0.5", "1,0.5", "0,", "0,", ",0.5", "0,0.25", "1,0.75", ",0.5"]
    data = loaded("y,score\n" + "\n".join(lines) + "\n")
    found = load([("c.csv", as_bytes(counts_of(data), "csv"))])
    told = notice(found, "missing-values")
    assert told.startswith("4 of 8 rows are left out")
    assert "2 have no truth, 2 have no score" in told
    assert told == notice(data, "missing-values")
    assert all(one.rows == () for one in found.notices)
    assert notice(found, "counts").startswith("This file holds counts: 5 cells for 8 rows")


def test_items_of_two_files_that_were_tried_several_times_stay_apart() -> None:
    tried = ["item,gpt,claude"]
    tried += [f"{k},{int(k % 3 > t)},{int(k % 4 > t)}" for k in range(12) for t in range(3)]
    rows = "\n".join(tried)
    whole = "\n".join([rows, *(f"{int(k) + 12},{rest}" for k, rest in (
        line.split(",", 1) for line in tried[1:]))])  # fmt: skip
    once = counts_of(loaded(rows))
    both = to_dataset(add(once, once))
    expected = load([("both.csv", whole.encode())])
    for name, model in expected.models.items():
        found = both.models[name]
        assert found.total == model.total == 24
        assert np.array_equal(np.unique(found.tries), np.unique(model.tries))
        assert np.average(found.share, weights=found.weight) == pytest.approx(model.share.mean())
