"""Files inside gzip and zip, unpacked within limits."""

import gzip
import io
import zipfile
import zlib
from pathlib import PurePosixPath

from evalcore.errors import EvalError

MOST_BYTES = 1 << 30
MOST_FILES = 50
_DAMAGED = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError,
    RuntimeError, KeyError,
)  # fmt: skip


def unpack(name: str, data: bytes) -> list[tuple[str, bytes]]:
    """Return the files inside a gzip or zip file; any other file as it is.

    An .xlsx or .npz file is a zip too, and is left as it is.

    Raises:
        EvalError: "too-large", "too-many-files" or "unreadable".
    """
    if data.startswith(b"\x1f\x8b"):
        return [(name.removesuffix(".gz"), _gunzipped(data))]
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _unzipped(name, data)
    return [(name, data)]


def _gunzipped(data: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            found = stream.read(MOST_BYTES + 1)
    except _DAMAGED:
        raise _damaged("gzip") from None
    if len(found) > MOST_BYTES:
        raise _too_large()
    return found


def _unzipped(name: str, data: bytes) -> list[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            inside = [info for info in archive.infolist() if _counts(info)]
            _refuse_bomb(inside)
            if is_workbook(archive.namelist()) or is_arrays(archive.namelist()):
                return [(name, data)]
            if not inside:
                raise EvalError("empty", "The zip file holds no file.")
            found = []
            left = MOST_BYTES
            for info in inside:
                with archive.open(info) as stream:
                    content = stream.read(left + 1)
                left -= len(content)
                if left < 0:
                    raise _too_large()
                found.append((PurePosixPath(info.filename).name, content))
    except _DAMAGED:
        raise _damaged("zip") from None
    return found


def _counts(info: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(info.filename)
    hidden = path.name.startswith(".") or "__MACOSX" in path.parts
    # Asking whether an entry without a name is a folder is an error of zipfile's.
    return bool(path.name) and not info.is_dir() and not hidden


def _refuse_bomb(inside: list[zipfile.ZipInfo]) -> None:
    if sum(info.file_size for info in inside) > MOST_BYTES:
        raise _too_large()
    workbook = is_workbook([info.filename for info in inside])
    if len(inside) > (2000 if workbook else MOST_FILES):
        raise EvalError(
            "too-many-files", f"The zip file holds {len(inside)} files; at most {MOST_FILES}."
        )


def is_workbook(names: list[str]) -> bool:
    """Tell whether a zip file's names are those of an Excel workbook."""
    return "xl/workbook.xml" in names


def is_arrays(names: list[str]) -> bool:
    """Tell whether a zip file holds NumPy arrays and nothing else."""
    return bool(names) and all(name.endswith(".npy") for name in names)


def _too_large() -> EvalError:
    return EvalError(
        "too-large",
        f"Unpacked, the file has more than {MOST_BYTES / 1e6:,.0f} MB. Unpack it first.",
    )


def _damaged(kind: str) -> EvalError:
    return EvalError("unreadable", f"The {kind} file is damaged or locked. Pack it again.")
