"""Metrics, each declared next to its function."""
