"""Evaluation of predictions: metrics, curves, intervals and comparisons."""
