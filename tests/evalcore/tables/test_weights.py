import numpy as np
import pytest

from evalcore.tables.confusion import as_counts


@pytest.mark.parametrize(
    ("weight", "kind"),
    [
        ([], "int64"),
        ([0.0, 2.0], "int64"),
        ([1, 2], "int64"),
        ([1.0, 0.5], "float64"),
        ([1e300], "float64"),
        ([2.0**53, 1.0], "float64"),
    ],
)
def test_weights_are_integers_where_their_sums_are_exact(weight: list[float], kind: str) -> None:
    counts = as_counts(np.array(weight))
    assert counts.dtype == kind
    assert counts.tolist() == weight
