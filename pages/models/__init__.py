"""Pages about each model."""
