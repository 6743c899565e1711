"""The bootstrap of everything made of sums over rows of truth and predictions.

Up to `EXACT_ROWS` rows, rows are drawn with replacement and summed. Above, the sums of a resample
are so many independent terms that they are drawn from the normal distribution which they tend to,
with their exact mean and covariance; that takes one pass over the rows, whatever their number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.outcomes import Floats
from evalcore.resampling.bootstrap import chunks
from evalcore.tables.residuals import TERMS, Centre, ResidualMoments, blocks

EXACT_ROWS = 10_000
"""Up to so many rows, resamples are drawn row by row."""

_DRAWN = 1 << 21
"""Rows that are drawn at once, which bounds the memory."""

_SIGNED = np.isin(np.arange(TERMS), (0, 1, 2, 6))
"""The terms that can be negative."""


@dataclass(frozen=True, eq=False)
class MomentDraws:
    """Tables of (B,) draws, one for each prediction; the draws of all are of the same rows.

    Attributes:
        tables: One table for each prediction, in their order.
        method: "bootstrap-percentile", or "bootstrap-normal" where sums were drawn instead of rows.
    """

    tables: tuple[ResidualMoments, ...]
    method: str


def bootstrap_moments(
    truth: Floats,
    predictions: Sequence[Floats],
    weight: Floats | None,
    rng: np.random.Generator,
    resamples: int = 2000,
) -> MomentDraws:
    """Resample (n,) true values together with one or more predictions of them.

    A weight is a number of rows. Source: Efron and Tibshirani (1993), An Introduction to the
    Bootstrap, chapter 6; for the normal limit of means Bickel and Freedman (1981), Annals of
    Statistics 9(6).

    >>> truth = np.arange(50.0)
    >>> draws = bootstrap_moments(truth, [truth + 1], None, np.random.default_rng(0), 200)
    >>> draws.tables[0].mean_error.shape, draws.method
    ((200,), 'bootstrap-percentile')
    """
    if weight is not None:
        used = np.flatnonzero(weight)
        truth, weight = truth[used], weight[used]
        predictions = [prediction[used] for prediction in predictions]
    sample = _Sample(truth, predictions, weight)
    exact = max(len(truth), sample.n) <= EXACT_ROWS
    draw = sample.draw_rows if exact else sample.draw_sums
    sums = draw(rng, resamples).T.reshape(len(predictions), TERMS, resamples)
    tables = (
        ResidualMoments.from_sums(sample.n, part, centre)
        for part, centre in zip(sums, sample.centres, strict=True)
    )
    return MomentDraws(tuple(tables), "bootstrap-percentile" if exact else "bootstrap-normal")


class _Sample:
    """The rows to draw from."""

    def __init__(self, truth: Floats, predictions: Sequence[Floats], weight: Floats | None) -> None:
        self.truth, self.predictions, self.weight = truth, predictions, weight
        self.n = float(len(truth) if weight is None else weight.sum())
        self.centres = [Centre.of(truth, prediction, weight) for prediction in predictions]

    def draw_rows(self, rng: np.random.Generator, resamples: int) -> Floats:
        """Return (B, terms) sums over as many rows as there are, drawn with replacement."""
        terms = np.hstack([part for part, _ in self._terms()])
        runs = chunks(resamples, rng, 1 + _DRAWN // terms.shape[1])
        counts = (_counts(terms.shape[1], self.weight, some, child) for some, child in runs)
        with np.errstate(invalid="ignore"):  # an infinite term, drawn no times
            return np.concatenate([times @ terms.T for times in counts])

    def draw_sums(self, rng: np.random.Generator, resamples: int) -> Floats:
        """Return (B, terms) sums, normal with the mean and covariance of sums over drawn rows."""
        mean = np.sum([_summed(*part) for part in self._terms()], axis=0) / self.n
        product = np.zeros((len(mean), len(mean)))
        for terms, weight in self._terms():
            from_mean = terms - mean[:, np.newaxis]
            product += from_mean @ (from_mean if weight is None else from_mean * weight).T
        # Undefined terms stay undefined, without spoiling the covariance of the others.
        defined = np.isfinite(product.diagonal())
        root = np.zeros_like(product)
        root[np.ix_(defined, defined)] = _root(product[np.ix_(defined, defined)])
        sums = self.n * mean + rng.standard_normal((resamples, len(mean))) @ root.T
        signed = np.tile(_SIGNED, len(self.predictions))
        kept: Floats = np.where(signed | np.isnan(sums), sums, np.maximum(sums, 0.0))
        return kept

    def _terms(self) -> Iterator[tuple[Floats, Floats | None]]:
        """Give the terms of all predictions below each other, a block of rows at a time."""
        each = (
            blocks(self.truth, prediction, self.weight, centre)
            for prediction, centre in zip(self.predictions, self.centres, strict=True)
        )
        for parts in zip(*each, strict=True):
            yield np.vstack([terms for terms, _ in parts]), parts[0][1]


def _counts(n: int, weight: Floats | None, resamples: int, rng: np.random.Generator) -> Floats:
    """Return (resamples, n): how often each row is drawn."""
    if weight is not None:
        total = float(weight.sum())
        rows = max(round(total), 1)
        return rng.multinomial(rows, weight / total, size=resamples) * np.float64(total / rows)
    places = rng.integers(n, size=(resamples, n)) + n * np.arange(resamples)[:, np.newaxis]
    counts = np.bincount(places.ravel(), minlength=resamples * n)
    return counts.reshape(resamples, n).astype(np.float64)


def _summed(terms: Floats, weight: Floats | None) -> Floats:
    return np.asarray(terms.sum(axis=1) if weight is None else terms @ weight)


def _root(covariance: Floats) -> Floats:
    """Return R with R R' = covariance, which may be singular and of very different scales."""
    scale = np.sqrt(covariance.diagonal())
    safe = np.where(scale > 0, scale, 1.0)
    values, vectors = np.linalg.eigh(covariance / np.outer(safe, safe))
    root: Floats = scale[:, np.newaxis] * vectors * np.sqrt(np.maximum(values, 0.0))
    return root
