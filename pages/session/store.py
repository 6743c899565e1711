"""Uploaded files in the memory of the server, within bounds, and the samples."""

import json
import os
import secrets
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import streamlit as st

from evalboard import arguments
from evalboard.serving import FILES_VARIABLE
from evalcore.errors import EvalError
from evalread.dataset import NO_CHOICES, Choices
from pages import ASSETS
from pages.session.cache import BoundedCache

SAMPLES = ASSETS / "samples"
SAMPLE_PREFIX = "sample-"
LIMIT_BYTES = 1_000_000_000
LIMIT_COUNT = 100
"""Uploads kept at once, however small: whoever is in the middle of work keeps theirs."""
IDLE_HOURS = 24
"""A working day and a night; unused uploads leave then."""

Files = tuple[tuple[str, bytes], ...]


@dataclass(frozen=True)
class Sample:
    """A data set that comes with the product; `shows` says what it is good for."""

    key: str
    file: str
    title: str
    shows: str
    task: str
    rows: int

    @property
    def token(self) -> str:
        """What stands for the sample in an address."""
        return SAMPLE_PREFIX + self.key


@lru_cache(maxsize=1)
def samples() -> tuple[Sample, ...]:
    """Return the samples in the order in which they are offered."""
    index = json.loads((SAMPLES / "samples.json").read_text("utf-8"))
    return tuple(Sample(**entry) for entry in index)


def keep(files: Sequence[tuple[str, bytes]]) -> str:
    """Keep uploaded files and return the unguessable token under which they lie.

    Raises:
        EvalError: The files together are larger than the limit of one upload.
    """
    size = sum(len(data) for _, data in files)
    limit = int(st.get_option("server.maxUploadSize"))
    if size > limit * 2**20:
        raise EvalError(
            "too-large",
            f"{size / 2**20:,.0f} MB are more than the {limit} MB that can be uploaded at once. "
            "Keep only the columns with the truth and the predictions, or save as Parquet.",
        )
    token = secrets.token_urlsafe(16)
    _uploads().put(token, tuple(files), size)
    return token


def files(token: str) -> Files | None:
    """Return the files under a token, or None if there are none (any more)."""
    return _sample_files(token) or given().get(token) or _uploads().get(token)


def forget(token: str) -> None:
    """Remove the files under a token from the server."""
    given().pop(token, None)
    _uploads().remove(lambda key: key == token)


@lru_cache(maxsize=1)
def given() -> dict[str, Files]:
    """Return the files that the server was started on, by their token; read once, kept for good."""
    told = os.environ.get(FILES_VARIABLE)
    if not told:
        return {}
    asked = json.loads(told)
    paths = map(Path, asked["files"])
    return {asked["token"]: tuple((path.name, path.read_bytes()) for path in paths)}


def given_choices(token: str) -> Choices:
    """Return how the files under a token are to be read, where the command line has said it."""
    told = json.loads(os.environ.get(FILES_VARIABLE) or "{}")
    if told.get("token") != token or not told.get("words"):
        return NO_CHOICES
    return arguments.choices(Namespace(**told["words"]))


@lru_cache(maxsize=16)
def _sample_files(token: str) -> Files | None:
    sample = next((sample for sample in samples() if sample.token == token), None)
    return ((sample.file, (SAMPLES / sample.file).read_bytes()),) if sample else None


@st.cache_resource(show_spinner=False)
def _uploads() -> BoundedCache[Files]:
    return BoundedCache(
        limit_bytes=LIMIT_BYTES, limit_count=LIMIT_COUNT, idle_seconds=IDLE_HOURS * 3600
    )
