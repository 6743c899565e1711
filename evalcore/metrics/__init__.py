"""Metrics, each declared once beside its function."""
