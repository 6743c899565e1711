"""Metrics over time: periods, intervals that hold at every look, and changes that are flagged."""
