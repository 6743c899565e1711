"""The data that come with the product, for whoever has no file at hand."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from evalcore.errors import EvalError
from evalcore.text import did_you_mean


@dataclass(frozen=True)
class Sample:
    """A data set that comes with the product; `shows` says what it is good for."""

    name: str
    file: Path
    title: str
    shows: str
    task: str
    rows: int


def samples() -> list[Sample]:
    """Return the samples in the order in which they are offered, worked examples last."""
    root = Path(__file__).resolve().parents[1]
    # In a checkout beside the packages, else inside one of them.
    installed = root / "evalview" / "assets"
    folder = (installed if installed.is_dir() else root / "assets") / "samples"
    index = json.loads((folder / "samples.json").read_text("utf-8"))
    about = ("title", "shows", "task", "rows")
    own = [
        Sample(one["key"], folder / one["file"], *(one[field] for field in about)) for one in index
    ]
    return [*own, *map(_worked, sorted((folder / "worked").glob("*.csv")))]


def _worked(file: Path) -> Sample:
    """Return the file of a worked example; a table of counts has a line for each true class."""
    called = file.stem.replace("_", " ")
    lines = file.read_text("utf-8").count("\n") - 1
    return Sample(file.stem.replace("_", "-"), file, called, "a worked example", "", lines)


def write(name: str, folder: Path) -> Path:
    """Write a sample into a folder and return its path.

    Raises:
        EvalError: There is no such sample, or the folder has a file of that name.
    """
    known = {one.name: one for one in samples()}
    if name not in known:
        parts = {key: (one.file.name, *key.split("-")) for key, one in known.items()}
        near = did_you_mean(name, parts)
        message = f'There is no sample "{name}"; there are {", ".join(known)}.{near}'
        raise EvalError("no-such-sample", message)
    target = folder / known[name].file.name
    try:
        with target.open("xb") as new, known[name].file.open("rb") as old:
            shutil.copyfileobj(old, new)
    except FileExistsError:
        raise EvalError(
            "file-exists", f"{target.name} already exists and was not changed."
        ) from None
    except OSError as problem:
        message = f"{target.name} cannot be written here: {problem.strerror}."
        raise EvalError("unwritable", message) from None
    return target
