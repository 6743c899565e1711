"""A clustering of one's own beside those of a file."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from evalcore.intake.model import Choices, Dataset, Task
from evalcore.outcomes import Clustering, Codes


def with_clustering(
    dataset: Dataset, beside: Clustering, codes: Codes, name: str
) -> tuple[bytes, Choices, str]:
    """Return the file as CSV with a column of clusters more, its roles, and the column's name.

    `codes` are (n,) clusters of the points of `beside`, a clustering of the file, -1 being noise.
    Rows that are no point of it stay blank.
    """
    table, roles = dataset.table, dataset.roles
    column = _free(name, {*table.names, *roles.clusterings})
    cells = np.full(table.n, "", dtype=object)
    places = np.arange(beside.n) if beside.rows is None else beside.rows - 1
    cells[places] = [roles.noise if code < 0 else str(code) for code in codes.tolist()]
    whole = pa.table({**table.columns, column: pa.array(cells.tolist(), pa.string())})
    written = io.BytesIO()
    pa_csv.write_csv(whole, written)
    choices = Choices(
        task=Task.CLUSTERING,
        truth=roles.truth or None,
        clusterings={**roles.clusterings, column: column},
        features=roles.features,
        id=roles.id,
        noise=roles.noise,
    )
    return written.getvalue(), choices, column


def _free(name: str, taken: set[str]) -> str:
    """Return a name that no column has yet."""
    if name not in taken:
        return name
    return next(new for k in range(2, len(taken) + 3) if (new := f"{name} ({k})") not in taken)
