"""PostgreSQL: rights, passwords, and rows that others write meanwhile."""

from collections.abc import Callable
from typing import Any

import pytest

from evalcore.errors import EvalError
from evalcore.work import Progress
from evalread.engines.connecting import Opened
from tests.evalread.engines.lying import Cluster, counted_here, counted_there, models, same


def refused(work: Callable[[], Any]) -> EvalError:
    with pytest.raises(EvalError) as caught:
        work()
    return caught.value


def test_a_view_is_counted_like_a_table(cluster: Cluster) -> None:
    table = models(200)
    cluster.put(table, "under_view")
    cluster.run("create or replace view seen as select * from under_view")
    same(counted_there(cluster.address("seen")), counted_here(table))


def test_a_table_of_another_schema_is_named_with_it(cluster: Cluster) -> None:
    table = models(50)
    cluster.put(table, "moved")
    cluster.run("drop schema if exists apart cascade", "create schema apart")
    cluster.run("alter table moved set schema apart")
    same(counted_there(cluster.address("apart.moved")), counted_here(table))


def test_rows_that_are_written_meanwhile_are_not_counted(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, whole, written = models(200), Opened.ask, []
    address = cluster.put(table, "growing")

    def ask(self: Opened, question: Any, progress: Progress = Progress()) -> Any:  # noqa: B008
        if not written:
            written.append(cluster.run("insert into growing select * from growing"))
        return whole(self, question, progress)

    monkeypatch.setattr(Opened, "ask", ask)
    same(counted_there(address), counted_here(table))
    assert cluster.run("select count(*) from growing") == [(400,)]


def test_a_table_without_the_right_to_read_it(cluster: Cluster) -> None:
    cluster.put(models(10), "secrets")
    cluster.run("revoke all on secrets from public", "drop role if exists stranger")
    cluster.run("create role stranger login")
    problem = refused(lambda: counted_there(cluster.address("secrets", user="stranger")))
    assert problem.code == "source-refused"
    assert "secrets" in problem.message


def test_a_table_that_is_not_there(cluster: Cluster) -> None:
    cluster.put(models(10), "here")
    problem = refused(lambda: counted_there(cluster.address("there")))
    assert problem.code == "no-such-table"
    assert '"here"' in problem.message


def test_a_server_or_database_that_is_not_there(cluster: Cluster) -> None:
    for address in (
        cluster.address("scores", database="nowhere"),
        "postgres://me@/x?host=/nowhere&table=t",
    ):
        problem = refused(lambda address=address: counted_there(address))
        assert problem.code == "source-unreachable"


def test_a_password_opens_and_is_never_said(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = models(40)
    address = cluster.put(table).replace("owner@", "locked@")
    cluster.run("drop owned by locked" if _has_role(cluster) else "select 1")
    cluster.run("drop role if exists locked", "create role locked login password 'hunter2'")
    for wrong in ("hunter3", None):
        if wrong:
            monkeypatch.setenv("EVALBOARD_PASSWORD", wrong)
        else:
            monkeypatch.delenv("EVALBOARD_PASSWORD")
        problem = refused(lambda: counted_there(address))
        assert problem.code == "source-unreachable"
        assert "hunter" not in problem.message
    monkeypatch.setenv("EVALBOARD_PASSWORD", "hunter2")
    found = counted_there(address)
    same(found, counted_here(table))
    assert "hunter" not in repr(found)


def test_a_password_that_a_driver_repeats_is_masked(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALBOARD_PASSWORD", "nowhere")  # as the database that is named
    problem = refused(lambda: counted_there(cluster.address("scores", database="nowhere")))
    assert "nowhere" not in problem.message.partition("says:")[2]
    assert "•••" in problem.message


def _has_role(cluster: Cluster) -> bool:
    return bool(cluster.run("select 1 from pg_roles where rolname = 'locked'"))


def test_nothing_is_written_where_data_lie(cluster: Cluster) -> None:
    address = cluster.put(models(40), "readonly")
    before = cluster.run("select count(*) from pg_class")
    counted_there(address)
    assert cluster.run("select count(*) from pg_class") == before
