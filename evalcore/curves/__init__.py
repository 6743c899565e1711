"""Curves, as functions of count tables."""
