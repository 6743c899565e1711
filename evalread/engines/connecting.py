"""Connections to where data lie: what is asked there, and what is said when no answer comes."""

import hashlib
import socket
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa

from evalcore.errors import EvalError
from evalcore.text import shorten
from evalcore.work import NO_PROGRESS, Progress
from evalread.engines.sources import Origin, renamed
from evalread.notices import refusal

MEMORY = "1GB"
"""What DuckDB holds at most; what takes more is laid down on the disk meanwhile."""

_LOOKED_EVERY = 0.1
"""Seconds between two looks at how far a question is."""

_ANSWERS_WITHIN = 20
"""Seconds in which a Spark server takes a connection, or is out of reach."""

_SPARK_PORTS = {"sc": 15002, "spark": 7077}

_SUFFIXES = {"parquet": (".parquet", ".pq"), "csv": (".csv", ".csv.gz", ".tsv", ".tsv.gz")}
"""How files of a folder end that are read where only the folder is named."""


@dataclass(frozen=True, eq=False)
class Opened:
    """A table where it lies.

    Attributes:
        origin: Where it lies.
        backend: Ibis' connection.
        table: Ibis' table.
        stamp: The `fingerprint` of the files, when they were opened.
    """

    origin: Origin
    backend: Any
    table: Any
    stamp: str = ""

    def ask(self, question: Any, progress: Progress = NO_PROGRESS) -> pa.Table:
        """Return the answer to an expression of ibis.

        Raises:
            EvalError: What `said_plainly` says, or "cancelled".
        """
        with said_plainly(self.origin):
            if progress.cancel is None and progress.progress is None:
                return self.backend.to_pyarrow(question)
            return self._watched(question, progress)

    def _watched(self, question: Any, progress: Progress) -> pa.Table:
        """Ask in another thread, and look on."""
        found: list[pa.Table | BaseException] = []

        def work() -> None:
            try:
                found.append(self.backend.to_pyarrow(question))
            except BaseException as problem:  # noqa: BLE001 (raised where it is waited for)
                found.append(problem)

        thread = Thread(target=work, daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_LOOKED_EVERY)
            if progress.cancel is not None and progress.cancel.is_set():
                self._interrupt()
                thread.join()
                progress.check()
            progress.report(self._share())
        if isinstance(answer := found[0], BaseException):
            raise answer
        return answer

    def _share(self) -> float:
        """Return how much of the present question is done, as far as the engine tells."""
        told = getattr(self.backend.con, "query_progress", lambda: 0)() if self._is_duckdb else 0
        return min(max(float(told), 0.0), 100.0) / 100

    @property
    def _is_duckdb(self) -> bool:
        return self.origin.engine.package == "duckdb"

    def _interrupt(self) -> None:
        """Stop the present question."""
        with suppress(Exception):
            match self.origin.engine.package:
                case "duckdb":
                    self.backend.con.interrupt()
                case "psycopg":
                    self.backend.con.cancel()
                case "pyspark":
                    self.backend._session.interruptAll()


@contextmanager
def opened(origin: Origin) -> Iterator[Opened]:
    """Yield the table of an address, and close the connection.

    Raises:
        EvalError: "no-engine": a package is not installed; "no-such-table", "source-refused",
            "source-unreachable", "source-locked", or "source-failed".
    """
    with ExitStack() as stack:
        with said_plainly(origin):
            _refuse_missing(origin)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # those of drivers are about drivers
                stamp = fingerprint(origin)
                made = replace(_OPENERS[origin.scheme](origin, stack), stamp=stamp)
        yield made


def _refuse_missing(origin: Origin) -> None:
    """Refuse what needs a package that is not installed.

    Raises:
        EvalError: "no-engine".
    """
    own = origin.scheme in ("bigquery", "snowflake")
    if not _is_there("ibis") or (not own and not _is_there(origin.engine.package)):
        raise refusal("no-engine", title=origin.engine.title)
    if own and not _is_there(origin.engine.package):
        raise refusal("no-engine/driver", title=origin.engine.title, package=origin.scheme)


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # what it is a part of is not there
        return False


