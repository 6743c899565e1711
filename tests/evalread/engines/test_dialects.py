"""The SQL that engines are asked which no test can start: what must be in it, and what must not."""

import re

import ibis
import pytest

from evalread.engines.condensing import cells_of

TABLE = ibis.table(
    {"truth": "int64", "score": "float64", "price": "decimal(9, 2)", "w": "int32", "x": "string"},
    name="scores",
)
DIALECTS = ("duckdb", "postgres", "bigquery", "snowflake")


def sql(dialect: str, **asked: object) -> str:
    about = {"keys": ["truth", "score"], "short": (), "digits": 0, "weight": None, **asked}
    return re.sub(r"\s+", " ", str(ibis.to_sql(cells_of(TABLE, **about), dialect=dialect)))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_only_groups_and_their_sizes_are_asked_for(dialect: str) -> None:
    said = sql(dialect)
    assert "GROUP BY 1, 2" in said
    assert "COUNT(*) AS" in said
    assert "price" not in said


@pytest.mark.parametrize("dialect", DIALECTS)
def test_weights_are_added_up(dialect: str) -> None:
    assert re.search(r"SUM\(\W*t\d\W*\.\W*w\W*\) AS", sql(dialect, weight="w"))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_decimals_become_numbers_of_double_precision(dialect: str) -> None:
    said = sql(dialect, keys=["price"])
    assert re.search(r"CAST\([^)]*price\W* AS (DOUBLE PRECISION|DOUBLE|FLOAT64)\)", said)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_numbers_are_condensed_by_comparisons_and_exact_powers_of_ten(dialect: str) -> None:
    said = sql(dialect, short=["score"], digits=3)
    assert "FLOOR" in said
    assert not re.search(r"\b(LOG10|LOG|LN|POW|POWER|ROUND|EXP)\(", said)
    powers = {float(number) for number in re.findall(r"(?:THEN|ELSE) (1(?:0*\.0|e\+?-?\d+))", said)}
    assert {1e3, 1e4, 1e10, 1.0, 1e13} <= powers
    assert all(power in {float(f"1e{k}") for k in range(23)} for power in powers)
    # No part is written out more than a few times, whatever else a dialect does with it.
    assert len(said) < 8000


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_are_quoted_whatever_is_in_them(dialect: str) -> None:
    name = 'a"; drop table `scores`; --'
    table = ibis.table({name: "int64"}, name="scores")
    said = str(ibis.to_sql(cells_of(table, [name], (), 0, None), dialect=dialect))
    # BigQuery allows no such name, and ibis writes none.
    assert ("; drop" not in said) if dialect == "bigquery" else ('"a""; drop table' in said)
