"""Addresses and the settings file: what they say, and what they must not."""

from pathlib import Path

import pytest

from evalcore.errors import EvalError
from evalread.dataset import Choices
from evalread.engines.sources import named, origin, origins


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "sources.toml"
    monkeypatch.setenv("EVALBOARD_SOURCES", str(path))
    return path


def refused(address: str) -> EvalError:
    with pytest.raises(EvalError) as caught:
        origin(address)
    return caught.value


@pytest.mark.parametrize(
    ("address", "scheme", "place", "table"),
    [
        ("duckdb:///data/a%20b.db?table=main.scores", "duckdb", "/data/a b.db", "main.scores"),
        ("duckdb://here.db?table=t", "duckdb", "here.db", "t"),
        ("parquet:///data/*.parquet", "parquet", "/data/*.parquet", ""),
        ("csv://data", "csv", "data", ""),
        ("postgresql://db.example.org:5433/x?table=t", "postgres", "db.example.org:5433/x", "t"),
        ("sc://spark.example.org:15002?table=a.b", "sc", "spark.example.org:15002", "a.b"),
        ("bigquery://project/set?table=t", "bigquery", "project/set", "t"),
        ("snowflake://me@account/db/schema?table=t", "snowflake", "account/db/schema", "t"),
    ],
)
def test_an_address_says_what_counts_where(
    address: str, scheme: str, place: str, table: str
) -> None:
    found = origin(address)
    assert (found.scheme, found.place, found.table) == (scheme, place, table)
    assert origin(found.address) == found


@pytest.mark.parametrize(
    ("address", "code", "said"),
    [
        ("mysql://x/y?table=t", "bad-source", "mysql"),
        ("duckdb:///a.db", "bad-source", "?table=NAME"),
        ("duckdb://?table=t", "bad-source", "duckdb://"),
        ("postgres://x:port/y?table=t", "bad-source", "host"),
        ("parquet:///a?table=t", "bad-source", '"table"'),
        ("postgres://x/y?table=t&sslkey=a", "bad-source", '"sslkey"'),
    ],
)
def test_an_address_that_says_too_little_or_too_much_is_refused(
    address: str, code: str, said: str
) -> None:
    problem = refused(address)
    assert problem.code == code
    assert said in problem.message


@pytest.mark.parametrize(
    "address",
    [
        "postgres://me:hunter2@db/x?table=t",
        "postgres://db/x?table=t&password=hunter2",
        "snowflake://me:hunter2@account/db?table=t",
        "sc://host:15002/;token=hunter2?table=t",
    ],
)
def test_a_secret_in_an_address_is_refused_and_not_repeated(address: str) -> None:
    problem = refused(address)
    assert problem.code == "password-in-address"
    assert "EVALBOARD_PASSWORD" in problem.message
    assert "hunter2" not in problem.message


def test_the_settings_file_names_sources_and_their_columns(settings: Path) -> None:
    settings.write_text(
        """
        [scores]
        address = "postgres://reader@db/evals?table=predictions"
        password_from = "SCORES_PASSWORD"
        keep = 60
        version = "updated"
        truth = "y"
        score = {a = "p_a", b = "p_b"}

        [folder]
        address = "parquet:///data"
        """,
        "utf-8",
    )
    found = origins()
    assert [*found] == ["scores", "folder"]
    scores = named("scores")
    assert (scores.name, scores.keep, scores.version) == ("scores", 60, "updated")
    assert scores.choices == Choices(truth="y", scores={"a": "p_a", "b": "p_b"})


def test_a_password_comes_from_the_environment_and_shows_nowhere(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '[s]\naddress = "postgres://me@db/x?table=t"\npassword_from = "MINE"'
    settings.write_text(text, "utf-8")
    assert named("s").password is None
    monkeypatch.setenv("MINE", "hunter2")
    assert named("s").password == "hunter2"
    assert "hunter2" not in repr(named("s"))
    assert "hunter2" not in named("s").address


def test_there_need_be_no_settings_file(settings: Path) -> None:
    assert dict(origins()) == {}
    with pytest.raises(EvalError, match="no source") as caught:
        named("scores")
    assert f"the settings file {settings} does not exist" in caught.value.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a\n", "cannot be read"),
        ("a = 1", "needs an address"),
        ("[a]\ntable = 'x'", "needs an address"),
        ('[a]\naddress = "csv://x"\ntruht = "y"', "Did you mean truth?"),
        ('[a]\naddress = "csv://x"\nkeep = "long"', "whole number of seconds"),
        ('[a]\naddress = "csv://x"\nkeep = -1', "whole number of seconds"),
        ('[a]\naddress = "csv://x"\nversion = 3', "version"),
        ('[a]\naddress = "postgres://a:b@c/d?table=t"', "password"),
    ],
)
def test_a_settings_file_that_says_nonsense_is_refused(
    settings: Path, text: str, said: str
) -> None:
    settings.write_text(text, "utf-8")
    with pytest.raises(EvalError) as caught:
        origins()
    assert said in caught.value.message
