"""Intervals and resampling, from the count tables."""
