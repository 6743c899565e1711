"""Where data lie that are counted there: an address, or a name of the settings file.

No password stands in either. The settings file names the variable of the environment that holds it.
"""

import glob
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from evalcore.text import did_you_mean
from evalread.counts.blocks import COUNTS_KEY
from evalread.dataset import NO_CHOICES, SCHEMA, Choices
from evalread.notices import refusal

SETTINGS_VARIABLE = "EVALBOARD_SOURCES"
"""Names the settings file, where it is not at its usual place."""

PASSWORD_VARIABLE = "EVALBOARD_PASSWORD"
"""Holds the password of a database, unless the settings file names another variable."""

LARGE_ROWS = 10_000_000
"""A Parquet file of more rows is counted where it lies, rather than held."""

KEPT_SECONDS = 600
"""How long the counts of a database are taken for its present ones, unless a source says else."""


@dataclass(frozen=True)
class Engine:
    """What counts, and what its addresses may say.

    Attributes:
        title: Its name, as people write it.
        package: The package whose driver it needs, beside ibis.
        files: Whether the address is a path.
        options: What may stand behind "?" in an address.
    """

    title: str
    package: str
    files: bool = False
    options: tuple[str, ...] = ("table",)


ENGINES: Mapping[str, Engine] = MappingProxyType(
    {
        "duckdb": Engine("DuckDB", "duckdb", files=True),
        "parquet": Engine("DuckDB", "duckdb", files=True, options=()),
        "csv": Engine("DuckDB", "duckdb", files=True, options=()),
        "postgres": Engine("PostgreSQL", "psycopg", options=("table", "host")),
        "sc": Engine("Spark", "pyspark", options=("table", "parquet")),
        "spark": Engine("Spark", "pyspark", options=("table", "parquet")),
        "bigquery": Engine("BigQuery", "google.cloud.bigquery"),
        "snowflake": Engine("Snowflake", "snowflake.connector", options=("table", "warehouse")),
    }
)
"""Scheme of an address -> what counts there."""

_ALIASES = {"postgresql": "postgres"}
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)


@dataclass(frozen=True)
class Origin:
    """Where data lie, without any secret.

    Attributes:
        scheme: A key of `ENGINES`.
        place: A path or pattern of files; else host, port and database, as in the address.
        name: What it is called: its name in the settings file, or the address.
        user: Who asks; "" where the server knows by itself.
        options: What stands behind "?" in the address.
        password_from: The variable of the environment that holds the password.
        keep: Seconds for which counts of a database are taken for its present ones.
        version: A column whose largest value changes whenever the table does.
        choices: What the settings file says of the columns.
    """

    scheme: str
    place: str
    name: str = ""
    user: str = ""
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    password_from: str = PASSWORD_VARIABLE
    keep: int = KEPT_SECONDS
    version: str | None = None
    choices: Choices = NO_CHOICES

    @property
    def engine(self) -> Engine:
        """What counts there."""
        return ENGINES[self.scheme]

    @property
    def table(self) -> str:
        """The name of the table; "" where files are the table."""
        return self.options.get("table", "")

    @property
    def short_name(self) -> str:
        """A name for a file about it, of letters, digits, "_", "-" and "."; never empty.

        >>> origin("parquet:///data/may/*.parquet").short_name
        'may'
        """
        own = self.name if self.is_named else ""
        path = Path(self.place)
        said = (own, self.table, path.stem, path.parent.name)
        plain = (re.sub(r"[^\w.-]+", "_", text).strip("._")[:60] for text in said)
        return next(filter(None, plain), "source")

    @property
    def is_named(self) -> bool:
        """Whether the settings file names it: readers are not told where it lies then."""
        return self.name not in ("", self.address)

    @property
    def password(self) -> str | None:
        """The password, from the environment; to be handed to the driver and nobody else."""
        return os.environ.get(self.password_from) or None

    @property
    def address(self) -> str:
        """The address as it may be shown."""
        asked = f"?{urlencode(self.options, safe='/.')}" if self.options else ""
        user = f"{self.user}@" if self.user else ""
        return f"{self.scheme}://{user}{self.place}{asked}"


def origin(address: str) -> Origin:
    """Return where an address leads.

    >>> found = origin("postgres://reader@db.example.org/scores?table=predictions")
    >>> found.place, found.user, found.table
    ('db.example.org/scores', 'reader', 'predictions')
    >>> origin("parquet:///data/*.parquet").place
    '/data/*.parquet'

    Raises:
        EvalError: "bad-source": there is no such engine, an option is unknown, or what is needed
            is missing; "password-in-address".
    """
    match = _ADDRESS.fullmatch(address)
    scheme = match[1].lower() if match else ""
    scheme = _ALIASES.get(scheme, scheme)
    if match is None or scheme not in ENGINES:
        raise refusal("bad-source/engine", said=scheme or "?", known=[*ENGINES])
    place, _, asked = match[2].partition("?")
    options = _options(scheme, asked)
    user = ""
    if not ENGINES[scheme].files:
        place, user = _host(place)
    else:
        place = unquote(place)
    if not place and "host" not in options:
        raise refusal("bad-source/place", scheme=scheme)
    if "table" in ENGINES[scheme].options and not {"table", "parquet"} & options.keys():
        raise refusal("bad-source/table", scheme=scheme)
    known = Origin(scheme, place.rstrip("/") or "/", user=user, options=MappingProxyType(options))
    return replace(known, name=known.address)


