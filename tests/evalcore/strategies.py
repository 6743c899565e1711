"""Small hostile inputs for hypothesis: ties, extremes, one class, one row."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

EXTREMES = (0.0, -0.0, 0.5, 1.0, 1e300, -1e300, 5e-324, -5e-324, 1e-310, 2.0**-1022)


@dataclass(frozen=True)
class Scored:
    """Scores with their truth and whole weights, one of each per row."""

    score: NDArray[np.float64]
    truth: NDArray[np.int8]
    weight: NDArray[np.float64]

    def repeated(self) -> "Scored":
        """Return each row as often as its weight says, at weight 1."""
        times = self.weight.astype(int)
        return Scored(
            np.repeat(self.score, times),
            np.repeat(self.truth, times),
            np.ones(times.sum()),
        )

    def taken(self, rows: NDArray[np.intp] | slice) -> "Scored":
        """Return some of the rows."""
        return Scored(self.score[rows], self.truth[rows], self.weight[rows])


TIED = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0])
PROBABILITIES = st.one_of(TIED, st.floats(0, 1))
ANY_SCORE = st.one_of(
    PROBABILITIES,
    st.sampled_from(EXTREMES),
    st.floats(-20, 20),
    st.floats(allow_nan=False, allow_infinity=False),
)


@st.composite
def scored(
    draw: st.DrawFn, scores: st.SearchStrategy[float] = ANY_SCORE, min_rows: int = 1
) -> Scored:
    """Draw up to 60 rows; both classes are likely, not certain."""
    row = st.tuples(scores, st.integers(0, 1), st.integers(0, 3))
    rows = draw(st.lists(row, min_size=min_rows, max_size=60))
    score, truth, weight = zip(*rows, strict=True) if rows else ((), (), ())
    return Scored(
        np.array(score, dtype=np.float64),
        np.array(truth, dtype=np.int8),
        np.array(weight, dtype=np.float64),
    )


@st.composite
def with_both_classes(
    draw: st.DrawFn, scores: st.SearchStrategy[float] = ANY_SCORE, each: int = 1
) -> Scored:
    """Draw rows with at least `each` positives and negatives of weight 1 or more."""
    data = draw(scored(scores, min_rows=2 * each))
    truth, weight = data.truth.copy(), np.maximum(data.weight, 1.0)
    truth[: 2 * each] = np.tile([0, 1], each)
    return Scored(data.score, truth, weight)
