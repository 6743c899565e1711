"""Tests and comparisons of models."""
