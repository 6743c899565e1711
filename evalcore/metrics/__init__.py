"""Metrics, each declared beside its function."""