def _duckdb(stack: ExitStack, place: str, *, read_only: bool) -> Any:
    import ibis

    spilled = stack.enter_context(tempfile.TemporaryDirectory(prefix="evalboard-"))
    backend = ibis.duckdb.connect(
        place,
        read_only=read_only,
        memory_limit=MEMORY,
        temp_directory=spilled,
        preserve_insertion_order=False,
        autoinstall_known_extensions=False,  # nothing is fetched from elsewhere
    )
    stack.callback(backend.disconnect)
    return backend


def _open_database(origin: Origin, stack: ExitStack) -> Opened:
    files_of(origin)
    backend = _duckdb(stack, origin.place, read_only=True)
    return Opened(origin, backend, _table(backend, origin))


def _open_files(origin: Origin, stack: ExitStack) -> Opened:
    found = files_of(origin)
    backend = _duckdb(stack, ":memory:", read_only=False)
    paths = [str(path) for path in found]
    if origin.scheme == "parquet":
        from pyarrow import parquet  # takes long to import, and most sources do without

        if renamed(parquet.read_schema(found[0]).names):
            raise refusal("source-rows/layout", source=origin.name)
        return Opened(origin, backend, backend.read_parquet(paths))
    # Lines that do not fit are an error: by itself DuckDB skips those at the top, silently.
    return Opened(origin, backend, backend.read_csv(paths, skip=0))


def _open_postgres(origin: Origin, stack: ExitStack) -> Opened:
    import ibis
    import psycopg

    host, _, database = origin.place.partition("/")
    name, _, port = host.partition(":")
    backend = ibis.postgres.connect(
        host=origin.options.get("host") or name or None,
        port=int(port or 5432),
        user=origin.user or None,
        password=origin.password,
        database=database or None,
        autocommit=False,
    )
    stack.callback(backend.disconnect)
    backend.con.rollback()
    # One look at the table, whatever others write meanwhile, and no word of our own in it.
    backend.con.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    backend.con.read_only = True
    backend.con.execute("SELECT 1")
    return Opened(origin, backend, _table(backend, origin))


def _open_spark(origin: Origin, stack: ExitStack) -> Opened:
    # Asked once here: Spark's own client would go on trying for ten minutes.
    known = urlsplit(f"//{origin.place.partition(',')[0]}")
    server = (known.hostname or "", known.port or _SPARK_PORTS[origin.scheme])
    socket.create_connection(server, timeout=_ANSWERS_WITHIN).close()
    import ibis
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("evalboard")
    address = f"{origin.scheme}://{origin.place}"
    remote = origin.scheme == "sc"
    session = (builder.remote if remote else builder.master)(address).getOrCreate()
    stack.callback(session.stop)
    backend = ibis.pyspark.connect(session)
    if files := origin.options.get("parquet"):
        return Opened(origin, backend, backend.read_parquet(files))
    return Opened(origin, backend, _table(backend, origin))


def _open_bigquery(origin: Origin, stack: ExitStack) -> Opened:
    import ibis

    project, _, dataset = origin.place.partition("/")
    backend = ibis.bigquery.connect(project_id=project, dataset_id=dataset)
    stack.callback(backend.disconnect)
    return Opened(origin, backend, _table(backend, origin))


def _open_snowflake(origin: Origin, stack: ExitStack) -> Opened:
    import ibis

    account, _, database = origin.place.partition("/")
    more = {"warehouse": origin.options["warehouse"]} if "warehouse" in origin.options else {}
    backend = ibis.snowflake.connect(
        user=origin.user, account=account, database=database, password=origin.password, **more
    )
    stack.callback(backend.disconnect)
    return Opened(origin, backend, _table(backend, origin))


_OPENERS: dict[str, Callable[[Origin, ExitStack], Opened]] = {
    "duckdb": _open_database,
    "parquet": _open_files,
    "csv": _open_files,
    "postgres": _open_postgres,
    "sc": _open_spark,
    "spark": _open_spark,
    "bigquery": _open_bigquery,
    "snowflake": _open_snowflake,
}


