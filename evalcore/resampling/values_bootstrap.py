"""The bootstrap of everything made of sums over rows of truth and prediction."""

from evalcore.outcomes import Floats
from evalcore.resampling.grouped import Resamples, Rows
from evalcore.tables.residuals import Centre, ResidualMoments, row_terms


def bootstrap_moments(
    truth: Floats, prediction: Floats, weight: Floats | None, resamples: Resamples
) -> ResidualMoments:
    """Return the table of (n,) values over resamples of their rows, (B,) draws of each number.

    >>> import numpy as np
    >>> truth = np.arange(50.0)
    >>> draws = Resamples.of(50, None, np.random.default_rng(0), 200)
    >>> bootstrap_moments(truth, truth + 1, None, draws).mean_error.shape
    (200,)
    """
    centre = Centre.of(truth, prediction, weight)

    def terms(rows: Rows) -> Floats:
        return row_terms(truth[rows], prediction[rows], centre)

    sums = resamples.sums(terms).T
    return ResidualMoments.from_sums(resamples.n, sums, centre)
