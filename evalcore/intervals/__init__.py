"""Intervals and resampling."""