def _table(backend: Any, origin: Origin) -> Any:
    """Return ibis' table of a name, which may begin with those of what holds it.

    Raises:
        EvalError: "no-such-table", with those that there are.
    """
    import ibis.common.exceptions as problems

    *holders, name = origin.table.split(".")
    try:
        return backend.table(name, database=tuple(holders) or None)
    except problems.TableNotFound:
        known: Sequence[str] = ()
        with suppress(Exception):
            known = backend.list_tables(database=tuple(holders) or None)
        about = {"table": origin.table, "source": origin.name, "known": sorted(known) or ["none"]}
        raise refusal("no-such-table", **about) from None


def files_of(origin: Origin) -> list[Path]:
    """Return the files that a path or pattern means; of a folder, those of the format in it.

    Raises:
        EvalError: "no-such-source/files": there is none.
    """
    place = Path(origin.place)
    suffixes = _SUFFIXES.get(origin.scheme, ())
    if place.is_dir() and suffixes:
        found = [path for path in place.rglob("*") if path.name.endswith(suffixes)]
    else:
        found = []
        with suppress(ValueError):  # what no pattern may say
            found = [*Path(place.anchor).glob(str(place.relative_to(place.anchor)))]
    files = sorted(path for path in found if path.is_file())
    if not files:
        key = "no-such-source/named" if origin.is_named else "no-such-source/files"
        raise refusal(key, place=origin.place, source=origin.name)
    return files


def fingerprint(origin: Origin) -> str:
    """Return what changes with the files of an address; "" for a table on a server.

    That is the SHA-256 of their names, sizes and times of change.
    """
    if not origin.engine.files:
        return ""
    told = hashlib.sha256()
    for path in files_of(origin):
        about = path.stat()
        told.update(f"{path.absolute()}\0{about.st_size}\0{about.st_mtime_ns}\n".encode())
    return told.hexdigest()


@contextmanager
def said_plainly(origin: Origin) -> Iterator[None]:
    """Turn whatever a driver raises into a sentence without any secret.

    Raises:
        EvalError: "no-such-table", "source-refused", "source-unreachable", "source-locked",
            "source-memory", or "source-failed".
    """
    try:
        yield
    except EvalError:
        raise
    except Exception as problem:  # noqa: BLE001 (drivers raise what they like)
        raise _said(problem, origin) from None


_MEANT: Sequence[tuple[str, Sequence[str], Sequence[str]]] = (
    ("source-refused", ("InsufficientPrivilege",), ("permission denied", "insufficient_perm")),
    ("source-locked", (), ("could not set lock", "conflicting lock")),
    ("no-such-table/driver", ("UndefinedTable", "CatalogException"), ("table_or_view_not_found",)),
    ("source-memory", ("OutOfMemoryException", "MemoryError"), ("out of memory",)),
    (
        "source-unreachable",
        ("OperationalError", "ConnectionError", "TimeoutError", "gaierror"),
        ("statuscode.unavailable", "failed to connect"),
    ),
)
"""Code, and the names of exceptions, or the words in their messages, that it is said of."""


def _said(problem: Exception, origin: Origin) -> EvalError:
    names = {kind.__name__ for kind in type(problem).__mro__}
    if origin.engine.files:  # what is wrong with a file is an OperationalError, too
        names.discard("OperationalError")
    text = _without_secret(str(problem), origin)
    about = {"source": origin.name, "title": origin.engine.title, "why": text}
    if "ModuleNotFoundError" in names:
        return refusal("no-engine", title=origin.engine.title)
    for code, kinds, words in _MEANT:
        if names.intersection(kinds) or any(word in str(problem).lower() for word in words):
            return refusal(code, **about)
    return refusal("source-failed", **about)


_MOST_OF_A_MESSAGE = 300
"""Letters of a driver's message that are passed on."""


def _without_secret(text: str, origin: Origin) -> str:
    """Return a driver's message on one line, without the password.

    Of a source of the settings file, where it lies is not said either.
    """
    host = origin.place.partition("/")[0].partition(":")[0]
    hidden = (origin.place, host) if origin.is_named else ()
    for secret in filter(None, (origin.password, *hidden)):
        text = text.replace(secret, "•••")
    lines = [line.strip() for line in text.partition("\nLINE ")[0].splitlines()]  # without its SQL
    plain = shorten(" ".join(line for line in lines if line), _MOST_OF_A_MESSAGE)
    return plain.rstrip(".")