def _options(scheme: str, asked: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for name, value in parse_qsl(asked.partition("#")[0], keep_blank_values=True):
        if "pass" in name.lower() or "secret" in name.lower() or "token" in name.lower():
            raise refusal("password-in-address", variable=PASSWORD_VARIABLE)
        if name not in ENGINES[scheme].options:
            known = ENGINES[scheme].options or ("none",)
            raise refusal("bad-source/option", said=name, scheme=scheme, known=known)
        options[name] = value
    return options


def _host(place: str) -> tuple[str, str]:
    """Return host, port and path of an address, and the user before "@".

    Raises:
        EvalError: "password-in-address", or "bad-source/place".
    """
    try:
        parts = urlsplit(f"//{place}")
        _ = parts.port  # looked at, a port that is no number is an error
    except ValueError:
        raise refusal("bad-source/place", scheme="such an address") from None
    if parts.password is not None or ";" in parts.path:
        raise refusal("password-in-address", variable=PASSWORD_VARIABLE)
    return parts.netloc.rpartition("@")[2] + parts.path, unquote(parts.username or "")


def large_file(path: Path) -> Origin | None:
    """Return a Parquet file of more than `LARGE_ROWS` rows as a source; None for any other file.

    None also for names that are blank or differ in capitals alone: DuckDB renames such columns.
    """
    try:
        if not path.is_file():  # what is read of a pipe is gone
            return None
        with path.open("rb") as file:
            if file.read(4) != b"PAR1":
                return None
        from pyarrow import parquet

        about = parquet.read_metadata(path)
    except (OSError, ValueError):
        return None
    if about.num_rows <= LARGE_ROWS or COUNTS_KEY in (about.metadata or {}):
        return None
    if renamed(about.schema.to_arrow_schema().names):
        return None
    return Origin("parquet", glob.escape(str(path.absolute())), name=path.name)


def renamed(names: Sequence[str]) -> bool:
    """Return whether DuckDB renames columns: names that are blank, or differ in capitals alone.

    >>> renamed(["truth", "score", "Score"]), renamed(["truth", "score"])
    (True, False)
    """
    return len({name.lower() for name in names} - {""}) < len(names)


def settings_path() -> Path:
    """Return where the settings file is, or would be."""
    if told := os.environ.get(SETTINGS_VARIABLE):
        return Path(told)
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "evalboard" / "sources.toml"


_OWN = ("address", "password_from", "keep", "version")
_ROLES = {one.option.replace("-", "_") for one in SCHEMA if one.about != "file"}


def origins() -> Mapping[str, Origin]:
    """Return the sources of the settings file by name; none where there is no such file.

    Raises:
        EvalError: "bad-settings": the file cannot be read or says something unknown; and what
            `origin` raises.
    """
    path = settings_path()
    try:
        told = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return MappingProxyType({})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        raise refusal("bad-settings/file", path=path, why=why) from None
    return MappingProxyType({name: _of_settings(name, about) for name, about in told.items()})


def _of_settings(name: str, about: Any) -> Origin:
    from evalread.loading import choices_from  # who gives an address needs none of it

    if not isinstance(about, Mapping) or not isinstance(about.get("address"), str):
        raise refusal("bad-settings/address", name=name)
    for key in about:
        if key not in (*_OWN, *_ROLES):
            known: dict[str, tuple[str, ...]] = dict.fromkeys((*_OWN, *_ROLES), ())
            raise refusal("bad-settings/key", name=name, said=key, near=did_you_mean(key, known))
    keep = about.get("keep", KEPT_SECONDS)
    if not isinstance(keep, int) or isinstance(keep, bool) or keep < 0:
        raise refusal("bad-settings/keep", name=name)
    for key in ("password_from", "version"):
        if not isinstance(about.get(key, ""), str):
            raise refusal("bad-settings/text", name=name, said=key)
    roles = {key: about[key] for key in about if key in _ROLES}
    return replace(
        origin(about["address"]),
        name=name,
        password_from=about.get("password_from", PASSWORD_VARIABLE),
        keep=keep,
        version=about.get("version"),
        choices=choices_from(roles),
    )


def named(name: str) -> Origin:
    """Return a source of the settings file.

    Raises:
        EvalError: "no-such-source", and what `origins` raises.
    """
    known = origins()
    if name not in known:
        key = "no-such-source" if known else "no-such-source/none"
        raise refusal(key, name=name, known=list(known), path=settings_path())
    return known[name]
