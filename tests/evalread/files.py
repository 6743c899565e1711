"""Files for the tests, written the way tools write them."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import openpyxl
import pytest

from evalcore.errors import EvalError
from evalread.dataset import Choices, Dataset
from evalread.loading import load

File = tuple[str, bytes]


def csv(text: str, name: str = "predictions.csv") -> File:
    return name, text.encode()


def loaded(*files: File | str, **choices: Any) -> Dataset:
    return load([csv(f) if isinstance(f, str) else f for f in files], Choices(**choices))


def refused(*files: File | str, **choices: Any) -> EvalError:
    with pytest.raises(EvalError) as caught:
        loaded(*files, **choices)
    return caught.value


def notice(data: Dataset, code: str) -> str:
    """Return the message of the one notice with this code."""
    (message,) = [notice.message for notice in data.notices if notice.code == code]
    return message


def codes(data: Dataset) -> set[str]:
    return {notice.code for notice in data.notices}


def jsonl(*records: Mapping[str, Any], name: str = "predictions.jsonl") -> File:
    return name, "\n".join(json.dumps(record) for record in records).encode()


def npy(array: Any, name: str, *, pickled: bool = False) -> File:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=pickled)
    return name, buffer.getvalue()


def npz(**arrays: Any) -> File:
    buffer = io.BytesIO()
    np.savez(buffer, **{name: np.asarray(array) for name, array in arrays.items()})
    return "arrays.npz", buffer.getvalue()


def xlsx(**sheets: Sequence[Sequence[Any]]) -> File:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return "book.xlsx", buffer.getvalue()


def zipped(*files: File, name: str = "files.zip") -> File:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for inner, content in files:
            archive.writestr(inner, content)
    return name, buffer.getvalue()
