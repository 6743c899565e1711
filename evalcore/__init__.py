"""Exact, fast evaluation of machine-learning predictions, apart from any interface."""
