"""Models trained for lessons."""
