"""Pages between models."""
