"""Where each cell of a column stands among its distinct cells."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


def places_of(column: pa.ChunkedArray) -> NDArray[np.int64]:
    """Return the (n,) places of cells among the distinct ones; -1 where a cell is missing.

    >>> places_of(pa.chunked_array([["b", None], ["a", "b"]])).tolist()
    [0, -1, 1, 0]
    """
    whole = column.combine_chunks()  # dictionaries of many chunks take long to unify
    encoded = whole if pa.types.is_dictionary(whole.type) else pc.dictionary_encode(whole)
    places: NDArray[np.int64] = pc.fill_null(encoded.indices, -1).to_numpy().astype(np.int64)
    return places
