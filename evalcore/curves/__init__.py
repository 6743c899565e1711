"""Curves, each a function of a count table."""
