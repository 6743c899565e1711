"""The rows of delimited text as columns of Arrow, each as text or of a type that is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.csv as pa_csv

from evalcore.errors import EvalError
from evalcore.intake.readers.dialect import Dialect
from evalcore.intake.readers.marks import Marks

TEXT = pa.string()
WORDS = pa.dictionary(pa.int32(), TEXT)

_BLOCK = 1 << 20
_LARGEST_BLOCK = (1 << 31) - 1


class MistypedError(Exception):
    """A cell does not have the type that was asked for."""


class RaggedError(Exception):
    """The parser met a row with another number of fields than the header."""

    def __init__(self, row: pa_csv.InvalidRow) -> None:
        super().__init__()
        self.expected: int = row.expected_columns
        self.actual: int = row.actual_columns
        self.text: str = row.text


@dataclass(frozen=True)
class Body:
    """Rows below the header: those from byte `start` up to byte `stop`."""

    text: bytes
    start: int
    stop: int
    marks: Marks
    dialect: Dialect

    def columns(
        self, types: Sequence[pa.DataType] = (), *, threads: bool = True
    ) -> list[pa.ChunkedArray]:
        """Parse all cells, as text where no types are given; a blank number is null.

        Raises:
            RaggedError: A row has too many or too few fields; with threads, any such row.
            MistypedError: A cell is not of the type that was asked for.
            EvalError: "unreadable".
        """
        wanted = types or (TEXT,) * self.dialect.width
        kinds = {str(place): kind for place, kind in enumerate(wanted)}
        return list(_Parsing(self, kinds, threads).table().columns)

    def some(self, places: Sequence[int]) -> list[pa.ChunkedArray]:
        """Parse the cells of some columns, as text; see `columns`."""
        return list(_Parsing(self, {str(k): TEXT for k in places}, threads=True).table().columns)


@dataclass(frozen=True)
class _Parsing:
    body: Body
    kinds: dict[str, pa.DataType]
    threads: bool
    bad: list[pa_csv.InvalidRow] = field(default_factory=list)

    def table(self) -> pa.Table:
        """Parse in blocks, which grow where a row is longer than one."""
        block = _BLOCK
        while True:
            try:
                return self._read(block)
            except pa.ArrowInvalid as error:
                if self.bad:
                    raise RaggedError(self.bad[0]) from None
                if "conversion error" in str(error):
                    raise MistypedError from None
                if "straddl" not in str(error) or block >= min(len(self.body.text), _LARGEST_BLOCK):
                    raise EvalError("unreadable", "The file cannot be read as a table.") from error
                block = min(block * 16, _LARGEST_BLOCK)

    def _read(self, block: int) -> pa.Table:
        body, decimal = self.body, self.body.dialect.decimal
        return pa_csv.read_csv(
            pa.BufferReader(pa.py_buffer(body.text).slice(body.start, body.stop - body.start)),
            read_options=pa_csv.ReadOptions(
                # Columns are known by their place: two headers may be alike.
                column_names=[str(place) for place in range(body.dialect.width)],
                block_size=block,
                use_threads=self.threads,
            ),
            parse_options=pa_csv.ParseOptions(
                delimiter=body.dialect.separator,
                newlines_in_values=body.marks.quotes > 0,
                invalid_row_handler=self._refuse,
            ),
            convert_options=pa_csv.ConvertOptions(
                column_types=self.kinds,
                include_columns=list(self.kinds),
                null_values=[""],
                strings_can_be_null=False,
                check_utf8=False,  # the text is UTF-8 by now
                decimal_point="," if decimal == "," else ".",
            ),
            memory_pool=_pool(),
        )

    def _refuse(self, row: pa_csv.InvalidRow) -> str:
        self.bad.append(row)
        return "error"


def _pool() -> pa.MemoryPool:
    """Return where cells go: not to mimalloc, which gives pages back and waits for new ones."""
    jemalloc = "jemalloc" in pa.supported_memory_backends()
    return pa.jemalloc_memory_pool() if jemalloc else pa.default_memory_pool()
